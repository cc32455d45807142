package dispatch

import (
	"container/heap"
	"time"
)

// group is a group of hosts that is being asked, or was a moment ago, and the tasks that
// wait for it.
type group struct {
	name   string
	tasks  []Task     // in the order in which they begin
	freeAt time.Time  // the end of the space after its last request
	heap   *groupHeap // the one it is in; nil while one of its tasks runs
	index  int        // in the heap
}

// groupHeap is a heap of groups.
type groupHeap struct {
	all  []*group
	less func(a, b *group) bool
}

func (h *groupHeap) add(g *group) {
	g.heap = h
	heap.Push(h, g)
}

// takeFirst removes and returns the least group.
func (h *groupHeap) takeFirst() *group {
	g := heap.Pop(h).(*group)
	g.heap = nil
	return g
}

// fix restores the order after a change to a group.
func (h *groupHeap) fix(g *group) { heap.Fix(h, g.index) }

// Len and the following are heap.Interface.
func (h *groupHeap) Len() int           { return len(h.all) }
func (h *groupHeap) Less(i, j int) bool { return h.less(h.all[i], h.all[j]) }

func (h *groupHeap) Swap(i, j int) {
	h.all[i], h.all[j] = h.all[j], h.all[i]
	h.all[i].index, h.all[j].index = i, j
}

func (h *groupHeap) Push(g any) {
	g.(*group).index = len(h.all)
	h.all = append(h.all, g.(*group))
}

func (h *groupHeap) Pop() any {
	last := len(h.all) - 1
	g := h.all[last]
	h.all[last] = nil
	h.all = h.all[:last]
	return g
}
