package poller

import (
	"container/heap"
	"context"
	"slices"
	"sync"
	"time"
)

// rank is who goes before whom.
type rank int

const (
	byHand rank = iota // somebody waits for it
	usual
	idly // when there is nothing else to do
)

// idlers is how many tasks that run idly may run at once: the other places are free for
// those that do not.
const idlers = 4

// task is a piece of work for one group of hosts.
type task struct {
	ctx   context.Context
	group string
	rank  rank
	run   func() bool // reports whether it asked the group for anything

	transfer *transfer
	number   int // in the order they were added
}

// before is the order in which tasks begin.
func (t *task) before(u *task) bool {
	if t.rank != u.rank {
		return t.rank < u.rank
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

// dispatcher runs tasks in the order of their rank and as they were added, as many at
// once as there are places and one a group, so that a host with many feeds
// or a slow one does not hold up the others. Between two requests to a
// group it leaves a space (plan.Delayed): the groups wait in a heap by the time they
// are free.
type dispatcher struct {
	space func(group string) time.Duration
	now   func() time.Time
	alarm func(in time.Duration, ring func()) // calls ring then

	mu      sync.Mutex
	ended   *sync.Cond // on mu: something has
	places  places
	looking bool // somebody will look whether they are made use of
	running int
	waiting int
	idling  int // of those that run
	idle    int // of those that run or wait
	added   int
	lines   map[string]*line
	ready   lines // by the task to begin next
	spaced  lines // by the time they are free
	rings   time.Time
	crowd   func(on bool) // is told, if not nil, when many tasks run and wait, and when that is over
}

func newDispatcher(limit int, space func(group string) time.Duration, now func() time.Time) *dispatcher {
	d := &dispatcher{
		places: places{limit: limit, out: map[*place]bool{}}, space: space, now: now, lines: map[string]*line{},
		alarm:  func(in time.Duration, ring func()) { time.AfterFunc(in, ring) },
		ready:  lines{less: func(a, b *line) bool { return a.tasks[0].before(&b.tasks[0]) }},
		spaced: lines{less: func(a, b *line) bool { return a.free.Before(b.free) }},
	}
	d.ended = sync.NewCond(&d.mu)
	return d
}

func (d *dispatcher) add(t task) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.added++
	t.number = d.added
	d.waiting++
	if d.crowd != nil && d.waiting == roundOf {
		d.crowd(true)
	}
	if t.rank == idly {
		d.idle++
	}
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
	for _, l := range d.lines {
		for _, t := range l.tasks {
			defer context.AfterFunc(t.ctx, d.stir)()
		}
	}
	for d.drop(); d.running+d.waiting > 0; d.drop() {
		d.ended.Wait()
	}
}

// stir lets who waits look again.
func (d *dispatcher) stir() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended.Broadcast()
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
					d.end(&t)
				}()
			}
			return ended
		})
	}
}

// end notes that a task has; d.mu is held.
func (d *dispatcher) end(t *task) {
	d.running--
	if d.crowd != nil && d.running+d.waiting == 0 {
		d.crowd(false)
	}
	if t.rank == idly {
		d.idle--
	}
	d.ended.Broadcast()
}

// load is how many tasks run or wait, but for those that do so idly.
func (d *dispatcher) load() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running + d.waiting - d.idle
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
	for d.ready.Len() > 0 && d.places.free() {
		// Those that run idly stand last: if one has to wait, so do all that are left.
		if d.ready.all[0].tasks[0].rank == idly {
			if d.idling == idlers {
				break
			}
			d.idling++
		}
		l := d.ready.take()
		t := l.tasks[0]
		l.tasks = slices.Delete(l.tasks, 0, 1)
		d.running++
		d.waiting--
		go d.run(l, t, d.places.take(t.transfer, now))
	}
	if d.ready.Len() > 0 && !d.places.free() && !d.looking {
		d.looking = true
		d.alarm(lookEvery, d.look)
	}
	d.setAlarm(now)
}

// over lets another task begin in the place of one that waits for no server any more.
func (d *dispatcher) over(t *transfer) {
	t.over.Store(true)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pump()
}

// look gives the places of tasks that bring nothing to those that wait for one.
func (d *dispatcher) look() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.looking = false
	d.places.look(d.now())
	d.pump()
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

func (d *dispatcher) run(l *line, t task, at *place) {
	asked := t.run()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.end(&t)
	if t.rank == idly {
		d.idling--
	}
	d.places.leave(at)
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
