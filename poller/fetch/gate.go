package fetch

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// gate lets one request at a time through to each key. Those that wait are let
// in in the order they came, those by hand before all others.
type gate struct {
	mu    sync.Mutex
	lines map[string]*line // a line exists while somebody is inside
}

type line struct{ hands, others []chan struct{} }

// enter returns when the caller is alone inside, or the context's error.
func (g *gate) enter(ctx context.Context, key string, hands bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	turn := g.queue(key, hands)
	if turn == nil {
		return nil
	}
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		if !g.withdraw(key, turn) {
			g.leave(key)
		}
		return ctx.Err()
	}
}

// queue returns nil if the way was free, else what is closed when it will be.
func (g *gate) queue(key string, hands bool) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[key]
	if l == nil {
		if g.lines == nil {
			g.lines = map[string]*line{}
		}
		g.lines[key] = &line{}
		return nil
	}
	turn := make(chan struct{})
	if hands {
		l.hands = append(l.hands, turn)
	} else {
		l.others = append(l.others, turn)
	}
	return turn
}

// withdraw leaves the queue; it is false if the turn had come already.
func (g *gate) withdraw(key string, turn chan struct{}) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[key]
	if l == nil {
		return false
	}
	before := len(l.hands) + len(l.others)
	is := func(c chan struct{}) bool { return c == turn }
	l.hands = slices.DeleteFunc(l.hands, is)
	l.others = slices.DeleteFunc(l.others, is)
	return len(l.hands)+len(l.others) < before
}

// leave lets the next one in.
func (g *gate) leave(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[key]
	switch {
	case len(l.hands) > 0:
		close(l.hands[0])
		l.hands = l.hands[1:]
	case len(l.others) > 0:
		close(l.others[0])
		l.others = l.others[1:]
	default:
		delete(g.lines, key)
	}
}

// blocks remember which hosts are not to be asked.
type blocks struct {
	mu    sync.Mutex
	hosts map[string]time.Time
	bare  map[string]int // 429s in a row that did not say for how long
}

func (b *blocks) until(host string, now time.Time) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	until, ok := b.hosts[strings.ToLower(host)]
	if !ok || !until.After(now) {
		return time.Time{}
	}
	return until
}

// set never shortens a block.
func (b *blocks) set(host string, until time.Time) {
	host = strings.ToLower(host)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hosts == nil {
		b.hosts = map[string]time.Time{}
	}
	if until.After(b.hosts[host]) {
		b.hosts[host] = until
	}
}

func (b *blocks) all(now time.Time) map[string]time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.hosts, func(_ string, until time.Time) bool { return !until.After(now) })
	return maps.Clone(b.hosts)
}

// refused counts another 429 without a usable Retry-After and returns how long
// to stay away: an hour, doubled each time, a day at most.
func (b *blocks) refused(host string) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bare == nil {
		b.bare = map[string]int{}
	}
	wait := min(time.Hour<<min(b.bare[host], 10), longestWait)
	b.bare[host]++
	return wait
}

// welcomed forgets the refusals.
func (b *blocks) welcomed(host string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.bare, host)
}
