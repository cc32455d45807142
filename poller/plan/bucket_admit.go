package plan

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// PlannedFetch is a planned fetch with its value.
type PlannedFetch struct {
	At    time.Time
	Value float64 // hours of delay that it saves
}

// Admit chooses the planned fetches that the bucket can pay for when their time comes and that
// together save the most: whenever it does not reach, the least valuable fetch up to then is
// dropped. The result says for each offer, in the order given, whether it is admitted. (The sets
// that a bucket can pay for form a matroid, so the greedy choice is exact.) Of equal values the
// later fetch is dropped, of equal times the one given later. O(n log n).
func (b Bucket) Admit(offers []PlannedFetch) []bool {
	admitted := make([]bool, len(offers))
	if b.PerDay <= 0 {
		return admitted
	}
	order := make([]int, len(offers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return offers[i].At.Compare(offers[j].At) })
	chosen := leastValuableFirst{offers: offers}
	for _, i := range order {
		b = b.AsOf(latest(b.At, offers[i].At)).Spend(1)
		admitted[i] = true
		heap.Push(&chosen, i)
		if b.Level() < -roundingSlack {
			admitted[heap.Pop(&chosen).(int)] = false
			b = b.Spend(-1)
		}
	}
	return admitted
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// leastValuableFirst is a heap of offers.
type leastValuableFirst struct {
	offers []PlannedFetch
	at     []int
}

func (c *leastValuableFirst) Len() int { return len(c.at) }
func (c *leastValuableFirst) Less(i, j int) bool {
	a, b := c.offers[c.at[i]], c.offers[c.at[j]]
	return cmp.Or(cmp.Compare(a.Value, b.Value), b.At.Compare(a.At), cmp.Compare(c.at[j], c.at[i])) < 0
}
func (c *leastValuableFirst) Swap(i, j int) { c.at[i], c.at[j] = c.at[j], c.at[i] }
func (c *leastValuableFirst) Push(x any)    { c.at = append(c.at, x.(int)) }
func (c *leastValuableFirst) Pop() any {
	last := c.at[len(c.at)-1]
	c.at = c.at[:len(c.at)-1]
	return last
}
