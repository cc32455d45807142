//go:build !windows && !darwin

package tray

import (
	"context"

	"github.com/godbus/dbus/v5"

	"kairos/poller/messagebus"
)

// The names of the StatusNotifierItem specification.
const (
	watcher     = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
	itemPath    = "/StatusNotifierItem" // where the library puts the icon
)

// awaitHosts calls appeared whenever a program that shows icons has come to the session bus, until ctx ends; at once if one
// is there.
func awaitHosts(ctx context.Context, appeared func()) {
	messagebus.Session().Watch(ctx, func(ctx context.Context, bus *dbus.Conn) {
		var there bool
		if bus.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, watcher).Store(&there) == nil && there {
			appeared()
		}
	}, func(_ context.Context, _ *dbus.Conn, s *dbus.Signal) {
		if len(s.Body) == 3 && s.Body[2] != "" {
			appeared()
		}
	}, messagebus.OwnerOf(watcher))
}

// register tells the tray of the icon again. The library does so as well, but stops once a signal of another kind has come
// over the connection that it shares, as the answer of a keyring's prompt. To register twice is no more than once.
func register() {
	if bus, err := dbus.SessionBus(); err == nil { // the library's
		bus.Object(watcher, watcherPath).Go(watcher+".RegisterStatusNotifierItem", dbus.FlagNoAutoStart, nil, itemPath)
	}
}

// systemIcon is an icon, given as PNG, as the system wants it.
func systemIcon(png []byte) []byte { return png }
