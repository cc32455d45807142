package poller

import (
	"context"
	"slices"
	"sync"

	"kairos/poller/dispatch"
	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/useraccess"
)

// job is one fetch to be made.
type job struct {
	subject
	code   Code
	reason schedule.Reason // of a background fetch
	cost   float64         // it is expected to take out of its budget; 0: nothing
	tariff schedule.Tariff // what it will have taken
	answer *answer         // that discovery brought already; nil: ask

	untried bool // what it asks for was not tried when it was decided on: if it has been by now, it asks for nothing

	transfer *dispatch.Transfer
}

// call is a fetch in flight, or queued, and those that wait for it.
type call struct {
	reason  Code
	waiting []waiter
}

// waiter wants the outcome of a job; done may be nil. ok is false if the job was
// given up: then there is no outcome.
type waiter struct {
	ctx  context.Context
	job  job
	done func(o Outcome, ok bool)
}

func (w *waiter) tell(o Outcome, ok bool) {
	if w.done != nil {
		w.done(o, ok)
	}
}

// jobs makes the fetches of feeds, one at a time for each feed, and stores what they bring.
type jobs struct {
	*env
	queue     *dispatch.Queue
	signals   *signals
	network   *network
	activity  *activity
	requests  *requests
	documents *documents
	hosts     *hosts
	failure   *storeFailure
	outages   *outages
	mentions  *mentions
	older     *olderPages
	robots    *robots
	secrets   Secrets
	accounts  Accounts
	log       *useraccess.Log
	learning  func(ctx context.Context) (bool, error)

	outcomes listeners[Outcome]
	notices  listeners[reader.Notice]

	mu       sync.Mutex // guards what follows
	running  map[int64]*call
	spending map[int64]float64       // what fetches begun and not yet in the ledger are expected to take out of the budget of each server; 0: of this computer
	failing  map[int64]serverFailure // by account
}

// runAll runs jobs and returns their outcomes as they come, until ctx ends.
func (j *jobs) runAll(ctx context.Context, all []job, each func(Outcome)) []Outcome {
	type result struct {
		Outcome
		ok bool
	}
	results := make(chan result, len(all))
	for _, one := range all {
		j.start(ctx, one, func(o Outcome, ok bool) { results <- result{o, ok} })
	}
	outcomes := make([]Outcome, 0, len(all))
	for range all {
		select {
		case <-ctx.Done():
			return outcomes
		case r := <-results:
			if !r.ok {
				continue
			}
			outcomes = append(outcomes, r.Outcome)
			if each != nil {
				each(r.Outcome)
			}
		}
	}
	return outcomes
}

// start queues a job. A feed that is being fetched already is not fetched twice:
// its outcome serves both.
func (j *jobs) start(ctx context.Context, one job, done func(o Outcome, ok bool)) {
	one.transfer = new(dispatch.Transfer)
	w := waiter{ctx, one, done}
	j.mu.Lock()
	if c, ok := j.running[one.id]; ok {
		c.waiting = append(c.waiting, w)
		j.mu.Unlock()
		return
	}
	c := &call{reason: one.code}
	j.running[one.id] = c
	j.spending[one.server] += one.cost
	j.mu.Unlock()
	group := groupOf(one.url)
	if one.answer != nil {
		group = one.url // no server is asked, so nothing waits
	}
	priority := dispatch.Normal
	if one.code == Manual {
		priority = dispatch.ByUser
	}
	j.queue.Add(dispatch.Task{Context: ctx, Group: group, Priority: priority, Transfer: one.transfer, Run: func() bool { return j.run(c, w) }})
}

// run runs a job, tells those who wait for it, and reports whether a server was asked.
func (j *jobs) run(c *call, w waiter) (asked bool) {
	o, ok := j.fetch(w.ctx, w.job)
	j.mu.Lock()
	delete(j.running, w.job.id)
	j.spending[w.job.server] -= w.job.cost
	waiting := c.waiting
	j.mu.Unlock()
	j.signals.fetchEnded()
	if ok && w.job.server == 0 {
		j.outcomes.tell(o)
	}
	w.tell(o, ok)
	for _, other := range waiting {
		// A waiter still wants what another one has given up.
		if !ok && other.ctx.Err() == nil && w.ctx.Err() != nil {
			j.start(other.ctx, other.job, other.done)
			continue
		}
		other.tell(o, ok)
	}
	return o.asked
}

// isRunning reports whether a subject is being fetched, or queued for it.
func (j *jobs) isRunning(subject int64) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.running[subject] != nil
}

// allRunning returns the subjects that are being fetched or queued for it.
func (j *jobs) allRunning() map[int64]bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	running := make(map[int64]bool, len(j.running))
	for id := range j.running {
		running[id] = true
	}
	return running
}

// spent is what fetches that have begun and are not yet in the ledger are expected to take out of the budget of a server; 0: of this
// computer.
func (j *jobs) spent(server int64) float64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.spending[server]
}

// commonCode is why most fetches in flight happen, "" if there are none.
func (j *jobs) commonCode() (most Code) {
	j.mu.Lock()
	defer j.mu.Unlock()
	count := map[Code]int{}
	for _, c := range j.running {
		count[c.reason]++
		if n := count[c.reason]; n > count[most] || n == count[most] && c.reason < most {
			most = c.reason
		}
	}
	return most
}

// without leaves out what is being fetched, and what waits for the network.
func (j *jobs) without(subjects []subject) []subject {
	return slices.DeleteFunc(subjects, func(s subject) bool { return j.isRunning(s.id) || j.network.holdsBack(s.url) })
}
