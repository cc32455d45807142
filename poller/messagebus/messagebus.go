// Package messagebus connects to the D-Bus buses of the machine and of the session, once for the whole program: all that
// asks a service or listens to one shares these two connections. Beside them there are that of AT-SPI's own bus, and the one of
// godbus to the session, which Fyne and the libraries of the tray and of portals share.
package messagebus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// ErrNone says that there is no such bus, or that it does not answer.
var ErrNone = errors.New("no message bus")

// Bus is a message bus. Its connection is made when it is first needed, and again when it was lost or the environment names
// another bus. It is safe for concurrent use.
type Bus struct {
	variable string // the environment's, with the address
	dial     func(...dbus.ConnOption) (*dbus.Conn, error)

	turn chan struct{} // held by who uses the fields below
	conn *dbus.Conn
	at   string // the address that conn was made to
}

var (
	system  = &Bus{variable: "DBUS_SYSTEM_BUS_ADDRESS", dial: dbus.SystemBusPrivate, turn: make(chan struct{}, 1)}
	session = &Bus{variable: "DBUS_SESSION_BUS_ADDRESS", dial: dialSession, turn: make(chan struct{}, 1)}
)

// System is the bus of the machine.
func System() *Bus { return system }

// Session is the bus of the session, if there is one; none is started.
func Session() *Bus { return session }

func dialSession(options ...dbus.ConnOption) (*dbus.Conn, error) {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" && os.Getenv("XDG_RUNTIME_DIR") == "" {
		return nil, errors.New("no session")
	}
	return dbus.SessionBusPrivateNoAutoStartup(options...)
}

// greetWithin is how long a bus has to answer a new connection.
const greetWithin = 10 * time.Second

// Connection returns the connection, which is not the caller's to close. It lasts as long as the bus and the program. Errors:
// ErrNone, also when ctx ends before the bus has answered.
func (b *Bus) Connection(ctx context.Context) (*dbus.Conn, error) {
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrNone, ctx.Err())
	}
	if b.conn != nil {
		if b.conn.Connected() && os.Getenv(b.variable) == b.at {
			return b.conn, nil
		}
		_ = b.conn.Close() // as well as lost
		b.conn = nil
	}
	conn, err := b.connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	b.conn, b.at = conn, os.Getenv(b.variable)
	return conn, nil
}

func (b *Bus) connect(ctx context.Context) (*dbus.Conn, error) {
	ctx, done := context.WithTimeout(ctx, greetWithin)
	defer done()
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	stays := context.AfterFunc(ctx, end)
	conn, err := b.dial(dbus.WithContext(life), dbus.WithSignalHandler(dbus.NewSequentialSignalHandler()))
	if err != nil {
		end()
		return nil, err
	}
	if err = conn.Auth(nil); err == nil {
		err = conn.Hello()
	}
	if err == nil && !stays() {
		err = ctx.Err()
	}
	if err != nil {
		end()
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// PathOf is the path of a service's only object.
func PathOf(service string) dbus.ObjectPath {
	return dbus.ObjectPath("/" + strings.ReplaceAll(service, ".", "/"))
}
