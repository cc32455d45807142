package notify

import (
	"context"
	"fmt"
	"sync"

	"github.com/godbus/dbus/v5"

	"kairos/app/portal"
)

// The names of the XDG desktop portal's documentation.
const (
	portalNotification = "org.freedesktop.portal.Notification"
	portalID           = "articles" // a notification takes the place of the one before
)

// inPortal ends the listening for a click on the notification that is shown: the portal does not tell when one is closed.
var inPortal struct {
	sync.Mutex
	replaced context.CancelFunc
}

// sendToPortal shows a notification from inside a Flatpak, which the portal lets do that without a permission. It takes both
// texts as they are.
func sendToPortal(ctx context.Context, bus *dbus.Conn, n Notification, clicked, closed func()) error {
	ctx, replaced := context.WithCancel(ctx)
	end := func() { replaced(); closed() }
	if err := greet(bus); err != nil {
		end()
		return err
	}
	signals := make(chan *dbus.Signal, 16)
	bus.Signal(signals)
	if err := bus.AddMatchSignalContext(ctx, dbus.WithMatchInterface(portalNotification), dbus.WithMatchMember("ActionInvoked")); err != nil {
		end()
		return fmt.Errorf("listen to notifications: %w", err)
	}
	shown := map[string]dbus.Variant{"title": dbus.MakeVariant(n.Title), "body": dbus.MakeVariant(n.Body), "default-action": dbus.MakeVariant("show")}
	if err := bus.Object(portal.Service, portal.Path).CallWithContext(ctx, portalNotification+".AddNotification", 0, portalID, shown).Err; err != nil {
		end()
		return notShown(err)
	}
	inPortal.Lock()
	if inPortal.replaced != nil {
		inPortal.replaced()
	}
	inPortal.replaced = replaced
	inPortal.Unlock()
	if clicked == nil {
		end()
		return nil
	}
	go func() {
		defer end()
		for {
			select {
			case <-ctx.Done():
				return
			case s, open := <-signals:
				if !open {
					return
				}
				if len(s.Body) > 0 && s.Body[0] == portalID {
					clicked()
					return
				}
			}
		}
	}()
	return nil
}
