package power

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

// questionTimeout is how long one question may take.
const questionTimeout = time.Second

const getProperty = "org.freedesktop.DBus.Properties.Get"

// bus is a message bus, connected when it is first needed.
type bus struct {
	connect func(...dbus.ConnOption) (*dbus.Conn, error)

	once sync.Once
	conn *dbus.Conn
	err  error
}

func systemBus() *bus { return &bus{connect: dbus.ConnectSystemBus} }

func sessionBus() *bus { return &bus{connect: connectSession} }

// connectSession connects to the session's bus if there is one; none is started.
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

// connected returns the connection. It ends with the context of its first user.
func (b *bus) connected(ctx context.Context) (*dbus.Conn, error) {
	b.once.Do(func() { b.conn, b.err = b.connect(dbus.WithContext(ctx)) })
	return b.conn, b.err
}

func (b *bus) close() {
	b.once.Do(func() { b.err = dbus.ErrClosed })
	if b.conn != nil {
		_ = b.conn.Close()
	}
}

// question asks a service on a bus for a property.
type question struct {
	source  string // for logs
	bus     *bus
	service string
	path    dbus.ObjectPath
	method  string
	args    []any
	starts  bool // may start the service
	decode  func(answer any) (on, ok bool)
}

// property asks for a property of a service's only object.
func (b *bus) property(source, service, name string, decode func(any) (on, ok bool)) question {
	return question{source: source, bus: b, service: service, path: pathOf(service),
		method: getProperty, args: []any{service, name}, decode: decode}
}

func (q question) startService() question {
	q.starts = true
	return q
}

// firstKnown asks the questions one after the other until one is answered.
func firstKnown(ctx context.Context, questions ...question) Reading {
	var why []string
	for _, q := range questions {
		reading := q.ask(ctx)
		if reading.Known {
			return reading
		}
		why = append(why, reading.Source)
	}
	return Reading{Source: strings.Join(why, "; ")}
}

func (q *question) ask(ctx context.Context) Reading {
	conn, err := q.bus.connected(ctx)
	if err != nil {
		return Reading{Source: q.source + ": " + err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	flags := dbus.FlagNoAutoStart
	if q.starts {
		flags = 0
	}
	call := conn.Object(q.service, q.path).CallWithContext(ctx, q.method, flags, q.args...)
	if call.Err != nil {
		return Reading{Source: q.source + ": " + call.Err.Error()}
	}
	var answer any
	if len(call.Body) == 1 {
		answer = call.Body[0]
	}
	if v, ok := answer.(dbus.Variant); ok {
		answer = v.Value()
	}
	on, ok := q.decode(answer)
	if !ok {
		return Reading{Source: q.source + ": unknown"}
	}
	return Reading{On: on, Known: true, Source: q.source}
}

// match selects signals.
type match []dbus.MatchOption

// changes matches changes of the properties of a service's only object.
func changes(service string) match { return changesAt(pathOf(service), service) }

func changesAt(path dbus.ObjectPath, face string) match {
	return match{dbus.WithMatchObjectPath(path), dbus.WithMatchInterface("org.freedesktop.DBus.Properties"),
		dbus.WithMatchMember("PropertiesChanged"), dbus.WithMatchArg(0, face)}
}

// listen passes signals on until the bus is gone.
func (b *bus) listen(ctx context.Context, out chan<- struct{}, wanted ...match) {
	conn, err := b.connected(ctx)
	if err != nil {
		return
	}
	defer b.close()
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	for _, m := range wanted {
		if err := conn.AddMatchSignalContext(ctx, m...); err != nil {
			return
		}
	}
	signal(out) // for what changed before
	for {
		select {
		case <-ctx.Done():
			return
		case s, ok := <-signals:
			if !ok {
				return
			}
			if s.Sender != "org.freedesktop.DBus" { // it tells us our name
				signal(out)
			}
		}
	}
}

// signal leaves a signal in out; several that nobody has read are one.
func signal(out chan<- struct{}) {
	select {
	case out <- struct{}{}:
	default:
	}
}
