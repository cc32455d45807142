package power

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/poller/messagebus"
	"kairos/poller/power/bustest"
)

// desktop is the services on the two buses.
type desktop struct {
	t               *testing.T
	system, session *dbus.Conn

	mu      sync.Mutex
	values  map[string]any // by interface and property
	metered *bool          // the portal's
}

func newDesktop(t *testing.T) *desktop {
	return &desktop{t: t, system: bustest.Start(t, "DBUS_SYSTEM_BUS_ADDRESS"), session: bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS"),
		values: map[string]any{}}
}

// noBuses is a machine without any.
func noBuses(t *testing.T) {
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
}

// Get is org.freedesktop.DBus.Properties.Get.
func (d *desktop) Get(face, name string) (dbus.Variant, *dbus.Error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	v, ok := d.values[face+"."+name]
	if !ok {
		return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", nil)
	}
	return dbus.MakeVariant(v), nil
}

// GetMetered is org.freedesktop.portal.NetworkMonitor.GetMetered.
func (d *desktop) GetMetered() (bool, *dbus.Error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.metered == nil {
		return false, dbus.NewError("org.freedesktop.portal.Error.NotAllowed", nil)
	}
	return *d.metered, nil
}

func (d *desktop) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// serve brings a service with properties onto a bus.
func (d *desktop) serve(bus *dbus.Conn, name string, path dbus.ObjectPath) {
	d.t.Helper()
	d.must(bus.Export(d, path, "org.freedesktop.DBus.Properties"))
	_, err := bus.RequestName(name, 0)
	d.must(err)
}

func (d *desktop) servePortal() {
	d.t.Helper()
	d.must(d.session.Export(d, portalPath, portalNetwork))
	d.serve(d.session, portal, portalPath)
}

func (d *desktop) set(face, name string, value any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.values[face+"."+name] = value
}

// change sets a property and signals it.
func (d *desktop) change(bus *dbus.Conn, path dbus.ObjectPath, face, name string, value any) {
	d.t.Helper()
	d.set(face, name, value)
	d.must(bus.Emit(path, "org.freedesktop.DBus.Properties.PropertiesChanged", face,
		map[string]dbus.Variant{name: dbus.MakeVariant(value)}, []string{}))
}

func (d *desktop) setMetered(on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.metered = &on
}

func (d *desktop) changeMetered(on bool) {
	d.t.Helper()
	d.setMetered(on)
	d.must(d.session.Emit(portalPath, portalNetwork+".changed"))
}

func TestServicesAreAskedInOrder(t *testing.T) {
	d := newDesktop(t)
	wants := func(when string, battery, saver, metered Reading) {
		t.Helper()
		s := Read(t.Context())
		for _, f := range []struct {
			name      string
			got, want Reading
		}{{"battery", s.Battery, battery}, {"saver", s.Saver, saver}, {"metered", s.Metered, metered}} {
			if f.got.On != f.want.On || f.got.Known != f.want.Known || !strings.HasPrefix(f.got.Source, f.want.Source) {
				t.Errorf("%s: %s: %v, not %v", when, f.name, f.got, f.want)
			}
		}
	}
	kernel := batteryFromSysfs(os.DirFS("/sys/class/power_supply"))
	nobody, known := Reading{}, func(on bool, source string) Reading { return Reading{on, true, source} }
	wants("on empty buses", kernel, nobody, nobody)

	d.servePortal()
	wants("with a portal that knows nothing", kernel, nobody, nobody)
	d.set(portalPower, "power-saver-enabled", true)
	d.setMetered(true)
	wants("with a portal", kernel, known(true, "portal"), known(true, "portal"))

	d.set(oldProfiles, "ActiveProfile", "balanced")
	d.serve(d.system, oldProfiles, messagebus.PathOf(oldProfiles))
	wants("with the old profiles", kernel, known(false, "power profiles"), known(true, "portal"))

	d.set(upower, "OnBattery", true)
	d.set(profiles, "ActiveProfile", "power-saver")
	d.set(networkManager, "Metered", uint32(4))
	d.serve(d.system, upower, messagebus.PathOf(upower))
	d.serve(d.system, profiles, messagebus.PathOf(profiles))
	d.serve(d.system, networkManager, messagebus.PathOf(networkManager))
	wants("with all", known(true, "UPower"), known(true, "power profiles"), known(false, "NetworkManager"))

	d.set(networkManager, "Metered", uint32(0))
	wants("disconnected", known(true, "UPower"), known(true, "power profiles"), known(true, "portal"))
	d.set(networkManager, "Metered", "broken")
	d.set(upower, "OnBattery", "broken")
	d.set(profiles, "ActiveProfile", true)
	wants("with broken answers", kernel, known(false, "power profiles"), known(true, "portal"))
}

// Every change that the system signals arrives at once.
func TestChangeSignals(t *testing.T) {
	d := newDesktop(t)
	d.set(upower, "OnBattery", false)
	d.set(profiles, "ActiveProfile", "balanced")
	d.set(networkManager, "Metered", uint32(2))
	for _, name := range []string{upower, profiles, oldProfiles, networkManager} {
		d.serve(d.system, name, messagebus.PathOf(name))
	}
	d.set(portalPower, "power-saver-enabled", false)
	d.servePortal()

	ctx, cancel := context.WithCancel(t.Context())
	states, done := make(chan State), make(chan struct{})
	go func() {
		defer close(done)
		Watch(ctx, time.Hour, func(s State) { states <- s })
	}()
	heard := func(what string, battery, saver, metered bool) {
		t.Helper()
		if s := <-states; s.Battery.On != battery || s.Saver.On != saver || s.Metered.On != metered {
			t.Errorf("%s: %+v", what, s)
		}
	}
	heard("at first", false, false, false)
	d.change(d.system, messagebus.PathOf(upower), upower, "OnBattery", true)
	heard("UPower", true, false, false)
	d.change(d.system, messagebus.PathOf(profiles), profiles, "ActiveProfile", "power-saver")
	heard("power profiles", true, true, false)
	d.change(d.system, messagebus.PathOf(networkManager), networkManager, "Metered", uint32(3))
	heard("NetworkManager", true, true, true)

	d.set(profiles, "ActiveProfile", 0) // it knows nothing any more
	d.change(d.system, messagebus.PathOf(oldProfiles), oldProfiles, "ActiveProfile", "balanced")
	heard("old power profiles", true, false, true)
	d.set(oldProfiles, "ActiveProfile", 0)
	d.change(d.session, portalPath, portalPower, "power-saver-enabled", true)
	heard("portal, power", true, true, true)
	d.setMetered(true)
	d.set(networkManager, "Metered", uint32(0))
	d.changeMetered(false)
	heard("portal, network", true, true, false)

	// A swarm of signals of all of them is heard as one change.
	d.set(networkManager, "Metered", uint32(1))
	d.set(portalPower, "power-saver-enabled", false)
	for range 20 {
		d.change(d.system, messagebus.PathOf(upower), upower, "OnBattery", false)
		d.changeMetered(true)
	}
	heard("a swarm", false, false, true)
	cancel()
	<-done
}

func TestNoBus(t *testing.T) {
	noBuses(t)
	if s := Read(t.Context()); s.Saver.Known || s.Metered.Known || s.Saver.Source == "" || !strings.HasPrefix(s.Battery.Source, "sysfs") {
		t.Errorf("%+v", s)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for range changeSignals(ctx) {
		t.Error("a signal without a bus")
	}
}

// A bus that takes calls and never answers delays nothing.
func TestSilentBus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path="+path)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+path)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if s := Read(ctx); s.Saver.Known || s.Metered.Known || !strings.HasPrefix(s.Battery.Source, "sysfs") {
		t.Errorf("%+v", s)
	}
	for range changeSignals(ctx) {
		t.Error("a signal without a bus")
	}
}
