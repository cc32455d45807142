package poller

import (
	"slices"
	"sync"
)

// task is a piece of work for one host.
type task struct {
	host  string
	first bool // before those that nobody waits for
	run   func()
}

// dispatcher runs tasks in the order they were added, those that go first before
// the others, at most limit at once and one a host, so that a host with many feeds
// or a slow one does not hold the places of the others.
type dispatcher struct {
	limit int

	mu      sync.Mutex
	idle    *sync.Cond // on mu: nothing runs or waits
	running int
	busy    map[string]bool
	queue   []task
}

func newDispatcher(limit int) *dispatcher {
	d := &dispatcher{limit: limit, busy: map[string]bool{}}
	d.idle = sync.NewCond(&d.mu)
	return d
}

func (d *dispatcher) add(t task) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := len(d.queue)
	if t.first {
		if i := slices.IndexFunc(d.queue, func(q task) bool { return !q.first }); i >= 0 {
			at = i
		}
	}
	d.queue = slices.Insert(d.queue, at, t)
	d.pump()
}

// wait returns when nothing runs or waits.
func (d *dispatcher) wait() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.running+len(d.queue) > 0 {
		d.idle.Wait()
	}
}

// load is how many tasks run or wait.
func (d *dispatcher) load() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running + len(d.queue)
}

// pump starts what may start; d.mu is held.
func (d *dispatcher) pump() {
	if d.running >= d.limit {
		return
	}
	kept := d.queue[:0]
	for i, t := range d.queue {
		if d.running >= d.limit {
			kept = append(kept, d.queue[i:]...)
			break
		}
		if d.busy[t.host] {
			kept = append(kept, t)
			continue
		}
		d.running++
		d.busy[t.host] = true
		go d.run(t)
	}
	clear(d.queue[len(kept):])
	d.queue = kept
}

func (d *dispatcher) run(t task) {
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.running--
		delete(d.busy, t.host)
		d.pump()
		if d.running+len(d.queue) == 0 {
			d.idle.Broadcast()
		}
	}()
	t.run()
}
