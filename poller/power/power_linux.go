package power

import (
	"context"
	"os"
	"sync"

	"github.com/godbus/dbus/v5"

	"kairos/poller/messagebus"
)

// Services on the buses. A service's only object has its name as its path.
const (
	upower         = "org.freedesktop.UPower"
	profiles       = "org.freedesktop.UPower.PowerProfiles" // power-profiles-daemon, or a replacement
	oldProfiles    = "net.hadess.PowerProfiles"             // its name before 0.20
	networkManager = "org.freedesktop.NetworkManager"
	portal         = "org.freedesktop.portal.Desktop"
	portalPower    = "org.freedesktop.portal.PowerProfileMonitor"
	portalNetwork  = "org.freedesktop.portal.NetworkMonitor"
	portalPath     = dbus.ObjectPath("/org/freedesktop/portal/desktop")
)

// readState asks the services, the best first, and the kernel about the battery.
func readState(ctx context.Context) (s State) {
	system, session := messagebus.System(), messagebus.Session()
	var asking sync.WaitGroup
	asking.Go(func() {
		// UPower may have to be started: it sees through the hardware's peculiarities.
		if s.Battery = firstKnown(ctx, property(system, "UPower", upower, "OnBattery", boolean).startService()); !s.Battery.Known {
			why := s.Battery.Source
			s.Battery = batteryFromSysfs(os.DirFS("/sys/class/power_supply"))
			s.Battery.Source += " (" + why + ")"
		}
	})
	asking.Go(func() {
		s.Saver = firstKnown(ctx,
			property(system, "power profiles", profiles, "ActiveProfile", powerSaver),
			property(system, "power profiles", oldProfiles, "ActiveProfile", powerSaver),
			question{source: "portal", bus: session, service: portal, path: portalPath,
				method: getProperty, args: []any{portalPower, "power-saver-enabled"}, decode: boolean})
	})
	asking.Go(func() {
		s.Metered = firstKnown(ctx,
			property(system, "NetworkManager", networkManager, "Metered", metered),
			question{source: "portal", bus: session, service: portal, path: portalPath,
				method: portalNetwork + ".GetMetered", decode: boolean})
	})
	asking.Wait()
	return s
}

// changeSignals returns a channel that signals when a property may have changed, or a
// network come or gone, until ctx ends; then it is closed.
func changeSignals(ctx context.Context) <-chan struct{} {
	out := make(chan struct{}, 1)
	var listening sync.WaitGroup
	listening.Go(func() {
		listen(ctx, messagebus.System(), out, changes(upower), changes(profiles), changes(oldProfiles), changes(networkManager))
	})
	listening.Go(func() {
		listen(ctx, messagebus.Session(), out, messagebus.Changes(portalPath, portalPower),
			messagebus.Match{Path: portalPath, Interface: portalNetwork, Member: "changed"})
	})
	go func() {
		listening.Wait()
		close(out)
	}()
	return out
}
