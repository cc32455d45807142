package plan

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// solver is one run of Solve.
type solver struct {
	p       *Problem
	method  Method
	policy  policy
	bounds  []bounds
	from    []rung
	starved bool
	curves  []*curve // of the true objective, if the policy asks for it
	benches []bench  // one a worker
}

// bound finds where every feed may stand.
func (s *solver) bound() {
	s.bounds = make([]bounds, len(s.p.Feeds))
	if s.curves != nil {
		for i, v := range s.curves {
			s.bounds[i] = v.bounds
		}
		return
	}
	all := everyBin(len(s.p.Access))
	for i := range s.bounds {
		s.bounds[i] = newBounds(&s.p.Feeds[i], all, s.p.Period)
	}
}

// start finds where every feed stands before the first step.
func (s *solver) start() (ok bool) {
	s.from, s.starved, ok = starts(s.p.Budget, s.bounds)
	return ok
}

// nothing is the plan of a budget that fetches nothing.
func (s *solver) nothing() Result {
	r := Result{Feeds: make([]Cycle, len(s.p.Feeds))}
	for i := range r.Feeds {
		r.Feeds[i] = Cycle{ID: s.p.Feeds[i].ID, At: []int{}}
	}
	if len(r.Feeds) > 0 {
		r.Warnings = []string{"the budget fetches nothing: no instants are planned and no delay is counted"}
	}
	return r
}

func (s *solver) solve(ctx context.Context) (Result, error) {
	for i, v := range s.curves {
		v.begin(s.from[i] - 1)
	}
	if err := s.grow(ctx, func(i int) rung { return max(s.from[i]+1, s.curves[i].want) }); err != nil {
		return Result{}, err
	}
	budget := s.p.Budget
	for {
		g, err := s.allocate(ctx, budget)
		if err != nil {
			return Result{}, err
		}
		cycles, err := s.schedule(ctx, g)
		if err != nil {
			return Result{}, err
		}
		fullest := spread(s.p.Feeds, cycles, len(s.p.Access), s.p.Budget)
		over := fullest - perDay(s.p.Budget)
		if !s.p.Level || over <= 0 || !s.reaches(g.spent-float64(over)) {
			return s.result(g, cycles, over), nil
		}
		budget = g.spent - float64(over)
	}
}

// reaches says whether a smaller budget still pays for the starts.
func (s *solver) reaches(budget float64) bool {
	sum := 0.0
	for _, r := range s.from {
		sum += r.frequency()
	}
	return sum <= budget
}

// allocate splits the budget. The true curves are known only so far and guessed
// beyond: what the guess wants to buy is computed, until it wants nothing unknown.
func (s *solver) allocate(ctx context.Context, budget float64) (grant, error) {
	if s.curves == nil {
		return allocate(budget, s.bounds, s.from, s.starved, s.model()), nil
	}
	cost := func(i int, r rung) float64 { return s.p.Feeds[i].Weight * s.curves[i].known(r) }
	for {
		g := allocate(budget, s.bounds, s.from, s.starved, cost)
		sure := true
		for i, r := range g.rung {
			sure = sure && min(r+1, s.bounds[i].top) <= s.curves[i].last()
		}
		if sure {
			return g, nil
		}
		err := s.grow(ctx, func(i int) rung {
			known := s.curves[i].last()
			return min(g.rung[i]+1, max(2, 2*known)) // a guess reaches no farther than double
		})
		if err != nil {
			return grant{}, err
		}
	}
}

// model is the weighted cost a policy believes in under constant rates.
func (s *solver) model() costOf {
	access := mean(s.p.Access)
	posting := make([]float64, len(s.p.Feeds))
	weight := make([]float64, len(s.p.Feeds))
	for i, f := range s.p.Feeds {
		posting[i], weight[i] = mean(f.Posting), f.Weight
		if s.policy.law.blind {
			weight[i] = 1
		}
	}
	return func(i int, r rung) float64 {
		return s.p.Period * weight[i] * s.policy.law.cost(r.frequency()/s.p.Period, posting[i], access)
	}
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// grow extends the curves that need it.
func (s *solver) grow(ctx context.Context, to func(i int) rung) error {
	var short []int
	for i, v := range s.curves {
		if min(to(i), v.bounds.top) > v.last() {
			short = append(short, i)
		}
	}
	return s.each(ctx, len(short), func(w *bench, k int) {
		i := short[k]
		w.extend(s.curves[i], to(i))
	})
}

// schedule finds the instants and the delay of what was granted.
func (s *solver) schedule(ctx context.Context, g grant) ([]Cycle, error) {
	cycles := make([]Cycle, len(s.p.Feeds))
	for i, r := range g.rung {
		cycles[i] = Cycle{ID: s.p.Feeds[i].ID, Every: r.every(), Saving: max(0, g.saving[i])}
	}
	if s.method == Exact {
		for i, r := range g.rung {
			o := s.curves[i].best(r)
			s.curves[i].want = r + 1
			cycles[i].At, cycles[i].Delay, cycles[i].Lost = slices.Clone(o.at), o.gaps, o.lost
		}
		return cycles, ctx.Err()
	}
	err := s.each(ctx, len(cycles), func(w *bench, i int) {
		r, f, c := g.rung[i], &s.p.Feeds[i], &cycles[i]
		if s.curves != nil {
			c.At = slices.Clone(s.curves[i].best(r).at)
		} else {
			c.At = s.policy.schedule(w, s.p, i, &s.bounds[i], r)
		}
		w.costs.fill(delayed, s.p.Access, f.Posting, s.p.Period)
		c.Delay, c.Lost = max(0, w.costs.Cycle(c.Every, c.At)), w.costs.lost(f.Window, c.Every, c.At)
	})
	return cycles, err
}

// each runs a number of tasks on all workers and stops with the context.
func (s *solver) each(ctx context.Context, tasks int, task func(w *bench, i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for k := range min(tasks, len(s.benches)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= tasks {
					return
				}
				task(&s.benches[k], i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

func (s *solver) result(g grant, cycles []Cycle, over int) Result {
	r := Result{Price: g.price, Refused: g.refused, Feeds: cycles}
	slow, torn := 0, 0
	for i, c := range cycles {
		r.Delay += s.p.Feeds[i].Weight * c.Delay
		if g.rung[i] < s.bounds[i].base {
			slow++
		}
		if s.bounds[i].impossible {
			torn++
		}
	}
	warn := func(count int, format string, args ...any) {
		if count > 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
		}
	}
	warn(slow, "the budget of %g fetches does not reach: %d of %d feeds are fetched less often than they should be", s.p.Budget, slow, len(cycles))
	warn(torn, "%d feeds allow no fetches as often as their longest gap asks for: the shortest gap and the forbidden hours are kept", torn)
	warn(over, "on the fullest day of their cycles the feeds need %d fetches more than the budget of %g", over, s.p.Budget)
	return r
}
