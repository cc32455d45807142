package lab

import (
	"math"

	"kairos/poller/plan"
)

// cubeRoot allocates by He–Parker (4), n ∝ ∛(w λc λp), and takes the best schedule
// for each count. It climbs the ladder of plan.Solve, one every 7 days … one every
// 2, then 1, 2, 3 … a day, by the saving per fetch that the formula promises, so that
// it spends the same.
func cubeRoot(p plan.Problem) []plan.Cycle {
	cycles := make([]plan.Cycle, len(p.Feeds))
	for i, f := range rungs(&p) {
		c := plan.Cycle{ID: p.Feeds[i].ID, Every: 1}
		if f < 1 {
			c.Every = int(math.Round(1 / f))
			c.At = []int{once(p.Access, p.Feeds[i].Posting, c.Every)}
		} else {
			c.At = plan.BestSchedule(p.Access, p.Feeds[i].Posting, p.Period, int(f))
		}
		cycles[i] = c
	}
	return cycles
}

// once is the best bin for one fetch every so many days.
func once(access, posting []float64, every int) (best int) {
	c := plan.NewCosts(access, posting, 24)
	least := math.Inf(1)
	for b := range dayBins {
		if d := c.Cycle(every, []int{b}); d < least {
			best, least = b, d
		}
	}
	return best
}

// slowest is the least frequent rung of the ladder, in days.
const slowest = 7

// rungs splits the budget: fetches a day by feed. Where nothing promises a saving
// the feeds fetched least come first.
func rungs(p *plan.Problem) []float64 {
	n := len(p.Feeds)
	every := float64(slowest)
	if p.Budget*slowest < float64(n) {
		every = math.Ceil(float64(n)/max(p.Budget, 1e-9) - 1e-9)
	}
	f, rate, left := make([]float64, n), make([]float64, n), p.Budget-float64(n)/every
	for i, feed := range p.Feeds {
		f[i] = 1 / every
		for _, x := range feed.Posting {
			rate[i] += x
		}
	}
	for {
		best, at := -1.0, -1
		for i := range f {
			step := up(f[i]) - f[i]
			if step > left+1e-9 || f[i] >= float64(dayBins) {
				continue
			}
			saving := rate[i] * (1/(f[i]*f[i]) - 1/(up(f[i])*up(f[i]))) / step
			if saving > best || saving == best && f[i] < f[at] {
				best, at = saving, i
			}
		}
		if at < 0 {
			return f
		}
		left -= up(f[at]) - f[at]
		f[at] = up(f[at])
	}
}

// up is the next rung.
func up(f float64) float64 {
	if f > 0.9 {
		return math.Round(f) + 1
	}
	return 1 / (math.Round(1/f) - 1)
}
