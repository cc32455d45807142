package poller

import (
	"context"
	"runtime/debug"
	"sync"
	"testing"
	"time"
)

// gcPercent is the collector's target now.
func gcPercent() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}

func TestGarbageOfARound(t *testing.T) {
	usual := gcPercent()
	defer debug.SetGCPercent(usual)
	debug.SetGCPercent(percentUsual)
	g := &garbage{}
	d := newDispatcher(4, func(string) time.Duration { return 0 }, time.Now)
	d.crowd = g.inRound
	var begun sync.WaitGroup
	begun.Add(4)
	var once [4]sync.Once
	hold := make(chan struct{})
	for i := range 4 + roundOf {
		d.add(task{ctx: context.Background(), group: string(rune('a' + i)), run: func() bool {
			if i < 4 {
				once[i].Do(begun.Done)
			}
			<-hold
			return false
		}})
	}
	begun.Wait()
	if got := gcPercent(); got != percentRound {
		t.Errorf("in a round the target is %d", got)
	}
	g.press(true)
	if got := gcPercent(); got != percentPressed {
		t.Errorf("under pressure the target is %d", got)
	}
	g.press(false)
	close(hold)
	d.wait()
	if got := gcPercent(); got != percentUsual {
		t.Errorf("afterwards the target is %d", got)
	}
}
