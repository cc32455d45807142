package lab

import (
	"time"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// exact is what the poller runs by default: posterior rates, the exact split of the
// budget on the circle of the average day, and then for the hours to come the best
// path from the feed's real last fetch, under the rates of the days concerned,
// closed by the cycle's next instant.
type exact struct {
	*cyclic
	access  rate.Profile
	posting []rate.Profile
	sampled []float64 // λc from an instant on
	from    int64
}

func startExact(v *View, budget float64) Policy {
	e := &exact{}
	e.cyclic = startCyclic(v, budget, e.plan)
	e.shape = e.coming
	return e
}

func (e *exact) plan(v *View, budget float64) []plan.Cycle {
	e.access = v.Access().Posterior(rate.AccessPrior)
	e.posting = make([]rate.Profile, v.Feeds())
	for i := range e.posting {
		e.posting[i] = v.Posting(i).Posterior(rate.FeedPrior)
	}
	p := problem(v, budget, e.access.Circle(dayBins, zone(v)), func(feed int) []float64 {
		return e.posting[feed].Circle(dayBins, 0)
	})
	return solved(p, plan.Exact)
}

// coming puts the instants a cycle has in the bins from `from` up to `to` where they
// are best.
func (e *exact) coming(v *View, feed int, from, to int64) []int64 {
	within, end := e.within(feed, from, to)
	if within == 0 {
		return nil
	}
	if e.from != from || len(e.sampled) == 0 {
		e.from, e.sampled = from, e.access.Sample(time.Unix(from, 0), Bin, 2*dayBins+1, v.Zone())
	}
	posting := &e.posting[feed]
	h, err := plan.NewHorizon(plan.Horizon{
		Bin: Bin.Hours(), Access: e.sampled, Posting: posting.Sample(time.Unix(from, 0), Bin, end+1, time.UTC),
		Past: waiting(posting, e.last[feed], from), Last: int((to-from)/binSeconds) - 1, End: end,
	})
	if err != nil {
		panic(err) // rates are learned: they are never unfit
	}
	var at []int64
	for _, b := range h.Path(within) {
		at = append(at, from+int64(b)*binSeconds)
	}
	return at
}

// within counts a cycle's instants from `from` up to `to`, both of one day, and
// finds the next one, in bins from `from`.
func (e *exact) within(feed int, from, to int64) (count, end int) {
	first, last := int(from%daySeconds/binSeconds), int((from%daySeconds+to-from)/binSeconds)
	at := e.cycles[feed].At
	end = at[0] + dayBins - first
	for _, b := range at {
		if b >= first && b < last {
			count++
		} else if b >= last {
			end = min(end, b-first)
		}
	}
	return count, end
}

// backlog is the longest silence whose posts are worth expecting.
const backlog = 7 * day

// waiting is what is expected to wait at an instant, since the last fetch.
func waiting(posting *rate.Profile, last, at int64) (past plan.Past) {
	bins := int(min(at-last, int64(backlog/time.Second)) / binSeconds)
	if bins <= 0 {
		return past
	}
	from := time.Unix(at-int64(bins)*binSeconds, 0)
	for i, level := range posting.Sample(from, Bin, bins, time.UTC) {
		posts := level * Bin.Hours()
		past.Posts += posts
		past.Age += posts * (float64(bins-i) - 0.5) * Bin.Hours()
	}
	return past
}
