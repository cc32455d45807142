//go:build !windows && !darwin

package autostart

import (
	"context"
	"errors"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/app/portal"
)

// background is an interface of the XDG desktop portal's documentation.
const background = "org.freedesktop.portal.Background"

// answerWithin is how long the user has to answer the portal's question.
const answerWithin = 2 * time.Minute

// errRefused means that the user, or the desktop for them, does not let Kairos start at login.
var errRefused = errors.New("the desktop does not allow it")

// askPortal asks the desktop to start the command at login, or no longer to: from inside a Flatpak its folder of such
// programs is not to be seen. The portal puts the way into the Flatpak before the command.
func askPortal(enable bool, command []string) error {
	ctx, stop := context.WithTimeout(context.Background(), answerWithin)
	defer stop()
	options := map[string]dbus.Variant{"autostart": dbus.MakeVariant(enable)}
	if enable {
		options["commandline"] = dbus.MakeVariant(command)
	}
	code, results, err := portal.Ask(ctx, background+".RequestBackground", options, "")
	if err != nil {
		return err
	}
	if granted, _ := results["autostart"].Value().(bool); enable && (code != portal.Answered || !granted) {
		return errRefused
	}
	return nil
}
