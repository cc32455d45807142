// Package dispatch decides in which order requests begin and how many run at once: the
// most urgent first, one at a time to a group of hosts, with a space between two of them.
// A host with many feeds, or a slow one, does not hold up the others.
package dispatch

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Priority is how urgent a task is.
type Priority int

// Priorities, the most urgent first.
const (
	ByUser Priority = iota // somebody waits for it
	Normal
	Idle // runs only while no other task waits for a slot
)

// MaxIdle is how many tasks of priority Idle run at once; the other slots stay free for
// tasks that are not idle.
const MaxIdle = 4

// Crowd is how many waiting tasks make a crowd (Options.Crowded).
const Crowd = 24

// Task is a piece of work for one group of hosts.
type Task struct {
	Context  context.Context // when it ends, Run is called soon, whatever the task waits for
	Group    string          // hosts that are asked one request at a time
	Priority Priority
	Run      func() (asked bool) // reports whether it sent a request to the group

	// Transfer tells how the task's response is coming in; nil if the task has none. A
	// task that receives nothing for a while keeps its connection but loses its slot.
	Transfer *Transfer

	number int // in the order they were added
}

// before is the order in which tasks begin.
func (t *Task) before(u *Task) bool {
	if t.Priority != u.Priority {
		return t.Priority < u.Priority
	}
	return t.number < u.number
}

// Transfer is the progress of a task's response.
type Transfer struct {
	Bytes atomic.Int64 // received so far
	done  atomic.Bool  // nothing more will come
}

// Options configure a Queue.
type Options struct {
	Slots   int                              // tasks that run at once
	Spacing func(group string) time.Duration // between the end of a request to a group and the next one
	Now     func() time.Time
	After   func(d time.Duration, f func()) // calls f in d; nil means time.AfterFunc
	Crowded func(on bool)                   // if not nil, told when Crowd tasks wait, and when all of them are done
}

// Queue runs tasks in the order of their priority and of their arrival.
type Queue struct {
	spacing func(group string) time.Duration
	now     func() time.Time
	after   func(d time.Duration, f func())
	crowded func(on bool)

	mu        sync.Mutex // guards all that follows
	taskEnded *sync.Cond // on mu
	slots     slots
	checking  bool // checkStalled will be called
	running   int  // tasks, of any priority
	waiting   int
	idling    int // tasks of priority Idle that run
	idle      int // tasks of priority Idle that run or wait
	added     int // tasks so far
	groups    map[string]*group
	ready     groupHeap // groups free for a request, by their first task
	spaced    groupHeap // groups that wait for their space to pass, by its end
	alarm     time.Time // when spacePassed will be called; zero if it will not
}

// New returns an empty queue.
func New(o Options) *Queue {
	if o.After == nil {
		o.After = func(d time.Duration, f func()) { time.AfterFunc(d, f) }
	}
	q := &Queue{
		spacing: o.Spacing, now: o.Now, after: o.After, crowded: o.Crowded,
		slots:  slots{limit: o.Slots, taken: map[*slot]bool{}},
		groups: map[string]*group{},
		ready:  groupHeap{less: func(a, b *group) bool { return a.tasks[0].before(&b.tasks[0]) }},
		spaced: groupHeap{less: func(a, b *group) bool { return a.freeAt.Before(b.freeAt) }},
	}
	q.taskEnded = sync.NewCond(&q.mu)
	return q
}

// Add queues a task.
func (q *Queue) Add(t Task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.added++
	t.number = q.added
	q.waiting++
	if q.crowded != nil && q.waiting == Crowd {
		q.crowded(true)
	}
	if t.Priority == Idle {
		q.idle++
	}
	q.enqueue(t)
	q.startReady()
}

// Wait returns when no task runs or waits. Tasks whose context has ended do not wait for
// their group's space.
func (q *Queue) Wait() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, g := range q.groups {
		for _, t := range g.tasks {
			defer context.AfterFunc(t.Context, q.wakeWaiters)()
		}
	}
	for q.runCanceled(); q.running+q.waiting > 0; q.runCanceled() {
		q.taskEnded.Wait()
	}
}

// Pause returns when no task runs: the time at which the next waiting task may begin,
// zero if none waits. It is for callers that drive the clock themselves.
func (q *Queue) Pause() (next time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.running > 0 {
		q.taskEnded.Wait()
	}
	if q.waiting == 0 {
		return time.Time{}
	}
	return q.spaced.all[0].freeAt
}

// Load is how many tasks run or wait, idle ones left out.
func (q *Queue) Load() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.running + q.waiting - q.idle
}

// Received notes that a task's response is complete: the task needs no slot for the rest
// of its work.
func (q *Queue) Received(t *Transfer) {
	t.done.Store(true)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.startReady()
}
