//go:build !windows && !darwin

package tray

import (
	"context"
	"os"

	"github.com/godbus/dbus/v5"
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
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" && os.Getenv("XDG_RUNTIME_DIR") == "" {
		return
	}
	bus, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return
	}
	defer bus.Close()
	if bus.Auth(nil) != nil || bus.Hello() != nil {
		return
	}
	// Listen before asking: it may come in between.
	signals := make(chan *dbus.Signal, 16)
	bus.Signal(signals)
	const busName, busPath = "org.freedesktop.DBus", "/org/freedesktop/DBus"
	if bus.AddMatchSignalContext(ctx, dbus.WithMatchSender(busName), dbus.WithMatchObjectPath(busPath), dbus.WithMatchInterface(busName),
		dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcher)) != nil {
		return
	}
	var there bool
	if bus.BusObject().CallWithContext(ctx, busName+".NameHasOwner", 0, watcher).Store(&there) == nil && there {
		appeared()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case s, open := <-signals:
			if !open {
				return
			}
			if len(s.Body) == 3 && s.Body[0] == watcher && s.Body[2] != "" {
				appeared()
			}
		}
	}
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
