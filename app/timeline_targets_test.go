package app

import "testing"

// What asks about the targets of a command stops at the first that decides it, and a selection of all makes no copy of the list.
func TestTargetsOfManySelected(t *testing.T) {
	w, _ := newTestWindow(t)
	l := w.timeline
	l.session.List.IDs = make([]int64, 100_000)
	for i := range l.session.List.IDs {
		l.session.List.IDs[i] = int64(i + 1)
	}
	l.selectAll()
	seen := 0
	for range l.session.List.EachTarget() {
		if seen++; seen == 3 {
			break
		}
	}
	if n := testing.AllocsPerRun(5, func() { w.session.WouldMark("read") }); seen != 3 || n > 20 || len(l.session.List.Targets()) != len(l.session.List.IDs) {
		t.Errorf("%d seen, %v allocations, %d targets", seen, n, len(l.session.List.Targets()))
	}
}
