package plan

import "context"

// A certificate says how far a split may be from the best one. By duality, for any price μ ≥ 0
//
//	L(μ) = Σ_i min_m (w_i V_i(m) + μ c_i m) − μ M
//
// bounds from below what any cycles cost that keep the budget M under these rates, on these bins and above the same
// floors: V_i is the best cost of feed i at the rung m, and c_i what a fetch of it costs. At the price of a split its
// distance to L is the budget that was left over, at that price, and what rounding to rungs loses. Plans that are made
// again as events come can do better than any fixed cycle.

// certify returns the value of a grant, in the objective's unit a period, and a lower bound of that of any other.
func (s *solver) certify(ctx context.Context, g *grant) (value, bound float64, err error) {
	least := make([]float64, len(g.rung))
	err = s.parallel(ctx, len(g.rung), func(w *workspace, i int) {
		v, weight, b := s.curves[i], s.p.Feeds[i].Weight, &s.bounds[i]
		r := g.rung[i]
		for r < b.top {
			w.extend(v, r+1)
			if weight*v.saving(r+1) <= g.price*b.fetchCost {
				break
			}
			r++
		}
		for r > s.from[i] {
			if r-1 <= v.from {
				w.extendDown(v, r-2)
			}
			if weight*v.saving(r) >= g.price*b.fetchCost {
				break
			}
			r--
		}
		least[i] = weight*v.at(r).value + g.price*b.spends(r)
	})
	for i, r := range g.rung {
		value += s.p.Feeds[i].Weight * s.curves[i].at(r).value
		bound += least[i]
	}
	return value, min(value, bound-g.price*s.p.Budget), err // the bound is not above it but by rounding
}
