package app

import (
	"slices"
	"testing"

	"kairos/app/glyphs"
	"kairos/app/home"
	"kairos/app/session"
)

func TestWelcomePage(t *testing.T) {
	w, q := newTestWindow(t)
	if w.pages.welcome.Shown() || w.panes.Covered() {
		t.Fatal("it is shown beside feeds")
	}
	if w.pages.welcome.Topics != nil {
		t.Error("it is made for a window that does not show it")
	}
	for _, f := range w.library.Feeds {
		if err := w.shell.Home.Subscriptions.Remove(t.Context(), f.ID); err != nil {
			t.Fatal(err)
		}
	}
	w.reload()
	q.Until("it is shown", w.pages.welcome.Shown)
	if w.win.Canvas().Focused() != w.pages.welcome.Address {
		t.Error("an address cannot be typed at once")
	}
	if !w.panes.Covered() || !w.pages.welcome.Begin.Disabled() {
		t.Error("with empty lists, or something to subscribe to already")
	}
	w.sidebar.ChooseKey(session.Insights)
	if w.pages.welcome.Shown() || !w.pages.insights.Shown() {
		t.Error("it covers the page that is chosen")
	}
	if w.win.Canvas().Focused() == w.pages.welcome.Address {
		t.Error("keys go to an address that nobody sees")
	}
	w.sidebar.ChooseKey("unread")
	if !w.pages.welcome.Shown() || w.pages.insights.Shown() || !w.panes.Covered() {
		t.Error("it does not come back")
	}
	w.win.Canvas().Unfocus()
	for i, r := range " ia.b" {
		if w.typed(r); i == 0 && w.win.Canvas().Focused() != nil {
			t.Error("a space, which scrolls, is typed into the address")
		}
	}
	if w.pages.insights.Shown() || w.pages.welcome.Address.Text != "ia.b" {
		t.Errorf("letters are keys of commands, and the address is %q", w.pages.welcome.Address.Text)
	}
	w.pages.welcome.Learn.SetChecked(false)
	q.Until("learning is off", func() bool {
		v, err := w.shell.Home.Store.Settings.Get(t.Context(), home.SettingLearn, "on")
		return err == nil && v == "off"
	})
	w.pages.welcome.Topics[0].SetChecked(true)
	if w.pages.welcome.Begin.Disabled() {
		t.Error("a topic is chosen")
	}
	w.feeds.Subscribe("http://127.0.0.1:9/x")
	w.shell.Dialogs.Open[0].Hide()
	if w.win.Canvas().Focused() != w.pages.welcome.Address {
		t.Error("a closed dialog takes the keys from the address")
	}
	w.shell.Dialogs.Inform("", "") // open while the first feed comes
	if err := w.shell.Home.Subscriptions.Restore(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	w.reload()
	q.Until("the lists are back", func() bool { return !w.pages.welcome.Shown() && !w.panes.Covered() })
	w.shell.Dialogs.CloseTop()
	w.keepFocusInSight() // as before the next frame
	if w.win.Canvas().Focused() != w.timeline.List {
		t.Error("the focus is still on an address that nobody sees")
	}
}

// A topic in a script that no font has is not offered: nobody could read it.
func TestTopicsCanBeRead(t *testing.T) {
	offered := func(missing bool) []string {
		t.Cleanup(glyphs.Assume("chinese", missing, false))
		w, _ := newTestWindow(t)
		w.pages.welcome.SetVisible(true)
		var names []string
		for _, topic := range w.pages.welcome.Topics {
			names = append(names, topic.Name)
		}
		return names
	}
	if names := offered(false); !slices.Contains(names, "中文") {
		t.Errorf("with a Chinese font %v are offered", names)
	}
	if names := offered(true); slices.Contains(names, "中文") || len(names) == 0 {
		t.Errorf("without a Chinese font %v are offered", names)
	}
}
