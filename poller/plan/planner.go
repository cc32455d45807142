package plan

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
)

// Planner solves problems one after another and keeps the cost curves of the last one: as long as
// the access rate and a feed's posting rate and restrictions stay the same, its schedules are not
// searched again, even if its weight, the budget or other feeds change. The result is that of a
// fresh Solve. Feeds are recognised by their ID. The zero Planner is ready to use; it must not be
// used by several goroutines at once.
type Planner struct {
	objective  objective
	period     float64
	access     []float64
	curves     map[int64]*curve // by feed; of methods without a law
	tables     map[int]*lossTable
	workspaces []workspace // one per worker
}

// Solve plans all feeds by a method, as the package's Solve does.
func (pl *Planner) Solve(ctx context.Context, p Problem, m Method) (Result, error) {
	spec, ok := methodSpecs[m]
	if !ok {
		return Result{}, fmt.Errorf("plan: unknown method %q", m)
	}
	if err := p.check(); err != nil {
		return Result{}, err
	}
	for len(pl.workspaces) < min(runtime.GOMAXPROCS(0), len(p.Feeds)) {
		pl.workspaces = append(pl.workspaces, workspace{})
	}
	s := &solver{p: &p, method: m, spec: spec, workspaces: pl.workspaces}
	if spec.law == nil {
		s.curves = pl.curvesFor(&p, spec.objective, m == Exact)
	}
	s.findBounds()
	if !s.findStart() {
		return s.emptyResult(), ctx.Err()
	}
	return s.solve(ctx)
}

// curvesFor returns the curve of every feed, emptied if its input has changed, and drops all
// others.
func (pl *Planner) curvesFor(p *Problem, o objective, charged bool) []*curve {
	same := pl.objective == o && pl.period == p.Period && slices.Equal(pl.access, p.Access)
	if !same {
		pl.objective, pl.period, pl.access = o, p.Period, slices.Clone(p.Access)
	}
	old := pl.curves
	pl.curves = make(map[int64]*curve, len(p.Feeds))
	curves := make([]*curve, len(p.Feeds))
	all := allBins(len(p.Access))
	for i := range p.Feeds {
		f := &p.Feeds[i]
		v := old[f.ID]
		delete(old, f.ID) // only one of two feeds with the same ID can have it
		if v == nil {
			v = &curve{from: unplanned, wanted: unplanned}
		}
		if !same || v.feed == nil || !v.feed.sameCurve(f) {
			f = f.clone()
			v.feed, v.from = f, unplanned
			v.curveInput = curveInput{objective: o, period: p.Period, access: pl.access, posting: f.Posting,
				bounds: newBounds(f, all, p.Period)}
			if charged {
				v.charges = pl.chargesOf(f)
			}
		}
		pl.curves[f.ID], curves[i] = v, v
	}
	return curves
}

// unplanned is the first rung of an empty curve.
const unplanned = rung(math.MinInt32)

// sameCurve reports whether two feeds have the same cost curve under one access rate.
func (f *Feed) sameCurve(g *Feed) bool {
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

// chargesOf returns what a feed's fetches cost besides the delay.
func (pl *Planner) chargesOf(f *Feed) charges {
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
