package dispatch

import (
	"slices"
	"time"
)

// Methods in this file are called with mu held, but for those that are callbacks and
// lock it.

// enqueue adds a task to its group.
func (q *Queue) enqueue(t Task) {
	g := q.groups[t.Group]
	if g == nil {
		g = &group{name: t.Group, tasks: []Task{t}}
		q.groups[t.Group] = g
		q.ready.add(g)
		return
	}
	at := slices.IndexFunc(g.tasks, func(u Task) bool { return t.before(&u) })
	if at < 0 {
		at = len(g.tasks)
	}
	g.tasks = slices.Insert(g.tasks, at, t)
	if g.heap == &q.ready {
		g.heap.fix(g)
	}
}

// startReady starts every task that may begin now.
func (q *Queue) startReady() {
	now := q.now()
	for q.spaced.Len() > 0 && q.isFree(q.spaced.all[0], now) {
		q.release(q.spaced.takeFirst())
	}
	for q.ready.Len() > 0 && q.slots.free() {
		// Idle tasks come last: if one of them has to wait, so do all that are left.
		if q.ready.all[0].tasks[0].Priority == Idle {
			if q.idling == MaxIdle {
				break
			}
			q.idling++
		}
		g := q.ready.takeFirst()
		t := g.tasks[0]
		g.tasks = slices.Delete(g.tasks, 0, 1)
		q.running++
		q.waiting--
		go q.run(g, t, q.slots.take(t.Transfer, now))
	}
	if q.ready.Len() > 0 && !q.slots.free() && !q.checking {
		q.checking = true
		q.after(checkEvery, q.checkStalled)
	}
	q.setAlarm(now)
}

// run runs a task in its slot and gives the group its space.
func (q *Queue) run(g *group, t Task, s *slot) {
	asked := t.Run()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended(&t)
	if t.Priority == Idle {
		q.idling--
	}
	q.slots.leave(s)
	now := q.now()
	if asked {
		g.freeAt = now.Add(q.spacing(g.name))
	}
	if g.freeAt.After(now) {
		q.spaced.add(g)
	} else {
		q.release(g)
	}
	q.startReady()
}

// ended counts the end of a task.
func (q *Queue) ended(t *Task) {
	q.running--
	if q.crowded != nil && q.running+q.waiting == 0 {
		q.crowded(false)
	}
	if t.Priority == Idle {
		q.idle--
	}
	q.taskEnded.Broadcast()
}

// runCanceled runs the waiting tasks whose contexts have ended. They ask nothing, so
// they need neither a slot nor their group's space.
func (q *Queue) runCanceled() {
	for _, g := range q.groups {
		if g.heap == &q.ready {
			continue // startReady runs them at once
		}
		g.tasks = slices.DeleteFunc(g.tasks, func(t Task) bool {
			canceled := t.Context.Err() != nil
			if canceled {
				q.waiting--
				q.running++
				go func() {
					t.Run()
					q.mu.Lock()
					defer q.mu.Unlock()
					q.ended(&t)
				}()
			}
			return canceled
		})
	}
}

// wakeWaiters lets Wait look again.
func (q *Queue) wakeWaiters() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taskEnded.Broadcast()
}

// checkStalled gives the slots of tasks that receive nothing to tasks that wait for one.
func (q *Queue) checkStalled() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.checking = false
	q.slots.check(q.now())
	q.startReady()
}

// spacePassed is called when the space of a group has passed.
func (q *Queue) spacePassed() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.alarm = time.Time{}
	q.startReady()
}

// setAlarm arranges for spacePassed to be called when the next group is free.
func (q *Queue) setAlarm(now time.Time) {
	if q.spaced.Len() == 0 || q.waiting == 0 {
		return
	}
	at := q.spaced.all[0].freeAt
	if q.alarm.IsZero() || at.Before(q.alarm) || q.alarm.Before(now) {
		q.alarm = at
		q.after(at.Sub(now), q.spacePassed)
	}
}

// isFree reports whether a group's space has passed. A group that is to wait for longer
// than its space was there before the clock was set back.
func (q *Queue) isFree(g *group, now time.Time) bool {
	return !g.freeAt.After(now) || g.freeAt.Sub(now) > q.spacing(g.name)
}

// release lets a group's next task begin, or forgets the group if it has none.
func (q *Queue) release(g *group) {
	if len(g.tasks) == 0 {
		delete(q.groups, g.name)
		return
	}
	q.ready.add(g)
}
