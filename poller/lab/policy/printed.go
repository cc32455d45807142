package policy

import (
	"container/heap"
	"slices"

	"kairos/poller/lab"
	"kairos/poller/lab/published"
	"kairos/poller/plan"
)

// Printed is a policy as the papers print it: rates learned in one way, real frequencies by a
// law, instants of each day by a schedule. A feed whose rate is 0 gets nothing, and no feed has
// a minimum.
type Printed struct {
	Rates Rates
	Law   plan.Law // see published.Frequencies
	Place Place
	Once  bool // learn when the replay starts, and never again
}

// Policy returns the recipe as a policy.
func (r Printed) Policy(name string) lab.Policy {
	return lab.Policy{Name: name, Start: func(v *lab.View, budget float64) lab.Planner {
		p := &printed{recipe: r, budget: budget, day: v.Start() - v.Start()%daySeconds}
		p.at = make([][]int64, v.Feeds())
		p.shares.carried = make([]float64, v.Feeds())
		return p
	}}
}

// printed plans day by day. What is learned takes effect at the next midnight.
type printed struct {
	timetable
	recipe  Printed
	budget  float64 // fetches a day
	day     int64   // the first that is not planned
	shares  dailyShares
	problem plan.Problem
	placed  []map[int][]int // bins of the day, by feed and count; what was asked for
}

// Learn plans all days until the next learning.
func (p *printed) Learn(v *lab.View) {
	if p.placed == nil || !p.recipe.Once && !v.Frozen() {
		p.learn(v)
	}
	for ; p.day < v.Until(); p.day += daySeconds {
		for i, m := range p.shares.next(p.budget) {
			if m == 0 {
				continue
			}
			for _, b := range p.place(i, m) {
				if at := v.FetchTime(i, binOf(p.day, b)); at > v.Last(i) && at >= v.Now() {
					p.at[i] = append(p.at[i], at)
				}
			}
		}
	}
}

func (p *printed) learn(v *lab.View) {
	access, posting := p.recipe.Rates(v)
	p.problem = Problem(v, p.budget, access, posting)
	p.shares.perDay = frequencies(&p.problem, &p.recipe.Law)
	p.placed = make([]map[int][]int, len(p.problem.Feeds))
}

// frequencies splits a budget by a law, in fetches a day; if it gives nobody anything, because
// nothing is known, all feeds get the same.
func frequencies(p *plan.Problem, law *plan.Law) []float64 {
	sources := make([]published.Source, len(p.Feeds))
	for i, f := range p.Feeds {
		// All feeds have the same reader: the access rate cancels out.
		sources[i] = published.Source{Weight: f.Weight, Posting: mean(f.Posting), Access: 1}
	}
	for _, law := range []*plan.Law{law, &plan.UniformLaw} {
		perHour, err := published.Frequencies(law, sources, p.Budget/24)
		if err != nil {
			panic(err) // learned rates are always valid
		}
		if perDay := scaled(perHour, 24); !allZero(perDay) {
			return perDay
		}
	}
	return make([]float64, len(p.Feeds))
}

func (p *printed) place(feed, m int) []int {
	if p.placed[feed] == nil {
		p.placed[feed] = map[int][]int{}
	}
	at, ok := p.placed[feed][m]
	if !ok {
		at = slices.Sorted(slices.Values(p.recipe.Place(&p.problem, feed, m)))
		p.placed[feed][m] = at
	}
	return at
}

// dailyShares turns real frequencies into whole fetches day by day: every day the feeds that
// lag most behind their frequencies come first, so that a day has as many fetches as the budget,
// and a feed as many as its frequency, both to within one.
type dailyShares struct {
	perDay  []float64 // by feed
	carried []float64 // by feed, fetches due and not made
	earned  float64   // by all feeds, fetches not made
}

// next returns the number of fetches of each feed on the next day, for a budget a day.
func (s *dailyShares) next(budget float64) []int {
	m := make([]int, len(s.perDay))
	lag := lagging{by: s.carried}
	for i, f := range s.perDay {
		if s.carried[i] += f; f > 0 {
			lag.feeds = append(lag.feeds, i)
		}
	}
	heap.Init(&lag)
	for s.earned += budget; s.earned >= 1-1e-9 && len(lag.feeds) > 0; s.earned-- {
		i := lag.feeds[0]
		m[i]++
		s.carried[i]--
		if m[i] == dayBins {
			heap.Pop(&lag)
		} else {
			heap.Fix(&lag, 0)
		}
	}
	return m
}

// lagging is a heap of feeds, the one that lags most first, then the earlier one.
type lagging struct {
	feeds []int
	by    []float64
}

func (l *lagging) Len() int { return len(l.feeds) }
func (l *lagging) Less(i, j int) bool {
	a, b := l.feeds[i], l.feeds[j]
	return l.by[a] > l.by[b] || l.by[a] == l.by[b] && a < b
}
func (l *lagging) Swap(i, j int) { l.feeds[i], l.feeds[j] = l.feeds[j], l.feeds[i] }
func (l *lagging) Push(x any)    { l.feeds = append(l.feeds, x.(int)) }
func (l *lagging) Pop() any {
	last := l.feeds[len(l.feeds)-1]
	l.feeds = l.feeds[:len(l.feeds)-1]
	return last
}

func mean(x []float64) (sum float64) {
	for _, y := range x {
		sum += y / float64(len(x))
	}
	return sum
}

func scaled(x []float64, by float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = by * x[i]
	}
	return y
}
