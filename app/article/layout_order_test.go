package article

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"kairos/app/typeset"
	"kairos/reader/content"
)

// read returns the fragments of a line from left to right.
func read(l *layout, ln *line) []string {
	fragments := slices.Clone(l.fragmentsOf(ln))
	slices.SortStableFunc(fragments, func(a, b typeset.Fragment) int { return int(a.X*16) - int(b.X*16) })
	var out []string
	for _, f := range fragments {
		out = append(out, strings.TrimSpace(l.texts[ln.text].Drawn(&f)))
	}
	return out
}

func TestVisualOrderOfBidiText(t *testing.T) {
	s := testStylesheet(t)
	for _, c := range []struct {
		runs  []content.Run
		want  string
		right bool
	}{
		{runs(run("plain words")), "plain words", false},
		{runs(run("שלום עולם")), "עולם|שלום", true},
		{runs(run("שלום Kairos עולם")), "עולם|Kairos|שלום", true},
		{runs(run("אחת "), run("שתים", content.Bold), run(" שלוש")), "שלוש|שתים|אחת", true},
		{runs(run("שלום עולם.")), ".|עולם|שלום", true},
		{runs(run("(שלום) עולם!")), "!|עולם|(|שלום|)", true},
		{runs(run("english שלום words")), "english|שלום|words", false},
		{runs(run("a אחת 12 שתים b")), "a|שתים|12|אחת|b", false},
		{runs(run("אחת 12 שתים")), "שתים|12|אחת", true},
		{runs(run("مرحبا بالعالم. שלום עולם")), "עולם|שלום|.|بالعالم|مرحبا", true},
		{runs(run("أزمة المهاجرين: ألمانيا")), "ألمانيا|:|المهاجرين|أزمة", true},
		{runs(run("«שלום» - 12,5% (Kairos), בית")), "בית|,(|Kairos|)|12,5%|-|«|שלום|»", true},
		{runs(run("one "), run("אחת", content.Bold), run(" שתים two")), "one|שתים|אחת|two", false},
		{runs(run("«"), run("word"), run("»")), "«word»", false},
	} {
		txt := s.text(c.runs, s.running())
		l := &layout{stylesheet: s, compiled: &compiled{texts: []*text{txt}}}
		(&layouter{layout: l}).wrap(0, 0, 0, 500)
		ln := &l.lines[0]
		if got := strings.Join(read(l, ln), "|"); got != c.want {
			t.Errorf("%q is read %s, want %s", txt.Chars, got, c.want)
		}
		if right := ln.x+ln.Width > 499.5; right != c.right {
			t.Errorf("%q stands at %v of 500", txt.Chars, ln.x)
		}
		checkLine(t, l, ln)
	}
}

// A point selects the character that is drawn there, and the selection is marked where it is drawn.
func TestSelectionInBidiText(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 400))
	v.Display(Article{Body: content.Document{Blocks: []content.Block{{Runs: runs(run("אחת שתים "), link("Kairos", "https://example.org/"), run(" שלוש"))}}}})
	l, ln := v.page.lay, &v.page.lay.lines[0]
	txt := l.texts[0]
	for off := 0; off < len(txt.Chars); off++ {
		if off > 0 && txt.Chars[off]&0xc0 == 0x80 || txt.Chars[off] == ' ' {
			continue
		}
		if got := l.offsetAt(ln, l.offsetX(ln, off)); got != off && txt.RTL {
			if !strings.ContainsAny(txt.Chars[min(got, off):max(got, off)], " ") { // the edge of a piece belongs to two places
				t.Errorf("at %d is %d of %q", off, got, txt.Chars)
			}
		}
	}
	width := float32(0)
	l.forStretches(ln, 0, len(txt.Chars), func(left, right float32) { width += right - left })
	if width < ln.Width*0.85 || width > ln.Width+0.1 {
		t.Errorf("all of it is %v wide, the line %v", width, ln.Width)
	}
	first := ln.x + ln.Width - 2
	if at := l.positionAt(first, ln.y+5); at.off > 2 {
		t.Errorf("at the right edge is %d", at.off)
	}
	if url, on := l.linkAt(ln.x+l.offsetX(ln, strings.Index(txt.Chars, "airos")), ln.y+5); url == "" || on != "Kairos" {
		t.Errorf("the link is not where it is seen: %q", on)
	}
}

// In a paragraph from right to left the keys Left and Right exchange their directions, and what is between two places is told
// where it is drawn.
func TestCaretFromRightToLeft(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 400))
	v.Display(Article{Body: content.Document{Blocks: []content.Block{{Runs: runs(run("אחת שתים"))}}}})
	v.SetCaret(true)
	v.page.caretKey(fyne.KeyLeft, 0)
	l, ln := v.page.lay, &v.page.lay.lines[0]
	if at := v.page.head.off; at != len("א") {
		t.Errorf("Left leads to %d", at)
	}
	for off, next := range []int{2: 4, 6: 7, 9: 11} {
		if next > 0 && l.offsetX(ln, off) <= l.offsetX(ln, next) {
			t.Errorf("the caret at %d is at %v, at %d at %v", off, l.offsetX(ln, off), next, l.offsetX(ln, next))
		}
	}
	if start, end := l.offsetX(ln, 0), l.offsetX(ln, len("אחת שתים")); start != ln.Width || end != 0 {
		t.Errorf("the line is %v wide, from %v to %v", ln.Width, start, end)
	}
	stretches := 0
	l.forStretches(ln, 0, len("אחת שתים"), func(left, right float32) {
		if stretches++; left != 0 || right != ln.Width {
			t.Errorf("all of it is from %v to %v", left, right)
		}
	})
	if stretches != 1 {
		t.Errorf("all of it is in %d parts", stretches)
	}
	v.Display(Article{Body: content.Document{Blocks: []content.Block{{Runs: runs(run("אחת שתים 12 one two, שלוש"))}}}})
	l, ln = v.page.lay, &v.page.lay.lines[0]
	stretches = 0
	if l.forStretches(ln, 0, ln.End, func(_, _ float32) { stretches++ }); stretches != 1 {
		t.Errorf("a line of several directions is in %d parts", stretches)
	}
}

func TestListItemsFromRightToLeft(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 400))
	v.Display(Article{Body: content.Document{Blocks: []content.Block{
		{Kind: content.Item, Indent: 1, Marker: "•", Runs: runs(run("אחת"))},
		{Quote: 1, Runs: runs(run("שתים"))},
	}}})
	for _, m := range v.page.lay.decorations {
		if m.x < 240 {
			t.Errorf("a mark at %v", m.x)
		}
	}
	v.Display(Article{Body: content.Document{Blocks: []content.Block{{Kind: content.Item, Indent: 1, Marker: "1.", Runs: runs(run("אחת"))}}}})
	var marker []*canvas.Text
	for _, o := range v.page.painter.objects {
		if text, ok := o.(*canvas.Text); ok && text.Text != "אחת" {
			marker = append(marker, text)
		}
	}
	if len(marker) != 2 || marker[0].Text != "1" || marker[1].Text != "." || marker[1].Position().X >= marker[0].Position().X {
		t.Errorf("the number is drawn by %d texts", len(marker))
	}
}
