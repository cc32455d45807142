package plan

import (
	"cmp"
	"slices"
	"time"
)

// PlannedFetch is a planned fetch with its value.
type PlannedFetch struct {
	At    time.Time
	Value float64 // hours of delay that it saves, per unit of cost
	Cost  float64 // that it takes out of the bucket; 0: 1
}

// Admit chooses the planned fetches that the bucket can pay for when their time comes and that
// together save the most: whenever it does not reach, the least valuable fetch up to then is
// dropped. The result says for each offer, in the order given, whether it is admitted. (The sets
// that a bucket can pay for form a matroid if all cost the same, so the greedy choice is exact. Of those that cost more or less
// the least valuable are dropped, too.) Of equal values the
// later fetch is dropped, of equal times the one given later. O(n log n).
func (b Bucket) Admit(offers []PlannedFetch) []bool {
	admitted := make([]bool, len(offers))
	if b.PerDay <= 0 {
		return admitted
	}
	order := make([]timed, len(offers))
	for i := range order {
		order[i] = timed{offers[i].At.UnixNano(), i}
	}
	slices.SortFunc(order, func(a, b timed) int {
		if a.at != b.at {
			return cmp.Compare(a.at, b.at)
		}
		return a.offer - b.offer
	})
	chosen := make(leastValuableFirst, 0, len(offers))
	for rank, t := range order {
		o := &offers[t.offer]
		b = b.AsOf(latest(b.At, o.At)).Spend(b.needs(o.cost()))
		admitted[t.offer] = true
		chosen.push(ranked{o.Value, rank})
		for b.Level() < -roundingSlack && len(chosen) > 0 {
			dropped := order[chosen.pop()].offer
			admitted[dropped] = false
			b = b.Spend(-b.needs(offers[dropped].cost()))
		}
	}
	return admitted
}

func (f *PlannedFetch) cost() float64 { return costOrOne(f.Cost) }

// timed is an offer by its time, Unix nanoseconds.
type timed struct {
	at    int64
	offer int
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// ranked is an offer by its place in the order of time.
type ranked struct {
	value float64
	rank  int
}

func (r ranked) before(o ranked) bool {
	return r.value < o.value || r.value == o.value && r.rank > o.rank
}

// leastValuableFirst is a binary heap of offers, of equal ones the later first: container/heap would
// allocate each of them.
type leastValuableFirst []ranked

func (h *leastValuableFirst) push(r ranked) {
	*h = append(*h, r)
	all, k := *h, len(*h)-1
	for up := (k - 1) / 2; k > 0 && r.before(all[up]); k, up = up, (up-1)/2 {
		all[k] = all[up]
	}
	all[k] = r
}

// pop removes the first and returns its rank.
func (h *leastValuableFirst) pop() (rank int) {
	all := *h
	rank = all[0].rank
	last := all[len(all)-1]
	all = all[:len(all)-1]
	*h = all
	k := 0
	for down := 1; down < len(all); down = 2*k + 1 {
		if down+1 < len(all) && all[down+1].before(all[down]) {
			down++
		}
		if !all[down].before(last) {
			break
		}
		all[k], k = all[down], down
	}
	if len(all) > 0 {
		all[k] = last
	}
	return rank
}
