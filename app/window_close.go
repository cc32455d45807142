package app

import (
	"context"
	"os"
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"
	"github.com/godbus/dbus/v5"

	"kairos/app/autostart"
	"kairos/app/home"
)

// settingKeep is whether closing the window keeps Kairos fetching: "yes", "no",
// or "" while it has not been asked.
const settingKeep = "app.keep_running"

// closed makes closing the window keep Kairos fetching or end it, as the user
// chose; the first time it asks.
func (w *window) closed() {
	w.remember()
	var keep string
	w.work(func(ctx context.Context) (err error) {
		keep, err = w.home.Store.Setting(ctx, settingKeep, "")
		return err
	}, func(err error) {
		switch {
		case err != nil || keep == "no":
			w.quit()
		case keep == "yes":
			w.win.Hide()
		default:
			w.askKeep()
		}
	})
}

// askKeep asks once what closing the window shall mean.
func (w *window) askKeep() {
	if w.asking {
		return
	}
	w.asking = true
	login := newCheck(lang.L("Start Kairos when I log in, without its window"))
	text := widget.NewLabel(lang.L("Kairos can go on fetching with the window closed, so that what you are about to read is there when you come back. Starting it again brings the window back; Ctrl+Q ends it."))
	text.Wrapping = fyne.TextWrapWord
	d := dialog.NewCustomWithoutButtons(lang.L("Keep fetching in the background?"), container.NewVBox(text, login), w.win)
	quit := newAnswer(lang.L("No, quit"), func() {
		d.Hide()
		w.keep("no", false)
	})
	yes := newAnswer(lang.L("Yes, keep fetching"), func() {
		d.Hide()
		w.keep("yes", login.Checked)
	})
	yes.Importance = widget.HighImportance
	d.SetButtons([]fyne.CanvasObject{quit, yes})
	d.Resize(fyne.NewSize(520, 220))
	w.dialog(d, func() { w.asking = false })
	w.win.Canvas().Focus(yes)
}

// keep stores the answer and acts on it.
func (w *window) keep(answer string, atLogin bool) {
	w.work(func(ctx context.Context) error {
		if err := w.home.Store.Set(ctx, settingKeep, answer); err != nil {
			return err
		}
		return w.setAutostart(atLogin)
	}, func(err error) {
		if err != nil {
			w.inform("Kairos", errorText(err))
			return
		}
		if answer == "no" {
			w.quit()
			return
		}
		w.win.Hide()
	})
}

// setAutostart makes Kairos start at login, on this data folder, or no longer.
func (w *window) setAutostart(on bool) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	var args []string
	if usual, err := home.DefaultDir(); err != nil || usual != w.home.Dir {
		args = []string{"--data", w.home.Dir}
	}
	return autostart.Set(on, exe, args...)
}

// startTray puts Kairos into the tray where there is one. Without one the
// launcher or a second start brings the window back.
func (w *window) startTray() {
	desk, ok := w.app.(desktop.App)
	if !ok {
		return
	}
	w.work(func(ctx context.Context) error {
		if !hasTray(ctx) {
			return nil
		}
		w.do(func() {
			w.tray = newTray(w, desk)
			w.retitle()
		})
		return nil
	}, nil)
}

// hasTray reports whether anything would show a tray icon. On Linux that is a
// program on the session bus (StatusNotifierItem specification); without one an
// icon would be registered nowhere.
func hasTray(ctx context.Context) bool {
	if runtime.GOOS != "linux" {
		return true
	}
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" && os.Getenv("XDG_RUNTIME_DIR") == "" {
		return false
	}
	bus, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return false
	}
	defer bus.Close()
	if bus.Auth(nil) != nil || bus.Hello() != nil {
		return false
	}
	var there bool
	err = bus.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, "org.kde.StatusNotifierWatcher").Store(&there)
	return err == nil && there
}
