package app

import (
	"strings"
	"testing"

	"kairos/app/glyphs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/shell/shelltest"
)

// Text in a script that no font has is told about until that is put away, once for each script.
func TestMissingFontIsTold(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	q := room.Queue
	h := newFontHint(room.Shell, func() {})
	h.load()
	q.Until("what was put away is known", func() bool { return h.loaded })
	t.Cleanup(glyphs.Assume("chinese", true, false))
	t.Cleanup(glyphs.Assume("thai", true, false))
	h.check("News", "新闻", "ข่าว")
	q.Until("it is told", h.pane.Visible)
	q.Until("both are told", func() bool { return strings.HasPrefix(h.text.String(), "No fonts for Chinese and Thai are installed") })
	h.putAway()
	h.check("新闻", "ข่าว")
	if h.pane.Visible() {
		t.Error("it is told again")
	}
	q.Until("it is stored", func() bool {
		stored, err := room.Home.Store.Settings.Get(t.Context(), settingFontHints, "")
		return err == nil && stored == "chinese thai"
	})
	again := newFontHint(room.Shell, func() {})
	again.load()
	q.Until("it is read", func() bool { return again.loaded })
	again.check("新闻")
	if again.pane.Visible() || len(again.scripts()) > 0 {
		t.Error("it is told again after a restart")
	}
}

// A window whose language no font has is in English and says so.
func TestMissingFontOfTheWindow(t *testing.T) {
	useLanguage(t, "zh_Hans")
	if err := language.FallBack("chinese"); err != nil {
		t.Fatal(err)
	}
	room := shelltest.New(t, home.Options{})
	h := newFontHint(room.Shell, func() {})
	h.load()
	room.Queue.Until("it is told", h.pane.Visible)
	if got := h.text.String(); !strings.HasPrefix(got, "No font for Chinese") || !strings.HasSuffix(got, "Until then the window is in English.") {
		t.Error(got)
	}
}
