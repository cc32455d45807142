// Package portal asks the XDG desktop portal, which asks the user.
package portal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// The names of the XDG desktop portal's documentation.
const (
	Service = "org.freedesktop.portal.Desktop"
	Path    = "/org/freedesktop/portal/desktop"
	Request = "org.freedesktop.portal.Request"
)

// What the user answers (Request::Response); other numbers say that there was no answer.
const (
	Answered = 0
	Canceled = 1
)

// ErrUnsupported says that there is no portal, or none that can do this.
var ErrUnsupported = errors.New("no desktop portal")

// Ask calls a method of a portal with the arguments, followed by the options, and returns the user's answer. When ctx ends,
// the question is taken off the screen. Errors: ErrUnsupported, ctx's.
func Ask(ctx context.Context, method string, options map[string]dbus.Variant, args ...any) (code uint32, results map[string]dbus.Variant, err error) {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" && os.Getenv("XDG_RUNTIME_DIR") == "" {
		return 0, nil, ErrUnsupported
	}
	bus, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	defer bus.Close()
	if err := bus.Auth(nil); err != nil {
		return 0, nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	if err := bus.Hello(); err != nil {
		return 0, nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	token := "kairos" + rand.Text()
	sender := strings.ReplaceAll(strings.TrimPrefix(bus.Names()[0], ":"), ".", "_")
	path := dbus.ObjectPath(Path + "/request/" + sender + "/" + token)
	// Listen before the question is asked: the answer may come at once.
	signals := make(chan *dbus.Signal, 4)
	bus.Signal(signals)
	if err := bus.AddMatchSignalContext(ctx, dbus.WithMatchInterface(Request), dbus.WithMatchMember("Response"), dbus.WithMatchObjectPath(path)); err != nil {
		return 0, nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	options = maps.Clone(options)
	options["handle_token"] = dbus.MakeVariant(token)
	var asked dbus.ObjectPath
	if err := bus.Object(Service, Path).CallWithContext(ctx, method, 0, append(args, options)...).Store(&asked); err != nil {
		if ctx.Err() != nil {
			closeDialog(ctx, bus, path)
			return 0, nil, ctx.Err()
		}
		return 0, nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	for {
		select {
		case <-ctx.Done():
			closeDialog(ctx, bus, path)
			return 0, nil, ctx.Err()
		case s, open := <-signals:
			if !open {
				return 0, nil, ErrUnsupported
			}
			if s.Path != path {
				continue
			}
			if err := dbus.Store(s.Body, &code, &results); err != nil {
				return 0, nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
			}
			return code, results, nil
		}
	}
}

// closeWithin is how long the portal has to take its dialog off the screen.
const closeWithin = time.Second

func closeDialog(ctx context.Context, bus *dbus.Conn, path dbus.ObjectPath) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
	defer stop()
	bus.Object(Service, path).CallWithContext(ctx, Request+".Close", 0) // what is gone need not be closed
}
