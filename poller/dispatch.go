package poller

import (
	"container/heap"
	"context"
	"slices"
	"sync"
	"time"
)

// task is a piece of work for one group of hosts.
type task struct {
	ctx   context.Context
	group string
	first bool        // before those that nobody waits for
	run   func() bool // reports whether it asked the group for anything

	number int // in the order they were added
}

// before is the order in which tasks begin.
func (t *task) before(u *task) bool {
	if t.first != u.first {
		return t.first
	}
	return t.number < u.number
}

// line is a group that is asked or was a moment ago, and the tasks that wait for it.
type line struct {
	group string
	tasks []task // in the order they begin
	free  time.Time
	in    *lines // the heap it stands in; nil while one of its tasks runs
	at    int    // where
}

// lines is a heap.
type lines struct {
	all  []*line
	less func(a, b *line) bool
}

// dispatcher runs tasks in the order they were added, those that go first before
// the others, at most limit at once and one a group, so that a host with many feeds
// or a slow one does not hold the places of the others. Between two requests to a
// group it leaves a space (plan.Delayed): the groups wait in a heap by the time they
// are free.
type dispatcher struct {
	limit int
	space func(group string) time.Duration
	now   func() time.Time
	alarm func(in time.Duration, ring func()) // calls ring then

	mu      sync.Mutex
	idle    *sync.Cond // on mu: something has ended
	running int
	waiting int
	added   int
	lines   map[string]*line
	ready   lines // by the task to begin next
	spaced  lines // by the time they are free
	rings   time.Time
}

func newDispatcher(limit int, space func(group string) time.Duration, now func() time.Time) *dispatcher {
	d := &dispatcher{
		limit: limit, space: space, now: now, lines: map[string]*line{},
		alarm:  func(in time.Duration, ring func()) { time.AfterFunc(in, ring) },
		ready:  lines{less: func(a, b *line) bool { return a.tasks[0].before(&b.tasks[0]) }},
		spaced: lines{less: func(a, b *line) bool { return a.free.Before(b.free) }},
	}
	d.idle = sync.NewCond(&d.mu)
	return d
}

func (d *dispatcher) add(t task) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.added++
	t.number = d.added
	d.waiting++
	l := d.lines[t.group]
	if l == nil {
		l = &line{group: t.group, tasks: []task{t}}
		d.lines[t.group] = l
		d.ready.add(l)
	} else {
		at := slices.IndexFunc(l.tasks, func(u task) bool { return t.before(&u) })
		if at < 0 {
			at = len(l.tasks)
		}
		l.tasks = slices.Insert(l.tasks, at, t)
		if l.in == &d.ready {
			heap.Fix(l.in, l.at)
		}
	}
	d.pump()
}

// wait returns when nothing runs or waits. What nobody wants any more does not wait
// for its group to be free.
func (d *dispatcher) wait() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drop()
	for d.running+d.waiting > 0 {
		d.idle.Wait()
	}
}

// drop runs the tasks of contexts that have ended, which ask nothing; d.mu is held.
func (d *dispatcher) drop() {
	for _, l := range d.lines {
		if l.in == &d.ready {
			continue // their turn comes at once
		}
		l.tasks = slices.DeleteFunc(l.tasks, func(t task) bool {
			ended := t.ctx.Err() != nil
			if ended {
				d.waiting--
				d.running++
				go func() {
					t.run()
					d.mu.Lock()
					defer d.mu.Unlock()
					d.running--
					d.idle.Broadcast()
				}()
			}
			return ended
		})
	}
}

// load is how many tasks run or wait.
func (d *dispatcher) load() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running + d.waiting
}

// ring is called when a group is free.
func (d *dispatcher) ring() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rings = time.Time{}
	d.pump()
}

// pump starts what may start; d.mu is held.
func (d *dispatcher) pump() {
	now := d.now()
	for d.spaced.Len() > 0 && d.isFree(d.spaced.all[0], now) {
		d.release(d.spaced.take())
	}
	for d.running < d.limit && d.ready.Len() > 0 {
		l := d.ready.take()
		t := l.tasks[0]
		l.tasks = slices.Delete(l.tasks, 0, 1)
		d.running++
		d.waiting--
		go d.run(l, t)
	}
	d.setAlarm(now)
}

// isFree reports whether a group has had its space, also if the clock was set back.
func (d *dispatcher) isFree(l *line, now time.Time) bool {
	return !l.free.After(now) || l.free.Sub(now) > d.space(l.group)
}

// release lets a group's next task begin, or forgets the group if it has none.
func (d *dispatcher) release(l *line) {
	if len(l.tasks) == 0 {
		delete(d.lines, l.group)
		return
	}
	d.ready.add(l)
}

// setAlarm sees to it that somebody looks when the next group is free.
func (d *dispatcher) setAlarm(now time.Time) {
	if d.spaced.Len() == 0 || d.waiting == 0 {
		return
	}
	at := d.spaced.all[0].free
	if d.rings.IsZero() || at.Before(d.rings) || d.rings.Before(now) {
		d.rings = at
		d.alarm(at.Sub(now), d.ring)
	}
}

func (d *dispatcher) run(l *line, t task) {
	asked := t.run()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running--
	now := d.now()
	if asked {
		l.free = now.Add(d.space(l.group))
	}
	if l.free.After(now) {
		d.spaced.add(l)
	} else {
		d.release(l)
	}
	d.pump()
	d.idle.Broadcast()
}

func (h *lines) add(l *line) {
	l.in = h
	heap.Push(h, l)
}

func (h *lines) take() *line {
	l := heap.Pop(h).(*line)
	l.in = nil
	return l
}

// Len and the following are heap.Interface.
func (h *lines) Len() int           { return len(h.all) }
func (h *lines) Less(i, j int) bool { return h.less(h.all[i], h.all[j]) }

func (h *lines) Swap(i, j int) {
	h.all[i], h.all[j] = h.all[j], h.all[i]
	h.all[i].at, h.all[j].at = i, j
}

func (h *lines) Push(l any) {
	l.(*line).at = len(h.all)
	h.all = append(h.all, l.(*line))
}

func (h *lines) Pop() any {
	last := len(h.all) - 1
	l := h.all[last]
	h.all[last] = nil
	h.all = h.all[:last]
	return l
}
