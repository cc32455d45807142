//go:build !windows && !darwin

package desktop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"

	"kairos/app/flatpak"
	"kairos/poller/messagebus"
)

// The names of the Desktop Notifications Specification 1.3, and of the XDG desktop portal's documentation.
const (
	notifications      = "org.freedesktop.Notifications"
	notificationsPath  = "/org/freedesktop/Notifications"
	portalNotification = "org.freedesktop.portal.Notification"
	portalID           = "articles" // of a notification without a kind; one takes the place of another with its id
)

// notifier is one of the two ways to show a notification.
type notifier struct {
	service string
	show    func(ctx context.Context, bus *dbus.Conn, n Notification) (id any, err error)
}

// In a Flatpak it is the portal, which lets programs do that without a permission.
var (
	direct   = notifier{notifications, showDirectly}
	byPortal = notifier{portalNotification, showByPortal}
)

// lastShown are the notifications that others take the place of, by their kinds.
var lastShown = struct {
	sync.Mutex
	ids      map[string]uint32 // of the desktop
	replaced map[string]context.CancelFunc
}{ids: map[string]uint32{}, replaced: map[string]context.CancelFunc{}}

// replace ends the waiting for a click on the last notification of a kind. Portals do not tell when one is closed, and replace those without a
// kind, too.
func replace(kind string, done context.CancelFunc) {
	lastShown.Lock()
	defer lastShown.Unlock()
	if before := lastShown.replaced[kind]; before != nil {
		before()
	}
	lastShown.replaced[kind] = done
}

func notify(ctx context.Context, n Notification, clicked func(token string)) error {
	bus, err := messagebus.Session().Connection(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNone, err)
	}
	way := direct
	ctx, done := context.WithCancel(ctx)
	if flatpak.Inside() {
		way = byPortal
	}
	if n.Kind != "" || flatpak.Inside() {
		replace(n.Kind, done)
	}
	if clicked == nil {
		defer done()
		_, err := way.show(ctx, bus, n)
		return notShown(err)
	}
	shown := make(chan error, 2)
	go func() {
		defer done()
		shown <- way.await(ctx, bus, n, clicked, func() { shown <- nil })
	}()
	return <-shown
}

// await shows a notification, calls shown, and then clicked if it is clicked before it is closed. It listens before the
// notification is shown, which may be clicked at once.
func (way notifier) await(ctx context.Context, bus *dbus.Conn, n Notification, clicked func(token string), shown func()) error {
	var id any
	var token string
	err := messagebus.Listen(ctx, bus, func() (err error) {
		if id, err = way.show(ctx, bus, n); err == nil {
			shown()
		}
		return err
	}, func(s *dbus.Signal) (closed bool) {
		if len(s.Body) < 2 || s.Body[0] != id {
			return false
		}
		switch s.Name {
		case way.service + ".ActivationToken": // comes before the click that it belongs to
			token, _ = s.Body[1].(string)
			return false
		case way.service + ".ActionInvoked":
			clicked(cmp.Or(token, portalToken(s.Body[2:])))
		}
		return true
	}, messagebus.Match{Interface: way.service, Member: "ActivationToken"}, messagebus.Match{Interface: way.service, Member: "ActionInvoked"},
		messagebus.Match{Interface: way.service, Member: "NotificationClosed"})
	return notShown(err)
}

// portalToken is the activation token in what a portal's ActionInvoked has after the name of the action: a list, with the
// “platform-data” of an action of programs since version 2 of the portal.
func portalToken(rest []any) string {
	for _, of := range rest {
		values, _ := of.([]dbus.Variant)
		for _, v := range values {
			data, _ := v.Value().(map[string]dbus.Variant)
			if token, ok := data["activation-token"].Value().(string); ok {
				return token
			}
		}
	}
	return ""
}

func showDirectly(ctx context.Context, bus *dbus.Conn, n Notification) (any, error) {
	server := bus.Object(notifications, notificationsPath)
	body := n.Body
	if takesMarkup(ctx, server) {
		body = html.EscapeString(body)
	}
	lastShown.Lock()
	before := lastShown.ids[n.Kind]
	lastShown.Unlock()
	var id uint32
	err := server.CallWithContext(ctx, notifications+".Notify", 0, "Kairos", before, n.Icon, n.Title, body,
		[]string{"default", "Show"}, map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant("org.kairos.Reader")}, int32(-1)).Store(&id)
	if n.Kind != "" && err == nil {
		lastShown.Lock()
		lastShown.ids[n.Kind] = id
		lastShown.Unlock()
	}
	return id, err
}

// takesMarkup reports whether the desktop reads the body as markup, so that it has to be escaped.
func takesMarkup(ctx context.Context, server dbus.BusObject) bool {
	var can []string
	err := server.CallWithContext(ctx, notifications+".GetCapabilities", 0).Store(&can)
	return err == nil && slices.Contains(can, "body-markup")
}

// showByPortal shows a notification by the portal, which takes both texts as they are.
func showByPortal(ctx context.Context, bus *dbus.Conn, n Notification) (any, error) {
	shown := map[string]dbus.Variant{"title": dbus.MakeVariant(n.Title), "body": dbus.MakeVariant(n.Body), "default-action": dbus.MakeVariant("show")}
	id := cmp.Or(n.Kind, portalID)
	return id, bus.Object(PortalService, PortalPath).CallWithContext(ctx, portalNotification+".AddNotification", 0, id, shown).Err
}

// notShown says what the bus answered: ErrNone if nobody is there, or nobody could be started.
func notShown(err error) error {
	if err == nil {
		return nil
	}
	var answer dbus.Error
	if errors.As(err, &answer) {
		switch name := strings.TrimPrefix(answer.Name, "org.freedesktop.DBus.Error."); {
		case name == "ServiceUnknown", name == "NameHasNoOwner", strings.HasPrefix(name, "Spawn."):
			return fmt.Errorf("%w: %w", ErrNone, err)
		}
	}
	return fmt.Errorf("show a notification: %w", err)
}
