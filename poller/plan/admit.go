package plan

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// Offer is a fetch that is planned.
type Offer struct {
	At    time.Time
	Value float64 // hours of delay it saves
}

// Admit chooses of the planned fetches those that the bucket can pay for when their
// time comes, so that they save the most together: where it does not reach, the least
// valuable of those up to then is struck. It returns which stay, in the order given.
// (What a bucket can pay for is a matroid, so being greedy is exact.) Of equal values the
// later is struck, of equal instants the one given later. O(n log n).
func (b Bucket) Admit(offers []Offer) []bool {
	stays := make([]bool, len(offers))
	if b.PerDay <= 0 {
		return stays
	}
	order := make([]int, len(offers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return offers[i].At.Compare(offers[j].At) })
	chosen := cheapFirst{offers: offers}
	for _, i := range order {
		b = b.Now(later(b.At, offers[i].At)).Spend(1)
		stays[i] = true
		heap.Push(&chosen, i)
		if b.Level() < -tiny {
			stays[heap.Pop(&chosen).(int)] = false
			b = b.Spend(-1)
		}
	}
	return stays
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// cheapFirst is a heap of offers, the least valuable first.
type cheapFirst struct {
	offers []Offer
	at     []int
}

func (c *cheapFirst) Len() int { return len(c.at) }
func (c *cheapFirst) Less(i, j int) bool {
	a, b := c.offers[c.at[i]], c.offers[c.at[j]]
	return cmp.Or(cmp.Compare(a.Value, b.Value), b.At.Compare(a.At), cmp.Compare(c.at[j], c.at[i])) < 0
}
func (c *cheapFirst) Swap(i, j int) { c.at[i], c.at[j] = c.at[j], c.at[i] }
func (c *cheapFirst) Push(x any)    { c.at = append(c.at, x.(int)) }
func (c *cheapFirst) Pop() any {
	last := c.at[len(c.at)-1]
	c.at = c.at[:len(c.at)-1]
	return last
}
