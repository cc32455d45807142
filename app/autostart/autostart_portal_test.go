//go:build linux

package autostart

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/godbus/dbus/v5"

	"kairos/app/desktop"
	"kairos/app/flatpak"
	"kairos/poller/power/bustest"
)

// fakePortal is a Background portal on a bus of the test's own.
type fakePortal struct {
	bus    *dbus.Conn
	grants atomic.Bool
	asked  chan map[string]dbus.Variant
}

// RequestBackground is org.freedesktop.portal.Background.RequestBackground.
func (d *fakePortal) RequestBackground(sender dbus.Sender, _ string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	d.asked <- options
	token, _ := options["handle_token"].Value().(string)
	path := dbus.ObjectPath(desktop.PortalPath + "/request/" + strings.ReplaceAll(string(sender)[1:], ".", "_") + "/" + token)
	on, _ := options["autostart"].Value().(bool)
	code := uint32(desktop.Answered)
	if !d.grants.Load() {
		code = desktop.Canceled
	}
	results := map[string]dbus.Variant{"background": dbus.MakeVariant(d.grants.Load()), "autostart": dbus.MakeVariant(on && d.grants.Load())}
	if err := d.bus.Emit(path, desktop.PortalRequest+".Response", code, results); err != nil {
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

func newFakePortal(t *testing.T) *fakePortal {
	t.Helper()
	d := &fakePortal{bus: bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS"), asked: make(chan map[string]dbus.Variant, 1)}
	d.grants.Store(true)
	if err := d.bus.Export(d, desktop.PortalPath, background); err != nil {
		t.Fatal(err)
	}
	if _, err := d.bus.RequestName(desktop.PortalService, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSetInFlatpak(t *testing.T) {
	insideFlatpak(t)
	d := newFakePortal(t)
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
	d.grants.Store(false)
	if err := Set(true, "/app/bin/kairos"); !errors.Is(err, errRefused) {
		t.Errorf("refused: %v", err)
	}
	want(false)
}

// Who keeps Kairos running asks for no more than that, and whoever never started it at login is not asked to end it.
func TestAllowBackgroundInFlatpak(t *testing.T) {
	insideFlatpak(t)
	d := newFakePortal(t)
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
	d.grants.Store(false)
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
	if err := Set(true, "/app/bin/kairos"); !errors.Is(err, desktop.ErrNoPortal) {
		t.Error(err)
	}
	if on, err := Enabled(); on || err != nil {
		t.Errorf("enabled %v, %v", on, err)
	}
}
