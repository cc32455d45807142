package policy

import (
	"cmp"
	"slices"

	"kairos/poller/lab"
)

// Uniform fetches every feed at equal intervals, all feeds at the same one. It is the yardstick
// of the lab's tables.
var Uniform = lab.Policy{Name: "uniform", Start: startUniform}

// uniform spreads the phases of the feeds evenly over the interval, in an order drawn by a
// fixed seed, so that it has spent what it earned at any time, to the fetch.
type uniform struct {
	every float64   // seconds
	phase []float64 // by feed, in intervals
	done  []int     // by feed, intervals passed
}

func startUniform(v *lab.View, budget float64) lab.Planner {
	n := v.Feeds()
	u := &uniform{every: float64(daySeconds) * float64(n) / budget, phase: make([]float64, n), done: make([]int, n)}
	order := make([]int, n)
	draw := make([]float64, n)
	for i := range n {
		order[i], draw[i] = i, lab.Draw("phase", v.User(), v.FeedID(i))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(draw[a], draw[b]) })
	for rank, i := range order {
		u.phase[i] = float64(rank+1) / float64(n)
	}
	return u
}

func (*uniform) Learn(*lab.View) {}

func (u *uniform) Next(v *lab.View, feed int) int64 {
	for {
		at := (u.phase[feed] + float64(u.done[feed])) * u.every
		if !(at < 1e12) {
			return lab.Never
		}
		// A second early, so that the fetch lies within the interval that pays for it.
		next := v.FetchTime(feed, v.Start()+int64(max(0, at-1)))
		if next > v.Last(feed) {
			return next
		}
		u.done[feed]++
	}
}
