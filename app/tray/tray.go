// Package tray shows Kairos's icon in the tray of the desktop, with a menu and the number of unread articles on it.
//
// It uses the library below Fyne. Fyne 2.8.1 starts the tray with its loop only, so that an icon asked for later never
// appears and quitting panics; its menu is rebuilt for each change; and a click on the icon opens nothing but the menu.
package tray

import (
	"context"
	"runtime"

	"fyne.io/fyne/v2/lang"
	"fyne.io/systray"
)

// Actions are what the icon and its menu do, on the window's goroutine. All are set.
type Actions struct{ Show, Refresh, Quit func() }

// Tray is the icon. Its methods and fields belong to the window's goroutine.
type Tray struct {
	do      func(func()) // runs a function on the window's goroutine
	actions Actions
	unread  int
	count   string // unread in words

	running bool
	show    *systray.MenuItem // nil until the tray has been filled
	end     func()
}

// New returns the icon, which Watch shows. do runs a function on the window's goroutine. There is one icon in a process.
func New(do func(func()), actions Actions) *Tray {
	return &Tray{do: do, actions: actions, end: func() {}}
}

// Watch shows the icon as soon as the desktop has a tray, and again whenever that has come back, until ctx ends. A session
// may start Kairos before its panel, and panels are restarted.
func (t *Tray) Watch(ctx context.Context) {
	awaitHosts(ctx, func() {
		t.do(func() {
			if t.running {
				register()
				return
			}
			t.running = true
			t.start()
		})
	})
}

// filledBefore says that the icon is filled before it is shown. On Linux it is known by its title, which must not come late;
// other systems have no place to put it before.
const filledBefore = runtime.GOOS != "windows" && runtime.GOOS != "darwin"

func (t *Tray) start() {
	start, end := systray.RunWithExternalLoop(func() {
		if !filledBefore {
			t.do(t.fill)
		}
	}, nil)
	t.end = end
	systray.SetOnTapped(func() { t.do(t.actions.Show) })
	if filledBefore {
		t.fill()
	}
	start()
}

func (t *Tray) fill() {
	systray.SetTitle("Kairos")
	t.show = t.item("", t.actions.Show)
	t.item(lang.L("Refresh"), t.actions.Refresh)
	systray.AddSeparator()
	t.item(lang.L("Quit"), t.actions.Quit)
	t.draw()
}

func (t *Tray) item(label string, action func()) *systray.MenuItem {
	item := systray.AddMenuItem(label, "")
	go func() {
		for range item.ClickedCh {
			t.do(action)
		}
	}()
	return item
}

// SetUnread shows how many articles are unread; count words it.
func (t *Tray) SetUnread(unread int, count string) {
	if unread == t.unread {
		return
	}
	t.unread, t.count = unread, count
	if t.show != nil {
		t.draw()
	}
}

func (t *Tray) draw() {
	systray.SetIcon(systemIcon(iconWith(t.unread)))
	label := lang.L("Show Kairos")
	if t.unread > 0 {
		label += " (" + t.count + ")"
	}
	t.show.SetTitle(label)
}

// Close takes the icon away. Only Windows would leave it standing until somebody points at it; elsewhere it goes with the
// process, and the library would close a connection that it may not have.
func (t *Tray) Close() {
	if t.running && runtime.GOOS == "windows" {
		t.end()
	}
}
