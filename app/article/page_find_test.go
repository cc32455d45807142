package article

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/look"
	"kairos/reader/content"
)

// marks counts the highlights of matches, and those of the current match.
func marks(v *View) (all, now int) {
	for _, o := range v.page.painter.below {
		r, ok := o.(*canvas.Rectangle)
		if !ok {
			continue
		}
		switch r.FillColor {
		case v.page.painter.color(look.ColorMatch):
			all++
		case v.page.painter.color(look.ColorCurrentMatch):
			all++
			now++
		}
	}
	return all, now
}

func TestFind(t *testing.T) {
	v, w := openView(t, fyne.NewSize(480, 1400))
	v.Display(everyKind())
	v.Find()
	if w.Canvas().Focused() != fyne.Focusable(v.bar.entry) {
		t.Fatal("the field has not the focus")
	}
	test.Type(v.bar.entry, "HEADING")
	if all, now := marks(v); all != 2 || now != 1 || v.bar.count.Text != "1 of 2" {
		t.Errorf("%d marks, %d of the one gone to, %s", all, now, v.bar.count.Text)
	}
	v.bar.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if v.bar.count.Text != "2 of 2" {
		t.Errorf("Enter leads to %s", v.bar.count.Text)
	}
	v.bar.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF3})
	if v.bar.count.Text != "1 of 2" {
		t.Errorf("F3 leads to %s", v.bar.count.Text)
	}
	v.bar.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if v.bar.count.Text != "2 of 2" {
		t.Errorf("Up leads to %s", v.bar.count.Text)
	}
	v.bar.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if all, _ := marks(v); v.Finding() || all != 0 || v.Selected() != "Heading" || w.Canvas().Focused() != fyne.Focusable(v) {
		t.Errorf("after Escape %d marks, selected %q", all, v.Selected())
	}
	v.Find() // with what is selected
	if v.bar.entry.Text != "Heading" || v.bar.count.Text != "1 of 2" {
		t.Errorf("again: %q, %s", v.bar.entry.Text, v.bar.count.Text)
	}
	v.bar.entry.SetText("nowhere at all")
	if v.bar.count.Text != "Not found" {
		t.Errorf("what is not there: %s", v.bar.count.Text)
	}
	v.bar.entry.SetText("")
	if all, _ := marks(v); all != 0 || v.bar.count.Text != "" {
		t.Errorf("nothing: %d marks, %s", all, v.bar.count.Text)
	}
}

// Matches are scrolled into view, also with the find bar at the bottom.
func TestFindScrolls(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(500, 400))
	a := prose(3000, 1)
	for _, i := range []int{3, 9, 14} {
		a.Body.Blocks[i].Runs[0].Text += "Zanzibar"
	}
	v.Display(a)
	v.Find()
	if v.one.scroll.Size().Height >= 380 || v.bar.box.Size().Width != 500 {
		t.Errorf("the page is %v, the line %v", v.one.scroll.Size(), v.bar.box.Size())
	}
	v.bar.entry.SetText("zanzibar")
	last := float32(-1)
	for range 3 {
		ln := v.page.lay.lineOf(v.page.finder.matches[v.page.finder.current].from())
		top, bottom := v.viewport()
		if ln.y < top || ln.y > bottom-20 || ln.y <= last {
			t.Fatalf("found at %v, seen %v to %v", ln.y, top, bottom)
		}
		last = ln.y
		v.FindNext(1)
	}
	if v.page.finder.current != 0 {
		t.Error("past the last does not follow the first")
	}
	v.Display(prose(100, 2))
	if v.bar.count.Text != "Not found" {
		t.Errorf("in the next article: %s", v.bar.count.Text)
	}
	v.CloseFind()
	if v.one.scroll.Size().Height != 400 {
		t.Errorf("closed, the page is %v", v.one.scroll.Size())
	}
}

func TestFoldKeepsOffsets(t *testing.T) {
	for _, s := range []string{"ABC", "ÄÖÜ ẞ İSTANBUL ſ K", "中文 Ж", "a\u00a0b", "\xff\xfe"} {
		if s = normalize(s); len(fold(s)) != len(s) {
			t.Errorf("%q becomes %q", s, fold(s))
		}
	}
	if fold("Ärger ЖУК") != "ärger жук" {
		t.Errorf("%q", fold("Ärger ЖУК"))
	}
}

func BenchmarkFind(b *testing.B) {
	v, _ := openView(b, fyne.NewSize(800, 800))
	for name, a := range map[string]Article{
		"30,000 words": prose(30_000, 1),
		"1 MB":         {Body: content.Document{Blocks: []content.Block{{Runs: runs(run(strings.Repeat("some words ", 95_000)))}}}},
	} {
		v.Display(a)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				v.page.finder.find("o")
			}
		})
	}
}
