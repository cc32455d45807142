package app

import (
	"slices"
	"testing"

	"kairos/app/home"
)

// A newer version is told of in a line of its own, until that is put away.
func TestNewerVersionIsTold(t *testing.T) {
	w, q := newTestWindow(t)
	h := w.status.updates
	if h.pane.Visible() {
		t.Error("without a newer version one is told of")
	}
	set := func(key, value string) {
		t.Helper()
		if err := w.shell.Home.Store.Settings.Set(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	set("home.updates.found", "99.1.0 https://kairos.example/99.1.0")
	w.status.reload()
	q.idle(w)
	if h.pane.Visible() {
		t.Error("who did not ask is told of a newer version")
	}
	set(home.SettingUpdates, "on")
	w.status.reload()
	q.until("it is told", h.pane.Visible)
	if got := texts(h.pane); !slices.Contains(got, "Kairos 99.1.0 is available.") || !h.news.Visible() {
		t.Errorf("the line says %q", got)
	}
	h.putAway()
	if h.pane.Visible() {
		t.Error("it stays when it was put away")
	}
	q.idle(w)
	w.status.reload()
	q.idle(w)
	if h.pane.Visible() {
		t.Error("it comes again when it was put away")
	}
	set("home.updates.found", "99.2.0 javascript:alert()")
	w.status.reload()
	q.until("the next one is told", h.pane.Visible)
	if h.news.Visible() {
		t.Error("what is no web page can be opened")
	}
}

// The program was upgraded while it runs, and the new one was started.
func TestAnotherVersionStarted(t *testing.T) {
	w, _ := newTestWindow(t)
	said := w.status.message
	before := said.Text
	w.status.updates.started("")
	if said.Text != before {
		t.Errorf("this version: %q", said.Text)
	}
	w.status.updates.started("99.1.0")
	if want := "This is still Kairos " + home.Version + ". Press Ctrl+Q and start it again to use 99.1.0."; said.Text != want {
		t.Errorf("the status bar says %q", said.Text)
	}
}
