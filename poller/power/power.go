// Package power tells what this machine has to spend: whether it runs on battery
// or is set to save power, and whether it has a network and one that is metered.
package power

import (
	"context"
	"net"
	"time"
)

// State is how the machine is supplied.
type State struct {
	Battery Fact // it runs on battery
	Saver   Fact // it is set to save power: the desktop's power profile, macOS's low power mode, Windows's battery saver
	Metered Fact // what goes through its network is counted or paid for. Linux: NetworkManager or the portal; Windows from version 2004; macOS knows it of phones
	Network bool // an interface is up and has an address others could route to. A hint: loopback works without one
}

// Fact is what the system said of one thing.
type Fact struct {
	On     bool
	Known  bool   // the system said so; if not, On is false
	Source string // where it comes from or why it is not known, for logs
}

// String is for logs.
func (f Fact) String() string {
	switch {
	case !f.Known:
		return "unknown (" + f.Source + ")"
	case f.On:
		return "yes (" + f.Source + ")"
	}
	return "no (" + f.Source + ")"
}

// readWithin is the longest a reading may take, and settle how long after a
// system's signal it waits: signals come in swarms.
const (
	readWithin = 2 * time.Second
	settle     = 300 * time.Millisecond
)

// Read asks the system now. It takes a few milliseconds, and never more than
// two seconds.
func Read(ctx context.Context) State {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	s := read(ctx)
	s.Network = network()
	return s
}

// Watch calls f with the state as it is, and then whenever it has changed,
// until the context ends. Where the system announces changes f hears of them
// within a second, elsewhere within every.
func Watch(ctx context.Context, every time.Duration, f func(State)) {
	watch(ctx, every, f, Read, announced(ctx))
}

func watch(ctx context.Context, every time.Duration, f func(State), read func(context.Context) State, announced <-chan struct{}) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	last := read(ctx)
	f(last)
	var soon <-chan time.Time // several announcements are one reading
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-soon:
		case _, ok := <-announced:
			switch {
			case !ok:
				announced = nil // nobody announces any more; the ticker is left
			case soon == nil:
				soon = time.After(settle)
			}
			continue
		}
		soon = nil
		now := read(ctx)
		if ctx.Err() == nil && now.differs(last) {
			f(now)
		}
		last = now
	}
}

// differs ignores the sources: they are for logs.
func (s State) differs(from State) bool {
	return s.plain() != from.plain()
}

func (s State) plain() State {
	s.Battery.Source, s.Saver.Source, s.Metered.Source = "", "", ""
	return s
}

// network looks for an address that is neither loopback nor link-local.
func network() bool {
	interfaces, err := net.Interfaces()
	if err != nil {
		return true // cannot tell: nothing should wait for it
	}
	for _, i := range interfaces {
		if !connected(i.Flags) {
			continue
		}
		addresses, _ := i.Addrs()
		if routable(addresses) {
			return true
		}
	}
	return false
}

// connected reports whether an interface leads anywhere: it is up, its cable is
// plugged in, and it is not loopback.
func connected(flags net.Flags) bool {
	return flags&net.FlagUp != 0 && flags&net.FlagRunning != 0 && flags&net.FlagLoopback == 0
}

func routable(addresses []net.Addr) bool {
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			return true
		}
	}
	return false
}
