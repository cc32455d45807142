package power

import (
	"context"
	"os"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
)

// Those on the buses who know. A service's only object has its name as its path.
const (
	upower         = "org.freedesktop.UPower"
	profiles       = "org.freedesktop.UPower.PowerProfiles" // power-profiles-daemon, or who stands in for it
	oldProfiles    = "net.hadess.PowerProfiles"             // its name before 0.20
	networkManager = "org.freedesktop.NetworkManager"
	portal         = "org.freedesktop.portal.Desktop"
	portalPower    = "org.freedesktop.portal.PowerProfileMonitor"
	portalNetwork  = "org.freedesktop.portal.NetworkMonitor"
	portalPath     = dbus.ObjectPath("/org/freedesktop/portal/desktop")
)

func pathOf(service string) dbus.ObjectPath {
	return dbus.ObjectPath("/" + strings.ReplaceAll(service, ".", "/"))
}

// read asks who knows best first; of the battery the kernel knows too.
func read(ctx context.Context) (s State) {
	system, session := systemBus(), sessionBus()
	defer system.close()
	defer session.close()
	var asking sync.WaitGroup
	asking.Go(func() {
		// UPower may have to be started: it sees through the hardware's peculiarities.
		if s.Battery = firstOf(ctx, system.property("UPower", upower, "OnBattery", truth).starting()); !s.Battery.Known {
			why := s.Battery.Source
			s.Battery = sysfs(os.DirFS("/sys/class/power_supply"))
			s.Battery.Source += " (" + why + ")"
		}
	})
	asking.Go(func() {
		s.Saver = firstOf(ctx,
			system.property("power profiles", profiles, "ActiveProfile", powerSaver),
			system.property("power profiles", oldProfiles, "ActiveProfile", powerSaver),
			question{source: "portal", bus: session, service: portal, path: portalPath,
				method: getProperty, args: []any{portalPower, "power-saver-enabled"}, means: truth})
	})
	asking.Go(func() {
		s.Metered = firstOf(ctx,
			system.property("NetworkManager", networkManager, "Metered", metered),
			question{source: "portal", bus: session, service: portal, path: portalPath,
				method: portalNetwork + ".GetMetered", means: truth})
	})
	asking.Wait()
	return s
}

// announced says when something of that has changed, and when a network may have
// come or gone. It is closed when there is no bus, or no longer.
func announced(ctx context.Context) <-chan struct{} {
	out := make(chan struct{}, 1)
	var listening sync.WaitGroup
	listening.Go(func() {
		systemBus().listen(ctx, out, changes(upower), changes(profiles), changes(oldProfiles), changes(networkManager))
	})
	listening.Go(func() {
		sessionBus().listen(ctx, out, changesAt(portalPath, portalPower), match{
			dbus.WithMatchObjectPath(portalPath), dbus.WithMatchInterface(portalNetwork), dbus.WithMatchMember("changed")})
	})
	go func() {
		listening.Wait()
		close(out)
	}()
	return out
}
