package timeline

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/app/look"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
	"kairos/reader/search"
)

// backgrounds returns the highlighted parts of a title.
func backgrounds(r *row) (lit []*canvas.Rectangle) {
	for _, g := range r.marks.backgrounds {
		if g.Visible() {
			lit = append(lit, g)
		}
	}
	return lit
}

func lampMarks(text string) *search.Marks {
	m := search.Parse(text, time.Time{}).Marks()
	return &m
}

func TestHighlightInTitles(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	r := newRow()
	win := test.NewTempWindow(t, r)
	win.Resize(fyne.NewSize(420, rowHeight))
	show := func(title, text string) []*canvas.Rectangle {
		r.set(&reader.Article{ID: 1, Title: title, FeedTitle: "Lamps", Published: hometest.Noon}, nil, lampMarks(text), hometest.Noon)
		return backgrounds(r)
	}
	if lit := show("Seven lamps in the fog, and a lamplighter", "lamp fog"); len(lit) != 3 {
		t.Errorf("%d parts are marked", len(lit))
	}
	widgetstest.AssertMarkup(t, "highlightrow.xml", r)
	long := strings.Repeat("words and ", 40)
	if lit := show(long+"lamp", "lamp"); len(lit) != 0 {
		t.Errorf("%d parts are marked behind what is seen", len(lit))
	}
	lit := show("lamp "+long+"lamp", "lamp OR and")
	if n := len(lit); n != maxTitleMarks && n < 2 {
		t.Errorf("%d parts are marked", n)
	}
	for _, g := range lit {
		if right := g.Position().X + g.Size().Width; right > 420 {
			t.Errorf("a mark goes on to %v", right)
		}
	}
	texts := r.title.Lines[0].Objects
	for _, title := range []string{"מנורה: lamp", "lamp מנורה", "سبعة lamp مصابيح"} {
		lit := show(title, "lamp")
		if len(lit) != 1 {
			t.Fatalf("%d parts of %q are marked", len(lit), title)
		}
		for _, o := range texts() {
			at, size := lit[0].Position(), lit[0].Size()
			if o := o.(*canvas.Text); (o.Text == "lamp") != (o.Position().X >= at.X-1 && o.Position().X+o.Size().Width <= at.X+size.Width+1) {
				t.Errorf("%q at %v, the mark of %q from %v to %v", o.Text, o.Position().X, title, at.X, at.X+size.Width)
			}
		}
	}
	r.set(&reader.Article{ID: 1, Title: "Seven lamps"}, nil, nil, hometest.Noon)
	if lit := backgrounds(r); len(lit) != 0 {
		t.Errorf("%d parts are marked without a search", len(lit))
	}
}

// What is found comes with the part of its text that was searched for: no frame is painted without.
// BenchmarkBindRow shows one article after the other in a row, as scrolling does.
func BenchmarkBindRow(b *testing.B) {
	a := test.NewTempApp(b)
	a.Settings().SetTheme(look.New(look.Light))
	for name, by := range map[string]*search.Marks{"plain": nil, "found": lampMarks("lamp fog")} {
		b.Run(name, func(b *testing.B) {
			r := newRow()
			r.Resize(fyne.NewSize(420, rowHeight))
			two := [2]*reader.Article{{ID: 1, Title: "Seven lamps in the fog, and a lamplighter who counts them"}, {ID: 2, Title: "A fog without any lamps; the harbour"}}
			for i := 0; b.Loop(); i++ {
				r.set(two[i%2], nil, by, hometest.Noon)
			}
		})
	}
}
