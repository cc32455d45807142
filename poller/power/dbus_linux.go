package power

import (
	"context"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/poller/messagebus"
)

// questionTimeout is how long one question may take.
const questionTimeout = time.Second

const getProperty = "org.freedesktop.DBus.Properties.Get"

// question asks a service on a bus for a property.
type question struct {
	source  string // for logs
	bus     *messagebus.Bus
	service string
	path    dbus.ObjectPath
	method  string
	args    []any
	starts  bool // may start the service
	decode  func(answer any) (on, ok bool)
}

// property asks for a property of a service's only object.
func property(b *messagebus.Bus, source, service, name string, decode func(any) (on, ok bool)) question {
	return question{source: source, bus: b, service: service, path: messagebus.PathOf(service),
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
	conn, err := q.bus.Connection(ctx)
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

// changes matches changes of the properties of a service's only object.
func changes(service string) messagebus.Match {
	return messagebus.Changes(messagebus.PathOf(service), service)
}

// listen passes signals on until ctx ends.
func listen(ctx context.Context, b *messagebus.Bus, out chan<- struct{}, wanted ...messagebus.Match) {
	ready := func(context.Context, *dbus.Conn) { signal(out) } // for what changed before
	b.Watch(ctx, ready, func(context.Context, *dbus.Conn, *dbus.Signal) { signal(out) }, wanted...)
}

// signal leaves a signal in out; several that nobody has read are one.
func signal(out chan<- struct{}) {
	select {
	case out <- struct{}{}:
	default:
	}
}
