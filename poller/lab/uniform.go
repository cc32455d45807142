package lab

import (
	"cmp"
	"slices"
)

// uniform fetches every feed at equal intervals. The phases are spread evenly over
// the interval and dealt out to the feeds by a fixed draw, so that at any time it has
// spent what it may have, to the fetch.
type uniform struct {
	every float64   // seconds
	phase []float64 // of the interval, by feed
	done  []int
}

func startUniform(v *View, budget float64) Policy {
	n := v.Feeds()
	u := &uniform{every: float64(daySeconds) * float64(n) / budget, phase: make([]float64, n), done: make([]int, n)}
	order := make([]int, n)
	lot := make([]float64, n)
	for i := range n {
		order[i], lot[i] = i, draw("phase", v.User(), v.Name(i))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lot[a], lot[b]) })
	for rank, i := range order {
		u.phase[i] = float64(rank+1) / float64(n)
	}
	return u
}

func (*uniform) Learn(*View) {}

func (u *uniform) Next(v *View, feed int) int64 {
	for {
		at := (u.phase[feed] + float64(u.done[feed])) * u.every
		if !(at < 1e12) {
			return Never
		}
		// A second early: what the end of an interval has earned lies within it.
		next := onMark(v, feed, v.Start()+int64(max(0, at-1)))
		if next > v.Last(feed) {
			return next
		}
		u.done[feed]++
	}
}
