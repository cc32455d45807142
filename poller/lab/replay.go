package lab

import (
	"container/heap"
	"context"
	"fmt"
	"math"
)

// Fetches replays a policy at a budget in fetches per feed and day, and returns its fetches by
// feed, ascending. The error is the context's, or says that a policy fetches in the past.
func (w *World) Fetches(ctx context.Context, p Policy, budget float64) ([][]int64, error) {
	fetches, _, err := w.replay(ctx, p, budget)
	return fetches, err
}

// replay is Fetches with by how much the policy's plans may cost more than the best ones, as a share of what they cost; 0 for a policy
// that is not certified.
func (w *World) replay(ctx context.Context, p Policy, budget float64) (fetches [][]int64, gap float64, err error) {
	budget = min(budget, float64(dayBins)) // no feed is fetched more than once a bin
	if p.Hindsight != nil {
		return p.Hindsight(w, budget), 0, ctx.Err()
	}
	v := w.View()
	r := replay{v: v, most: math.MaxInt, done: make([][]int64, v.Feeds())}
	if !p.OwnPace {
		r.most = w.Allowance(budget)
	}
	v.delays = newHostDelays(w)
	perDay := budget * float64(len(w.user.Feeds))
	if p.StartLoop != nil {
		l := p.StartLoop(v, perDay)
		err = r.loop(ctx, l)
		return r.done, planGap(l), err
	}
	r.planner = p.Start(v, perDay)
	for v.now < w.end {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if err := r.period(min(v.Until(), w.end)); err != nil {
			return nil, 0, err
		}
	}
	return r.done, 0, nil
}

// planGap returns the share of what a loop's plans cost that lies above their bound; 0 without a certificate.
func planGap(l Loop) float64 {
	c, ok := l.(certified)
	if !ok {
		return 0
	}
	cost, bound := c.Certificate()
	if cost <= 0 {
		return 0
	}
	return max(0, 1-bound/cost)
}

// replay runs one policy, fetch by fetch in the order of time. Fetches beyond the budget of
// the whole replay do not happen.
type replay struct {
	most    int // fetches
	v       *View
	planner Planner
	due     queue
	done    [][]int64 // by feed
}

// loop replays a policy that decides step by step; no step is taken while the machine sleeps.
func (r *replay) loop(ctx context.Context, l Loop) error {
	v := r.v
	for {
		v.moveTo(min(v.w.awake.Next(v.now), v.w.end))
		if err := ctx.Err(); err != nil || v.now >= v.w.end {
			return err
		}
		next, err := r.step(l)
		if err != nil {
			return err
		}
		v.moveTo(min(max(next, v.now+1), v.nextAccess(), v.nextSign(), v.w.end))
	}
}

// step carries out a step of a loop, and those due at once after it, and returns when the
// first said to look again.
func (r *replay) step(l Loop) (next int64, err error) {
	v := r.v
	next = Never
	for again := true; again; {
		again = r.releaseWaiting(l)
		feeds, at, err := l.Step(v)
		if err != nil {
			return 0, err
		}
		if at > v.now {
			next = min(next, at)
		} else {
			again = true
		}
		for _, feed := range feeds {
			if v.spent == r.most {
				break
			}
			if !v.delays.wait(feed, v.now) {
				again = r.carryOut(l, feed) || again
			}
		}
	}
	return min(next, v.delays.next()), nil
}

// carryOut fetches a feed for a loop, and reports whether another step is due at once.
func (r *replay) carryOut(l Loop, feed int) (again bool) {
	r.record(feed)
	return l.Fetched(r.v, feed)
}

// record fetches a feed now.
func (r *replay) record(feed int) {
	v := r.v
	v.recordFetch(feed, v.now)
	v.delays.fetched(feed, v.now)
	v.spent++
	r.done[feed] = append(r.done[feed], v.now)
}

// releaseWaiting fetches what has waited for its host, and reports whether another step is due at once.
func (r *replay) releaseWaiting(l Loop) (again bool) {
	for r.v.spent < r.most {
		feed, ok := r.v.delays.take(r.v.now)
		if !ok {
			break
		}
		again = r.carryOut(l, feed) || again
	}
	return again
}

// period learns and then fetches until a time, exclusive.
func (r *replay) period(until int64) error {
	r.planner.Learn(r.v)
	return r.fetch(until)
}

// fetch carries out what is planned until a time, exclusive. What is due while the machine
// sleeps happens when it wakes.
func (r *replay) fetch(until int64) error {
	v := r.v
	r.due = r.due[:0]
	for i := range v.Feeds() {
		r.due = append(r.due, visit{r.planner.Next(v, i), i})
	}
	heap.Init(&r.due)
	for len(r.due) > 0 && r.due[0].at < until && v.spent < r.most {
		n := r.due[0]
		if n.at = v.w.awake.Next(n.at); n.at >= until {
			break // and so for all that is due later
		}
		if n.at <= v.last[n.feed] || n.at < v.now {
			return fmt.Errorf("%T fetches in the past", r.planner)
		}
		if free := v.delays.freeAt(n.feed); free > n.at {
			r.due[0].at = free
			heap.Fix(&r.due, 0)
			continue
		}
		v.moveTo(n.at)
		r.record(n.feed)
		r.due[0].at = r.planner.Next(v, n.feed)
		heap.Fix(&r.due, 0)
	}
	v.moveTo(until)
	return nil
}

// visit is a planned fetch.
type visit struct {
	at   int64
	feed int
}

// queue is a heap of planned fetches by time, then feed.
type queue []visit

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].feed < q[j].feed
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(visit)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
