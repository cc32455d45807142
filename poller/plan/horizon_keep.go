package plan

import "slices"

// keepWithin is the share of the cost that is not worth moving fetches for.
const keepWithin = 0.01

// Keep undoes moves of fetches that save next to nothing: each fetch of the best path goes back to
// the nearest old one as long as the cost stays within 1 % of the best. Both lists are
// ascending; so is the result, which keeps the restrictions of the horizon.
func (h *Horizon) Keep(old, best []int) []int {
	cur := slices.Clone(best)
	room := keepWithin * h.cost(best)
	for _, p := range matchNearest(old, best) {
		i, was := p.best, cur[p.best]
		prev, next := -1, h.End
		if i > 0 {
			prev = cur[i-1]
		}
		if i+1 < len(cur) {
			next = cur[i+1]
		}
		if p.old == was || p.old <= prev || p.old >= next || p.old < 0 {
			continue
		}
		loss := h.gap(prev, p.old) + h.gap(p.old, next) - h.gap(prev, was) - h.gap(was, next)
		cur[i] = p.old
		if loss > room || !h.allows(cur, i) || h.gapTooLong(prev, p.old, next) {
			cur[i] = was
			continue
		}
		room -= loss
	}
	return cur
}

// gapTooLong reports whether a gap next to s is longer than allowed.
func (h *Horizon) gapTooLong(prev, s, next int) bool {
	if prev < 0 {
		prev = -h.Since
	}
	return h.MaxGap > 0 && (s-prev > h.MaxGap || next-s > h.MaxGap)
}

type pair struct{ best, old int }

// matchNearest pairs each fetch of best with the nearest old one, unless that is nearer to another
// of best; the closest pairs come first.
func matchNearest(old, best []int) []pair {
	ps := make([]pair, 0, len(old))
	for _, o := range old {
		at := -1
		for i, b := range best {
			if at < 0 || abs(b-o) < abs(best[at]-o) {
				at = i
			}
		}
		if at >= 0 {
			ps = append(ps, pair{at, o})
		}
	}
	far := func(p pair) int { return abs(best[p.best] - p.old) }
	slices.SortStableFunc(ps, func(a, b pair) int { return far(a) - far(b) })
	seen := make([]bool, len(best))
	return slices.DeleteFunc(ps, func(p pair) bool {
		twice := seen[p.best]
		seen[p.best] = true
		return twice
	})
}

func abs(x int) int { return max(x, -x) }
