package messagebus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// Match selects signals. An empty field selects all.
type Match struct {
	Sender            string          // a service, or the unique name of a program
	Path              dbus.ObjectPath // of the object that signals
	Below             dbus.ObjectPath // of an object at or above the one that signals
	Interface, Member string
	Arg0              string // the first value of the signal
}

// Changes matches changes of the properties of an interface of an object.
func Changes(path dbus.ObjectPath, face string) Match {
	return Match{Path: path, Interface: "org.freedesktop.DBus.Properties", Member: "PropertiesChanged", Arg0: face}
}

// OwnerOf matches that a service comes to the bus, changes hands or goes.
func OwnerOf(service string) Match {
	const bus = "org.freedesktop.DBus"
	return Match{Sender: bus, Interface: bus, Member: "NameOwnerChanged", Arg0: service}
}

func (m Match) rule() (rule []dbus.MatchOption) {
	for _, part := range []struct {
		option func(string) dbus.MatchOption
		value  string
	}{
		{dbus.WithMatchSender, m.Sender},
		{func(p string) dbus.MatchOption { return dbus.WithMatchObjectPath(dbus.ObjectPath(p)) }, string(m.Path)},
		{func(p string) dbus.MatchOption { return dbus.WithMatchPathNamespace(dbus.ObjectPath(p)) }, string(m.Below)},
		{dbus.WithMatchInterface, m.Interface},
		{dbus.WithMatchMember, m.Member},
		{func(v string) dbus.MatchOption { return dbus.WithMatchArg(0, v) }, m.Arg0},
	} {
		if part.value != "" {
			rule = append(rule, part.option(part.value))
		}
	}
	return rule
}

// selects tells a signal from those that others of this program listen to over the same connection. The bus has seen to the
// sender: a signal bears the unique name of the program only.
func (m Match) selects(s *dbus.Signal) bool {
	dot := strings.LastIndexByte(s.Name, '.')
	if dot < 0 || m.Interface != "" && s.Name[:dot] != m.Interface || m.Member != "" && s.Name[dot+1:] != m.Member {
		return false
	}
	if m.Path != "" && s.Path != m.Path || m.Below != "" && s.Path != m.Below && !strings.HasPrefix(string(s.Path), string(m.Below)+"/") {
		return false
	}
	return m.Arg0 == "" || len(s.Body) > 0 && s.Body[0] == m.Arg0
}

// ErrLost says that the connection has ended.
var ErrLost = errors.New("the message bus is gone")

// Listen calls each with the signals that the matches select, in their order, until each returns true. begin is called once,
// when no signal can be missed any more. Errors: begin's, ErrLost, ctx's.
func Listen(ctx context.Context, conn *dbus.Conn, begin func() error, each func(*dbus.Signal) (done bool), matches ...Match) error {
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	defer conn.RemoveSignal(signals)
	for _, m := range matches {
		if err := conn.AddMatchSignalContext(ctx, m.rule()...); err != nil {
			return fmt.Errorf("listen on the message bus: %w", err)
		}
		defer forget(conn, m)
	}
	if err := begin(); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case s, open := <-signals:
			if !open {
				return ErrLost
			}
			for _, m := range matches {
				if m.selects(s) {
					if each(s) {
						return nil
					}
					break
				}
			}
		}
	}
}

// forget tells the bus that a match is no longer wanted, without waiting for it.
func forget(conn *dbus.Conn, m Match) {
	if !conn.Connected() {
		return
	}
	go func() {
		ctx, done := context.WithTimeout(context.Background(), greetWithin)
		defer done()
		_ = conn.RemoveMatchSignalContext(ctx, m.rule()...) // it would go with the connection at the latest
	}()
}

// Watch listens until ctx ends, and listens again when the bus has come back after it was lost or when there was none.
// begin is called with the connection each time that no signal can be missed any more; its context ends with the connection.
func (b *Bus) Watch(ctx context.Context, begin func(context.Context, *dbus.Conn), each func(context.Context, *dbus.Conn, *dbus.Signal), matches ...Match) {
	for n := 0; ; n++ {
		if b.watchOnce(ctx, begin, each, matches) {
			n = 0
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause(n)):
		}
	}
}

func (b *Bus) watchOnce(ctx context.Context, begin func(context.Context, *dbus.Conn), each func(context.Context, *dbus.Conn, *dbus.Signal), matches []Match) (worked bool) {
	conn, err := b.Connection(ctx)
	if err != nil {
		return false
	}
	ctx, done := context.WithCancel(ctx)
	defer done()
	defer context.AfterFunc(conn.Context(), done)()
	_ = Listen(ctx, conn, func() error { // whatever ended it, it is tried again
		worked = true
		begin(ctx, conn)
		return nil
	}, func(s *dbus.Signal) bool {
		each(ctx, conn, s)
		return false
	}, matches...)
	return worked
}

// pause is how long a bus is left alone after it was not found for the n-th time: a second first, minutes in the end.
func pause(n int) time.Duration { return min(time.Second<<min(n, 10), 10*time.Minute) }
