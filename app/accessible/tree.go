package accessible

import "image"

// Tree is what the window shows at one moment. It does not change once it is handed to a Service.
type Tree struct {
	Nodes map[ID]*Node // with the frame at FrameID
	Focus ID           // which node has the keyboard; 0 if none

	Explains map[ID]ID // what a label names, or says more of; those that stand for themselves are not in it
}

// states are what holds of a node, with Focused where the tree's Focus is while the frame is active: a window without the
// keyboard of the desktop has no focus, so that screen readers are told where it is when the window gets that again.
func (t *Tree) states(n *Node) States {
	frame := t.Nodes[FrameID]
	return n.States.With(Focused, n.ID == t.Focus && frame != nil && frame.States.Has(Active))
}

// Walk calls visit for each node that can be reached from the frame once, a parent before its children, in the order
// of reading; the frame's parent is 0. A node that is named as a child twice belongs to the first that names it;
// children that are missing in Nodes are passed over.
func (t *Tree) Walk(visit func(n *Node, parent ID)) { newShape(t).walk(FrameID, visit) }

// shape is how the nodes of a tree hang together: what is served, whatever the Children of the nodes say.
type shape struct {
	nodes    map[ID]*Node
	parent   map[ID]ID // of all that can be reached; the frame's is 0
	children map[ID][]ID
}

func newShape(t *Tree) *shape {
	s := &shape{nodes: map[ID]*Node{}, parent: map[ID]ID{}, children: map[ID][]ID{}}
	if t == nil || t.Nodes[FrameID] == nil {
		return s
	}
	s.nodes = t.Nodes
	s.parent[FrameID] = 0
	s.reach(FrameID)
	return s
}

func (s *shape) reach(id ID) {
	for _, child := range s.nodes[id].Children {
		if _, seen := s.parent[child]; seen || s.nodes[child] == nil {
			continue
		}
		s.parent[child] = id
		s.children[id] = append(s.children[id], child)
		s.reach(child)
	}
}

func (s *shape) has(id ID) bool {
	_, is := s.parent[id]
	return is
}

// walk visits id and what is below it, parents first.
func (s *shape) walk(id ID, visit func(n *Node, parent ID)) {
	if !s.has(id) {
		return
	}
	visit(s.nodes[id], s.parent[id])
	for _, child := range s.children[id] {
		s.walk(child, visit)
	}
}

// index is the place of a node among its siblings.
func (s *shape) index(id ID) int32 {
	for i, each := range s.children[s.parent[id]] {
		if each == id {
			return int32(i)
		}
	}
	return 0 // the frame is the only one
}

// at is the node that is drawn at a point: what comes later covers what comes before.
func (s *shape) at(id ID, p image.Point) ID {
	children := s.children[id]
	for i := len(children) - 1; i >= 0; i-- {
		if found := s.at(children[i], p); found != 0 {
			return found
		}
	}
	if n := s.nodes[id]; p.In(n.Shown) {
		return id
	}
	return 0
}
