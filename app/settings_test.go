package app

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"kairos/app/home"
	"kairos/app/keys"
	"kairos/poller"
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
	w.reading.opensMark = openMarksNever
	w.timeline.list.Select(0)
	q.until("it is shown", func() bool { return w.reading.shown != nil })
	w.reading.stayedOpen(w.timeline.chosen)
	w.reading.opensMark = openMarksLater
	w.timeline.list.Select(1)
	q.until("the next is shown", func() bool { return w.reading.shown.ID == w.timeline.ids[1] })
	if n := unread(t, w); n != 6 {
		t.Errorf("shown, %d are unread", n)
	}
	w.reading.stayedOpen(w.timeline.chosen)
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
	w.dialogs.open[0].Hide()
	if w.capturing {
		t.Error("closed, it still captures")
	}
}

func TestNewsIsGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		outcomes := make(chan poller.Outcome)
		told := make(chan news, 10)
		go gather(ctx, outcomes, func(_ context.Context, n news) { told <- n })
		start := time.Now()
		for range 3 {
			outcomes <- poller.Outcome{Feed: 1, Unread: 2}
			outcomes <- poller.Outcome{Feed: 2, Unread: 1}
			<-time.After(4 * time.Second)
		}
		if n := <-told; n[1] != 6 || n[2] != 3 || time.Since(start) != 13*time.Second {
			t.Errorf("after %v: %v", time.Since(start), n)
		}
		// Without a pause it does not wait for ever.
		start = time.Now()
		for len(told) == 0 {
			outcomes <- poller.Outcome{Feed: 1, Unread: 1}
			<-time.After(time.Second)
		}
		if after := time.Since(start); after > 62*time.Second {
			t.Errorf("told after %v", after)
		}
		stop()
		synctest.Wait()
	})
}

func TestWhatIsNotified(t *testing.T) {
	w, _ := newTestWindow(t)
	set := func(key, value string) {
		if err := w.home.Store.Settings.Set(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	notice := func() string {
		n, err := w.noticeOf(t.Context(), news{1: 2, 2: 1, 99: 4})
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(n.Title + "\n" + n.Body)
	}
	if got := notice(); got != "" {
		t.Errorf("while no feed has it: %q", got)
	}
	f, err := w.home.Store.Feeds.Get(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	f.Notify = true
	if err := w.home.Update(t.Context(), f, nil); err != nil {
		t.Fatal(err)
	}
	if got := notice(); got != "1 new article\nFeed 1: Article 0 of feed 1" {
		t.Errorf("of the one that has it: %q", got)
	}
	set(settingNotify, notifyAll)
	if got := notice(); got != "3 new articles\nFeed 0: Article 0 of feed 0\nFeed 0: Article 1 of feed 0\nFeed 1: Article 0 of feed 1" {
		t.Errorf("of all: %q", got)
	}
	set(settingNotifyNames, "off")
	if got := notice(); got != "3 new articles\nin 2 feeds" {
		t.Errorf("without names: %q", got)
	}
	set(settingQuietFrom, "11:00")
	set(settingQuietTo, "13:00")
	if got := notice(); got != "" {
		t.Errorf("in quiet hours: %q", got)
	}
	set(settingQuietFrom, "")
	set(settingNotify, notifyNone)
	if got := notice(); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

func TestQuietHours(t *testing.T) {
	at := func(clock string) time.Time {
		t, _ := time.Parse("15:04", clock)
		return t
	}
	for _, tt := range []struct {
		from, to, now string
		quiet         bool
	}{
		{"22:00", "07:00", "23:30", true}, {"22:00", "07:00", "06:59", true}, {"22:00", "07:00", "07:00", false},
		{"12:00", "13:00", "12:00", true}, {"12:00", "13:00", "13:00", false}, {"", "07:00", "03:00", false},
		{"25:00", "07:00", "03:00", false}, {"08:00", "08:00", "08:00", false},
	} {
		if got := (notifySettings{from: tt.from, to: tt.to}).quiet(at(tt.now)); got != tt.quiet {
			t.Errorf("%s–%s at %s: %v", tt.from, tt.to, tt.now, got)
		}
	}
}
