//go:build window

package windowtest

import (
	"bufio"
	"fmt"
	"image"
	"math"
	"os"
	"os/exec"
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
		is := s.place().Size()
		// Fyne rounds up, by another pixel now and then; but it does not add up from start to start.
		if w, h := float64(small.X)*c.scale, float64(small.Y)*c.scale; math.Abs(float64(is.X)-w) > 3*c.scale || math.Abs(float64(is.Y)-h) > 3*c.scale {
			s.Errorf("%s %d: the window is %v, not %v by %v", c.property, c.value, is, w, h)
		}
		s.shot(fmt.Sprintf("desktop-scale-%d", c.dpi))
		s.quit()
	}
}

// twoScreens has two monitors side by side, as only a whole X server tells them, with a driver for no card.
func (s *session) twoScreens() {
	config := s.write("xorg.conf", `
Section "ServerFlags"
	Option "AutoAddDevices" "false"
EndSection
Section "Device"
	Identifier "none"
	Driver "dummy"
	VideoRam 65536
EndSection
Section "Monitor"
	Identifier "wide"
	HorizSync 5-1000
	VertRefresh 5-200
EndSection
Section "Screen"
	Identifier "both"
	Device "none"
	Monitor "wide"
	DefaultDepth 24
	SubSection "Display"
		Modes "1280x960"
		Virtual 2560 960
	EndSubSection
EndSection
`)
	read, write, err := os.Pipe()
	if err != nil {
		s.Fatal(err)
	}
	x := exec.Command("Xorg", "-displayfd", "3", "-noreset", "-novtswitch", "-sharevts", "-nolisten", "tcp", "-config", config, "-logfile", filepath.Join(s.home, "xorg.log"))
	x.ExtraFiles = []*os.File{write}
	if err := x.Start(); err != nil {
		s.Fatal(err)
	}
	write.Close()
	defer func() {
		x.Process.Kill()
		x.Wait()
	}()
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil { // it wants a console of its own unless root starts it
		s.Skip("no X server with two monitors can be started: ", err)
	}
	d, first, second := *s.desktop, image.Rect(0, 0, 1280, 960), image.Rect(1280, 0, 2560, 960)
	d.display = ":" + strings.TrimSpace(number)
	on := *s
	on.desktop = &d
	on.run("xrandr", "--newmode", "second", "102", "1280", "1360", "1496", "1712", "960", "961", "964", "994")
	on.run("xrandr", "--addmode", "DUMMY1", "second")
	on.run("xrandr", "--fb", "2560x960", "--output", "DUMMY1", "--mode", "second", "--right-of", "DUMMY0")
	on.until("both are there", func() bool {
		out, err := on.tool("xrandr", "--listmonitors")
		return err == nil && strings.HasPrefix(out, "Monitors: 2")
	})
	on.background("", "xfwm4")
	on.until("there is a window manager", func() bool {
		out, err := on.tool("xprop", "-root", "_NET_SUPPORTING_WM_CHECK")
		return err == nil && strings.Contains(out, "window id")
	})

	prefs := filepath.Join(s.home, ".config/fyne/org.kairos.Reader")
	if err := os.MkdirAll(prefs, 0o700); err != nil {
		s.Fatal(err)
	}
	s.write(".config/fyne/org.kairos.Reader/preferences.json", `{"window.width":2000,"window.height":700}`)
	s.staysRunning()
	isOn := func(screen image.Rectangle) func() bool {
		return func() bool { at := on.place(); return !at.Empty() && at.In(screen) }
	}
	s.Log("a window that was wider fits onto one screen")
	on.launch()
	on.until("the window is there", func() bool { return on.window() != "" })
	on.until("it is no wider than a screen", func() bool { return on.place().Dx() <= first.Dx() })

	s.Log("it goes to the other")
	on.until("it is there", func() bool {
		on.xdotool("windowsize", on.window(), "1000", "700", "windowmove", on.window(), "1400", "100")
		return isOn(second)()
	})

	s.Log("closed to the background, it comes back where it was")
	was := on.place()
	on.key("alt+F4")
	on.away()
	on.launch()
	on.until("it is back", func() bool { return on.place() == was })

	s.Log("the second screen is taken away")
	on.run("xrandr", "--output", "DUMMY1", "--off")
	on.until("it can be seen on the first", func() bool { return !on.place().Intersect(first).Empty() })
	on.quit()
}

// place is where Kairos's window is, empty while there is none.
func (s *session) place() image.Rectangle {
	var x, y, w, h int
	at, _ := s.tool("xdotool", "getwindowgeometry", "--shell", s.window())
	for line := range strings.Lines(at) {
		for name, value := range map[string]*int{"X": &x, "Y": &y, "WIDTH": &w, "HEIGHT": &h} {
			fmt.Sscanf(line, name+"=%d", value) //nolint:errcheck // another line
		}
	}
	return image.Rect(x, y, x+w, y+h)
}
