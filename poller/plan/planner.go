package plan

import (
	"context"
	"fmt"
	"runtime"
)

// Planner solves problems one after another. It remembers how often the last one had each feed
// fetched, and searches few schedules beside those; the result is that of a fresh Solve. Feeds are
// recognized by their ID. The zero Planner is ready to use; it must not be used by several
// goroutines at once.
type Planner struct {
	granted    map[int64]rung // by feed, of the last plan by a method without a law
	workspaces []workspace    // one per worker
}

// Solve plans all feeds by a method, as the package's Solve does.
func (pl *Planner) Solve(ctx context.Context, p Problem, m Method) (Result, error) {
	spec, ok := methodSpecs[m]
	if !ok {
		return Result{}, fmt.Errorf("plan: unknown method %q", m)
	}
	return pl.solve(ctx, p, m, spec)
}

// SolveFor plans all feeds for an objective, with the best split and the best schedules. Charges and Problem.Waiting do not count.
func (pl *Planner) SolveFor(ctx context.Context, p Problem, o Objective) (Result, error) {
	return pl.solve(ctx, p, "", methodSpec{objective: o})
}

func (pl *Planner) solve(ctx context.Context, p Problem, m Method, spec methodSpec) (Result, error) {
	if err := p.check(); err != nil {
		return Result{}, err
	}
	pl.addWorkspaces(len(p.Feeds))
	s := &solver{p: &p, method: m, spec: spec, workspaces: pl.workspaces}
	if m == Kairos {
		s.spec.objective.Waiting = p.Waiting
	}
	if spec.law == nil {
		s.curves = pl.curvesFor(&p, s.spec.objective, m.TakesCharges())
	}
	s.findBounds()
	if !s.findStart(pl.granted) {
		return s.emptyResult(), ctx.Err()
	}
	r, err := s.solve(ctx)
	if err == nil && s.curves != nil {
		pl.granted = grantedByFeed(&r)
	}
	return r, err
}

// addWorkspaces sees to it that there is one for each worker.
func (pl *Planner) addWorkspaces(feeds int) {
	for len(pl.workspaces) < min(runtime.GOMAXPROCS(0), feeds) {
		pl.workspaces = append(pl.workspaces, workspace{})
	}
}

// curvesFor returns a curve for every feed, with nothing worked out.
func (pl *Planner) curvesFor(p *Problem, o Objective, charged bool) []*curve {
	curves := make([]*curve, len(p.Feeds))
	all := allBins(len(p.Access))
	for i := range p.Feeds {
		f := &p.Feeds[i]
		v := &curve{curveInput: curveInput{objective: o, period: p.Period, access: p.Access, posting: f.Posting,
			bounds: newBounds(f, all, p.Period)}}
		if charged {
			v.charges = chargesOf(f)
		}
		curves[i] = v
	}
	return curves
}

// chargesOf returns what a feed's fetches cost besides the delay.
func chargesOf(f *Feed) charges {
	c := charges{price: f.Price, prices: f.Prices, losses: f.losses(), weight: f.LossWeight}
	if f.Window > 0 && f.LossWeight > 0 {
		c.table = lossTableOf(f.losses())
	}
	return c
}
