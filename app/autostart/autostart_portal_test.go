//go:build linux

package autostart

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"kairos/app/flatpak"
	"kairos/app/portal"
	"kairos/poller/power/bustest"
)

// desktop is a Background portal on a bus of the test's own.
type desktop struct {
	bus    *dbus.Conn
	grants bool
	asked  chan map[string]dbus.Variant
}

// RequestBackground is org.freedesktop.portal.Background.RequestBackground.
func (d *desktop) RequestBackground(sender dbus.Sender, _ string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	d.asked <- options
	token, _ := options["handle_token"].Value().(string)
	path := dbus.ObjectPath(portal.Path + "/request/" + strings.ReplaceAll(string(sender)[1:], ".", "_") + "/" + token)
	on, _ := options["autostart"].Value().(bool)
	code := uint32(portal.Answered)
	if !d.grants {
		code = portal.Canceled
	}
	results := map[string]dbus.Variant{"background": dbus.MakeVariant(d.grants), "autostart": dbus.MakeVariant(on && d.grants)}
	if err := d.bus.Emit(path, portal.Request+".Response", code, results); err != nil {
		return "", dbus.MakeFailedError(err)
	}
	return path, nil
}

// insideFlatpak makes this process believe that it runs inside a Flatpak.
func insideFlatpak(t *testing.T) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(t.TempDir(), "conf"))
	info := filepath.Join(t.TempDir(), ".flatpak-info")
	if err := os.WriteFile(info, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	usual := flatpak.Info
	flatpak.Info = info
	t.Cleanup(func() { flatpak.Info = usual })
}

func newDesktop(t *testing.T) *desktop {
	t.Helper()
	d := &desktop{bus: bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS"), grants: true, asked: make(chan map[string]dbus.Variant, 1)}
	if err := d.bus.Export(d, portal.Path, background); err != nil {
		t.Fatal(err)
	}
	if _, err := d.bus.RequestName(portal.Service, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSetInFlatpak(t *testing.T) {
	insideFlatpak(t)
	d := newDesktop(t)
	want := func(on bool) {
		t.Helper()
		if got, err := Enabled(); got != on || err != nil {
			t.Errorf("enabled %v, %v; want %v", got, err, on)
		}
	}
	if err := Set(true, "/app/bin/kairos"); err != nil {
		t.Fatal(err)
	}
	asked := <-d.asked
	command, _ := asked["commandline"].Value().([]string)
	if on, _ := asked["autostart"].Value().(bool); !on || !slices.Equal(command, []string{"/app/bin/kairos", "--hidden"}) {
		t.Errorf("asked %v", asked)
	}
	want(true)
	if err := Set(false, ""); err != nil {
		t.Fatal(err)
	}
	if on, said := (<-d.asked)["autostart"].Value().(bool); on || !said {
		t.Error("not asked to end it")
	}
	want(false)
	d.grants = false
	if err := Set(true, "/app/bin/kairos"); !errors.Is(err, errRefused) {
		t.Errorf("refused: %v", err)
	}
	want(false)
}

// Who keeps Kairos running asks for no more than that, and whoever never started it at login is not asked to end it.
func TestAllowBackgroundInFlatpak(t *testing.T) {
	insideFlatpak(t)
	d := newDesktop(t)
	allowed := func(atLogin bool) {
		t.Helper()
		if err := AllowBackground("/app/bin/kairos"); err != nil {
			t.Fatal(err)
		}
		asked := <-d.asked
		command, _ := asked["commandline"].Value().([]string)
		if on, said := asked["autostart"].Value().(bool); on != atLogin || !said || (len(command) > 0) != atLogin {
			t.Errorf("asked %v; at login: want %v", asked, atLogin)
		}
		if on, err := Enabled(); on != atLogin || err != nil {
			t.Errorf("starts at login: %v, %v", on, err)
		}
	}
	if err := Set(false, ""); err != nil || len(d.asked) > 0 {
		t.Errorf("asked to end nothing: %v", err)
	}
	allowed(false)
	if err := Set(true, "/app/bin/kairos"); err != nil {
		t.Fatal(err)
	}
	<-d.asked
	allowed(true)
	d.grants = false
	if err := AllowBackground("/app/bin/kairos"); !errors.Is(err, errRefused) {
		t.Errorf("refused: %v", err)
	}
}

func TestAllowBackgroundWithoutPortal(t *testing.T) {
	bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	if err := AllowBackground("/usr/bin/kairos"); err != nil {
		t.Errorf("outside a Flatpak: %v", err)
	}
	insideFlatpak(t)
	if err := AllowBackground("/app/bin/kairos"); err != nil {
		t.Errorf("with nobody to ask: %v", err)
	}
}

func TestSetInFlatpakWithoutPortal(t *testing.T) {
	insideFlatpak(t)
	bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	if err := Set(true, "/app/bin/kairos"); !errors.Is(err, portal.ErrUnsupported) {
		t.Error(err)
	}
	if on, err := Enabled(); on || err != nil {
		t.Errorf("enabled %v, %v", on, err)
	}
}
