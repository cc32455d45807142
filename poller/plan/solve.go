package plan

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// solver is one run of Solve.
type solver struct {
	p          *Problem
	method     Method
	spec       methodSpec
	bounds     []bounds
	from       []rung // before the first step
	starved    bool
	beyondHost map[int]rung // bases by feed before they were lowered to what its host takes
	start      []rung       // from it on steps are granted; those below are beyond doubt
	curves     []*curve     // of the objective, if the method has no law
	workspaces []workspace  // one per worker
	floors     *floors      // nil: none
}

// findBounds sets the bounds of every feed.
func (s *solver) findBounds() {
	defer s.limitHosts()
	s.bounds = make([]bounds, len(s.p.Feeds))
	if s.curves != nil {
		for i, v := range s.curves {
			s.bounds[i] = v.bounds
		}
		return
	}
	all := allBins(len(s.p.Access))
	for i := range s.bounds {
		s.bounds[i] = newBounds(&s.p.Feeds[i], all, s.p.Period)
	}
}

// findStart sets every feed's rung before the first step, and where to start from.
func (s *solver) findStart(granted map[int64]rung) (ok bool) {
	if s.from, s.starved, ok = startRungs(s.p.Budget, s.bounds); !ok {
		return false
	}
	s.start = s.from
	if s.curves != nil && !s.starved {
		s.start = s.likelyRungs(granted)
	}
	return true
}

// A feed's search starts a little below what it was granted last, or below what it
// would be granted under constant rates; and lower each time that this turns out to be too high.
// The numbers change how long a plan takes, never the plan.
const (
	belowGranted = 1
	shareOfLaw   = 0.9
)

// likelyRungs returns rungs that the budget probably pays for, given those granted before.
func (s *solver) likelyRungs(granted map[int64]rung) []rung {
	var byLaw []rung
	likely := slices.Clone(s.from)
	for i := range likely {
		r, known := granted[s.p.Feeds[i].ID]
		if r -= belowGranted; !known {
			if byLaw == nil {
				byLaw = allocate(s.p.Budget, s.bounds, s.from, false, s.lawCosts(methodSpecs[HeParker].law)).rung
			}
			r = rung(shareOfLaw * float64(byLaw[i]))
		}
		likely[i] = max(likely[i], min(r, s.bounds[i].top))
	}
	s.fitHosts(likely)
	sum := 0.0
	for i, r := range likely {
		sum += s.bounds[i].spends(r)
	}
	if sum > s.p.Budget {
		return s.from
	}
	return likely
}

// lowerStart lowers the start of feeds for which it was not worth the price, and reports whether
// there are any. Without them the grant is that from the bottom: steps are granted by falling
// saving, and those below the start save more than any granted last or refused, by the budget or by their host.
func (s *solver) lowerStart(ctx context.Context, g *grant) (lowered bool, err error) {
	doubtful := math.IsInf(g.paid, 1)
	var low []int
	for i, r := range s.start {
		if r == s.from[i] {
			continue
		}
		saving, least := s.curves[i].saving(r), max(g.price, g.refused, g.hosts.refused(&s.bounds[i]))
		if doubtful || s.p.Feeds[i].Weight*saving/s.bounds[i].fetchCost <= least || saving <= negligible*s.curves[i].cost(r-1) {
			s.start[i] = max(s.from[i], s.lower(i, least))
			low = append(low, i)
		}
	}
	return len(low) > 0, s.parallel(ctx, len(low), func(w *workspace, k int) {
		i := low[k]
		w.extendDown(s.curves[i], s.start[i]-1)
	})
}

// lower returns a rung below the start of a feed, up to which steps probably save more than a price: under
// constant rates savings fall as the cube of the frequency.
func (s *solver) lower(i int, price float64) rung {
	r := s.start[i]
	lower := r - 2*belowGranted
	if lower > 1 && price > 0 {
		likely := rung(float64(r) * math.Cbrt(max(0, s.p.Feeds[i].Weight*s.curves[i].saving(r)/s.bounds[i].fetchCost/price)))
		lower = min(lower, max(likely, r/2)-belowGranted)
	}
	return lower
}

// grantedByFeed returns the rungs of a plan.
func grantedByFeed(r *Result) map[int64]rung {
	granted := make(map[int64]rung, len(r.Feeds))
	for _, c := range r.Feeds {
		if granted[c.ID] = everyRung(c.Every); c.Every == 1 {
			granted[c.ID] = rung(len(c.At))
		}
	}
	return granted
}

// emptyResult is the plan for a budget too small for any fetch.
func (s *solver) emptyResult() Result {
	r := Result{Feeds: make([]Cycle, len(s.p.Feeds))}
	for i := range r.Feeds {
		r.Feeds[i] = Cycle{ID: s.p.Feeds[i].ID, At: []int{}}
	}
	if len(r.Feeds) > 0 {
		r.Warnings = []Warning{{Code: NoBudget}}
	}
	return r
}

// leastCut is by how much a budget is cut at least when a single day of its cycles costs too much: with less, days that
// cost hardly too much would be planned again and again.
const leastCut = 0.25

func (s *solver) solve(ctx context.Context) (Result, error) {
	for i, v := range s.curves {
		if v.options == nil { // otherwise a smaller budget has begun it
			v.startAt(s.start[i] - 1)
		}
	}
	s.floors = s.newFloors()
	budget := s.p.Budget
	for {
		g, err := s.allocateAboveFloors(ctx, budget)
		if err != nil {
			return Result{}, err
		}
		cycles, err := s.schedule(ctx, g)
		if err != nil {
			return Result{}, err
		}
		fullest := stagger(s.p.Feeds, cycles, len(s.p.Access), s.p.Budget)
		over := fullest - mostPerDay(s.p.Budget)
		less := g.spent - max(over, leastCut)
		if !s.p.Level || over <= 0 || !s.paysForStart(less) {
			r := s.result(g, cycles, over)
			s.boost(&g, r.Feeds)
			if s.curves != nil && !s.starved {
				r.Value, r.Bound, err = s.certify(ctx, &g)
			}
			return r, err
		}
		budget = less
	}
}

// allocateAboveFloors splits the budget, and again until no feed is below its floor.
func (s *solver) allocateAboveFloors(ctx context.Context, budget float64) (grant, error) {
	for {
		g, err := s.allocate(ctx, budget)
		if err != nil {
			return g, err
		}
		if raised, err := s.raiseFloors(ctx, &g); err != nil || !raised {
			return g, err
		}
	}
}

// paysForStart reports whether a smaller budget still pays for the start rungs.
func (s *solver) paysForStart(budget float64) bool {
	sum := 0.0
	for i, r := range s.from {
		sum += s.bounds[i].spends(r)
	}
	return sum <= budget
}

// allocate splits the budget. The curves are known up to some rung and estimated beyond it; they
// are extended to what the estimate would grant, until it grants nothing estimated.
func (s *solver) allocate(ctx context.Context, budget float64) (grant, error) {
	if s.curves == nil {
		return allocate(budget, s.bounds, s.from, s.starved, s.lawCosts(s.spec.law)), nil
	}
	cost := func(i int, r rung) float64 { return s.p.Feeds[i].Weight * s.curves[i].cost(r) }
	for {
		// Steps as far as they are probably needed.
		if err := s.extendCurves(ctx, func(i int) rung { return s.start[i] + belowGranted + 1 }); err != nil {
			return grant{}, err
		}
		g := allocate(budget, s.bounds, s.start, s.starved, cost)
		sure := true
		for i, r := range g.rung {
			sure = sure && min(r+1, s.bounds[i].top) <= s.curves[i].last()
		}
		if sure {
			lowered, err := s.lowerStart(ctx, &g)
			if err != nil || !lowered {
				return g, err
			}
		}
		err := s.extendCurves(ctx, func(i int) rung {
			last := s.curves[i].last()
			return min(g.rung[i]+1, max(2, 2*last)) // at most double what is known
		})
		if err != nil {
			return grant{}, err
		}
	}
}

// lawCosts returns the weighted costs by a law, with each feed's mean rates.
func (s *solver) lawCosts(l *Law) costOf {
	access := mean(s.p.Access)
	posting := make([]float64, len(s.p.Feeds))
	weight := make([]float64, len(s.p.Feeds))
	for i, f := range s.p.Feeds {
		posting[i], weight[i] = mean(f.Posting), f.Weight
		if l.IgnoresWeights {
			weight[i] = 1
		}
	}
	return func(i int, r rung) float64 {
		return s.p.Period * weight[i] * l.Cost(r.frequency()/s.p.Period, posting[i], access)
	}
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// extendCurves extends the curves that are too short.
func (s *solver) extendCurves(ctx context.Context, to func(i int) rung) error {
	var short []int
	for i, v := range s.curves {
		if min(to(i), v.bounds.top) > v.last() {
			short = append(short, i)
		}
	}
	return s.parallel(ctx, len(short), func(w *workspace, k int) {
		i := short[k]
		w.extend(s.curves[i], to(i))
	})
}

// schedule places the fetches granted, and computes their delay and losses.
func (s *solver) schedule(ctx context.Context, g grant) ([]Cycle, error) {
	cycles := make([]Cycle, len(s.p.Feeds))
	for i, r := range g.rung {
		cycles[i] = Cycle{ID: s.p.Feeds[i].ID, Every: r.every(), Saving: max(0, g.saving[i])}
	}
	if s.method == Exact {
		for i, r := range g.rung {
			o := s.curves[i].at(r)
			cycles[i].At, cycles[i].Delay, cycles[i].Lost = slices.Clone(o.at), o.gaps, o.lost
		}
		return cycles, ctx.Err()
	}
	err := s.parallel(ctx, len(cycles), func(w *workspace, i int) {
		r, f, c := g.rung[i], &s.p.Feeds[i], &cycles[i]
		if s.curves != nil {
			c.At = slices.Clone(s.curves[i].at(r).at)
		} else {
			c.At = s.spec.place(w, s.p, i, &s.bounds[i], r)
		}
		w.costs.fill(Delay, s.p.Access, f.Posting, s.p.Period)
		c.Delay, c.Lost = max(0, w.costs.Cycle(c.Every, c.At)), w.costs.lost(f.losses(), c.Every, c.At)
	})
	return cycles, err
}

// parallel runs a number of tasks on all workers, until the context ends.
func (s *solver) parallel(ctx context.Context, tasks int, task func(w *workspace, i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for k := range min(tasks, len(s.workspaces)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= tasks {
					return
				}
				task(&s.workspaces[k], i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

func (s *solver) result(g grant, cycles []Cycle, over float64) Result {
	r := Result{Price: g.price, Refused: g.refused, Feeds: cycles}
	starved, impossible := 0, 0
	for i, c := range cycles {
		r.Delay += s.p.Feeds[i].Weight * c.Delay
		if g.rung[i] < s.bounds[i].base {
			starved++
		}
		if s.bounds[i].impossible {
			impossible++
		}
	}
	if starved > 0 {
		r.Warnings = append(r.Warnings, Warning{Code: BudgetTooSmall, Feeds: starved, Of: len(cycles), Budget: s.p.Budget})
	}
	if impossible > 0 {
		r.Warnings = append(r.Warnings, Warning{Code: GapsContradict, Feeds: impossible})
	}
	if below := s.belowHosts(&g); below > 0 {
		r.Warnings = append(r.Warnings, Warning{Code: HostTooSmall, Feeds: below, Of: len(cycles)})
	}
	if s.floors != nil && s.floors.relaxed > 0 {
		r.Warnings = append(r.Warnings, Warning{Code: FloorRelaxed, Feeds: s.floors.relaxed, Of: len(cycles), Budget: s.p.Budget})
	}
	if over > 0 {
		r.Warnings = append(r.Warnings, Warning{Code: DayOverBudget, Excess: int(math.Ceil(over)), Budget: s.p.Budget})
	}
	return r
}
