package app

import "testing"

// What asks about the targets of a command stops at the first that decides it, and a selection of all makes no copy of the list.
func TestTargetsOfManySelected(t *testing.T) {
	w, _ := newTestWindow(t)
	l := w.timeline
	w.session.List.IDs = make([]int64, 100_000)
	for i := range w.session.List.IDs {
		w.session.List.IDs[i] = int64(i + 1)
	}
	l.SelectAll()
	seen := 0
	for range w.session.List.EachTarget() {
		if seen++; seen == 3 {
			break
		}
	}
	if n := testing.AllocsPerRun(5, func() { w.session.WouldMark("read") }); seen != 3 || n > 20 || len(w.session.List.Targets()) != len(w.session.List.IDs) {
		t.Errorf("%d seen, %v allocations, %d targets", seen, n, len(w.session.List.Targets()))
	}
}
