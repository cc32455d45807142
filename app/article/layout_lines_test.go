package article

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2/test"

	"kairos/app/look"
	"kairos/app/typeset"
	"kairos/reader/content"
)

func testStylesheet(t testing.TB) *stylesheet {
	t.Helper()
	test.NewTempApp(t)
	return newStylesheet(look.New(look.Light), Style{})
}

var pieces = []string{
	"word", "a", "Kairos", "don’t", "e.g.", "foo-bar", "https://example.org/a/b/c?d=e&f=g", "12,345.6", "AVATAR", "office",
	" ", "  ", " ", "\n", "\n\n", "\t", "\u00a0", "\u3000", "\u200b", "—", "–", "/", "-",
	"中文", "。", "（", "日本語、", "カタカナー", "한국어", "😀", "👩‍👩‍👧", "🇩🇪🇫🇷", "e\u0301\u0302", "שלום", "\x00", "\xff", "ﬁ",
	strings.Repeat("abcdefghij", 30), strings.Repeat("長", 50),
}

func randomRuns(rng *rand.Rand) []content.Run {
	runs := make([]content.Run, rng.IntN(6))
	for i := range runs {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		runs[i] = content.Run{Text: b.String(), Style: content.Style(rng.UintN(128))}
		if rng.IntN(3) == 0 {
			runs[i].Link = "https://example.org/"
		}
	}
	return runs
}

func randomBlock(rng *rand.Rand) content.Block {
	b := content.Block{
		Kind: content.Kind(rng.IntN(8)), Level: rng.IntN(9) - 1, Quote: rng.IntN(4), Indent: rng.IntN(12) - 1,
		Runs: randomRuns(rng),
	}
	if rng.IntN(3) == 0 {
		b.Marker = []string{"•", "10.", "1000000."}[rng.IntN(3)]
	}
	b.Image = content.Image{URL: "https://example.org/x.png?y", Alt: pieces[rng.IntN(len(pieces))]}
	for range rng.IntN(4) {
		row := make([]content.Cell, rng.IntN(5))
		for i := range row {
			row[i] = content.Cell{Runs: randomRuns(rng), Header: rng.IntN(2) == 0}
		}
		b.Rows = append(b.Rows, row)
	}
	return b
}

func randomArticle(rng *rand.Rand) Article {
	a := Article{Title: pieces[rng.IntN(len(pieces))], Feed: "Feed", Link: "https://example.org"}
	for range rng.IntN(8) {
		a.Body.Blocks = append(a.Body.Blocks, randomBlock(rng))
	}
	return a
}

// checkLayout checks what holds for every layout.
func checkLayout(t *testing.T, l *layout) {
	t.Helper()
	ends := make([]int, len(l.texts))
	for _, ln := range l.lines {
		s := l.texts[ln.text].Chars
		if ln.Start != ends[ln.text] || ln.End < ln.Start {
			t.Fatalf("line %d–%d of %q does not follow %d", ln.Start, ln.End, s, ends[ln.text])
		}
		ends[ln.text] = ln.End
		checkLine(t, l, &ln)
		if ln.y < 0 || ln.y+l.texts[ln.text].leading > l.height {
			t.Fatalf("line at %v leaves the page of %v", ln.y, l.height)
		}
		if s := ln.in; s != nil && (s.wide <= s.w || ln.x < s.x-0.1 || ln.x+ln.Width > s.x+s.wide+0.1 || !s.contains(textPos{text: ln.text})) {
			t.Fatalf("line at %v, %v wide, leaves %+v", ln.x, ln.Width, s)
		}
	}
	for i, end := range ends {
		if end != len(l.texts[i].Chars) {
			t.Fatalf("the lines of %q end at %d", l.texts[i].Chars, end)
		}
	}
}

// unseen reports whether c need not be drawn at the end of a line.
func unseen(c rune) bool { return c == '\n' || typeset.IsBlank(c) }

// checkLine checks that fragments are in order and apart, that all visible text is drawn, and that no character is cut.
func checkLine(t *testing.T, l *layout, ln *line) {
	t.Helper()
	s, at, x := l.texts[ln.text].Chars, ln.Start, float32(-0.01)
	for _, f := range l.fragmentsOf(ln) {
		if skipped := strings.TrimFunc(s[at:f.Start], unseen); skipped != "" {
			t.Fatalf("%q of %q is not drawn", skipped, s)
		}
		if l.texts[ln.text].Mixed { // in the order of reading they lie elsewhere
			x = -0.01
		}
		if f.X < x || f.End <= f.Start || f.End > ln.End {
			t.Fatalf("fragment %+v at %v of line %+v", f, x, ln)
		}
		if !utf8.ValidString(s[f.Start:f.End]) {
			t.Fatalf("%q is cut inside a character", s[f.Start:f.End])
		}
		at, x = f.End, f.X+f.Width-0.01
	}
	checkApart(t, l, ln)
	if skipped := strings.TrimFunc(s[at:ln.End], unseen); skipped != "" {
		t.Fatalf("%q at the end of %q is not drawn", skipped, s)
	}
}

// checkApart checks that no two fragments overlap, and that none leaves the line.
func checkApart(t *testing.T, l *layout, ln *line) {
	t.Helper()
	fragments := slices.DeleteFunc(slices.Clone(l.fragmentsOf(ln)), func(f typeset.Fragment) bool { return f.Width == 0 })
	slices.SortFunc(fragments, func(a, b typeset.Fragment) int { return cmp.Compare(a.X, b.X) })
	x := float32(-0.05)
	for _, f := range fragments {
		if f.X < x || f.X+f.Width > ln.Width+0.05 {
			t.Fatalf("fragment %+v at %v of line %+v", f, x, ln)
		}
		x = f.X + f.Width - 0.05
	}
}

func TestWrapStaysWithinTheWidth(t *testing.T) {
	s := testStylesheet(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		txt := s.text(randomRuns(rng), s.running())
		if txt == nil {
			continue
		}
		width := rng.Float32() * 600
		l := &layout{stylesheet: s, compiled: &compiled{texts: []*text{txt}}}
		l.height = (&layouter{layout: l}).wrap(0, 0, 0, width)
		checkLayout(t, l)
		for _, ln := range l.lines {
			drawn := strings.TrimRightFunc(strings.ReplaceAll(txt.Chars[ln.Start:ln.End], "\x00", ""), unseen)
			if ln.Width > width+0.01 && typeset.ClusterLength(drawn) != len(drawn) {
				t.Fatalf("%q is %v wide, more than %v", drawn, ln.Width, width)
			}
		}
	}
}

// A line is full: the first word of the next line would not have fitted. The one before the last may give a word to that.
func TestWrapIsGreedy(t *testing.T) {
	s := testStylesheet(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		words := make([]string, 60)
		for i := range words {
			words[i] = pieces[rng.IntN(5)]
		}
		txt := s.text([]content.Run{{Text: strings.Join(words, " ")}}, s.running())
		width := 60 + rng.Float32()*400
		l := &layout{stylesheet: s, compiled: &compiled{texts: []*text{txt}}}
		(&layouter{layout: l}).wrap(0, 0, 0, width)
		face := txt.Spans[0].Face
		for i, ln := range l.lines[:max(0, len(l.lines)-2)] {
			next := txt.Chars[l.lines[i+1].Start:]
			next = next[:strings.IndexByte(next+" ", ' ')]
			if ln.Width+face.Width(" ")+face.Width(next) <= width && !strings.Contains(next, "-") {
				t.Fatalf("%q would have fitted after %q", next, txt.Chars[ln.Start:ln.End])
			}
		}
	}
}

// withWords makes all figures show their texts.
func withWords(c *compiled) *compiled {
	for _, f := range c.figures {
		f.state = failed
	}
	return c
}

func TestLayoutOfRandomArticles(t *testing.T) {
	s := testStylesheet(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		a := randomArticle(rng)
		checkLayout(t, s.layOut(withWords(s.compile(&a)), rng.Float32()*1500))
	}
}

func FuzzLayout(f *testing.F) {
	f.Add(uint64(1), "plain words", float32(300))
	f.Add(uint64(2), "a\n\n  b\tc — d/e-f 中文。", float32(0))
	f.Add(uint64(3), strings.Repeat("x", 500)+"\u0301\u200d", float32(41.5))
	s := testStylesheet(f)
	f.Fuzz(func(t *testing.T, seed uint64, words string, width float32) {
		if !(width >= 0 && width < 5000) || len(words) > 5000 {
			t.Skip()
		}
		rng := rand.New(rand.NewPCG(seed, 0))
		a := randomArticle(rng)
		cut := rng.IntN(len(words) + 1)
		a.Body.Blocks = append(a.Body.Blocks,
			content.Block{Kind: content.Kind(seed % 5), Runs: []content.Run{{Text: words[:cut]}, {Text: words[cut:], Style: content.Style(seed)}}})
		l := s.layOut(withWords(s.compile(&a)), width)
		checkLayout(t, l)
		for range 10 {
			at := l.positionAt(rng.Float32()*width, rng.Float32()*l.height)
			if at.text >= len(l.texts) || at.off > len(l.texts[at.text].Chars) {
				t.Fatalf("no such spot: %v", at)
			}
		}
	})
}

func TestSpanIndexAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		type extent struct{ top, bottom float32 }
		items := make([]extent, rng.IntN(40))
		for i := range items {
			top := float32(i*10) + rng.Float32()*60
			items[i] = extent{top, top + rng.Float32()*100}
		}
		r := spanIndex{}
		for n := 0; n < len(items); {
			n += 1 + rng.IntN(len(items)-n)
			r.extend(n, func(i int) (float32, float32) { return items[i].top, items[i].bottom })
		}
		top := rng.Float32()*500 - 50
		bottom := top + rng.Float32()*100
		first, last := r.within(top, bottom)
		for i, it := range items {
			if it.bottom >= top && it.top <= bottom && (i < first || i >= last) {
				t.Fatalf("item %d %+v between %v and %v is outside %d–%d", i, it, top, bottom, first, last)
			}
		}
		if !sort.SliceIsSorted(r.to, func(i, j int) bool { return r.to[i] < r.to[j] }) {
			t.Fatal("lowest bottoms fall")
		}
		if !sort.SliceIsSorted(r.from, func(i, j int) bool { return r.from[i] < r.from[j] }) {
			t.Fatal("highest tops fall")
		}
	}
}

// compile compiles an article.
func (s *stylesheet) compile(a *Article) *compiled {
	c := &compiled{}
	s.compileInto(c, a, func() {})
	return c
}

// layOut lays an article out at a width.
func (s *stylesheet) layOut(c *compiled, width float32) *layout {
	l := s.newLayouter(c, width)
	l.layBlocks()
	return l.layout
}
