package app

import (
	"testing"

	"kairos/app/home"
	"kairos/app/settings"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets"
	"kairos/reader"

	"fyne.io/fyne/v2"
)

// newClosingRoom returns what closes the window of a room, and whether it has ended the program.
func newClosingRoom(t *testing.T) (c *closing, room *shelltest.Room, a *activity, ended *bool) {
	t.Helper()
	room = shelltest.New(t, home.Options{})
	a = newActivity(room.Jobs, room.Home)
	c = newClosing(room.Shell, room.App.Driver().AllWindows()[0], func() {}, a.hide)
	ended = new(bool)
	c.end = func() { *ended = true }
	return c, room, a, ended
}

// What the user did right before quitting is stored first: marks and the access.
func TestQuitWaitsForWork(t *testing.T) {
	c, room, a, ended := newClosingRoom(t)
	ids, err := room.Home.Store.Articles.IDs(t.Context(), reader.Query{View: reader.Unread})
	if err != nil || len(ids) != 6 {
		t.Fatal(ids, err)
	}
	a.detector.Focus(room.Now())
	a.used()
	room.Session.Marks.Set(ids[:1], reader.FlagRead, true, func([]int64, error) {})
	if c.quit(); *ended {
		t.Fatal("ended at once")
	}
	room.Queue.Until("the program ends", func() bool { return *ended })
	if left, err := room.Home.Store.Articles.IDs(t.Context(), reader.Query{View: reader.Unread}); err != nil || len(left) != 5 {
		t.Errorf("%d unread are stored, want 5 (%v)", len(left), err)
	}
	if last, err := room.Home.Log.LastUse(t.Context()); err != nil || last.IsZero() {
		t.Errorf("nobody was there: %v", err)
	}
}

// Without work under way, quitting does not wait.
func TestQuitWithoutWork(t *testing.T) {
	c, _, _, ended := newClosingRoom(t)
	if c.quit(); !*ended {
		t.Error("still there")
	}
}

// A restart ends the program, which then starts again.
func TestRestart(t *testing.T) {
	c, _, _, ended := newClosingRoom(t)
	if c.restart(); !*ended || !c.restarting {
		t.Errorf("ended: %v, starts again: %v", *ended, c.restarting)
	}
}

// Escape leaves the question what closing does, which is asked again then.
func TestEscapeLeavesTheQuestion(t *testing.T) {
	c, room, _, ended := newClosingRoom(t)
	for range 2 {
		c.ask()
		yes, ok := room.Canvas.Focused().(*widgets.DialogButton)
		if !ok || len(room.Dialogs.Open) != 1 {
			t.Fatalf("the focus is on %T, %d dialogs", room.Canvas.Focused(), len(room.Dialogs.Open))
		}
		yes.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if len(room.Dialogs.Open) != 0 || c.asking || *ended {
			t.Error("Escape does not leave it")
		}
	}
}

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
	c, room, a, _ := newClosingRoom(t)
	if err := room.Home.Store.Settings.Set(t.Context(), settings.KeepRunning, "yes"); err != nil {
		t.Fatal(err)
	}
	menu := &openMenu{Canvas: room.Canvas}
	a.onLeave = func() { closeMenu(menu) }
	if a.focusGained(); !a.focused() {
		t.Fatal("the window in front is not in use")
	}
	c.closed()
	room.Queue.Until("it is hidden and not in use", func() bool { return !a.focused() })
	if menu.dismissed != 1 {
		t.Error("the menu is left open")
	}
	if a.focusGained(); a.focused() {
		t.Error("a window manager that gives the focus back to the window that goes makes it one in use")
	}
	if a.show(); !a.focused() {
		t.Error("shown again with the focus it is not in use")
	}
}
