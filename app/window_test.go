package app

import (
	"context"
	"database/sql"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/accessible/describe/describetest"
	"kairos/app/async/asynctest"
	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/look"
	"kairos/app/preferences"
	"kairos/app/session"
)

var noon = hometest.Noon

// newTestWindow returns a window with two feeds of three articles each, one of them in a folder. The queue stands for
// Fyne's goroutine: what is queued runs while the test waits.
func newTestWindow(t *testing.T) (*window, *queue) {
	t.Helper()
	return newTestWindowWith(t, home.Options{})
}

// newTestWindowWith is newTestWindow with other servers and another keyring.
func newTestWindowWith(t *testing.T, o home.Options) (*window, *queue) {
	t.Helper()
	w, q := newWindowOf(t, o, func(*home.Home) {})
	w.reload()
	q.Until("the list is there", func() bool { return len(w.session.List.IDs) == 6 && len(w.sidebar.Items) == 9 })
	return w, q
}

// newWindowOf returns a window of a home that live has written into.
func newWindowOf(t *testing.T, o home.Options, live func(*home.Home)) (*window, *queue) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	h := hometest.OpenWith(ctx, t, o)
	live(h)
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	q := &queue{asynctest.NewQueue(t), t}
	w := newWindowWith(ctx, a, h, preferences.Read(ctx, h.Dir, a.Preferences()), q.Add)
	w.geometry.rescale = func() {}
	t.Cleanup(func() {
		for _, wrong := range describetest.Lint(describe.Tree(w.win.Canvas(), accessible.Node{})) { // whatever the test has opened
			t.Error(wrong)
		}
		stop()
		w.shell.Wait()
		h.Close()
	})
	return w, q
}

// queue stands for Fyne's goroutine, on the test's own.
type queue struct {
	*asynctest.Queue
	t *testing.T
}

// exec changes the store without the window.
func exec(t *testing.T, w *window, query string, args ...any) {
	t.Helper()
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestKeysReadAndMark(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.List.TypedRune('j')
	first := w.session.List.Current
	q.Until("the article is shown", func() bool { return w.session.Shown != nil && w.session.Shown.ID == first })
	q.Until("it is marked read", func() bool { return unread(t, w) == 5 })
	w.timeline.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	second := w.session.List.Current
	if second == first || second != w.session.List.IDs[1] {
		t.Fatalf("down chose %d after %d of %v", second, first, w.session.List.IDs)
	}
	q.Until("the next one is shown", func() bool { return w.session.Shown.ID == second })
	w.timeline.List.TypedRune('s')
	q.Until("it is starred", func() bool {
		c, err := w.shell.Home.Store.Articles.Counts(t.Context(), noon, false)
		return err == nil && c.Starred == 1
	})
	w.timeline.List.TypedRune('r')
	q.Until("it is unread again", func() bool { return unread(t, w) == 5 && !w.session.Reading().Read })
	w.timeline.List.TypedRune('l')
	q.Until("l opens the chooser of labels", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	press(w.win.Canvas().Focused(), fyne.KeyEscape)
	w.timeline.List.TypedRune('n')
	q.Until("n goes on below", func() bool { return w.session.List.Current == w.session.List.IDs[2] })
	w.win.Canvas().Unfocus()
	if w.selectAll(); len(w.session.List.Targets()) != 6 {
		t.Errorf("of all, %v are meant", w.session.List.Targets())
	}
	if w.back(); len(w.session.List.Targets()) > 1 {
		t.Errorf("after Escape %v are meant", w.session.List.Targets())
	}
	q.Until("the marks are stored", func() bool { return unread(t, w) == 4 })
	w.toggleHideRead()
	q.Until("what is read is hidden", func() bool { return len(w.session.List.IDs) == 4 })
}

// A key that is pressed before the list of a feed is there is obeyed once it is, as if it had been pressed then.
func TestKeysWaitForTheList(t *testing.T) {
	w, q := newTestWindow(t)
	for _, press := range []func(){
		func() { w.timeline.List.TypedRune('j') },
		func() { w.timeline.List.TypedRune('n') },
		func() { w.timeline.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) },
	} {
		w.sidebar.ChooseKey("all")
		w.sidebar.ChooseKey(session.FeedKey(1))
		press()
		q.Until("the second article is shown", func() bool {
			return len(w.session.List.IDs) == 3 && w.session.IsShown(w.session.List.IDs[1])
		})
		w.actions.ToggleRead()
		q.Until("it is unread again", func() bool { return !w.session.Reading().Read && unread(t, w) == 6 })
	}
}

func press(o fyne.Focusable, keys ...fyne.KeyName) {
	for _, key := range keys {
		o.TypedKey(&fyne.KeyEvent{Name: key})
	}
}

func unread(t *testing.T, w *window) int {
	t.Helper()
	c, err := w.shell.Home.Store.Articles.Counts(t.Context(), noon, false)
	if err != nil {
		t.Fatal(err)
	}
	return c.Total
}
