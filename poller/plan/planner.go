package plan

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
)

// Planner solves problems one after another and keeps the cost curves of the
// last one: a feed whose posting rate and rules are as they were, under the same
// access rate, is not searched again, whatever became of its weight, the budget and
// the other feeds. The result is that of a fresh Solve. The zero Planner is ready;
// it is not for several goroutines at once. Feeds are recognised by their ID.
type Planner struct {
	objective objective
	period    float64
	access    []float64
	curves    map[int64]*curve // of Exact or Missing
	tables    map[int]*lossTable
	benches   []bench // one a worker
}

// Solve plans all feeds by a method, as the package's Solve does.
func (pl *Planner) Solve(ctx context.Context, p Problem, m Method) (Result, error) {
	pol, ok := policies[m]
	if !ok {
		return Result{}, fmt.Errorf("plan: there is no method %q", m)
	}
	if err := p.check(); err != nil {
		return Result{}, fmt.Errorf("plan: %w", err)
	}
	for len(pl.benches) < min(runtime.GOMAXPROCS(0), len(p.Feeds)) {
		pl.benches = append(pl.benches, bench{})
	}
	s := &solver{p: &p, method: m, policy: pol, benches: pl.benches}
	if pol.law == nil {
		s.curves = pl.recall(&p, pol.objective, m == Exact)
	}
	s.bound()
	if !s.start() {
		return s.nothing(), ctx.Err()
	}
	return s.solve(ctx)
}

// recall finds the curve of every feed, emptied where what it depends on has
// changed, and forgets all others.
func (pl *Planner) recall(p *Problem, o objective, charged bool) []*curve {
	same := pl.objective == o && pl.period == p.Period && slices.Equal(pl.access, p.Access)
	if !same {
		pl.objective, pl.period, pl.access = o, p.Period, slices.Clone(p.Access)
	}
	old := pl.curves
	pl.curves = make(map[int64]*curve, len(p.Feeds))
	curves := make([]*curve, len(p.Feeds))
	all := everyBin(len(p.Access))
	for i := range p.Feeds {
		f := &p.Feeds[i]
		v := old[f.ID]
		delete(old, f.ID) // of two feeds of one ID only one can have it
		if v == nil {
			v = &curve{from: unplanned, want: unplanned}
		}
		if !same || v.feed == nil || !v.feed.costsAs(f) {
			f = f.clone()
			v.feed, v.from = f, unplanned
			v.demand = demand{objective: o, period: p.Period, access: pl.access, posting: f.Posting,
				bounds: newBounds(f, all, p.Period)}
			if charged {
				v.charges = pl.charge(f)
			}
		}
		pl.curves[f.ID], curves[i] = v, v
	}
	return curves
}

// unplanned is the rung of a feed that no plan had yet.
const unplanned = rung(math.MinInt32)

// costsAs says whether two feeds have the same curve.
func (f *Feed) costsAs(g *Feed) bool {
	return f.MinGap == g.MinGap && f.MaxGap == g.MaxGap && slices.Equal(f.Forbidden, g.Forbidden) &&
		f.Price == g.Price && f.Window == g.Window && f.LossWeight == g.LossWeight &&
		slices.Equal(f.Prices, g.Prices) && slices.Equal(f.Posting, g.Posting)
}

func (f *Feed) clone() *Feed {
	g := *f
	g.Posting, g.Prices = slices.Clone(f.Posting), slices.Clone(f.Prices)
	g.Forbidden = slices.Clone(f.Forbidden)
	return &g
}

// charge is what a feed's fetches cost beside the delay.
func (pl *Planner) charge(f *Feed) charges {
	c := charges{price: f.Price, prices: f.Prices, window: f.Window, weight: f.LossWeight}
	if f.Window > 0 && f.LossWeight > 0 {
		if pl.tables[f.Window] == nil {
			if pl.tables == nil {
				pl.tables = map[int]*lossTable{}
			}
			pl.tables[f.Window] = newLossTable(f.Window)
		}
		c.table = pl.tables[f.Window]
	}
	return c
}
