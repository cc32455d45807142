package poller

import (
	"runtime/debug"
	"sync"
)

// collector sets how soon Go's garbage collector runs. A round of many fetches throws
// away much and keeps little: collecting less often then saves an eighth of its processor
// time for some ten megabytes. While response bodies take much memory it collects sooner
// than usual, since growing and reading them leaves a multiple behind.
type collector struct {
	mu        sync.Mutex // guards what follows and the collector's target
	inRound   bool       // dispatch.Crowd tasks have waited, and not all are done
	memoryLow bool       // bodies take much memory
}

// The collector runs when the garbage is so many percent of the heap in use. Usually that is half of Go's own: most of what a
// window has in use are fonts, which hold no pointers and cost little to collect. Who reads 140 articles has 20 MB less for
// it, and processor time that cannot be told apart.
const (
	percentUsual     = 50
	percentInRound   = 250
	percentMemoryLow = 20
)

// newCollector makes the collector follow its usual target.
func newCollector() *collector {
	debug.SetGCPercent(percentUsual)
	return &collector{}
}

// crowded tells whether many tasks run and wait.
func (c *collector) crowded(on bool) { c.set(&c.inRound, on) }

// press tells whether bodies take much memory.
func (c *collector) press(on bool) { c.set(&c.memoryLow, on) }

func (c *collector) set(what *bool, on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *what == on {
		return
	}
	*what = on
	debug.SetGCPercent(c.percent())
}

// percent is the collector's target; c.mu is held.
func (c *collector) percent() int {
	switch {
	case c.memoryLow:
		return percentMemoryLow
	case c.inRound:
		return percentInRound
	}
	return percentUsual
}
