//go:build !windows && !darwin

package desktop

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"

	"kairos/poller/power/bustest"
)

func TestScheme(t *testing.T) {
	for _, tt := range []struct {
		answered   bool
		preference uint32
		theme      string
		want       Scheme
	}{
		{false, 0, "", Unknown},
		{true, 0, "", Light},
		{true, preferDark, "Adwaita", Dark},
		{true, preferLight, "Adwaita-dark", Light},
		{true, 0, "Adwaita-dark", Dark},
		{false, 0, "Xfce", Light},
		{false, 0, "Greybird-Dark", Dark},
		{true, 7, "", Light},
	} {
		if got := schemeOf(tt.answered, tt.preference, tt.theme); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// values are what a desktop has set, on a bus of the test's own: of the portal by namespace and key, and of XFCE.
type values struct {
	t   *testing.T
	bus *dbus.Conn

	mu     sync.Mutex
	portal map[string]map[string]dbus.Variant
	xfce   map[string]any
}

// newValues serves values as the portal, as XFCE, or as both.
func newValues(t *testing.T, services ...string) *values {
	t.Helper()
	v := &values{t: t, bus: bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS"), portal: map[string]map[string]dbus.Variant{}, xfce: map[string]any{}}
	v.must(v.bus.Export(v, PortalPath, portalSettings))
	v.must(v.bus.Export(v, xfconfPath, xfconf))
	for _, name := range services {
		_, err := v.bus.RequestName(name, dbus.NameFlagDoNotQueue)
		v.must(err)
	}
	return v
}

func (v *values) must(err error) {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
}

// ReadAll is org.freedesktop.portal.Settings.ReadAll.
func (v *values) ReadAll(namespaces []string) (map[string]map[string]dbus.Variant, *dbus.Error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	told := map[string]map[string]dbus.Variant{}
	for name, all := range v.portal {
		if slices.Contains(namespaces, name) {
			told[name] = all
		}
	}
	return told, nil
}

// GetProperty is org.xfce.Xfconf.GetProperty.
func (v *values) GetProperty(channel, property string) (dbus.Variant, *dbus.Error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	value, set := v.xfce[property]
	if channel != xsettings {
		return dbus.Variant{}, dbus.MakeFailedError(errors.New(channel))
	}
	if !set {
		return dbus.Variant{}, dbus.NewError(xfconf+".Error.PropertyNotFound", nil)
	}
	return dbus.MakeVariant(value), nil
}

// set sets a value of the portal.
func (v *values) set(namespace, key string, value any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	all := map[string]dbus.Variant{key: dbus.MakeVariant(value)} // another map: the last answer may still be on its way
	for k, old := range v.portal[namespace] {
		if k != key {
			all[k] = old
		}
	}
	v.portal[namespace] = all
}

// change sets a value of the portal and signals it.
func (v *values) change(namespace, key string, value any) {
	v.t.Helper()
	v.set(namespace, key, value)
	v.must(v.bus.Emit(PortalPath, portalSettings+".SettingChanged", namespace, key, dbus.MakeVariant(value)))
}

func (v *values) setXFCE(property string, value any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.xfce[property] = value
}

func (v *values) changeXFCE(property string, value any) {
	v.t.Helper()
	v.must(v.bus.Emit(xfconfPath, xfconf+".PropertyChanged", xsettings, property, dbus.MakeVariant(value)))
}

// follow follows the settings until the function that it returns is called; told returns the next.
func follow(t *testing.T) (told func() Settings, stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	settings, ended := make(chan Settings, 10), make(chan struct{})
	go func() {
		defer close(ended)
		FollowSettings(ctx, func(s Settings) { settings <- s })
	}()
	return func() Settings { return <-settings }, func() {
		t.Helper()
		cancel()
		<-ended
		if len(settings) > 0 {
			t.Errorf("told about what has not changed: %+v", <-settings)
		}
	}
}

func TestSettingsOfThePortal(t *testing.T) {
	v := newValues(t, PortalService)
	v.set(appearance, "contrast", uint32(1))
	told, stop := follow(t)
	want := Settings{Scheme: Light, Contrast: true}
	if s := told(); s != want {
		t.Errorf("at first %+v", s)
	}
	v.change("org.gnome.desktop.sound", "event-sounds", true) // nothing to us
	v.change(gnome, "text-scaling-factor", 2.0)
	if want.TextScale = 2; told() != want {
		t.Error("large text is not told")
	}
	v.change(gnome, "enable-animations", false)
	if s := told(); !s.Still {
		t.Errorf("without animations %+v", s)
	}
	v.change(gnome, "text-scaling-factor", 1e9)
	if s := told(); s.TextScale != mostScale {
		t.Errorf("with absurd text %+v", s)
	}
	v.change(appearance, "contrast", "a word")
	if s := told(); s.Contrast {
		t.Errorf("with nonsense %+v", s)
	}
	v.change(appearance, "color-scheme", uint32(preferDark))
	if s := told(); s.Scheme != Dark {
		t.Errorf("in the dark %+v", s)
	}
	stop()
}

// A portal knows nothing of XFCE's themes.
func TestSettingsOfXFCE(t *testing.T) {
	v := newValues(t, xfconf, PortalService)
	told, stop := follow(t)
	is := func(want Scheme, when string) {
		t.Helper()
		if got := told(); got != (Settings{Scheme: want}) {
			t.Errorf("%s: %+v", when, got)
		}
	}
	is(Light, "at first")
	v.changeXFCE("/Xft/DPI", int32(96))
	v.changeXFCE(themeName, "Adwaita-dark")
	is(Dark, "another theme")
	v.change(appearance, "color-scheme", uint32(preferLight))
	is(Light, "the portal prefers light")
	v.change(appearance, "color-scheme", uint32(preferDark))
	is(Dark, "the portal prefers dark")
	stop()
}

// slowPortal answers when it has been started.
type slowPortal struct {
	*values
	started chan struct{}
}

func (p slowPortal) ReadAll(namespaces []string) (map[string]map[string]dbus.Variant, *dbus.Error) {
	<-p.started
	return p.values.ReadAll(namespaces)
}

// XFCE's theme is told while the portal still starts.
func TestSlowPortal(t *testing.T) {
	v := newValues(t, xfconf, PortalService)
	v.setXFCE(themeName, "Greybird-Dark")
	v.set(gnome, "text-scaling-factor", 1.5)
	p := slowPortal{v, make(chan struct{})}
	v.must(v.bus.Export(p, PortalPath, portalSettings))
	told, stop := follow(t)
	if s := told(); s != (Settings{Scheme: Dark}) {
		t.Errorf("before the portal %+v", s)
	}
	close(p.started)
	if s := told(); s != (Settings{Scheme: Dark, TextScale: 1.5}) {
		t.Errorf("after it %+v", s)
	}
	stop()
}

// Where there is nobody to ask, the desktop is light, which is told at once, and the rest once somebody is there.
func TestWithoutDesktop(t *testing.T) {
	for name, address := range map[string]string{"without a portal": "", "without a bus": "unix:path=/nowhere"} {
		t.Run(name, func(t *testing.T) {
			bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
			if address != "" {
				t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
			}
			told, stop := follow(t)
			if s := told(); s != (Settings{Scheme: Light}) {
				t.Errorf("%+v", s)
			}
			stop()
		})
	}
}

func TestWindowScale(t *testing.T) {
	v := newValues(t)
	is := func(desktop string, want float64) {
		t.Helper()
		t.Setenv("XDG_CURRENT_DESKTOP", desktop)
		if got := WindowScale(t.Context()); got != want {
			t.Errorf("%s: %v, not %v", desktop, got, want)
		}
	}
	is("XFCE", 0) // whose settings do not answer
	_, err := v.bus.RequestName(xfconf, dbus.NameFlagDoNotQueue)
	v.must(err)
	for _, c := range []struct {
		factor any
		want   float64
	}{{int32(2), 2}, {int32(1), 1}, {int32(0), 0}, {"two", 0}} {
		v.setXFCE(windowScale, c.factor)
		is("X-Some:XFCE", c.want)
	}
	is("GNOME", 0)
}
