// Package power tells whether this machine runs on battery and whether it has
// a network.
package power

import (
	"context"
	"net"
	"time"
)

// State is how the machine is supplied.
type State struct {
	Battery bool   // it runs on battery
	Known   bool   // the system said so; if not, Battery is false
	Network bool   // an interface is up and has an address others could route to. A hint: loopback works without one
	Reason  string // where Battery comes from or why it is not known, for logs
}

// Read asks the system now. It takes a few milliseconds, and never more than
// two seconds.
func Read(ctx context.Context) State {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	s := battery(ctx)
	s.Network = network()
	return s
}

// Watch calls f with the state as it is, and then whenever it has changed,
// until the context ends. Where the system announces changes f hears of them
// at once, elsewhere (and of the network) within every.
func Watch(ctx context.Context, every time.Duration, f func(State)) {
	watch(ctx, every, f, Read, announced(ctx))
}

func watch(ctx context.Context, every time.Duration, f func(State), read func(context.Context) State, announced <-chan struct{}) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	last := read(ctx)
	f(last)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case _, ok := <-announced:
			if !ok {
				announced = nil // the bus is gone; the ticker is left
				continue
			}
		}
		now := read(ctx)
		if ctx.Err() == nil && now.differs(last) {
			f(now)
		}
		last = now
	}
}

// differs ignores the reason: it is for logs.
func (s State) differs(from State) bool {
	s.Reason, from.Reason = "", ""
	return s != from
}

// network looks for an address that is neither loopback nor link-local.
func network() bool {
	interfaces, err := net.Interfaces()
	if err != nil {
		return true // cannot tell: nothing should wait for it
	}
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addresses, _ := i.Addrs()
		if routable(addresses) {
			return true
		}
	}
	return false
}

func routable(addresses []net.Addr) bool {
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			return true
		}
	}
	return false
}
