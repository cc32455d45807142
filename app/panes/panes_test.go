package panes

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/look"
	"kairos/app/session"
)

var everyLayout = []session.Layout{session.Columns, session.Wide, session.Combined}

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
	p := New(a.Preferences(), &session.Panes{}, pane(), pane(), pane(), pane())
	w := test.NewTempWindow(t, p.Object)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, height))
	return p, w
}

// Where the window grows, the article gets what is new; the sidebar keeps its width.
func TestSidebarKeepsItsWidth(t *testing.T) {
	p, w := newTestPanes(t, 1280, 800)
	before := p.panes[session.PaneSidebar].Size().Width
	w.Resize(fyne.NewSize(2560, 1440))
	if after := p.panes[session.PaneSidebar].Size().Width; after != before || after > 260 {
		t.Errorf("%v wide, before %v", after, before)
	}
	if wide := p.panes[session.PaneList].Size().Width; wide > 480 {
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
		p.Reveal(session.PaneArticle)
		w.Resize(fyne.NewSize(800, 600))
		if !p.Shown(session.PaneArticle) || count(p.state.Shown()) != 2 {
			t.Errorf("%q at 800: %v", layout, p.state.Shown())
		}
		w.Resize(fyne.NewSize(533, 400))
		if got := w.Canvas().Size(); got.Width != 533 || p.state.Shown() != [3]bool{session.PaneArticle: true} || p.panes[session.PaneArticle].Size().Width != 533 {
			t.Errorf("%q at 533: %v of %v", layout, p.state.Shown(), got)
		}
		if to, ok := p.Back(); !ok || to != session.PaneList || !p.panes[session.PaneList].Visible() || p.panes[session.PaneArticle].Visible() {
			t.Errorf("%q: back to %d", layout, to)
		}
		if to, ok := p.Back(); !ok || to != session.PaneSidebar || !p.panes[session.PaneSidebar].Visible() || p.CanGoBack() {
			t.Errorf("%q: back to %d", layout, to)
		}
		p.Cover(true)
		p.Reveal(session.PaneList)
		if !p.cover.Visible() || p.panes[session.PaneList].Visible() || p.cover.Size().Width != 533 {
			t.Errorf("%q: the cover has %v", layout, p.cover.Size())
		}
		if changes < 5 {
			t.Errorf("%q: told about %d changes", layout, changes)
		}
	}
}

// Choosing in the sidebar of two panes lists what was chosen beside it; opening an article leaves the sidebar.
func TestTwoPanes(t *testing.T) {
	p, _ := newTestPanes(t, 800, 600)
	p.Back()
	p.Reveal(session.PaneList)
	if p.state.Shown() != [3]bool{true, true, false} {
		t.Errorf("the list: %v", p.state.Shown())
	}
	p.Reveal(session.PaneArticle)
	if p.state.Shown() != [3]bool{false, true, true} {
		t.Errorf("the article: %v", p.state.Shown())
	}
}

// A divider is a line of one unit between the panes, which can be grabbed beside it; a drag beyond the bounds is undone
// by dragging back as far.
func TestDividers(t *testing.T) {
	p, w := newTestPanes(t, 1280, 800)
	side, list, article := p.panes[session.PaneSidebar], p.panes[session.PaneList], p.panes[session.PaneArticle]
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
	again := New(p.prefs, &session.Panes{}, canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewRectangle(nil))
	w.SetContent(again.Object)
	if again.panes[session.PaneSidebar].Size() != side.Size() || again.panes[session.PaneList].Size() != list.Size() {
		t.Errorf("%v and %v after a restart, were %v and %v", again.panes[session.PaneSidebar].Size(), again.panes[session.PaneList].Size(), side.Size(), list.Size())
	}
	again.beside.DoubleTapped(nil)
	if got := again.panes[session.PaneSidebar].Size().Width; got != was {
		t.Errorf("a double click makes it %v", got)
	}
	again.SetLayout(session.Wide)
	high := again.panes[session.PaneList].Size().Height
	drag(again.between, 50)
	again.between.DragEnd()
	if got := again.panes[session.PaneList].Size().Height; got != high+50 {
		t.Errorf("%v high, and 50 more are %v", high, got)
	}
}

// The layout and a hidden sidebar are kept over restarts.
func TestKeptOverRestarts(t *testing.T) {
	p, _ := newTestPanes(t, 1280, 800)
	p.ToggleSidebar()
	p.SetLayout(session.Wide)
	if p.panes[session.PaneSidebar].Visible() || p.panes[session.PaneList].Size().Width != 1280 {
		t.Errorf("the list is %v", p.panes[session.PaneList].Size())
	}
	again := New(p.prefs, &session.Panes{}, canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewRectangle(nil))
	if again.Layout() != session.Wide || again.Shown(session.PaneSidebar) {
		t.Errorf("%q, sidebar shown: %t", again.Layout(), again.Shown(session.PaneSidebar))
	}
	again.ToggleSidebar()
	if !again.Shown(session.PaneSidebar) {
		t.Error("it does not come back")
	}
}
