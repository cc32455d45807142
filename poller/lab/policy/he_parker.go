package policy

import (
	"math"
	"slices"

	"kairos/poller/lab"
	"kairos/poller/lab/published"
	"kairos/poller/plan"
)

// heParkerPrinted is the recipe of He & Parker as printed: hourly histograms of two weeks, the
// split by the cube root (4), which gives nothing to a feed that did not post, and the search of
// Figure 2.
var heParkerPrinted = Printed{Rates: Histograms(twoWeeks), Law: plan.HeParkerLaw, Place: PlaceBy(published.HeParkerFigure2, true)}

// HeParker is that recipe learned once, as in the paper.
var HeParker = heParkerPrinted.once().Policy("he-parker")

func (r Printed) once() Printed {
	r.Once = true
	return r
}

// Relearning returns the policies with those that learn once replaced by the same that learn at
// every interval of the protocol.
func Relearning(policies []lab.Policy) []lab.Policy {
	all := slices.Clone(policies)
	for i, p := range all {
		if p.Name == HeParker.Name {
			all[i] = heParkerPrinted.Policy(HeParker.Name)
		}
	}
	return all
}

// HeParkerDaily is a kinder reading of the paper: the same histograms and the cube root learned
// again at every interval, a fetch in seven days for every feed, and the best schedule.
var HeParkerDaily = Recipe{Rates: Histograms(twoWeeks), Split: heParkerSplit}.Policy("he-parker-daily")

// HeParkerShrunk is HeParkerDaily on posterior rates.
var HeParkerShrunk = Recipe{Rates: Posterior, Split: heParkerSplit}.Policy("he-parker-shrunk")

func heParkerSplit() func(p plan.Problem) []plan.Cycle { return HeParkerSplit }

// HeParkerSplit allocates by He–Parker (4), n ∝ ∛(w λc λp), and takes the best schedule for
// each count. It climbs the ladder of plan.Solve, one every 7 days … one every 2, then 1, 2,
// 3 … a day, by the saving per fetch that (4) promises, so that it spends as much.
func HeParkerSplit(p plan.Problem) []plan.Cycle {
	cycles := make([]plan.Cycle, len(p.Feeds))
	for i, f := range cubeRootFrequencies(&p) {
		c := plan.Cycle{ID: p.Feeds[i].ID, Every: 1}
		if f < 1 {
			c.Every = int(math.Round(1 / f))
			c.At = []int{bestBin(p.Access, p.Feeds[i].Posting, c.Every)}
		} else {
			c.At = plan.BestFor(plan.Delay)(p.Access, p.Feeds[i].Posting, p.Period, int(f))
		}
		cycles[i] = c
	}
	return cycles
}

// bestBin returns the best bin of the day for one fetch every so many days.
func bestBin(access, posting []float64, every int) (best int) {
	c := plan.NewCosts(access, posting, 24)
	least := math.Inf(1)
	for b := range dayBins {
		if d := c.Cycle(every, []int{b}); d < least {
			best, least = b, d
		}
	}
	return best
}

// longestCycle is the least frequent rung of the ladder, in days.
const longestCycle = 7

// cubeRootFrequencies splits the budget: fetches a day by feed. If no feed promises a saving,
// the feeds fetched least come first.
func cubeRootFrequencies(p *plan.Problem) []float64 {
	n := len(p.Feeds)
	every := float64(longestCycle)
	if p.Budget*longestCycle < float64(n) {
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
			step := nextRung(f[i]) - f[i]
			if step > left+1e-9 || f[i] >= float64(dayBins) {
				continue
			}
			saving := rate[i] * (1/(f[i]*f[i]) - 1/(nextRung(f[i])*nextRung(f[i]))) / step
			if saving > best || saving == best && f[i] < f[at] {
				best, at = saving, i
			}
		}
		if at < 0 {
			return f
		}
		left -= nextRung(f[at]) - f[at]
		f[at] = nextRung(f[at])
	}
}

// nextRung returns the next higher frequency of the ladder.
func nextRung(f float64) float64 {
	if f > 0.9 {
		return math.Round(f) + 1
	}
	return 1 / (math.Round(1/f) - 1)
}
