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

// The collector runs when the garbage is so many percent of the heap in use.
const (
	percentUsual     = 100
	percentInRound   = 250
	percentMemoryLow = 20
)

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
