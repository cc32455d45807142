package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Backlog is what a fetch is expected to bring: the number of posts since the last fetch, and the sum of
// their ages in hours. Costs that fade need it faded: with θ as Σ e^(−age/θ), with NotReady as the number of
// posts that no access has missed.
type Backlog struct{ Posts, Age, Faded float64 }

// Horizon places a feed's fetches in the coming hours: not on a circle but on a line from the last
// fetch, before bin 0, to a closing fetch that is given. Set the exported fields and call
// NewHorizon. Methods take the bins up to Last, and End. CheapestInstants must not be called by several
// goroutines at once.
type Horizon struct {
	Bin             float64 // hours per bin
	Waiting         Waiting
	Access, Posting []float64 // 1/h from bin 0 on, no shorter than End
	Backlog         Backlog
	Since           int     // bins from the last fetch to bin 0; used for MaxGap only
	First, Last     int     // the first and the last bin allowed; Last 0: the one before End
	End             int     // the bin of the closing fetch, which is not among the results
	MinGap, MaxGap  int     // bins; 0: none
	Window          int     // posts the feed shows, as in Feed; 0: all
	LossWeight      float64 // h per post lost
	Dispersion      float64 // of the posts, as in Feed
	Allowed         []int   // bins, ascending, of which those from First to Last count; nil: all

	sums Costs
	loss *lossTable // nil: losses do not count
	bins graph      // over the allowed bins and End
	path pathSearch // of CheapestInstants
}

// Renew prepares a horizon in O(End) time and O(Last) memory, with the memory of h. Its errors say what is wrong with the fields.
func (h *Horizon) Renew(next Horizon) error {
	if err := next.check(); err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	next.sums, next.bins, next.path = h.sums, h.bins, h.path
	*h = next
	if h.Last == 0 || h.Last >= h.End {
		h.Last = h.End - 1
	}
	h.sums.line(h.Waiting, h.Access, h.Posting, h.Bin, h.Last, h.End)
	h.loadLoss()
	h.load()
	return nil
}

// loadLoss sets up what losses cost, unless even the longest gap loses next to nothing.
func (h *Horizon) loadLoss() {
	h.loss = nil
	if h.Window == 0 || h.LossWeight == 0 {
		return
	}
	all, table := h.Backlog.Posts+h.sums.p0[h.Last+1], lossTableOf(lossesOf(h.Window, h.Dispersion))
	if h.LossWeight*table.at(all) > negligible*h.firstGap(h.End) {
		h.loss = table
	}
}

func (h *Horizon) check() error {
	switch {
	case !(h.Bin > 0) || math.IsInf(h.Bin, 0):
		return fmt.Errorf("a bin must be a positive finite number of hours, not %v", h.Bin)
	case h.End < 0 || h.End > maxBins:
		return fmt.Errorf("the horizon must end between bins 0 and %d, not at %d", maxBins, h.End)
	case len(h.Access) < h.End || len(h.Posting) < h.End:
		return fmt.Errorf("the rates have %d and %d bins, fewer than the %d of the horizon", len(h.Access), len(h.Posting), h.End)
	case h.First < 0 || h.Last < 0:
		return fmt.Errorf("the first and last bin must be 0 or more, not %d and %d", h.First, h.Last)
	case !finiteNonNegative(h.Backlog.Posts) || !finiteNonNegative(h.Backlog.Age) || !finiteNonNegative(h.Backlog.Faded):
		return fmt.Errorf("the backlog must be finite and 0 or more, not %v posts of %v h, faded %v", h.Backlog.Posts, h.Backlog.Age, h.Backlog.Faded)
	case h.Window < 0 || h.Window > MaxWindow || !finiteNonNegative(h.LossWeight) || !finiteNonNegative(h.Dispersion):
		return fmt.Errorf("the window must be 0 to %d posts and the weight of a loss and the dispersion 0 or more, not %d, %v and %v", MaxWindow, h.Window, h.LossWeight, h.Dispersion)
	case h.MinGap < 0 || h.MaxGap < 0 || h.Since < 0:
		return errors.New("gaps must be 0 bins or more")
	case h.MaxGap > 0 && h.MinGap > h.MaxGap:
		return fmt.Errorf("the shortest gap, %d bins, is longer than the longest, %d", h.MinGap, h.MaxGap)
	}
	last := h.Last
	if last == 0 {
		last = h.End
	}
	if err := h.Waiting.check(float64(last) * h.Bin); err != nil {
		return err
	}
	if err := checkRates(h.Access[:h.End]); err != nil {
		return fmt.Errorf("the access rate: %w", err)
	}
	if err := checkRates(h.Posting[:h.End]); err != nil {
		return fmt.Errorf("the posting rate: %w", err)
	}
	return nil
}

// load builds the graph: the allowed bins and the closing one.
func (h *Horizon) load() {
	g := &h.bins
	g.pos = slices.Grow(g.pos[:0], max(0, h.Last+1-h.First)+1)
	if h.Allowed == nil {
		for j := h.First; j <= h.Last; j++ {
			g.pos = append(g.pos, j)
		}
	} else {
		from, _ := slices.BinarySearch(h.Allowed, h.First)
		to, _ := slices.BinarySearch(h.Allowed, h.Last+1)
		g.pos = append(g.pos, h.Allowed[from:max(from, to)]...)
	}
	g.lap = len(g.pos)
	g.pos = append(g.pos, h.End)
	c := &h.sums
	size := len(g.pos)
	g.p0, g.y = resize(g.p0, size), resize(g.y, size)
	g.a, g.b, g.c = resize(g.a, size), resize(g.b, size), resize(g.c, size)
	for i, j := range g.pos {
		j = h.sumIndex(j)
		g.p0[i], g.y[i], g.a[i], g.b[i], g.c[i] = c.p0[j], c.y[j], c.a[j], c.b[j], c.c[j]
	}
	g.loss, g.lossWeight = h.loss, h.LossWeight
}

// sumIndex returns the index of a bin's sums: beyond Last there is only End.
func (h *Horizon) sumIndex(bin int) int { return min(bin, h.Last+1) }

// firstGap returns the cost of the gap from the last fetch to bin b.
func (h *Horizon) firstGap(b int) float64 {
	b = h.sumIndex(b)
	d := h.sums.a[b] + h.Backlog.Posts*h.sums.b[b] + h.backlogY()*(h.sums.c[b]-h.sums.c[0])
	return d + h.lossOf(h.sums.p0[b]+h.Backlog.Posts)
}

// backlogY is Y at the last fetch: the backlog at bin 0 counts as posted before it.
func (h *Horizon) backlogY() float64 {
	switch w := h.Waiting; {
	case w.NotReady:
		return -h.Backlog.Faded * math.Exp(-h.sums.faded.middle)
	case w.Fade > 0:
		return -w.Fade * h.Backlog.Faded * math.Exp(-h.sums.faded.middle)
	}
	return h.Backlog.Age
}

// AccessNow returns what an access at bin 0 costs for the backlog, as long as it does not see it. With NotReady it is what the
// caller says an article counts that is seen late: whatever comes now, it was not ready.
func (h *Horizon) AccessNow(late float64) float64 {
	switch w, b := h.Waiting, h.Backlog; {
	case w.NotReady:
		return late * b.Posts
	case w.Fade > 0:
		return w.Fade * max(0, b.Posts-b.Faded)
	}
	return h.Backlog.Age
}

// lossOf returns what is lost in hours in a gap in which so many posts are expected.
func (h *Horizon) lossOf(posts float64) float64 {
	if h.loss == nil {
		return 0
	}
	return h.LossWeight * h.loss.at(posts)
}

// gap returns the cost of a gap; a < 0 is the last fetch before bin 0.
func (h *Horizon) gap(a, b int) float64 {
	if a < 0 {
		return h.firstGap(b)
	}
	a, b = h.sumIndex(a), h.sumIndex(b)
	return h.sums.at(a, b) + h.lossOf(h.sums.p0[b]-h.sums.p0[a])
}

// allows reports whether the i-th of ascending fetches is in an allowed bin, and no nearer to its neighbors and to the
// end than the shortest gap.
func (h *Horizon) allows(at []int, i int) bool {
	s, next, gap := at[i], h.End, max(1, h.MinGap)
	if i+1 < len(at) {
		next = at[i+1]
	}
	if next-s < gap || i > 0 && s-at[i-1] < gap {
		return false
	}
	_, allowed := slices.BinarySearch(h.bins.pos[:h.bins.lap], s)
	return allowed
}

// cost returns the delay in hours over the accesses from bin 0 to End, with what posts lost are
// worth, if the feed is fetched at the given ascending bins.
func (h *Horizon) cost(at []int) float64 {
	d, last := 0.0, -1
	for _, s := range at {
		d += h.gap(last, s)
		last = s
	}
	return d + h.gap(last, h.End)
}

// Value returns what a fetch at s between two others saves, in hours of delay:
// c(prev,next) − c(prev,s) − c(s,next); prev < 0 is the last fetch before bin 0. That difference
// is the delay between the posts before s and the accesses after it, and the posts that only the
// longer gap loses.
func (h *Horizon) Value(prev, s, next int) float64 {
	c := &h.sums
	p0, y := -h.Backlog.Posts, 0.0
	if prev < 0 {
		y = h.backlogY()
	} else {
		prev = h.sumIndex(prev)
		p0, y = c.p0[prev], c.y[prev]
	}
	s, next = h.sumIndex(s), h.sumIndex(next)
	v := (c.p0[s]-p0)*(c.b[next]-c.b[s]) - (c.y[s]-y)*(c.c[next]-c.c[s])
	if h.loss != nil {
		v += h.lossOf(c.p0[next]-p0) - h.lossOf(c.p0[s]-p0) - h.lossOf(c.p0[next]-c.p0[s])
	}
	return max(0, v)
}

// Saves returns the Value of the i-th of ascending fetches between its neighbors.
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

// Residual returns by how much the i-th of ascending fetches misses He–Parker (6) between its
// neighbors, as the Residual of a cycle's fetches does.
func (h *Horizon) Residual(at []int, i int) float64 {
	prev, s, next := -1, at[i], h.End
	if i > 0 {
		prev = at[i-1]
	}
	if i+1 < len(at) {
		next = at[i+1]
	}
	edge := func(rate []float64) float64 { return (rate[s] + rate[max(0, s-1)]) / 2 }
	wait := 0.0
	for j := s; j < next; j++ {
		wait += h.Access[j] * h.Bin * (float64(j-s) + 0.5) * h.Bin
	}
	return imbalance(edge(h.Access)*h.backlogAt(prev, s).Age, edge(h.Posting)*max(0, wait))
}

// sumsAt returns the sums P0 and P1 at a fetch; the backlog at bin 0 counts as posted before it.
func (h *Horizon) sumsAt(prev int) (p0, p1 float64) {
	if prev < 0 {
		return -h.Backlog.Posts, h.Backlog.Age
	}
	prev = h.sumIndex(prev)
	return h.sums.p0[prev], h.sums.p1[prev]
}

// backlogAt returns the backlog at s if the last fetch was at prev (< 0: the one before bin 0). Its
// Age is the delay of one access at s.
func (h *Horizon) backlogAt(prev, s int) Backlog {
	p0, p1 := h.sumsAt(prev)
	i := h.sumIndex(s)
	posts := h.sums.p0[i] - p0
	return Backlog{Posts: max(0, posts), Age: max(0, float64(s)*h.Bin*posts-(h.sums.p1[i]-p1))}
}

// ExpectedPosts returns the number of posts that a fetch at s is expected to bring.
func (h *Horizon) ExpectedPosts(prev, s int) (posts float64) { return h.backlogAt(prev, s).Posts }

// Expects reports whether the user is as likely as not to come within bin s.
func (h *Horizon) Expects(s int) bool { return h.Access[s]*h.Bin >= math.Ln2 }
