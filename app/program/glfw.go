package program

import (
	"context"
	"os"
	"runtime"
	"sync"

	"github.com/go-gl/glfw/v3.4/glfw"

	"kairos/app/display"
)

// startGLFW starts the library below Fyne before Fyne does, with the first platform of package display that works: Fyne 2.8 would take
// Wayland wherever the compositor draws title bars, and end in a segmentation fault where that one has no seat. The error is
// a sentence for the user.
var startGLFW = sync.OnceValue(func() error {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return nil // there is one platform, which Fyne starts
	}
	platforms, err := display.Platforms(os.Getenv)
	if err != nil {
		return err
	}
	for _, name := range platforms {
		platform := glfw.PlatformX11
		if name == display.Wayland {
			platform = glfw.PlatformWayland
		}
		if initGLFW(platform) {
			usePrimarySelection()
			return nil
		}
	}
	return display.ErrNone
})

func initGLFW(platform glfw.Platform) (done bool) {
	defer func() {
		if recover() != nil { // GLFW's binding panics at errors that it does not expect
			done = false
		}
	}()
	glfw.InitHint(glfw.PlatformHint, int(platform))
	return glfw.Init() == nil
}

// onWayland reports whether the window is one of Wayland. GLFW has been started.
func onWayland() bool { return glfw.GetPlatform() == glfw.PlatformWayland }

// stopWithCompositor calls stop when the compositor of Wayland ends. An X server that ends takes its programs with it.
func stopWithCompositor(ctx context.Context, stop func()) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || !onWayland() {
		return
	}
	go func() {
		display.AwaitEnd(ctx, os.Getenv)
		stop()
	}()
}
