package lab

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"kairos/poller/lab/traces"
)

// hardestFirst orders the users by falling number of feeds, so that the last task to finish
// is a short one.
func hardestFirst(set *traces.Set) []int {
	order := make([]int, len(set.Users))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(set.Users[b].Feeds) - len(set.Users[a].Feeds) })
	return order
}

// inParallel does the tasks in this order on all processors, until the context ends.
func inParallel(ctx context.Context, tasks []int, do func(task int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(tasks)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(tasks) {
					return
				}
				do(tasks[i])
			}
		})
	}
	wg.Wait()
}

// progress counts finished tasks and reports them one at a time.
type progress struct {
	mu        sync.Mutex
	done, all int
	report    func(done, all int)
}

func newProgress(all int, report func(done, all int)) *progress {
	return &progress{all: all, report: report}
}

func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done++; p.report != nil {
		p.report(p.done, p.all)
	}
}
