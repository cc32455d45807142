// Package power tells what this machine has to spend: whether it runs on battery
// or is set to save power, and whether it has a network and one that is metered.
package power

import (
	"context"
	"net"
	"time"
)

// State is the power and network state of the machine.
type State struct {
	Battery Reading // it runs on battery
	Saver   Reading // it is set to save power: the desktop's power profile, macOS's low power mode, Windows's battery saver
	Metered Reading // its network is metered: by NetworkManager or the portal on Linux, by Windows from version 2004; macOS tells it of phones only
	Network bool    // an interface is up and has an address others could route to; loopback works without one
}

// Reading is what the system says about one property.
type Reading struct {
	On     bool
	Known  bool   // the system tells; if not, On is false
	Source string // who tells, or why nothing is known, for logs
}

// String is for logs.
func (f Reading) String() string {
	switch {
	case !f.Known:
		return "unknown (" + f.Source + ")"
	case f.On:
		return "yes (" + f.Source + ")"
	}
	return "no (" + f.Source + ")"
}

// readTimeout is how long Read may take, and settle how long Watch waits after a signal
// before it reads: signals come in swarms.
const (
	readTimeout = 2 * time.Second
	settle      = 300 * time.Millisecond
)

// Read asks the system now. It takes a few milliseconds, and two seconds at most.
func Read(ctx context.Context) State {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	s := readState(ctx)
	s.Network = network()
	return s
}

// Watch calls f with the state as it is, and then whenever it has changed, until the
// context ends. Where the system signals changes f is called within a second, elsewhere
// within every.
func Watch(ctx context.Context, every time.Duration, f func(State)) {
	watch(ctx, every, f, Read, changeSignals(ctx))
}

func watch(ctx context.Context, every time.Duration, f func(State), read func(context.Context) State, signals <-chan struct{}) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	last := read(ctx)
	f(last)
	var soon <-chan time.Time // several signals cause one reading
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-soon:
		case _, ok := <-signals:
			switch {
			case !ok:
				signals = nil // none will come any more; the ticker is left
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

// differs reports whether two states differ; their sources are for logs and do not count.
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
		return true // not known: nothing should wait for it
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
