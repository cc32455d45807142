package panes

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/look"
)

var everyLayout = []Layout{Columns, Wide, Combined}

// Whatever the width, the layout and the pane in use: that pane is on screen unless the sidebar was hidden, no more panes
// than there is room for stand beside each other, and going back ends, having shown the sidebar where it is not hidden.
func TestArrangements(t *testing.T) {
	for _, layout := range everyLayout {
		for _, collapsed := range []bool{false, true} {
			for panes := 1; panes <= 3; panes++ {
				for at := Sidebar; at <= Article; at++ {
					a := arrangement{layout, collapsed, panes, at}
					on := a.shown()
					if !on[at] && !(at == Sidebar && collapsed) {
						t.Errorf("%+v shows %v", a, on)
					}
					if n := count(on); n == 0 || n > panes {
						t.Errorf("%+v shows %d panes", a, n)
					}
					seen := on
					for range 3 {
						to, ok := a.back()
						if !ok {
							break
						}
						before := a.shown()
						a.at = to
						if a.shown() == before || !a.shown()[to] {
							t.Errorf("%+v: back shows %v after %v", a, a.shown(), before)
						}
						for i, is := range a.shown() {
							seen[i] = seen[i] || is
						}
					}
					if _, ok := a.back(); ok {
						t.Errorf("%+v: the way back has no end", a)
					}
					if !seen[Sidebar] && !(collapsed && (panes == 3 || layout == Combined)) {
						t.Errorf("%+v: the sidebar is out of reach", a)
					}
				}
			}
		}
	}
}

func count(on [3]bool) (n int) {
	for _, is := range on {
		if is {
			n++
		}
	}
	return n
}

// newTestPanes returns panes in a window of this size.
func newTestPanes(t *testing.T, width, height float32) (*Panes, fyne.Window) {
	t.Helper()
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	pane := func() fyne.CanvasObject {
		r := canvas.NewRectangle(nil)
		r.SetMinSize(fyne.NewSize(500, 500)) // no pane keeps the window from becoming small
		return r
	}
	p := New(a.Preferences(), pane(), pane(), pane(), pane())
	w := test.NewTempWindow(t, p.Object)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, height))
	return p, w
}

// Where the window grows, the article gets what is new; the sidebar keeps its width.
func TestSidebarKeepsItsWidth(t *testing.T) {
	p, w := newTestPanes(t, 1280, 800)
	before := p.panes[Sidebar].Size().Width
	w.Resize(fyne.NewSize(2560, 1440))
	if after := p.panes[Sidebar].Size().Width; after != before || after > 260 {
		t.Errorf("%v wide, before %v", after, before)
	}
	if wide := p.panes[List].Size().Width; wide > 480 {
		t.Errorf("the list is %v wide", wide)
	}
}

// Below 900 units there are two panes, below 600 one; what is in use stays, and there is a way back.
func TestNarrowWindows(t *testing.T) {
	for _, layout := range everyLayout {
		p, w := newTestPanes(t, 1280, 800)
		p.SetLayout(layout)
		changes := 0
		p.Changed = func() { changes++ }
		p.Reveal(Article)
		w.Resize(fyne.NewSize(800, 600))
		if !p.Shown(Article) || count(p.shown()) != 2 {
			t.Errorf("%q at 800: %v", layout, p.shown())
		}
		w.Resize(fyne.NewSize(533, 400))
		if got := w.Canvas().Size(); got.Width != 533 || p.shown() != [3]bool{Article: true} || p.panes[Article].Size().Width != 533 {
			t.Errorf("%q at 533: %v of %v", layout, p.shown(), got)
		}
		if to, ok := p.Back(); !ok || to != List || !p.panes[List].Visible() || p.panes[Article].Visible() {
			t.Errorf("%q: back to %d", layout, to)
		}
		if to, ok := p.Back(); !ok || to != Sidebar || !p.panes[Sidebar].Visible() || p.CanGoBack() {
			t.Errorf("%q: back to %d", layout, to)
		}
		p.Cover(true)
		p.Reveal(List)
		if !p.cover.Visible() || p.panes[List].Visible() || p.cover.Size().Width != 533 {
			t.Errorf("%q: the cover has %v", layout, p.cover.Size())
		}
		if changes < 5 {
			t.Errorf("%q: told of %d changes", layout, changes)
		}
	}
}

// Choosing in the sidebar of two panes lists what was chosen beside it; opening an article leaves the sidebar.
func TestTwoPanes(t *testing.T) {
	p, _ := newTestPanes(t, 800, 600)
	p.Back()
	p.Reveal(List)
	if p.shown() != [3]bool{true, true, false} {
		t.Errorf("the list: %v", p.shown())
	}
	p.Reveal(Article)
	if p.shown() != [3]bool{false, true, true} {
		t.Errorf("the article: %v", p.shown())
	}
}

// A divider is a line of one unit between the panes, which can be grabbed beside it; a drag beyond the bounds is undone
// by dragging back as far.
func TestDividers(t *testing.T) {
	p, w := newTestPanes(t, 1280, 800)
	side, list, article := p.panes[Sidebar], p.panes[List], p.panes[Article]
	if gap := list.Position().X - side.Size().Width; gap != 1 {
		t.Errorf("%v between sidebar and list", gap)
	}
	if gap := article.Position().X - list.Position().X - list.Size().Width; gap != 1 {
		t.Errorf("%v between list and article", gap)
	}
	drag := func(d *divider, by float32) { d.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DX: by, DY: by}}) }
	was := side.Size().Width
	drag(p.beside, -1000)
	if side.Size().Width != sidebarLeast {
		t.Errorf("the narrowest sidebar is %v", side.Size().Width)
	}
	drag(p.beside, 1040)
	p.beside.DragEnd()
	if side.Size().Width != was+40 {
		t.Errorf("%v, and 40 more are %v", was, side.Size().Width)
	}
	drag(p.between, 30)
	p.between.DragEnd()
	again := New(p.prefs, canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewRectangle(nil))
	w.SetContent(again.Object)
	if again.panes[Sidebar].Size() != side.Size() || again.panes[List].Size() != list.Size() {
		t.Errorf("%v and %v after a restart, were %v and %v", again.panes[Sidebar].Size(), again.panes[List].Size(), side.Size(), list.Size())
	}
	again.beside.DoubleTapped(nil)
	if got := again.panes[Sidebar].Size().Width; got != was {
		t.Errorf("a double click makes it %v", got)
	}
	again.SetLayout(Wide)
	high := again.panes[List].Size().Height
	drag(again.between, 50)
	again.between.DragEnd()
	if got := again.panes[List].Size().Height; got != high+50 {
		t.Errorf("%v high, and 50 more are %v", high, got)
	}
}

// The layout and a hidden sidebar are kept over restarts.
func TestKeptOverRestarts(t *testing.T) {
	p, _ := newTestPanes(t, 1280, 800)
	p.ToggleSidebar()
	p.SetLayout(Wide)
	if p.panes[Sidebar].Visible() || p.panes[List].Size().Width != 1280 {
		t.Errorf("the list is %v", p.panes[List].Size())
	}
	again := New(p.prefs, canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewRectangle(nil))
	if again.Layout() != Wide || again.Shown(Sidebar) {
		t.Errorf("%q, sidebar shown: %t", again.Layout(), again.Shown(Sidebar))
	}
	again.ToggleSidebar()
	if !again.Shown(Sidebar) {
		t.Error("it does not come back")
	}
}

// Choosing what is on screen already says nothing: repainting three panes takes as long as the rest of a key.
func TestRevealWhatIsShown(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	p := New(a.Preferences(), canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewRectangle(nil))
	changes := 0
	p.Changed = func() { changes++ }
	for _, tt := range []struct {
		width float32
		to    Pane
		want  int
	}{{1200, Article, 0}, {1200, Sidebar, 0}, {1200, List, 0}, {700, Article, 0}, {700, Sidebar, 1}, {700, List, 0}, {700, Article, 1}, {500, List, 1}, {500, List, 0}} {
		p.Object.Resize(fyne.NewSize(tt.width, 600))
		changes = 0
		p.Reveal(tt.to)
		if changes != tt.want || !p.Shown(tt.to) {
			t.Errorf("%v at %v: %d changes, want %d; shown %v", tt.to, tt.width, changes, tt.want, p.shown())
		}
	}
}
