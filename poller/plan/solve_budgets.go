package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// SolveBudgets plans the same feeds by Kairos or Exact under each of some budgets, ascending, in place of the
// problem's own. Each result is that of Solve; the cost curves of the feeds are worked out once for
// all. Its errors are Solve's.
func SolveBudgets(ctx context.Context, p Problem, m Method, budgets []float64) ([]Result, error) {
	if !slices.IsSorted(budgets) {
		return nil, errors.New("plan: the budgets must be ascending")
	}
	if !m.TakesCharges() {
		return nil, fmt.Errorf("plan: budgets are not compared by %q", m)
	}
	spec := methodSpecs[m]
	if m == Kairos {
		spec.objective.Waiting = p.Waiting
	}
	pl, results := new(Planner), make([]Result, len(budgets))
	pl.addWorkspaces(len(p.Feeds))
	var curves []*curve
	for k, budget := range budgets {
		q := p
		q.Budget = budget
		if err := q.check(); err != nil {
			return nil, err
		}
		if curves == nil {
			curves = pl.curvesFor(&q, spec.objective, true)
		}
		s := &solver{p: &q, method: m, spec: spec, workspaces: pl.workspaces, curves: curves}
		s.findBounds()
		var ok bool
		if s.from, s.starved, ok = startRungs(budget, s.bounds); !ok {
			results[k] = s.emptyResult()
			continue
		}
		s.start = s.from // the least budget's are the lowest, so the curves reach down to all
		var err error
		if results[k], err = s.solve(ctx); err != nil {
			return nil, err
		}
	}
	return results, nil
}
