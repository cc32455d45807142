//go:build !windows && !darwin

package autostart

import (
	"context"
	"errors"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/app/desktop"
	"kairos/app/flatpak"
)

// background is an interface of the XDG desktop portal's documentation.
const background = "org.freedesktop.portal.Background"

// answerWithin is how long the user has to answer the portal's question.
const answerWithin = 2 * time.Minute

// errRefused means that the user, or the desktop for them, does not let Kairos start at login or run on without a window.
var errRefused = errors.New("the desktop does not allow it")

// askPortal asks the desktop to let Kairos run without a window, and to start the command at login, or no longer to: from
// inside a Flatpak its folder of such programs is not to be seen. The portal puts the way into the Flatpak before the command.
// It knows no question about the one alone. The error is errRefused if what is needed was not granted.
func askPortal(atLogin bool, command []string, needed string) error {
	ctx, stop := context.WithTimeout(context.Background(), answerWithin)
	defer stop()
	options := map[string]dbus.Variant{"autostart": dbus.MakeVariant(atLogin)}
	if atLogin {
		options["commandline"] = dbus.MakeVariant(command)
	}
	code, results, err := desktop.Ask(ctx, background+".RequestBackground", options, "")
	if err != nil {
		return err
	}
	if granted, _ := results[needed].Value().(bool); needed != "" && (code != desktop.Answered || !granted) {
		return errRefused
	}
	return nil
}

// What the portal grants, by its documentation.
const (
	grantBackground = "background"
	grantAtLogin    = "autostart"
)

// allowBackground leaves the start at login as it is. Where there is no portal, nobody ends what has no window.
func allowBackground(command []string) error {
	if !flatpak.Inside() {
		return nil
	}
	atLogin, err := enabled()
	if err != nil {
		return err
	}
	if err := askPortal(atLogin, command, grantBackground); !errors.Is(err, desktop.ErrNoPortal) {
		return err
	}
	return nil
}
