package app

import (
	"context"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/accessible/describe/describetest"
	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/look"
	"kairos/app/preferences"
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
	q.until("the list is there", func() bool { return len(w.session.List.IDs) == 6 && len(w.sidebar.Items) == 9 })
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
	q := &queue{t: t, todo: make(chan func(), 1000)}
	w := newWindowWith(ctx, a, h, preferences.Read(ctx, h.Dir, a.Preferences()), q.add)
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
	t    *testing.T
	todo chan func()
}

func (q *queue) add(f func()) { q.todo <- f }

func (q *queue) until(what string, f func() bool) {
	q.t.Helper()
	late, cancel := context.WithTimeout(q.t.Context(), 20*time.Second)
	defer cancel()
	for !f() {
		select {
		case do := <-q.todo:
			do()
		case <-late.Done():
			q.t.Fatal("never happened: " + what)
		}
	}
}

func TestKeysReadAndMark(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.List.TypedRune('j')
	first := w.session.List.Current
	q.until("the article is shown", func() bool { return w.session.Shown != nil && w.session.Shown.ID == first })
	q.until("it is marked read", func() bool { return unread(t, w) == 5 })
	w.timeline.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	second := w.session.List.Current
	if second == first || second != w.session.List.IDs[1] {
		t.Fatalf("down chose %d after %d of %v", second, first, w.session.List.IDs)
	}
	q.until("the next one is shown", func() bool { return w.session.Shown.ID == second })
	w.timeline.List.TypedRune('s')
	q.until("it is starred", func() bool {
		c, err := w.shell.Home.Store.Articles.Counts(t.Context(), noon, false)
		return err == nil && c.Starred == 1
	})
	w.timeline.List.TypedRune('r')
	q.until("it is unread again", func() bool { return unread(t, w) == 5 && !w.session.Reading().Read })
	w.timeline.List.TypedRune('n')
	q.until("n goes on below", func() bool { return w.session.List.Current == w.session.List.IDs[2] })
	w.win.Canvas().Unfocus()
	if w.selectAll(); len(w.session.List.Targets()) != 6 {
		t.Errorf("of all, %v are meant", w.session.List.Targets())
	}
	if w.back(); len(w.session.List.Targets()) > 1 {
		t.Errorf("after Escape %v are meant", w.session.List.Targets())
	}
	q.until("the marks are stored", func() bool { return unread(t, w) == 4 })
	w.toggleHideRead()
	q.until("what is read is hidden", func() bool { return len(w.session.List.IDs) == 4 })
}

func unread(t *testing.T, w *window) int {
	t.Helper()
	c, err := w.shell.Home.Store.Articles.Counts(t.Context(), noon, false)
	if err != nil {
		t.Fatal(err)
	}
	return c.Total
}

func TestMarkAllReadAndUndo(t *testing.T) {
	w, q := newTestWindow(t)
	w.actions.MarkAllRead()
	q.until("all is read", func() bool { return w.shell.History.Len() == 1 })
	if n := unread(t, w); n != 0 {
		t.Fatalf("%d unread", n)
	}
	w.shell.UndoLast()
	q.until("undone", func() bool { return unread(t, w) == 6 })
	w.shell.UndoLast()
	if !strings.Contains(w.status.message.Text, "nothing to undo") {
		t.Errorf("says %q", w.status.message.Text)
	}
}

func TestUnsubscribeAndUndo(t *testing.T) {
	w, q := newTestWindow(t)
	w.feeds.Unsubscribe(w.sidebar.Items[8].Feed)
	q.until("done", func() bool { return w.shell.History.Len() == 1 })
	w.library.Reload()
	q.until("the feed is gone", func() bool { return len(w.sidebar.Items) == 8 })
	w.shell.UndoLast()
	q.until("it is back with its articles", func() bool { return unread(t, w) == 6 })
}

func TestUndoShortcut(t *testing.T) {
	w, q := newTestWindow(t)
	w.actions.MarkAllRead()
	q.until("all is read", func() bool { return w.shell.History.Len() == 1 })
	for _, menu := range w.menu().Items {
		for _, item := range menu.Items {
			if item.Shortcut != nil && item.Shortcut.ShortcutName() == (&fyne.ShortcutUndo{}).ShortcutName() {
				item.Action()
			}
		}
	}
	q.until("undone", func() bool { return unread(t, w) == 6 })
}

func TestNoShortcutsBehindDialog(t *testing.T) {
	w, q := newTestWindow(t)
	w.feeds.Subscribe("")
	for _, menu := range w.menu().Items {
		for _, item := range menu.Items {
			if item.Label == "Mark all read" {
				item.Action()
			}
		}
	}
	w.key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(w.shell.Dialogs.Open) != 0 {
		t.Error("Escape leaves the dialog open")
	}
	w.library.Reload()
	q.until("nothing was marked", func() bool { return w.sidebar.Items[1].Count == 6 })
}
