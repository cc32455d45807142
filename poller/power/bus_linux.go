package power

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

// askWithin is how long one question may take.
const askWithin = time.Second

const getProperty = "org.freedesktop.DBus.Properties.Get"

// bus is a message bus that is connected to when it is first needed.
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

// connected is the connection. It ends with the context of whoever needed it first.
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

// question is one that a service on a bus can answer.
type question struct {
	source  string // for logs
	bus     *bus
	service string
	path    dbus.ObjectPath
	method  string
	args    []any
	starts  bool // the service, where it does not run
	means   func(answer any) (on, ok bool)
}

// property asks for one of a service's only object.
func (b *bus) property(source, service, name string, means func(any) (on, ok bool)) question {
	return question{source: source, bus: b, service: service, path: pathOf(service),
		method: getProperty, args: []any{service, name}, means: means}
}

func (q question) starting() question {
	q.starts = true
	return q
}

// firstOf asks one after the other until one knows.
func firstOf(ctx context.Context, questions ...question) Fact {
	var why []string
	for _, q := range questions {
		fact := q.ask(ctx)
		if fact.Known {
			return fact
		}
		why = append(why, fact.Source)
	}
	return Fact{Source: strings.Join(why, "; ")}
}

func (q *question) ask(ctx context.Context) Fact {
	conn, err := q.bus.connected(ctx)
	if err != nil {
		return Fact{Source: q.source + ": " + err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	flags := dbus.FlagNoAutoStart
	if q.starts {
		flags = 0
	}
	call := conn.Object(q.service, q.path).CallWithContext(ctx, q.method, flags, q.args...)
	if call.Err != nil {
		return Fact{Source: q.source + ": " + call.Err.Error()}
	}
	var answer any
	if len(call.Body) == 1 {
		answer = call.Body[0]
	}
	if v, ok := answer.(dbus.Variant); ok {
		answer = v.Value()
	}
	on, ok := q.means(answer)
	if !ok {
		return Fact{Source: q.source + ": does not know"}
	}
	return Fact{On: on, Known: true, Source: q.source}
}

// match tells which signals are wanted.
type match []dbus.MatchOption

// changes are those of the properties of a service's only object.
func changes(service string) match { return changesAt(pathOf(service), service) }

func changesAt(path dbus.ObjectPath, face string) match {
	return match{dbus.WithMatchObjectPath(path), dbus.WithMatchInterface("org.freedesktop.DBus.Properties"),
		dbus.WithMatchMember("PropertiesChanged"), dbus.WithMatchArg(0, face)}
}

// listen announces signals until there is no bus.
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
	announce(out) // what changed before we listened
	for {
		select {
		case <-ctx.Done():
			return
		case s, ok := <-signals:
			if !ok {
				return
			}
			if s.Sender != "org.freedesktop.DBus" { // which tells us our name
				announce(out)
			}
		}
	}
}

// announce leaves word; several unread ones are one.
func announce(out chan<- struct{}) {
	select {
	case out <- struct{}{}:
	default:
	}
}
