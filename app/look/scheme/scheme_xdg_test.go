//go:build !windows && !darwin

package scheme

import (
	"context"
	"testing"

	"github.com/godbus/dbus/v5"

	"kairos/poller/power/bustest"
)

func TestScheme(t *testing.T) {
	for _, tt := range []struct {
		of   desktop
		want Scheme
	}{
		{desktop{}, Unknown},
		{desktop{portal: true}, Light},
		{desktop{portal: true, preference: preferDark, theme: "Adwaita"}, Dark},
		{desktop{portal: true, preference: preferLight, theme: "Adwaita-dark"}, Light},
		{desktop{portal: true, theme: "Adwaita-dark"}, Dark},
		{desktop{theme: "Xfce"}, Light},
		{desktop{theme: "Greybird-Dark"}, Dark},
		{desktop{portal: true, preference: 7}, Light},
	} {
		if got := tt.of.scheme(); got != tt.want {
			t.Errorf("%+v: %v", tt.of, got)
		}
	}
}

// settings are those of a desktop with an old portal.
type settings struct{ theme string }

// GetProperty is org.xfce.Xfconf.GetProperty.
func (s settings) GetProperty(_, _ string) (dbus.Variant, *dbus.Error) {
	if s.theme == "" {
		return dbus.Variant{}, dbus.NewError(xfconf+".Error.PropertyNotFound", nil)
	}
	return dbus.MakeVariant(s.theme), nil
}

// Read is org.freedesktop.portal.Settings.Read.
func (s settings) Read(_, _ string) (dbus.Variant, *dbus.Error) {
	return dbus.MakeVariant(dbus.MakeVariant(uint32(noPreference))), nil
}

func TestDesktopChangesWhileWatched(t *testing.T) {
	bus := bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	for name, path := range map[string]dbus.ObjectPath{xfconf: xfconfPath, portal: portalPath} {
		iface := name
		if name == portal {
			iface = portalSettings
		}
		if err := bus.Export(settings{}, path, iface); err != nil {
			t.Fatal(err)
		}
		if _, err := bus.RequestName(name, 0); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	schemes, ended := make(chan Scheme, 10), make(chan bool)
	go func() {
		Watch(ctx, func(s Scheme) { schemes <- s })
		close(ended)
	}()
	is := func(want Scheme, when string) {
		t.Helper()
		if got := <-schemes; got != want {
			t.Errorf("%s: %v", when, got)
		}
	}
	is(Light, "at first")
	emit := func(path dbus.ObjectPath, signal string, values ...any) {
		t.Helper()
		if err := bus.Emit(path, signal, values...); err != nil {
			t.Fatal(err)
		}
	}
	emit(xfconfPath, xfconf+".PropertyChanged", xsettings, "/Xft/DPI", dbus.MakeVariant(int32(96)))
	emit(xfconfPath, xfconf+".PropertyChanged", xsettings, themeName, dbus.MakeVariant("Adwaita-dark"))
	is(Dark, "another theme")
	emit(portalPath, portalSettings+".SettingChanged", appearance, "color-scheme", dbus.MakeVariant(uint32(preferLight)))
	is(Light, "the portal prefers light")
	emit(portalPath, portalSettings+".SettingChanged", appearance, "color-scheme", dbus.MakeVariant(uint32(preferDark)))
	is(Dark, "the portal prefers dark")
	stop()
	<-ended
	if len(schemes) > 0 {
		t.Error("told of what has not changed")
	}
}

func TestWithoutBus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	Watch(t.Context(), func(s Scheme) { t.Errorf("a desktop that is %v", s) })
}
