package article

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/reader/content"
)

// slowly makes a view lay long articles out in pieces: the function it returns makes the next one, and reports whether there
// was one to make.
func slowly(v *View) (next func() bool) {
	var queue []func()
	v.Later = func(do func()) { queue = append(queue, do) }
	return func() bool {
		if len(queue) == 0 {
			return false
		}
		do := queue[0]
		queue = queue[1:]
		do()
		return true
	}
}

// finishSlowly makes all pieces, and returns how many.
func finishSlowly(next func() bool) (pieces int) {
	for next() {
		pieces++
	}
	return pieces
}

// long is an article with all kinds of blocks, of several pieces.
func long() Article {
	a := prose(60_000, 3)
	rng := rand.New(rand.NewPCG(3, 3))
	var table content.Block
	table.Kind = content.Table
	for range 300 {
		var row []content.Cell
		for range 3 + rng.IntN(3) {
			row = append(row, content.Cell{Runs: runs(run(strings.Repeat("cell ", rng.IntN(30))))})
		}
		table.Rows = append(table.Rows, row)
	}
	for i, b := range []content.Block{
		table,
		{Kind: content.Code, Runs: runs(run(strings.Repeat("\tif err != nil {\n"+strings.Repeat("wide ", 40)+"\n", 500)))},
		{Runs: runs(run(strings.Repeat("没有空格的中文", 5000)))},
		{Runs: runs(run(strings.Repeat("unbroken", 20_000)))},
		{Runs: runs(run(strings.Repeat("هذا نص طويل 12 word ", 3000)))},
		{Kind: content.Picture, Image: content.Image{URL: "https://example.org/lamp.png", Alt: "A lamp", Width: 300, Height: 200}},
	} {
		at := (i + 1) * len(a.Body.Blocks) / 8
		a.Body.Blocks = append(a.Body.Blocks[:at:at], append([]content.Block{b}, a.Body.Blocks[at:]...)...)
	}
	return a
}

// A long article that is laid out in pieces becomes the same as one laid out at once.
func TestPiecesMakeTheWhole(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(800, 800))
	a := long()
	v.Display(a)
	want := v.page.lay
	next := slowly(v)
	v.Display(a)
	if v.page.building == nil || len(v.page.lay.lines) == 0 {
		t.Fatal("the beginning of a long article is not there, or all of it is")
	}
	if pieces := finishSlowly(next); pieces < 10 {
		t.Errorf("made in %d pieces", pieces)
	}
	is := v.page.lay
	if is.height != want.height || !reflect.DeepEqual(is.tops, want.tops) || !reflect.DeepEqual(is.fragments, want.fragments) ||
		!reflect.DeepEqual(is.linesByY, want.linesByY) || !reflect.DeepEqual(is.decorationsByY, want.decorationsByY) || len(is.lines) != len(want.lines) {
		t.Error("pieces make another layout")
	}
	for i := range is.texts {
		if is.texts[i].Chars != want.texts[i].Chars || !reflect.DeepEqual(is.texts[i].Spans, want.texts[i].Spans) || is.texts[i].separator != want.texts[i].separator {
			t.Fatalf("text %d is another", i)
		}
	}
}

// While a long article is being laid out, the page is about as high as it will be, nothing moves, and what needs the whole
// article waits for it.
func TestLongArticleIsThereAtOnce(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(800, 800))
	a := long()
	v.Display(a)
	v.SelectAll()
	height, all := v.page.height(), v.Selected()
	v.page.finder.find("word")
	found := len(v.page.finder.matches)
	next := slowly(v)

	v.Display(a)
	if h := v.page.height(); h < height*0.5 || h > height*2 {
		t.Errorf("the page is %v high at first, and will be %v", h, height)
	}
	for range 3 {
		v.PageDown()
	}
	at, pieces := v.one.scroll.Offset.Y, 0
	for line := v.page.lay.lines[10]; next(); pieces++ {
		if v.one.scroll.Offset.Y != at || v.page.lay.lines[10] != line {
			t.Fatal("what is on screen has moved")
		}
	}
	if v.page.height() != height {
		t.Errorf("the page is %v high, want %v", v.page.height(), height)
	}

	v.Display(a)
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if finishSlowly(next); v.one.scroll.Offset.Y != height-800 {
		t.Errorf("End scrolls to %v of %v", v.one.scroll.Offset.Y, height)
	}

	v.Display(a)
	v.SelectAll()
	finishSlowly(next)
	if v.Selected() != all {
		t.Error("not all is selected")
	}
	v.Display(a)
	v.SelectAll()
	if v.Selected() != all { // copied before it was whole
		t.Error("not all is copied")
	}

	v.Display(a)
	v.Find()
	v.bar.entry.SetText("word")
	if finishSlowly(next); len(v.page.finder.matches) != found {
		t.Errorf("%d found, want %d", len(v.page.finder.matches), found)
	}
	v.CloseFind()

	v.Display(a)
	v.SelectAll()
	v.Display(Article{Title: "Another", Body: content.Document{Blocks: []content.Block{{Runs: runs(run("A lamp."))}}}})
	if finishSlowly(next); v.page.article.Title != "Another" || v.Selected() != "" || len(v.page.lay.blocks) > 3 {
		t.Error("the article before comes back")
	}
}

// A long article that is laid out at another width stays on screen as it is until the whole is ready. The text at the top of
// the window stays there.
func TestLongArticleInAnotherWidth(t *testing.T) {
	v, w := openView(t, fyne.NewSize(800, 800))
	v.Display(long())
	v.scrollTo(v.page.height() / 2)
	at, _ := v.page.topPos()
	next := slowly(v)
	before := v.page.lay
	w.Resize(fyne.NewSize(500, 800))
	if v.page.lay != before {
		t.Error("it is gone while it is laid out again")
	}
	next()
	w.Resize(fyne.NewSize(400, 800))
	finishSlowly(next)
	if v.page.lay == before || v.page.lay.width != 400 {
		t.Fatal("it is not laid out again")
	}
	line := v.page.lay.lineOf(at)
	if top, _ := v.viewport(); line == nil || line.y < top || line.y > top+50 {
		t.Errorf("the text at the top was at %v, the viewport is at %v", line, top)
	}
	style := v.Style()
	style.Size++
	v.SetStyle(style)
	v.SelectAll()
	if finishSlowly(next); v.page.lay.width != 400 || v.page.lay.body != style.Size || v.Selected() == "" {
		t.Error("it is not laid out in another size")
	}
}

// BenchmarkPiece makes a piece of a long article: this is how long the window is held up.
func BenchmarkPiece(b *testing.B) {
	v, _ := openView(b, fyne.NewSize(800, 800))
	next := slowly(v)
	a := prose(600_000, 1)
	for b.Loop() {
		if !next() {
			v.Display(a)
		}
	}
}
