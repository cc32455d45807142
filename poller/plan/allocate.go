package plan

import (
	"container/heap"
	"math"
)

// grant is what the budget buys.
type grant struct {
	rung    []rung
	saving  []float64 // of the last step of each, per fetch
	price   float64
	refused float64 // the best saving per fetch not paid for
	spent   float64 // fetches a period
}

// maxEvery is the longest cycle planned; a budget that would need a longer one
// plans nothing.
const maxEvery = 10000

// tiny is what rounding may add to sums of frequencies.
const tiny = 1e-9

// starts is where every feed stands before the first step: at its base if the
// budget reaches, else at one every k periods with the smallest k that fits.
func starts(budget float64, feeds []bounds) (at []rung, starved, ok bool) {
	limit := func(k int) rung {
		if k == 0 {
			return math.MaxInt
		}
		return everyRung(k)
	}
	fits := func(k int) bool {
		sum := 0.0
		for i := range feeds {
			sum += min(feeds[i].base, limit(k)).frequency()
		}
		return sum <= budget+tiny
	}
	if !fits(maxEvery) {
		return nil, true, false
	}
	lo, hi := 0, maxEvery // at 0 every feed stands at its base
	for lo < hi {
		if mid := (lo + hi) / 2; fits(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	at = make([]rung, len(feeds))
	for i := range at {
		at[i] = min(feeds[i].base, limit(lo))
	}
	return at, lo > 0, true
}

// allocate climbs the ladder from the starts by marginal analysis (Fox 1966):
// the step that saves most per fetch first, one that does not fit left for the
// next that does. As the cost is convex in the frequency this is the best split of
// the budget. Minima come before everything else.
func allocate(budget float64, feeds []bounds, from []rung, starved bool, cost costOf) grant {
	g := grant{rung: append([]rung(nil), from...), saving: make([]float64, len(from))}
	for i, r := range from {
		g.spent += r.frequency()
		g.saving[i] = (cost(i, r-1) - cost(i, r)) / (r - 1).step()
	}
	c := climb{grant: &g, budget: budget, cost: cost}
	if starved {
		c.idle, c.limit = true, func(i int) rung { return feeds[i].base }
		c.run()
	}
	c.idle, c.limit = false, func(i int) rung { return feeds[i].top }
	c.run()
	return g
}

// costOf is the weighted cost of a feed at a rung, per period.
type costOf func(feed int, r rung) float64

// climb grants steps up to a limit.
type climb struct {
	*grant
	budget float64
	cost   costOf
	idle   bool // steps that save nothing count, too
	limit  func(feed int) rung
	offers steps
}

func (c *climb) run() {
	c.offers = c.offers[:0]
	for i := range c.rung {
		if s, ok := c.offer(i); ok {
			c.offers = append(c.offers, s)
		}
	}
	heap.Init(&c.offers)
	paid, refused := math.Inf(1), 0.0
	for len(c.offers) > 0 {
		s := c.offers[0]
		more := false
		if c.buy(s) {
			paid = s.saving
			c.offers[0], more = c.offer(s.feed)
		} else {
			refused = max(refused, s.saving)
		}
		if more {
			heap.Fix(&c.offers, 0)
		} else {
			heap.Pop(&c.offers)
		}
	}
	c.settle(paid, refused)
}

// offer is the next step of a feed.
func (c *climb) offer(i int) (s step, ok bool) {
	r := c.rung[i]
	if r >= c.limit(i) {
		return step{}, false
	}
	here := c.cost(i, r)
	s = step{feed: i, saving: (here - c.cost(i, r+1)) / r.step()}
	return s, c.idle || s.saving > noise*here
}

// noise is the share of a feed's cost below which a saving is rounding.
const noise = 1e-11

func (c *climb) buy(s step) bool {
	price := c.rung[s.feed].step()
	if c.spent+price > c.budget+tiny {
		return false
	}
	c.spent += price
	c.rung[s.feed]++
	c.saving[s.feed] = s.saving
	return true
}

// settle sets the price: what the last step paid for saved. Where the budget paid
// for minima only it is what the best step refused would have; where nothing worth
// having was refused, 0.
func (c *climb) settle(paid, refused float64) {
	c.refused = refused
	switch {
	case refused <= 0:
		c.price = 0
	case !math.IsInf(paid, 1):
		c.price = paid
	case c.price == 0:
		c.price = refused
	}
}

type step struct {
	feed   int
	saving float64 // per fetch
}

// steps is a heap: the greatest saving first, of equal ones the earlier feed.
type steps []step

func (h steps) Len() int { return len(h) }
func (h steps) Less(i, j int) bool {
	return h[i].saving > h[j].saving || h[i].saving == h[j].saving && h[i].feed < h[j].feed
}
func (h steps) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *steps) Push(x any)   { *h = append(*h, x.(step)) }
func (h *steps) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
