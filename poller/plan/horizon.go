package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Past is what is expected to wait already at bin 0: posts since the last
// fetch, and the sum of their ages in hours.
type Past struct{ Posts, Age float64 }

// Horizon is a feed's coming hours: not a circle but a line from the last fetch,
// somewhere before bin 0, to a closing fetch that is fixed. Fill the exported
// fields and call NewHorizon. Bins asked about are those up to Last, and End.
// Cheapest is not for several goroutines at once.
type Horizon struct {
	Bin             float64   // hours per bin
	Access, Posting []float64 // 1/h from bin 0 on, no shorter than End
	Past            Past
	Since           int                // bins from the real last fetch to bin 0; only MaxGap asks
	First, Last     int                // the earliest and the latest bin allowed; Last 0: the one before End
	End             int                // the bin of the closing fetch, itself not among the instants
	MinGap, MaxGap  int                // bins, 0 none
	Forbidden       func(bin int) bool // nil: none

	sums  Costs
	graph circle // over the allowed bins and End
	links links  // of Cheapest
}

// NewHorizon prepares a horizon in O(End) time and O(Last) memory. Errors are
// sentences about its fields.
func NewHorizon(h Horizon) (*Horizon, error) {
	n := new(Horizon)
	if err := n.Renew(h); err != nil {
		return nil, err
	}
	return n, nil
}

// Renew is NewHorizon in the memory of one that is no longer needed.
func (h *Horizon) Renew(next Horizon) error {
	if err := next.check(); err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	next.sums, next.graph, next.links = h.sums, h.graph, h.links
	*h = next
	if h.Last == 0 || h.Last >= h.End {
		h.Last = h.End - 1
	}
	h.sums.line(h.Access, h.Posting, h.Bin, h.Last, h.End)
	h.load()
	return nil
}

func (h *Horizon) check() error {
	switch {
	case !(h.Bin > 0) || math.IsInf(h.Bin, 0):
		return fmt.Errorf("a bin must be a positive number of hours, not %v", h.Bin)
	case h.End < 0 || h.End > maxBins:
		return fmt.Errorf("the horizon must end between bin 0 and %d, not at %d", maxBins, h.End)
	case len(h.Access) < h.End || len(h.Posting) < h.End:
		return fmt.Errorf("the rates have %d and %d bins, the horizon %d", len(h.Access), len(h.Posting), h.End)
	case h.First < 0 || h.Last < 0:
		return fmt.Errorf("the bins allowed are %d to %d", h.First, h.Last)
	case !amount(h.Past.Posts) || !amount(h.Past.Age):
		return fmt.Errorf("what waits already must be 0 or more, not %v posts of %v h", h.Past.Posts, h.Past.Age)
	case h.MinGap < 0 || h.MaxGap < 0 || h.Since < 0:
		return errors.New("gaps must be 0 or more bins")
	case h.MaxGap > 0 && h.MinGap > h.MaxGap:
		return fmt.Errorf("the shortest gap, %d bins, is longer than the longest, %d", h.MinGap, h.MaxGap)
	}
	if err := rates(h.Access[:h.End]); err != nil {
		return fmt.Errorf("the access rate: %w", err)
	}
	if err := rates(h.Posting[:h.End]); err != nil {
		return fmt.Errorf("the posting rate: %w", err)
	}
	return nil
}

// load builds the graph: the allowed bins and the closing one.
func (h *Horizon) load() {
	g := &h.graph
	g.pos = slices.Grow(g.pos[:0], max(0, h.Last+1-h.First)+1)
	for j := h.First; j <= h.Last; j++ {
		if h.Forbidden == nil || !h.Forbidden(j) {
			g.pos = append(g.pos, j)
		}
	}
	g.k = len(g.pos)
	g.pos = append(g.pos, h.End)
	c := &h.sums
	size := len(g.pos)
	g.p0, g.p1 = resize(g.p0, size), resize(g.p1, size)
	g.a, g.b, g.c = resize(g.a, size), resize(g.b, size), resize(g.c, size)
	for i, j := range g.pos {
		j = h.index(j)
		g.p0[i], g.p1[i], g.a[i], g.b[i], g.c[i] = c.p0[j], c.p1[j], c.a[j], c.b[j], c.c[j]
	}
	g.penalty, g.charged = nil, false
	if h.MinGap > 1 || h.MaxGap > 0 {
		g.penalty = h.rules().penalties(h.End+h.Since, h.first(h.End))
		g.charged = g.penalty != nil
	}
}

func (h *Horizon) rules() *bounds { return &bounds{min: h.MinGap, max: h.MaxGap} }

// index is where the sums of a bin stand: beyond Last there is only End.
func (h *Horizon) index(bin int) int { return min(bin, h.Last+1) }

// first is the cost of the gap from the real last fetch to bin b.
func (h *Horizon) first(b int) float64 {
	b = h.index(b)
	return h.sums.a[b] + h.Past.Posts*h.sums.b[b] + h.Past.Age*h.sums.c[b]
}

// gap is the cost of a gap; a < 0 is the real last fetch.
func (h *Horizon) gap(a, b int) float64 {
	if a < 0 {
		return h.first(b)
	}
	return h.sums.at(h.index(a), h.index(b))
}

// fits says whether instants are allowed, ascending and no nearer to each other
// and to the end than the shortest gap.
func (h *Horizon) fits(at []int) bool {
	for i, s := range at {
		next := h.End
		if i+1 < len(at) {
			next = at[i+1]
		}
		if s < h.First || s > h.Last || next-s < max(1, h.MinGap) || h.Forbidden != nil && h.Forbidden(s) {
			return false
		}
	}
	return true
}

// Delay is the delay in hours over the accesses from bin 0 to End if the feed is
// fetched at the given ascending bins.
func (h *Horizon) Delay(at []int) float64 {
	d, last := 0.0, -1
	for _, s := range at {
		d += h.gap(last, s)
		last = s
	}
	return d + h.gap(last, h.End)
}

// Value is what a fetch at s saves between its neighbours, in hours of delay:
// c(prev,next) − c(prev,s) − c(s,next); prev < 0 means the real last fetch. That
// difference is the delay between the posts before s and the accesses after it.
func (h *Horizon) Value(prev, s, next int) float64 {
	c := &h.sums
	p0, p1 := h.before(prev)
	s, next = h.index(s), h.index(next)
	v := (c.p0[s]-p0)*(c.b[next]-c.b[s]) - (c.p1[s]-p1)*(c.c[next]-c.c[s])
	return max(0, v)
}

// Saves is the Value of the i-th of ascending instants between those beside it.
func (h *Horizon) Saves(at []int, i int) float64 {
	prev, next := -1, h.End
	if i > 0 {
		prev = at[i-1]
	}
	if i+1 < len(at) {
		next = at[i+1]
	}
	return h.Value(prev, at[i], next)
}

// before is the sums at a fetch; what waits at bin 0 counts as posted before it.
func (h *Horizon) before(prev int) (p0, p1 float64) {
	if prev < 0 {
		return -h.Past.Posts, h.Past.Age
	}
	prev = h.index(prev)
	return h.sums.p0[prev], h.sums.p1[prev]
}

// Waiting is what waits at s, in posts and the sum of their ages in hours, if the
// last fetch was at prev (< 0: the real last fetch). Its Age is what one access at s
// would wait for.
func (h *Horizon) Waiting(prev, s int) Past {
	p0, p1 := h.before(prev)
	i := h.index(s)
	posts := h.sums.p0[i] - p0
	return Past{Posts: max(0, posts), Age: max(0, float64(s)*h.Bin*posts-(h.sums.p1[i]-p1))}
}

// Expect is the number of posts a fetch at s is expected to bring.
func (h *Horizon) Expect(prev, s int) (posts float64) { return h.Waiting(prev, s).Posts }

// NextAccess is the reading a fetch at s is for: the bin by whose end it is as
// likely as not that the user has come since s, the median of the next access. It
// answers a fetch in the small hours with the morning's reading and one at noon with
// a time soon after. It is not ok where the rates given do not reach so far.
func (h *Horizon) NextAccess(s int) (bin int, ok bool) {
	expected := 0.0
	for j := max(0, s); j < len(h.Access); j++ {
		if expected += h.Access[j] * h.Bin; expected >= math.Ln2 {
			return j, true
		}
	}
	return 0, false
}

// keepWithin is the share of the delay that is not worth moving instants for.
const keepWithin = 0.01

// Keep spares the instants of the best path moves that save next to nothing: each
// goes back to the old instant next to it as long as the delay stays within 1 % of
// the best. Both are ascending; so is the result, which keeps what the horizon
// asks for.
func (h *Horizon) Keep(old, best []int) []int {
	cur := slices.Clone(best)
	room := keepWithin * h.Delay(best)
	for _, p := range pairs(old, best) {
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
		if loss > room || !h.fits(cur) || h.stretched(prev, p.old, next) {
			cur[i] = was
			continue
		}
		room -= loss
	}
	return cur
}

// stretched says whether a gap beside s is longer than allowed.
func (h *Horizon) stretched(prev, s, next int) bool {
	if prev < 0 {
		prev = -h.Since
	}
	return h.MaxGap > 0 && (s-prev > h.MaxGap || next-s > h.MaxGap)
}

type pair struct{ best, old int }

// pairs matches each instant of best with the old one nearest to it, if that is
// not nearer to another; the closest pairs first.
func pairs(old, best []int) []pair {
	var ps []pair
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
	seen := make(map[int]bool, len(best))
	return slices.DeleteFunc(ps, func(p pair) bool {
		twice := seen[p.best]
		seen[p.best] = true
		return twice
	})
}

func abs(x int) int { return max(x, -x) }
