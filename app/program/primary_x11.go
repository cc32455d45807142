//go:build (linux || freebsd || netbsd || openbsd) && !wayland

package program

import (
	"github.com/go-gl/glfw/v3.4/glfw"

	"kairos/app/primary"
)

// usePrimarySelection lets text be selected and pasted as on X11, if the window is one of that. GLFW has been started.
func usePrimarySelection() {
	if !onWayland() {
		primary.Use(glfw.SetX11SelectionString, glfw.GetX11SelectionString)
	}
}
