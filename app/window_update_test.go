package app

import (
	"slices"
	"testing"

	"kairos/app/home"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets/widgetstest"
)

// A newer version is told about in a line of its own, until that is put away.
func TestNewerVersionIsTold(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	q, status := room.Queue, newStatusBar(room.Shell, func() {})
	h := status.updates
	idle := func() { q.Until("the work is done", func() bool { return room.Pending() == 0 }) }
	if h.pane.Visible() {
		t.Error("without a newer version one is told about")
	}
	set := func(key, value string) {
		t.Helper()
		if err := room.Home.Store.Settings.Set(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	set("home.updates.found", "99.1.0 https://kairos.example/99.1.0")
	status.reload()
	idle()
	if h.pane.Visible() {
		t.Error("who did not ask is told about a newer version")
	}
	set(home.SettingUpdates, "on")
	status.reload()
	q.Until("it is told", h.pane.Visible)
	if got := widgetstest.Texts(h.pane); !slices.Contains(got, "Kairos 99.1.0 is available.") || !h.news.Visible() {
		t.Errorf("the line says %q", got)
	}
	h.putAway()
	if h.pane.Visible() {
		t.Error("it stays when it was put away")
	}
	idle()
	status.reload()
	idle()
	if h.pane.Visible() {
		t.Error("it comes again when it was put away")
	}
	set("home.updates.found", "99.2.0 javascript:alert()")
	status.reload()
	q.Until("the next one is told", h.pane.Visible)
	if h.news.Visible() {
		t.Error("what is no web page can be opened")
	}
}

// The program was upgraded while it runs, and the new one was started.
func TestAnotherVersionStarted(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	h := newUpdateHint(room.Shell, func() {})
	if h.started(""); room.Host.Said != "" {
		t.Errorf("this version: %q", room.Host.Said)
	}
	h.started("99.1.0")
	if want := "This is still Kairos " + home.Version + ". Press Ctrl+Q and start it again to use 99.1.0."; room.Host.Said != want {
		t.Errorf("it says %q", room.Host.Said)
	}
}
