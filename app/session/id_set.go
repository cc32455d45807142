package session

import (
	"iter"
	"math/bits"
)

// IDSet is a set of articles, a bit for each id: a map of a million ids would hold the window up for a third of a second
// while it is made, and again each time it is gone through. Its zero value is empty.
type IDSet struct {
	bits []uint64
	n    int
}

func NewIDSet(ids []int64) (s IDSet) {
	most := int64(-1)
	for _, id := range ids {
		most = max(most, id)
	}
	s.bits = make([]uint64, (most+64)/64)
	for _, id := range ids {
		s.Add(id)
	}
	return s
}

func (s *IDSet) Has(id int64) bool {
	return id >= 0 && id/64 < int64(len(s.bits)) && s.bits[id/64]>>(id%64)&1 == 1
}

func (s *IDSet) Len() int { return s.n }

func (s *IDSet) Add(id int64) {
	if missing := id/64 + 1 - int64(len(s.bits)); missing > 0 {
		s.bits = append(s.bits, make([]uint64, missing)...)
	}
	if !s.Has(id) {
		s.bits[id/64] |= 1 << (id % 64)
		s.n++
	}
}

func (s *IDSet) Remove(id int64) {
	if s.Has(id) {
		s.bits[id/64] &^= 1 << (id % 64)
		s.n--
	}
}

// keep removes what is not in another set.
func (s *IDSet) keep(other IDSet) {
	s.bits = s.bits[:min(len(s.bits), len(other.bits))]
	s.n = 0
	for i := range s.bits {
		s.bits[i] &= other.bits[i]
		s.n += bits.OnesCount64(s.bits[i])
	}
}

// of goes through those of ids that are in the set.
func (s *IDSet) of(ids []int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for _, id := range ids {
			if s.Has(id) && !yield(id) {
				return
			}
		}
	}
}
