package plan

import (
	"container/heap"
	"math"
)

// grant is the frequencies that a budget pays for.
type grant struct {
	rung    []rung    // by feed
	saving  []float64 // by feed, per unit of cost of its last step
	price   float64
	paid    float64   // the saving per unit of cost of the last step paid for, infinite if there was none
	refused float64   // the best saving per unit of cost that was not paid for
	spent   float64   // cost per period
	hosts   hostLoads // of hosts with a limit
}

// maxEvery is the longest cycle, in periods; a budget that would need a longer one plans nothing.
const maxEvery = 10000

// roundingSlack is the largest rounding error in sums of frequencies.
const roundingSlack = 1e-9

// startRungs returns every feed's rung before the first step: its base if the budget reaches, else
// one fetch every k periods with the smallest k that fits, and starved is set. ok is false if no
// k up to maxEvery fits.
func startRungs(budget float64, feeds []bounds) (at []rung, starved, ok bool) {
	limit := func(k int) rung {
		if k == 0 {
			return math.MaxInt
		}
		return everyRung(k)
	}
	fits := func(k int) bool {
		sum := 0.0
		for i := range feeds {
			sum += feeds[i].spends(min(feeds[i].base, limit(k)))
		}
		return sum <= budget+roundingSlack
	}
	if !fits(maxEvery) {
		return nil, true, false
	}
	lo, hi := 0, maxEvery // k = 0: every feed is at its base
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

// allocate climbs the ladder from the start rungs by marginal analysis (Fox 1966): it grants the
// step that saves most per unit of cost first, and skips one that does not fit for the next that does.
// As a feed's delay is convex in its frequency, this is the best split of what it spends up to the first step that
// does not fit, and within grant.refused times what was left then of the best split of the budget. Base rungs come
// before everything else. A step for which the feed's host has no room is left out whatever it saves.
func allocate(budget float64, feeds []bounds, from []rung, starved bool, cost costOf) grant {
	g := grant{rung: append([]rung(nil), from...), saving: make([]float64, len(from)), hosts: hostLoads{}}
	for i, r := range from {
		g.spent += feeds[i].spends(r)
		g.hosts.add(&feeds[i], r.frequency())
		g.saving[i] = (cost(i, r-1) - cost(i, r)) / feeds[i].step(r-1)
	}
	c := climb{grant: &g, feeds: feeds, budget: budget, cost: cost}
	if starved {
		c.takeUseless, c.limit = true, func(i int) rung { return feeds[i].base }
		c.run()
	}
	c.takeUseless, c.limit = false, func(i int) rung { return feeds[i].top }
	c.run()
	return g
}

// costOf returns the weighted cost of a feed at a rung, per period.
type costOf func(feed int, r rung) float64

// climb grants steps up to a limit.
type climb struct {
	*grant
	feeds       []bounds
	budget      float64
	cost        costOf
	takeUseless bool // also grant steps that save nothing
	limit       func(feed int) rung
	candidates  stepHeap
}

func (c *climb) run() {
	c.candidates = c.candidates[:0]
	for i := range c.rung {
		if s, ok := c.nextStep(i); ok {
			c.candidates = append(c.candidates, s)
		}
	}
	heap.Init(&c.candidates)
	paid, refused := math.Inf(1), 0.0
	for len(c.candidates) > 0 {
		s := c.candidates[0]
		more := false
		b := &c.feeds[s.feed]
		switch sent := c.rung[s.feed].step(); {
		case !c.hosts.admits(b, sent, s.saving): // whatever the budget
		case c.take(s):
			c.hosts.add(b, sent)
			paid = s.saving
			c.candidates[0], more = c.nextStep(s.feed)
		default:
			refused = max(refused, s.saving)
		}
		if more {
			heap.Fix(&c.candidates, 0)
		} else {
			heap.Pop(&c.candidates)
		}
	}
	c.setPrice(paid, refused)
}

// nextStep returns the next step of a feed; ok is false at its limit or if it saves nothing.
func (c *climb) nextStep(i int) (s step, ok bool) {
	r := c.rung[i]
	if r >= c.limit(i) {
		return step{}, false
	}
	here := c.cost(i, r)
	s = step{feed: i, saving: (here - c.cost(i, r+1)) / c.feeds[i].step(r)}
	return s, c.takeUseless || s.saving > negligible*here
}

// negligible is the share of a feed's cost below which a saving is rounding.
const negligible = 1e-11

// take grants a step if the budget reaches.
func (c *climb) take(s step) bool {
	price := c.feeds[s.feed].step(c.rung[s.feed])
	if c.spent+price > c.budget+roundingSlack {
		return false
	}
	c.spent += price
	c.rung[s.feed]++
	c.saving[s.feed] = s.saving
	return true
}

// setPrice sets the price: the saving of the last step paid for. If the budget paid for base rungs
// only, it is that of the best step refused; if no step that saves anything was refused, 0.
func (c *climb) setPrice(paid, refused float64) {
	c.paid, c.refused = paid, refused
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
	saving float64 // per unit of cost
}

// stepHeap has the greatest saving first, of equal ones the earlier feed.
type stepHeap []step

func (h stepHeap) Len() int { return len(h) }
func (h stepHeap) Less(i, j int) bool {
	return h[i].saving > h[j].saving || h[i].saving == h[j].saving && h[i].feed < h[j].feed
}
func (h stepHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *stepHeap) Push(x any)   { *h = append(*h, x.(step)) }
func (h *stepHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
