package app

import (
	"context"
	"testing"

	"kairos/reader"
)

// What the user did right before quitting is stored first: marks and the access.
func TestQuitWaitsForWork(t *testing.T) {
	w, q := newTestWindow(t)
	ctx, stop := context.WithCancel(w.shell.Ctx)
	w.shell.Ctx = ctx
	ended := false
	w.closing.end = func() {
		ended = true
		stop()
	}
	w.activity.detector.Focus(w.shell.Now())
	w.shell.Used()
	w.timeline.Mark(w.session.List.IDs[:1], reader.FlagRead, true)
	w.closing.quit()
	if ended {
		t.Fatal("ended at once")
	}
	q.until("the program ends", func() bool { return ended })
	if n := unread(t, w); n != 5 {
		t.Errorf("%d unread are stored, want 5", n)
	}
	if last, err := w.shell.Home.Log.LastUse(t.Context()); err != nil || last.IsZero() {
		t.Errorf("nobody was there: %v", err)
	}
}

// Without work under way, quitting does not wait.
func TestQuitWithoutWork(t *testing.T) {
	w, q := newTestWindow(t)
	w.remember()
	q.until("all is done", func() bool { return w.shell.Pending() == 0 })
	ended := false
	w.closing.end = func() { ended = true }
	w.closing.quit()
	if !ended {
		t.Error("still there")
	}
}

// A restart ends the program, which then starts again.
func TestRestart(t *testing.T) {
	w, q := newTestWindow(t)
	w.remember()
	q.until("all is done", func() bool { return w.shell.Pending() == 0 })
	ended := false
	w.closing.end = func() { ended = true }
	if w.closing.restart(); !ended || !w.closing.restarting {
		t.Errorf("ended: %v, starts again: %v", ended, w.closing.restarting)
	}
}
