package desktop

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/poller/messagebus"
)

// The names of the XDG desktop portal's documentation.
const (
	PortalService = "org.freedesktop.portal.Desktop"
	PortalPath    = "/org/freedesktop/portal/desktop"
	PortalRequest = "org.freedesktop.portal.Request"
)

// What the user answers (Request::Response); other numbers say that there was no answer.
const (
	Answered = 0
	Canceled = 1
)

// ErrNoPortal says that there is no portal, or none that can do this.
var ErrNoPortal = errors.New("no desktop portal")

// Ask calls a method of a portal with the arguments, followed by the options, and returns the user's answer. When ctx ends,
// the question is taken off the screen. Errors: ErrNoPortal, ctx's.
func Ask(ctx context.Context, method string, options map[string]dbus.Variant, args ...any) (code uint32, results map[string]dbus.Variant, err error) {
	bus, err := messagebus.Session().Connection(ctx)
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %w", ErrNoPortal, err)
	}
	token := "kairos" + rand.Text()
	sender := strings.ReplaceAll(strings.TrimPrefix(bus.Names()[0], ":"), ".", "_")
	path := dbus.ObjectPath(PortalPath + "/request/" + sender + "/" + token)
	options = maps.Clone(options)
	options["handle_token"] = dbus.MakeVariant(token)
	var malformed error
	err = messagebus.Listen(ctx, bus, func() error {
		var asked dbus.ObjectPath
		return bus.Object(PortalService, PortalPath).CallWithContext(ctx, method, 0, append(args, options)...).Store(&asked)
	}, func(s *dbus.Signal) bool {
		malformed = dbus.Store(s.Body, &code, &results)
		return true
	}, messagebus.Match{Interface: PortalRequest, Member: "Response", Path: path})
	switch err = errors.Join(err, malformed); {
	case ctx.Err() != nil:
		closeDialog(ctx, bus, path)
		return 0, nil, ctx.Err()
	case err != nil:
		return 0, nil, fmt.Errorf("%w: %w", ErrNoPortal, err)
	}
	return code, results, nil
}

// closeWithin is how long the portal has to take its dialog off the screen.
const closeWithin = time.Second

func closeDialog(ctx context.Context, bus *dbus.Conn, path dbus.ObjectPath) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
	defer stop()
	bus.Object(PortalService, path).CallWithContext(ctx, PortalRequest+".Close", 0) // what is gone need not be closed
}
