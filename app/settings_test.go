package app

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"kairos/app/home"
	"kairos/app/keys"
)

// settingsOf opens the settings at a page.
func settingsOf(t *testing.T, w *window, page int) *settingsDialog {
	t.Helper()
	now, err := w.loadSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return w.showSettings(now, page)
}

func TestSettingsAreInForceAtOnce(t *testing.T) {
	w, q := newTestWindow(t)
	s := settingsOf(t, w, 0)
	for i := range s.pages {
		s.names.Select(i)
		if len(s.body.Objects) != 1 {
			t.Errorf("%s has no page", s.pages[i].name)
		}
	}
	s.put(home.SettingLearn, "off")
	q.until("it is stored", func() bool {
		v, err := w.home.Store.Settings.Get(t.Context(), home.SettingLearn, "on")
		return err == nil && v == "off"
	})
	set := 0
	n := s.number(7, 1, 10, func(v int) { set = v })
	for _, bad := range []string{"", "x", "0", "11", "-1", "99999999999999999999"} {
		n.SetText(bad)
		if !s.said.Visible() || set != 0 {
			t.Errorf("%q is taken for %d", bad, set)
		}
	}
	if n.SetText("9"); set != 9 || s.said.Visible() {
		t.Errorf("9 is taken for %d", set)
	}
}

func TestArticlesAreReadWhenTheUserSaysSo(t *testing.T) {
	w, q := newTestWindow(t)
	w.article.opensMark = openMarksNever
	w.timeline.list.Select(0)
	q.until("it is shown", func() bool { return w.article.shown != nil })
	w.article.stayedOpen(w.timeline.current)
	w.article.opensMark = openMarksLater
	w.timeline.list.Select(1)
	q.until("the next is shown", func() bool { return w.article.shown.ID == w.timeline.ids[1] })
	if n := unread(t, w); n != 6 {
		t.Errorf("shown, %d are unread", n)
	}
	w.article.stayedOpen(w.timeline.current)
	q.until("after a while it is read", func() bool { return unread(t, w) == 5 })
}

func TestKeysAreCaptured(t *testing.T) {
	w, _ := newTestWindow(t)
	var got []keys.Chord
	press := func(name fyne.KeyName, letter rune) {
		trap := newKeyTrap(func(c keys.Chord) { got = append(got, c) })
		trap.KeyDown(&fyne.KeyEvent{Name: name})
		trap.TypedKey(&fyne.KeyEvent{Name: name})
		if letter != 0 {
			trap.TypedRune(letter)
		}
	}
	press(fyne.KeyG, 'g')
	press(fyne.KeySpace, ' ')
	press(desktop.KeyControlLeft, 0)
	press(fyne.KeyF7, 0)
	press(fyne.KeyEnter, 0)
	want := []keys.Chord{{Letter: 'g'}, {Key: fyne.KeySpace}, {Key: fyne.KeyF7}, {Key: fyne.KeyReturn}}
	if !slices.Equal(got, want) {
		t.Errorf("captured %+v", got)
	}
	w.captureKeys(w.commands["next"], func() {})
	w.perform("delete")
	w.perform("undo")
	w.dialogs.Open[0].Hide()
	if w.capturing {
		t.Error("closed, it still captures")
	}
}
