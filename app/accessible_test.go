package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/accessible/describe/describetest"
)

// told is what a window tells whoever cannot see it; what is wrong with it is an error.
func told(t *testing.T, w *window) *accessible.Tree {
	t.Helper()
	w.win.Content().Refresh() // frames lay out what has changed
	tree := describe.Tree(w.win.Canvas(), accessible.Node{Name: w.win.Title()})
	for _, wrong := range describetest.Lint(tree) {
		t.Error(wrong)
	}
	for _, wrong := range describe.Wrong(w.win.Canvas()) {
		t.Error(wrong)
	}
	return tree
}

// assertTells compares what a window tells with testdata/tells/NAME.txt. Where they differ, what it tells is in
// testdata/failed.
func assertTells(t *testing.T, name string, w *window) {
	t.Helper()
	got := describetest.Listing(told(t, w))
	want, _ := os.ReadFile(filepath.Join("testdata", "tells", name+".txt"))
	if got == string(want) {
		return
	}
	failed := filepath.Join("testdata", "failed", "tells")
	if err := os.MkdirAll(failed, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(failed, name+".txt"), []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s tells something else; it is in %s:\n%s", name, failed, got)
}

func TestMainWindowTells(t *testing.T) {
	w, q := newPictureWindow(t, 1200, 780)
	q.read(w, 0)
	w.focusTimeline()
	w.win.Content().Refresh()
	assertTells(t, "main", w)
}

// heard is a screen reader that keeps what it is told.
type heard struct {
	latest *accessible.Tree
	said   []string
	closed bool
}

func (h *heard) Update(t *accessible.Tree)                       { h.latest = t }
func (h *heard) Announce(text string, how accessible.Politeness) { h.said = append(h.said, text) }
func (h *heard) Close()                                          { h.closed = true }

// listen has a screen reader listen to a window.
func listen(t *testing.T, w *window, q *queue) *heard {
	t.Helper()
	h := &heard{}
	w.access.start(func(app accessible.App) accessibilityService {
		app.Listen(true)
		return h
	})
	q.Until("the window is told", func() bool { return h.latest != nil })
	return h
}

// ask has a screen reader ask the window for something, while Fyne's goroutine goes on.
func (q *queue) ask(what string, f func() bool) {
	q.t.Helper()
	done := make(chan bool, 1)
	go func() { done <- f() }()
	q.Until(what, func() bool {
		select {
		case ok := <-done:
			if !ok {
				q.t.Error("refused: " + what)
			}
			return true
		default:
			return false
		}
	})
}

func idOf(t *accessible.Tree, role accessible.Role, begins string) accessible.ID {
	for id, n := range t.Nodes {
		if n.Role == role && strings.HasPrefix(n.Name, begins) {
			return id
		}
	}
	return 0
}

// A screen reader chooses an article, reads it with the caret, presses a button and hears what comes of it.
func TestScreenReaderReads(t *testing.T) {
	w, q := newPictureWindow(t, 1200, 780)
	h := listen(t, w, q)
	tells := func() *accessible.Tree { return told(t, w) }
	row := idOf(h.latest, accessible.RoleListItem, "Seven lamps")
	q.ask("the row is focused", func() bool { return w.access.window.Focus(t.Context(), row) })
	q.Until("the article is shown", func() bool { return w.session.Shown != nil && w.session.Shown.Title == "Seven lamps" })
	if name := h.latest.Nodes[accessible.FrameID].Name; name != windowName || w.win.Title() == name {
		t.Errorf("the frame is called %q", name)
	}
	if tree := tells(); tree.Nodes[tree.Focus] == nil || !strings.HasPrefix(tree.Nodes[tree.Focus].Name, "Seven lamps") {
		t.Errorf("the focus is at %+v", tree.Nodes[tree.Focus])
	}
	w.movePane(1)
	if tree := tells(); tree.Nodes[tree.Focus].Role != accessible.RoleHeading || tree.Nodes[tree.Focus].Text.Caret != 0 {
		t.Errorf("in the article the focus is at %+v", tree.Nodes[tree.Focus])
	}
	w.article.View.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	w.article.View.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	tree := tells()
	if n := tree.Nodes[tree.Focus]; n.Role != accessible.RoleParagraph || !strings.HasPrefix(n.Text.Content, "The lamplighter") {
		t.Errorf("two lines below the focus is at %+v", n)
	}
	for _, want := range []string{"starred", "not starred"} {
		w.perform("star")
		q.Until("it is said that it is "+want, func() bool { return len(h.said) > 0 && h.said[len(h.said)-1] == want })
	}
	all := idOf(h.latest, accessible.RoleButton, "Mark all read")
	q.ask("the button is pressed", func() bool { return w.access.window.Do(t.Context(), all, 0) })
	q.Until("all is read, and that is said", func() bool {
		return len(h.said) > 0 && strings.Contains(strings.Join(h.said, "\n"), "marked read")
	})
	if w.access.stop(); !h.closed {
		t.Error("the service goes on")
	}
}

// Without a screen reader a frame costs nothing more.
func BenchmarkFrameUnheard(b *testing.B) {
	test.NewTempApp(b)
	v := describe.NewWindow(test.NewTempWindow(b, widget.NewLabel("")).Canvas(), "", func(func()) {}, func() bool { return false }, func(bool) {})
	b.ReportAllocs()
	for b.Loop() {
		v.Painted()
	}
}
