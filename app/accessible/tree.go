package accessible

import "image"

// Tree is what the window shows at one moment. It does not change once it is handed to a Service.
type Tree struct {
	Nodes  map[ID]*Node // with the frame at FrameID
	Focus  ID           // which node has the keyboard; 0 if none
	Origin image.Point  // of the window on the screen in pixels, if it is known
}

// Parents is the parent of each node that can be reached from the frame, the frame itself left out. A node that is
// named as a child twice belongs to the first that names it.
func (t *Tree) Parents() map[ID]ID {
	parents := make(map[ID]ID, len(t.Nodes))
	t.Walk(func(n *Node, parent ID) {
		if parent != 0 {
			parents[n.ID] = parent
		}
	})
	return parents
}

// Walk calls visit for each node that can be reached from the frame once, a parent before its children, in the order
// of reading. Children that are missing in Nodes are passed over.
func (t *Tree) Walk(visit func(n *Node, parent ID)) {
	seen := make(map[ID]bool, len(t.Nodes))
	var walk func(id, parent ID)
	walk = func(id, parent ID) {
		n := t.Nodes[id]
		if n == nil || seen[id] {
			return
		}
		seen[id] = true
		visit(n, parent)
		for _, child := range n.Children {
			walk(child, id)
		}
	}
	walk(FrameID, 0)
}
