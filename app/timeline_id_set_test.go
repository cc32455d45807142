package app

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
		set, want := newIDSet(some), map[int64]bool{}
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
			if len(got) != len(want) || set.len() != len(want) || slices.ContainsFunc(got, func(id int64) bool { return !want[id] || !set.has(id) }) {
				t.Fatalf("%s: %v (%d), want %v", what, got, set.len(), want)
			}
		}
		check("new")
		for _, id := range others {
			if id%2 == 0 {
				set.add(id + 50)
				want[id+50] = true
			} else {
				set.remove(id)
				delete(want, id)
			}
		}
		check("changed")
		set.keep(newIDSet(others))
		for id := range want {
			if !slices.Contains(others, id) {
				delete(want, id)
			}
		}
		check("kept")
	}
	var none idSet
	if none.has(0) || none.has(-1) || none.len() != 0 || len(slices.Collect(none.of([]int64{0, 1}))) != 0 {
		t.Error("an empty set is not empty")
	}
}

// What asks about the targets of a command stops at the first that decides it, and a selection of all makes no copy of the list.
func TestTargetsOfManySelected(t *testing.T) {
	w, _ := newTestWindow(t)
	l := w.timeline
	l.ids = make([]int64, 100_000)
	for i := range l.ids {
		l.ids[i] = int64(i + 1)
	}
	l.selectAll()
	seen := 0
	for range l.eachTarget() {
		if seen++; seen == 3 {
			break
		}
	}
	if n := testing.AllocsPerRun(5, func() { w.actions.wouldMark("read") }); seen != 3 || n > 20 || len(l.targets()) != len(l.ids) {
		t.Errorf("%d seen, %v allocations, %d targets", seen, n, len(l.targets()))
	}
}
