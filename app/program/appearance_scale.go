package program

import (
	"context"
	"os"
	"runtime"
	"strconv"

	"github.com/go-gl/glfw/v3.4/glfw"

	"kairos/app/desktop"
)

// mostDesktopScale is the largest scale that desktops offer.
const mostDesktopScale = 4

// desktopScale is the scale that the desktop wants programs of X11 to have, 0 if it is unknown: Xft.dpi among the resources of
// the X server, where desktops write it, or GDK_SCALE, by which people tell GTK's programs. The library below Fyne reads the
// former when it starts; Fyne does not ask for it. XFCE has one for windows beside it. Elsewhere Fyne asks the system itself.
func desktopScale(ctx context.Context) (scale float64) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || os.Getenv("DISPLAY") == "" {
		return 0
	}
	defer func() {
		if recover() != nil || !(scale <= mostDesktopScale) { // there is no screen, or it says nonsense
			scale = 0
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, appearancePatience)
	defer cancel()
	gtk, _ := strconv.ParseFloat(os.Getenv("GDK_SCALE"), 64)
	scale = max(gtk, desktop.WindowScale(ctx))
	switch {
	case startGLFW() != nil:
		return scale
	case onWayland(): // the compositor's scale is told to each window, and Fyne follows it
		return 0
	}
	x, _ := glfw.GetPrimaryMonitor().GetContentScale()
	return max(scale, float64(x))
}
