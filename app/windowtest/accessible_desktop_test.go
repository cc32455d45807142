//go:build window && accessible

package windowtest

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// The program that starts the bus of accessibility, and the Python that Debian's python3-pyatspi is for.
const (
	accessibilityLauncher = "/usr/libexec/at-spi-bus-launcher"
	python                = "/usr/bin/python3"
)

// newAccessibleDesktop starts a desktop for which accessibility is switched on, as it is by whoever uses a screen reader: an
// X server, a session bus, at-spi2-core and a window manager, which gives windows and dialogs the keys. “make accessible”
// installs what it needs.
func newAccessibleDesktop(t *testing.T) *desktop {
	t.Helper()
	for _, tool := range []string{"dbus-daemon", "xfwm4", accessibilityLauncher} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%s is missing; “make accessible” installs it", tool)
		}
	}
	d := newDesktop(t)
	run := d.folders()
	d.with = []string{"XDG_RUNTIME_DIR=" + run, "XDG_CONFIG_HOME=" + filepath.Join(d.home, ".config"), "XDG_CACHE_HOME=" + filepath.Join(d.home, ".cache"),
		"XDG_DATA_HOME=" + filepath.Join(d.home, ".local/share"), "GSETTINGS_BACKEND=memory", "AT_SPI_BUS_ADDRESS=", "NO_AT_BRIDGE=0",
		"DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere"}
	d.startBus()
	d.startAccessibility()
	d.background("", "env", "NO_AT_BRIDGE=1", "xfwm4", "--compositor=off") // else Orca announces it, too
	d.until("there is a window manager", func() bool {
		out, err := d.tool("xdotool", "get_desktop")
		return err == nil && strings.TrimSpace(out) != ""
	})
	return d
}

// startAccessibility starts at-spi2-core, switched on.
func (d *desktop) startAccessibility() {
	d.Helper()
	d.background("", accessibilityLauncher, "--launch-immediately")
	d.until("there is accessibility", func() bool { return d.owned("org.a11y.Bus") })
	set := d.bus.Object("org.a11y.Bus", "/org/a11y/bus").Call("org.freedesktop.DBus.Properties.Set", 0,
		"org.a11y.Status", "IsEnabled", dbus.MakeVariant(true))
	if set.Err != nil {
		d.Fatal(set.Err)
	}
}

// client runs a program that reads the screen, to its end, and returns what it says.
func (d *desktop) client(script string, args ...string) string {
	d.Helper()
	script, err := filepath.Abs(script)
	if err != nil {
		d.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, python, append([]string{script}, args...)...)
	c.Env, c.Dir = d.env(), d.home
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		d.shot("accessible-failed")
		d.Errorf("%s: %v\n%s%s", script, err, out, stderr.String())
	}
	return string(out)
}
