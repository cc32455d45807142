// Package display decides whether the window is one of X11 or of Wayland, on systems that have both, and brings one of Wayland to
// the front.
package display

import "errors"

// The platforms, by the names that FYNE_PLATFORM has for them.
const (
	X11     = "x11"
	Wayland = "wayland"
)

// variable names the platform that the user wants. Fyne reads it as well.
const variable = "FYNE_PLATFORM"

var (
	// ErrNone says that there is neither an X server nor a compositor of Wayland.
	ErrNone = errors.New("there is no screen to show the window on; the verbs work without one (kairos --help)")

	// ErrNoSeat says that the only screen is that of a compositor which GLFW 3.4 does not survive: it asks for the version of the
	// seat without looking whether there is one.
	ErrNoSeat = errors.New("the Wayland compositor has no seat, that is no keyboard and no pointer, and no window can be shown " +
		"without one; the verbs work without a window (kairos --help)")
)

// Platforms returns the platforms to try, the preferred one first, by what the environment says. Errors: ErrNone and ErrNoSeat.
//
// X11 is preferred, also where Xwayland provides it, because with GLFW 3.4 a window of Wayland has no input methods (no
// text-input protocol: nobody could type Chinese), has no primary selection, tells screen readers no place, waits for ever for a
// program whose copy is pasted but does not come, and has a title bar without buttons where neither the compositor nor libdecor
// draws one.
func Platforms(env func(string) string) ([]string, error) {
	wanted := env(variable)
	if wanted == X11 {
		return []string{X11}, nil
	}
	onX11 := env("DISPLAY") != ""
	if onX11 && wanted != Wayland {
		if seated(env) == nil {
			return []string{X11, Wayland}, nil
		}
		return []string{X11}, nil
	}
	switch err := seated(env); {
	case err == nil && onX11:
		return []string{Wayland, X11}, nil
	case err == nil:
		return []string{Wayland}, nil
	case onX11:
		return []string{X11}, nil
	default:
		return nil, err
	}
}
