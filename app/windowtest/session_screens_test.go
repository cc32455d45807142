//go:build window

package windowtest

import (
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// scale has the desktop enlarge its programs, by the scale of fonts and of windows.
func (s *session) scale() {
	defer func(with []string) { s.with = with }(s.with)
	s.with = append(slices.Clip(s.with), "FYNE_SCALE=") // nor has the user chosen one
	prefs := filepath.Join(s.home, ".config/fyne/org.kairos.Reader")
	if err := os.MkdirAll(prefs, 0o700); err != nil {
		s.Fatal(err)
	}
	small := image.Pt(760, 450) // twice as much has room
	s.write(filepath.Join(".config/fyne/org.kairos.Reader/preferences.json"), fmt.Sprintf(`{"window.width":%d,"window.height":%d}`, small.X, small.Y))
	for _, c := range []struct {
		property   string
		value, dpi int
		scale      float64
	}{
		{"/Xft/DPI", 96, 96, 1},
		{"/Xft/DPI", 120, 120, 1.3}, // Fyne rounds to tenths
		{"/Xft/DPI", 120, 120, 1.3},
		{"/Xft/DPI", 144, 144, 1.5},
		{"/Xft/DPI", 192, 192, 2},
		{"/Xft/DPI", 96, 96, 1},
		{"/Gdk/WindowScalingFactor", 2, 96, 2},
		{"/Gdk/WindowScalingFactor", 1, 96, 1},
	} {
		s.run("xfconf-query", "-c", "xsettings", "-p", c.property, "-n", "-t", "int", "-s", fmt.Sprint(c.value))
		said := ""
		s.until("the desktop tells its scale", func() bool {
			said, _ = s.tool("xprop", "-root", "RESOURCE_MANAGER")
			return strings.Contains(said, fmt.Sprintf(`Xft.dpi:\t%d\n`, c.dpi))
		})
		s.launch()
		s.inFront()
		var is image.Point
		at, _ := s.tool("xdotool", "getwindowgeometry", "--shell", s.window())
		for line := range strings.Lines(at) {
			fmt.Sscanf(line, "WIDTH=%d", &is.X)  //nolint:errcheck // another line
			fmt.Sscanf(line, "HEIGHT=%d", &is.Y) //nolint:errcheck // another line
		}
		// Fyne rounds up, by another pixel now and then; but it does not add up from start to start.
		if w, h := float64(small.X)*c.scale, float64(small.Y)*c.scale; math.Abs(float64(is.X)-w) > 3*c.scale || math.Abs(float64(is.Y)-h) > 3*c.scale {
			s.Errorf("%s %d: the window is %v, not %v by %v", c.property, c.value, is, w, h)
		}
		s.shot(fmt.Sprintf("desktop-scale-%d", c.dpi))
		s.quit()
	}
}
