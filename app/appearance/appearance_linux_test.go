package appearance

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"

	"kairos/poller/power/bustest"
)

// desktop is a portal on a bus of the test's own.
type desktop struct {
	mu  sync.Mutex
	all map[string]map[string]dbus.Variant
}

// ReadAll is org.freedesktop.portal.Settings.ReadAll.
func (d *desktop) ReadAll(namespaces []string) (map[string]map[string]dbus.Variant, *dbus.Error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	told := map[string]map[string]dbus.Variant{}
	for name, values := range d.all {
		if slices.Contains(namespaces, name) {
			told[name] = values
		}
	}
	return told, nil
}

func TestFollowTheDesktop(t *testing.T) {
	bus := bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	d := &desktop{all: map[string]map[string]dbus.Variant{common: {"contrast": dbus.MakeVariant(uint32(1))}}}
	if err := bus.Export(d, portalPath, face); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.RequestName(portal, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	wishes, ended := make(chan Wishes, 10), make(chan struct{})
	go func() {
		defer close(ended)
		Follow(ctx, func(w Wishes) { wishes <- w })
	}()
	if w := <-wishes; w != (Wishes{Contrast: true}) {
		t.Errorf("at first %+v", w)
	}
	change := func(namespace, key string, value any) {
		d.mu.Lock()
		values := map[string]dbus.Variant{key: dbus.MakeVariant(value)}
		for k, v := range d.all[namespace] {
			if k != key {
				values[k] = v
			}
		}
		d.all[namespace] = values
		d.mu.Unlock()
		if err := bus.Emit(portalPath, face+".SettingChanged", namespace, key, dbus.MakeVariant(value)); err != nil {
			t.Fatal(err)
		}
	}
	change("org.gnome.desktop.sound", "event-sounds", true) // nothing to us
	change(gnome, "text-scaling-factor", 2.0)
	if w := <-wishes; w != (Wishes{Contrast: true, TextScale: 2}) {
		t.Errorf("with large text %+v", w)
	}
	change(gnome, "enable-animations", false)
	if w := <-wishes; !w.Still {
		t.Errorf("without animations %+v", w)
	}
	change(gnome, "text-scaling-factor", 1e9)
	if w := <-wishes; w.TextScale != mostScale {
		t.Errorf("with absurd text %+v", w)
	}
	change(common, "contrast", "a word")
	if w := <-wishes; w.Contrast {
		t.Errorf("with nonsense %+v", w)
	}
	stop()
	<-ended
}

func TestWithoutDesktop(t *testing.T) {
	bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS") // without a portal
	Follow(t.Context(), func(w Wishes) { t.Errorf("wishes %+v", w) })
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
	Follow(t.Context(), func(w Wishes) { t.Errorf("wishes %+v", w) })
}

// settings are those of XFCE, of which one is asked for.
type settings struct{ factor any }

// GetProperty is org.xfce.Xfconf.GetProperty.
func (s settings) GetProperty(channel, property string) (dbus.Variant, *dbus.Error) {
	if channel != "xsettings" || property != "/Gdk/WindowScalingFactor" {
		return dbus.Variant{}, dbus.MakeFailedError(errors.New(property))
	}
	return dbus.MakeVariant(s.factor), nil
}

func TestWindowScale(t *testing.T) {
	bus := bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	is := func(desktop string, want float64) {
		t.Helper()
		t.Setenv("XDG_CURRENT_DESKTOP", desktop)
		if got := WindowScale(t.Context()); got != want {
			t.Errorf("%s: %v, not %v", desktop, got, want)
		}
	}
	is("XFCE", 0) // whose settings do not answer
	if _, err := bus.RequestName("org.xfce.Xfconf", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		factor any
		want   float64
	}{{int32(2), 2}, {int32(1), 1}, {int32(0), 0}, {"two", 0}} {
		if err := bus.Export(settings{c.factor}, "/org/xfce/Xfconf", "org.xfce.Xfconf"); err != nil {
			t.Fatal(err)
		}
		is("X-Some:XFCE", c.want)
	}
	is("GNOME", 0)
}
