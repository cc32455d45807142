package notify

import (
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"

	"kairos/app/flatpak"
)

// The names of the Desktop Notifications Specification 1.3.
const (
	service = "org.freedesktop.Notifications"
	path    = "/org/freedesktop/Notifications"
)

func send(ctx context.Context, n Notification, clicked func()) error {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" && os.Getenv("XDG_RUNTIME_DIR") == "" {
		return ErrNone
	}
	ctx, done := context.WithCancel(ctx)
	bus, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		done()
		return fmt.Errorf("%w: %w", ErrNone, err)
	}
	closed := func() { done(); bus.Close() }
	if flatpak.Inside() {
		return sendToPortal(ctx, bus, n, clicked, closed)
	}
	// Listen before the notification is shown: it may be clicked at once.
	signals := make(chan *dbus.Signal, 16)
	bus.Signal(signals)
	id, err := show(ctx, bus, n)
	if err != nil {
		closed()
		return err
	}
	if clicked == nil {
		closed()
		return nil
	}
	go func() {
		defer closed()
		awaitClick(ctx, signals, id, clicked)
	}()
	return nil
}

func greet(bus *dbus.Conn) error {
	if err := bus.Auth(nil); err != nil {
		return fmt.Errorf("%w: %w", ErrNone, err)
	}
	if err := bus.Hello(); err != nil {
		return fmt.Errorf("%w: %w", ErrNone, err)
	}
	return nil
}

func show(ctx context.Context, bus *dbus.Conn, n Notification) (id uint32, err error) {
	if err := greet(bus); err != nil {
		return 0, err
	}
	for _, signal := range []string{"ActionInvoked", "NotificationClosed"} {
		if err := bus.AddMatchSignalContext(ctx, dbus.WithMatchInterface(service), dbus.WithMatchMember(signal)); err != nil {
			return 0, fmt.Errorf("listen to notifications: %w", err)
		}
	}
	server := bus.Object(service, path)
	body := n.Body
	if takesMarkup(ctx, server) {
		body = html.EscapeString(body)
	}
	err = server.CallWithContext(ctx, service+".Notify", 0, "Kairos", uint32(0), n.Icon, n.Title, body,
		[]string{"default", "Show"}, map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant("org.kairos.Reader")}, int32(-1)).Store(&id)
	if err != nil {
		return 0, notShown(err)
	}
	return id, nil
}

// notShown says what the bus answered: ErrNone if nobody is there, or nobody could be started.
func notShown(err error) error {
	var answer dbus.Error
	if errors.As(err, &answer) {
		switch name := strings.TrimPrefix(answer.Name, "org.freedesktop.DBus.Error."); {
		case name == "ServiceUnknown", name == "NameHasNoOwner", strings.HasPrefix(name, "Spawn."):
			return fmt.Errorf("%w: %w", ErrNone, err)
		}
	}
	return fmt.Errorf("show a notification: %w", err)
}

// takesMarkup reports whether the desktop reads the body as markup, so that it has to be escaped.
func takesMarkup(ctx context.Context, server dbus.BusObject) bool {
	var can []string
	err := server.CallWithContext(ctx, service+".GetCapabilities", 0).Store(&can)
	return err == nil && slices.Contains(can, "body-markup")
}

// awaitClick calls clicked if the notification is clicked before it is closed.
func awaitClick(ctx context.Context, signals <-chan *dbus.Signal, id uint32, clicked func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case s, open := <-signals:
			switch {
			case !open:
				return
			case len(s.Body) < 2 || s.Body[0] != id:
				continue
			case s.Name == service+".ActionInvoked":
				clicked()
			}
			return
		}
	}
}
