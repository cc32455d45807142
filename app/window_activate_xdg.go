//go:build !windows && !darwin

package app

import (
	"unsafe"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"github.com/go-gl/glfw/v3.4/glfw"

	"kairos/app/display"
)

// activate brings a window of Wayland to the front with a token of the program that the user has just clicked something in. It
// reports whether the compositor was asked: GLFW asks it for a token of its own, which compositors refuse to a program that the
// user is not in.
func activate(w fyne.Window, token string) (asked bool) {
	native, ok := w.(driver.NativeWindow)
	if !ok || token == "" {
		return false
	}
	native.RunNative(func(context any) {
		if c, ok := context.(driver.WaylandWindowContext); ok {
			asked = display.Activate(uintptr(unsafe.Pointer(glfw.GetWaylandDisplay())), c.WaylandSurface, token)
		}
	})
	return asked
}
