package article

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/look"
	"kairos/reader/content"
)

// prose makes an article of n words. Its vocabulary grows with its length as that of real text (Heaps' law, 44·√n), and frequent
// words are short.
func prose(n int, seed uint64) Article {
	rng := rand.New(rand.NewPCG(seed, 1))
	vocabulary := make([]string, 44)
	for len(vocabulary)*len(vocabulary) < 44*44*n {
		vocabulary = append(vocabulary, "")
	}
	for i := range vocabulary {
		var b strings.Builder
		for range 2 + rng.IntN(4+i*6/len(vocabulary)) {
			b.WriteByte("etaoinshrdlucmfwypvbgkjqxz"[min(rng.IntN(26), rng.IntN(26))])
		}
		vocabulary[i] = b.String()
	}
	var blocks []content.Block
	for n > 0 {
		var b strings.Builder
		length := min(n, 40+rng.IntN(120))
		for range length {
			f := rng.Float64()
			b.WriteString(vocabulary[int(f*f*f*float64(len(vocabulary)))] + " ")
		}
		n -= length
		text := b.String()
		third := strings.LastIndexByte(text[:len(text)/2], ' ') + 1
		blocks = append(blocks, content.Block{Runs: []content.Run{
			{Text: text[:third]},
			{Text: text[third:min(third+20, len(text))], Link: "https://example.org/"},
			{Text: text[min(third+20, len(text)):]},
		}})
	}
	return Article{Title: "A long article", Link: "https://example.org/", Feed: "Feed", Body: content.Document{Blocks: blocks}}
}

// openView returns a view in a window of the test driver, in our theme.
func openView(t testing.TB, size fyne.Size) (*View, fyne.Window) {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.New(look.Light))
	v := New()
	w := test.NewTempWindow(t, v)
	w.SetPadded(false)
	w.Resize(size)
	return v, w
}

// BenchmarkDisplay shows an article whose words are new to the view (cold) or known (warm).
func BenchmarkDisplay(b *testing.B) {
	for _, words := range []int{2_000, 30_000} {
		a := prose(words, 1)
		b.Run(fmt.Sprintf("cold-%d", words), func(b *testing.B) {
			v, _ := openView(b, fyne.NewSize(800, 800))
			for b.Loop() {
				v.page.stylesheet = nil
				v.Display(a)
			}
		})
		b.Run(fmt.Sprintf("warm-%d", words), func(b *testing.B) {
			v, _ := openView(b, fyne.NewSize(800, 800))
			for b.Loop() {
				v.Display(a)
			}
		})
	}
}

func BenchmarkResize(b *testing.B) {
	v, w := openView(b, fyne.NewSize(800, 800))
	v.Display(prose(30_000, 1))
	width := float32(500)
	for b.Loop() {
		width = 1000 - width + 1
		w.Resize(fyne.NewSize(width, 800))
	}
}

func BenchmarkScroll(b *testing.B) {
	v, _ := openView(b, fyne.NewSize(800, 800))
	v.Display(prose(30_000, 1))
	for b.Loop() {
		if !v.PageDown() {
			v.scrollTo(0)
		}
	}
}

// BenchmarkPictures shows an article with as many pictures as a document may have, and loads the visible ones.
func BenchmarkPictures(b *testing.B) {
	v, _ := openView(b, fyne.NewSize(800, 800))
	a, s := gallery(10_000, 0, 0)
	v.Pictures = s
	for b.Loop() {
		v.Display(a)
		s.deliver()
	}
}

// BenchmarkHostile shows articles that are hostile, or made by a faulty program.
func BenchmarkHostile(b *testing.B) {
	cells := func(rows, cols int) content.Block {
		b := content.Block{Kind: content.Table, Rows: make([][]content.Cell, rows)}
		for i := range b.Rows {
			for j := range cols {
				b.Rows[i] = append(b.Rows[i], content.Cell{Runs: []content.Run{{Text: fmt.Sprint("cell ", i*j)}}})
			}
		}
		return b
	}
	var links []content.Run
	for i := range 5000 {
		links = append(links, content.Run{Text: fmt.Sprint("link", i), Link: "https://example.org/"}, content.Run{Text: " "})
	}
	text := func(s string) content.Block { return content.Block{Runs: []content.Run{{Text: s}}} }
	for name, block := range map[string]content.Block{
		"paragraph-1MB": text(strings.Repeat("some words ", 95_000)),
		"word-1MB":      text(strings.Repeat("unbroken", 131_000)),
		"chinese-1MB":   text(strings.Repeat("没有空格的中文", 50_000)),
		"spaces-1MB":    text("a" + strings.Repeat(" ", 1<<20) + "b"),
		"marks-100kB":   text("a" + strings.Repeat("\u0301", 50_000)),
		"code-1MB":      {Kind: content.Code, Runs: []content.Run{{Text: strings.Repeat("\tif err != nil {\n", 60_000)}}},
		"code-line-1MB": {Kind: content.Code, Runs: []content.Run{{Text: strings.Repeat("some code(); ", 80_000)}}},
		"code-word-1MB": {Kind: content.Code, Runs: []content.Run{{Text: strings.Repeat("unbroken", 131_000)}}},
		"code-tabs-1MB": {Kind: content.Code, Runs: []content.Run{{Text: strings.Repeat("\t", 1<<19) + strings.Repeat("a\t", 1<<18)}}},
		"cells-1000x10": cells(1000, 10),
		"cells-100x100": cells(100, 100),
		"cells-2x5000":  cells(2, 5000),
		"cells-5000x2":  cells(5000, 2),
		"links-5000":    {Runs: links},
		"arabic-1MB":    text(strings.Repeat("هذا نص طويل 12 word ", 40_000)),
		"url-100kB":     {Runs: []content.Run{{Text: "https://example.org/" + strings.Repeat("x", 100_000), Link: "https://example.org/" + strings.Repeat("x", 100_000)}}},
		"picture-100kB": {Kind: content.Picture, Image: content.Image{URL: "https://example.org/" + strings.Repeat("/x", 50_000), Alt: strings.Repeat("alt ", 25_000), Width: 20_000, Height: 20_000}},
	} {
		b.Run(name, func(b *testing.B) {
			v, _ := openView(b, fyne.NewSize(800, 800))
			a := Article{Title: strings.Repeat("title ", 50), Body: content.Document{Blocks: []content.Block{block}}}
			for b.Loop() {
				v.Display(a)
				v.SelectAll()
				v.scrollTo(v.page.height() / 2)
			}
		})
	}
}

// BenchmarkSideScroll scrolls a part wider than the page by one turn of the wheel.
func BenchmarkSideScroll(b *testing.B) {
	table := content.Block{Kind: content.Table}
	for i := range 100 {
		var row []content.Cell
		for j := range 100 {
			row = append(row, content.Cell{Runs: []content.Run{{Text: fmt.Sprint("cell ", i*j)}}})
		}
		table.Rows = append(table.Rows, row)
	}
	for name, block := range map[string]content.Block{
		"code-line-1MB": {Kind: content.Code, Runs: []content.Run{{Text: strings.Repeat("some code(); ", 80_000)}}},
		"cells-100x100": table,
	} {
		b.Run(name, func(b *testing.B) {
			v, _ := openView(b, fyne.NewSize(800, 800))
			v.Display(Article{Body: content.Document{Blocks: []content.Block{block}}})
			s, step := v.page.lay.sideScrolls[0], float32(40)
			for b.Loop() {
				if s.at == 0 || s.at == s.most() {
					step = -step
				}
				v.page.sideScroller.scroll(s, s.at-step)
			}
		})
	}
}
