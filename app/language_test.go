package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/language"
	"kairos/app/settings"
	"kairos/app/widgets"
)

// useLanguage makes a language the window's until the test ends.
func useLanguage(t *testing.T, name string) {
	t.Helper()
	if err := language.Choose(name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := language.Choose("en"); err != nil {
			t.Error(err)
		}
	})
}

// In every language the window, each page of the settings and each dialog fit on a screen of 1280 × 800.
func TestEveryLanguageFits(t *testing.T) {
	for _, name := range language.Known() {
		t.Run(name, func(t *testing.T) {
			useLanguage(t, name)
			w, q := newTestWindow(t)
			w.win.Resize(fyne.NewSize(1200, 780))
			fits := func(what string, o fyne.CanvasObject, width float32) {
				if least := o.MinSize(); least.Width > width || least.Height > 780 {
					t.Errorf("%s needs %v", what, least)
				}
			}
			fits("the window", w.win.Content(), 1200)
			dialogs := map[string]func(){"help": w.showKeys, "add": func() { w.feeds.Subscribe("") }, "properties": func() { w.feeds.Properties(&w.library.Feeds[0]) },
				"closing": w.closing.ask, "search": w.search.Help}
			for what, open := range dialogs {
				open()
				fits(what, w.win.Canvas().Overlays().Top(), 1200)
				w.shell.Dialogs.Open[len(w.shell.Dialogs.Open)-1].Hide()
			}
			newSettings(w).Open(settings.General)
			q.Until("the settings are open", func() bool { return len(w.shell.Dialogs.Open) == 1 })
			for _, page := range settings.Pages {
				w.shell.Dialogs.Open[0].Hide()
				newSettings(w).Open(page)
				q.Until("the page is open", func() bool { return len(w.shell.Dialogs.Open) == 1 })
				fits(page.Title(), w.win.Canvas().Overlays().Top(), 1200)
			}
		})
	}
}

// A line of Chinese breaks where it is full, not at a space before.
func TestChineseFillsLines(t *testing.T) {
	test.NewTempApp(t)
	height := func(text string) float32 {
		w := widgets.NewText(text, widgets.Plain)
		w.Resize(fyne.NewSize(300, 10))
		return w.MinSize().Height
	}
	long := strings.Repeat("学习您的阅读时间", 20)
	if got, want := height("Kairos "+long), height("Kairos"+long); got > want {
		t.Errorf("with a blank it is %v high, without %v", got, want)
	}
	if height("a "+strings.Repeat("word ", 80)) <= height("a") {
		t.Error("words do not wrap")
	}
}
