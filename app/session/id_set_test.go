package session

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A set of ids does what a map of them does.
func TestIDSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func() (ids []int64) {
		for range r.IntN(40) {
			ids = append(ids, r.Int64N(300))
		}
		return ids
	}
	for range 200 {
		some, others := random(), random()
		set, want := NewIDSet(some), map[int64]bool{}
		for _, id := range some {
			want[id] = true
		}
		check := func(what string) {
			t.Helper()
			all := make([]int64, 400)
			for i := range all {
				all[i] = int64(i)
			}
			got := slices.Collect(set.of(all))
			if len(got) != len(want) || set.Len() != len(want) || slices.ContainsFunc(got, func(id int64) bool { return !want[id] || !set.Has(id) }) {
				t.Fatalf("%s: %v (%d), want %v", what, got, set.Len(), want)
			}
		}
		check("new")
		for _, id := range others {
			if id%2 == 0 {
				set.Add(id + 50)
				want[id+50] = true
			} else {
				set.Remove(id)
				delete(want, id)
			}
		}
		check("changed")
		set.keep(NewIDSet(others))
		for id := range want {
			if !slices.Contains(others, id) {
				delete(want, id)
			}
		}
		check("kept")
	}
	var none IDSet
	if none.Has(0) || none.Has(-1) || none.Len() != 0 || len(slices.Collect(none.of([]int64{0, 1}))) != 0 {
		t.Error("an empty set is not empty")
	}
}
