package app

import (
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/settings"
)

// openMenu is a canvas with a main menu that is open.
type openMenu struct {
	fyne.Canvas
	dismissed int
}

// DismissMenu implements what the canvas of a window does.
func (c *openMenu) DismissMenu() bool {
	c.dismissed++
	return true
}

// A hidden window is not in use, even if the system does not tell that it has lost the focus, so notifications come.
func TestHiddenWindowIsNotInUse(t *testing.T) {
	w, q := newTestWindow(t)
	if err := w.home.Store.Settings.Set(t.Context(), settings.KeepRunning, "yes"); err != nil {
		t.Fatal(err)
	}
	menu := &openMenu{Canvas: w.win.Canvas()}
	w.activity.onLeave = func() { closeMenu(menu) }
	w.activity.focusGained()
	if !w.activity.focused() {
		t.Fatal("the window in front is not in use")
	}
	w.closing.closed()
	q.until("it is hidden and not in use", func() bool { return !w.activity.focused() })
	if menu.dismissed != 1 {
		t.Error("the menu is left open")
	}
}
