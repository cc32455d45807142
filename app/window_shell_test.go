package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"kairos/app/settings"
	"kairos/poller"
)

// The parts around the panes, which are tested alone, are connected in the window.
func TestPartsAreConnected(t *testing.T) {
	w, q := newTestWindow(t)
	w.budget.setSaver(poller.SaverOn)
	q.Until("battery saver holds pictures back", func() bool { return !w.article.Pictures.MayFetch() })
	if err := w.shell.Home.Poller.SetSaver(t.Context(), poller.SaverOff); err != nil {
		t.Fatal(err)
	}
	w.shell.ReloadStatus()
	q.Until("the button shows the status", func() bool { return w.budget.button.Name == "Battery saver: off" && w.status.stateText != "" })
	w.budget.button.MouseIn(&desktop.MouseEvent{})
	q.Until("the status bar tells the cost", func() bool { return strings.HasPrefix(w.status.state.Text, "Battery saver: 2 a feed a day, about ") })
	menu := ""
	for _, m := range w.win.MainMenu().Items {
		for _, item := range m.Items {
			if item.ChildMenu != nil {
				menu += item.ChildMenu.Items[0].Label + "\n"
			}
		}
	}
	if !strings.Contains(menu, "Off: 8 a feed a day, about ") {
		t.Errorf("the main menu has %s", menu)
	}
	q.Until("what was put away is known", func() bool { return w.status.fonts.loaded })
	if w.status.updates.started("99.1.0"); !strings.Contains(w.status.message.Text, "99.1.0") {
		t.Errorf("the status bar says %q", w.status.message.Text)
	}

	w.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
	if len(w.shell.Dialogs.Open) != 1 {
		t.Error("F1 in the search field does not open the manual")
	}
	w.key(&fyne.KeyEvent{Name: fyne.KeyEscape})

	w.activity.focusGained()
	w.shell.Used()
	q.Until("somebody was there", func() bool {
		last, err := w.shell.Home.Log.LastUse(t.Context())
		return err == nil && !last.IsZero()
	})
	if err := w.shell.Home.Store.Settings.Set(t.Context(), settings.KeepRunning, "yes"); err != nil {
		t.Fatal(err)
	}
	w.closing.closed()
	q.Until("hidden, it is not in use", func() bool { return !w.activity.focused() })
	ended := false
	w.closing.end = func() { ended = true }
	w.closing.quit()
	q.Until("the program ends", func() bool { return ended })
}
