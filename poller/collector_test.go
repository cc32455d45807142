package poller

import (
	"context"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"kairos/poller/dispatch"
)

// gcPercent returns the garbage collector's target.
func gcPercent() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}

func TestCollectorFollowsRoundsAndMemory(t *testing.T) {
	before := gcPercent()
	defer debug.SetGCPercent(before)
	gc := newCollector()
	if got := gcPercent(); got != percentUsual {
		t.Errorf("at first the target is %d", got)
	}
	queue := dispatch.New(dispatch.Options{Slots: 4, Spacing: func(string) time.Duration { return 0 }, Now: time.Now, Crowded: gc.crowded})
	var begun sync.WaitGroup
	begun.Add(4)
	var once [4]sync.Once
	hold := make(chan struct{})
	for i := range 4 + dispatch.Crowd {
		queue.Add(dispatch.Task{Context: context.Background(), Group: string(rune('a' + i)), Run: func() bool {
			if i < 4 {
				once[i].Do(begun.Done)
			}
			<-hold
			return false
		}})
	}
	begun.Wait()
	if got := gcPercent(); got != percentInRound {
		t.Errorf("in a round the target is %d", got)
	}
	gc.press(true)
	if got := gcPercent(); got != percentMemoryLow {
		t.Errorf("while memory is low the target is %d", got)
	}
	gc.press(false)
	close(hold)
	queue.Wait()
	if got := gcPercent(); got != percentUsual {
		t.Errorf("afterwards the target is %d", got)
	}
}
