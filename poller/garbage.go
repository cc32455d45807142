package poller

import (
	"runtime/debug"
	"sync"
)

// garbage says how soon what is thrown away is collected. A round of many fetches throws
// away much and keeps little, so collecting it less often saves an eighth of its
// processor time, for some ten megabytes; while bodies take much memory it is collected
// sooner than usual: growing and reading them leaves a multiple behind.
type garbage struct {
	mu             sync.Mutex
	round, pressed bool
}

// roundOf is how many tasks make a round.
const roundOf = 24

// Of the heap that is in use, so much more may be thrown away before it is collected.
const (
	percentUsual   = 100
	percentRound   = 250
	percentPressed = 20
)

// inRound tells whether many tasks run and wait.
func (g *garbage) inRound(on bool) { g.set(&g.round, on) }

// press tells whether bodies take much memory.
func (g *garbage) press(on bool) { g.set(&g.pressed, on) }

func (g *garbage) set(what *bool, on bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if *what == on {
		return
	}
	*what = on
	debug.SetGCPercent(g.percent())
}

// percent is the target of the collector; g.mu is held.
func (g *garbage) percent() int {
	switch {
	case g.pressed:
		return percentPressed
	case g.round:
		return percentRound
	}
	return percentUsual
}
