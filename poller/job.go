package poller

import (
	"context"
	"time"

	"kairos/poller/dispatch"
	"kairos/poller/fetch"
	"kairos/reader"
)

// job is one fetch to be done.
type job struct {
	feed   reader.Feed
	code   Code
	why    string
	answer *answer // what discovery brought already; nil: ask

	transfer *dispatch.Transfer
}

// answer is what a request came to.
type answer struct {
	resp *fetch.Response
	err  error
	at   time.Time

	held   *fetch.Lease // what the body is held with
	digest int64        // of the body
	portal bool         // it may be a page to sign in at that whoever runs the network sends
}

// call is a fetch in flight, or queued, and those that wait for it.
type call struct {
	code    Code
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

// runAll does the jobs and returns their outcomes as they come, until ctx ends.
func (p *Poller) runAll(ctx context.Context, jobs []job, each func(Outcome)) []Outcome {
	type result struct {
		Outcome
		ok bool
	}
	results := make(chan result, len(jobs))
	for _, j := range jobs {
		p.start(ctx, j, func(o Outcome, ok bool) { results <- result{o, ok} })
	}
	outcomes := make([]Outcome, 0, len(jobs))
	for range jobs {
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
func (p *Poller) start(ctx context.Context, j job, done func(o Outcome, ok bool)) {
	j.transfer = new(dispatch.Transfer)
	w := waiter{ctx, j, done}
	p.mu.Lock()
	if c, ok := p.running[j.feed.ID]; ok {
		c.waiting = append(c.waiting, w)
		p.mu.Unlock()
		return
	}
	c := &call{code: j.code}
	p.running[j.feed.ID] = c
	if j.code.Background() {
		p.spending++
	}
	p.mu.Unlock()
	group := groupOf(j.feed.URL)
	if j.answer != nil {
		group = j.feed.URL // no server is asked, so nothing waits
	}
	priority := dispatch.Normal
	if j.code == Manual {
		priority = dispatch.ByUser
	}
	p.queue.Add(dispatch.Task{Context: ctx, Group: group, Priority: priority, Transfer: j.transfer, Run: func() bool { return p.run(c, w) }})
}

// groupOf is the group of hosts that an address is asked with (fetch.Group).
func groupOf(address string) string {
	if host := fetch.Host(address); host != "" {
		return fetch.Group(host)
	}
	return address // a file, which waits for no other
}

// spacing is the time between two requests to a group of hosts.
func (p *Poller) spacing(group string) time.Duration {
	if isFile(group) {
		return 0
	}
	return p.client.Spacing(group)
}

// run does a job, tells those who wait for it, and reports whether a server was asked.
func (p *Poller) run(c *call, w waiter) (asked bool) {
	o, ok := p.do(w.ctx, w.job)
	p.mu.Lock()
	delete(p.running, w.job.feed.ID)
	if w.job.code.Background() {
		p.spending--
	}
	waiting := c.waiting
	p.mu.Unlock()
	p.signals.fetchEnded()
	if ok {
		p.told.tell(o)
	}
	w.tell(o, ok)
	for _, other := range waiting {
		// Who still wants it when somebody else has given it up does it himself.
		if !ok && other.ctx.Err() == nil && w.ctx.Err() != nil {
			p.start(other.ctx, other.job, other.done)
			continue
		}
		other.tell(o, ok)
	}
	return o.asked
}

// do carries one job out: request, parse, and one transaction for articles,
// validators, poll state and the ledger's line. It is not ok if the job was given
// up, which leaves no trace.
func (p *Poller) do(ctx context.Context, j job) (o Outcome, ok bool) {
	o = Outcome{Feed: j.feed.ID, Title: j.feed.Title, At: p.now(), Reason: j.code, Why: j.why}
	if ctx.Err() != nil || p.isHeldBack(j) {
		return o, false
	}
	s, err := p.state(ctx, j.feed.ID)
	if err == nil {
		if p.client.BlockedUntil(fetch.Host(j.feed.URL)).IsZero() && s.justChecked(j, &o) {
			return o, true
		}
		s.of(j.feed)
		if j.code.Background() && o.At.Before(s.allowed(o.At)) {
			return o, false // somebody else has just fetched it
		}
		a := j.answer
		if a == nil {
			p.followers.tell(Doing{At: o.At, Said: "fetching " + o.Title + " (" + o.Reason.Words() + ")", Begun: true})
			a = p.ask(ctx, j, &s)
			defer a.held.Release()
		}
		if ctx.Err() != nil {
			return o, false
		}
		o, err = p.take(ctx, j, s, o, a)
	}
	if ctx.Err() != nil && err != nil {
		return o, false
	}
	p.failure.note(err, p.now())
	if err != nil {
		p.say(o.At, "what came could not be stored: nothing more is fetched for %s", Span(failurePause))
		p.logger.Error("fetch", "feed", j.feed.ID, "err", err)
		o.Result, o.Said = Fault, Sentence(err)
	}
	return o, true
}

// checkedFor is how long a feed that was checked is not checked again, even by hand.
const checkedFor = time.Minute

// justChecked answers for a feed that somebody asks for again at once. A login that
// failed may have been corrected.
func (s *State) justChecked(j job, o *Outcome) bool {
	ago := o.At.Sub(s.Tried)
	if j.code != Manual || s.Tried.IsZero() || ago < 0 || ago >= checkedFor || s.address != j.feed.URL ||
		isFile(j.feed.URL) || s.Failures > 0 && j.feed.Login {
		return false
	}
	o.Result, o.Said = Unchanged, "Checked "+Span(ago)+" ago."
	if s.Failures > 0 {
		o.Result, o.Said = Fault, "Checked "+Span(ago)+" ago: "+s.Said
	}
	return true
}

// isHeldBack reports whether a job that nobody asked for has to wait until the
// network is back.
func (p *Poller) isHeldBack(j job) bool {
	return p.network.holdsBack(j.feed.URL) && (j.code.Background() || j.code == First && j.answer == nil)
}
