package fetch

import (
	"context"
	"slices"
	"sync"
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
