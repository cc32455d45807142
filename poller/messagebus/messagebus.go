// Package messagebus connects to the D-Bus buses of the machine and of the session when they are first needed.
package messagebus

import (
	"context"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
)

// Bus is a message bus, connected when it is first needed. It is safe for concurrent use.
type Bus struct {
	connect func(...dbus.ConnOption) (*dbus.Conn, error)

	once sync.Once
	conn *dbus.Conn
	err  error
}

// System is the bus of the machine.
func System() *Bus { return &Bus{connect: dbus.ConnectSystemBus} }

// Session is the bus of the session, if there is one; none is started.
func Session() *Bus { return &Bus{connect: connectSession} }

func connectSession(options ...dbus.ConnOption) (*dbus.Conn, error) {
	conn, err := dbus.SessionBusPrivateNoAutoStartup(options...)
	if err != nil {
		return nil, err
	}
	if err = conn.Auth(nil); err == nil {
		err = conn.Hello()
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// Connection returns the connection. It ends with the context of its first user.
func (b *Bus) Connection(ctx context.Context) (*dbus.Conn, error) {
	b.once.Do(func() { b.conn, b.err = b.connect(dbus.WithContext(ctx)) })
	return b.conn, b.err
}

// Close ends the connection, if there is one; none is made any more.
func (b *Bus) Close() {
	b.once.Do(func() { b.err = dbus.ErrClosed })
	if b.conn != nil {
		_ = b.conn.Close()
	}
}

// Match selects signals.
type Match []dbus.MatchOption

// Changes matches changes of the properties of an interface of an object.
func Changes(path dbus.ObjectPath, face string) Match {
	return Match{dbus.WithMatchObjectPath(path), dbus.WithMatchInterface("org.freedesktop.DBus.Properties"),
		dbus.WithMatchMember("PropertiesChanged"), dbus.WithMatchArg(0, face)}
}

// Listen calls each with the signals that a match selects, until the context ends or the bus is gone, and closes it.
// ready is called once all matches are in force.
func (b *Bus) Listen(ctx context.Context, ready func(), each func(*dbus.Signal), matches ...Match) {
	conn, err := b.Connection(ctx)
	if err != nil {
		return
	}
	defer b.Close()
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	for _, m := range matches {
		if err := conn.AddMatchSignalContext(ctx, m...); err != nil {
			return
		}
	}
	ready()
	for {
		select {
		case <-ctx.Done():
			return
		case s, ok := <-signals:
			if !ok {
				return
			}
			each(s)
		}
	}
}

// PathOf is the path of a service's only object.
func PathOf(service string) dbus.ObjectPath {
	return dbus.ObjectPath("/" + strings.ReplaceAll(service, ".", "/"))
}
