package describe

import (
	"cmp"
	"fmt"
	"image"
	"reflect"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/layout"

	"kairos/app/accessible"
)

// walker makes trees of a canvas. It keeps the IDs of what was in the last tree. It belongs to Fyne's goroutine.
type walker struct {
	last    accessible.ID
	ids     map[any]accessible.ID
	targets map[accessible.ID]target
}

// target is what a node of the last tree stands for.
type target struct {
	Handler
	focusable fyne.Focusable // nil: it is not focusable
	at        fyne.Position  // of the object on the canvas
	clip      area           // outside of which nothing of it is seen
}

// forget drops what is kept between trees.
func (w *walker) forget() { w.ids, w.targets = nil, nil }

// walk is one tree in the making.
type walk struct {
	*walker
	canvas fyne.Canvas
	tree   *accessible.Tree
	before map[any]accessible.ID
	focus  accessible.ID
	untold []string // types of what can have the focus, but tells nothing
}

// place is where an object stands, and what stands around it.
type place struct {
	offset            fyne.Position
	clip              area
	covered           bool   // by a dialog or a menu: it cannot have the focus
	focused           bool   // it is a part of what has the focus
	name, hint, value string // that explain what stands here
	dialog            string // its title
}

// area is a rectangle of the canvas, in units.
type area struct{ left, top, right, bottom float32 }

func areaOf(at fyne.Position, size fyne.Size) area {
	return area{at.X, at.Y, at.X + size.Width, at.Y + size.Height}
}

func (a area) intersect(b area) area {
	return area{max(a.left, b.left), max(a.top, b.top), min(a.right, b.right), min(a.bottom, b.bottom)}
}

func (a area) empty() bool { return a.left >= a.right || a.top >= a.bottom }

// snapshot makes the tree of a canvas.
func (w *walker) snapshot(c fyne.Canvas, frame accessible.Node) *accessible.Tree {
	return w.walk(c, frame).tree
}

func (w *walker) walk(c fyne.Canvas, frame accessible.Node) *walk {
	s := &walk{walker: w, canvas: c, before: w.ids, tree: &accessible.Tree{Nodes: map[accessible.ID]*accessible.Node{}, Explains: map[accessible.ID]accessible.ID{}}}
	w.ids, w.targets = map[any]accessible.ID{}, map[accessible.ID]target{}
	w.last = max(w.last, accessible.FrameID)
	frame.ID, frame.Role = accessible.FrameID, accessible.RoleFrame
	whole := areaOf(fyne.Position{}, c.Size())
	frame.Bounds = pixels(s.canvas, whole)
	frame.Shown = frame.Bounds
	w.targets[frame.ID] = target{}
	root := &frame
	s.tree.Nodes[root.ID] = root
	trees := treesOf(c)
	top := len(trees) - len(c.Overlays().List()) // the first of what covers the rest
	for i, tree := range trees {
		covered := i < len(trees)-1 && len(trees) > top
		root.Children = append(root.Children, s.object(tree, place{clip: whole, covered: covered})...)
	}
	if n := s.tree.Nodes[s.focus]; n != nil {
		n.States |= accessible.Focused
		s.tree.Focus = s.focus
	}
	return s
}

// Tree is what a canvas tells now, with a frame of its own.
func Tree(c fyne.Canvas, frame accessible.Node) *accessible.Tree {
	return (&walker{}).snapshot(c, frame)
}

// treesOf returns the bar of menus if a canvas has one, its content, and what covers them, from below to above.
func treesOf(c fyne.Canvas) []fyne.CanvasObject {
	in, ok := c.(interface{ ObjectTrees() []fyne.CanvasObject })
	if !ok {
		return append([]fyne.CanvasObject{c.Content()}, c.Overlays().List()...)
	}
	trees := in.ObjectTrees()
	if len(trees)-len(c.Overlays().List()) == 2 { // the menus stand behind the content, but above it
		trees[0], trees[1] = trees[1], trees[0]
	}
	return trees
}

// InSight reports whether an object is drawn on a canvas: neither it is hidden nor what it stands in.
func InSight(c fyne.Canvas, object fyne.CanvasObject) bool {
	return slices.ContainsFunc(treesOf(c), func(tree fyne.CanvasObject) bool { return draws(tree, object) })
}

func draws(in, object fyne.CanvasObject) bool {
	if in == nil || !in.Visible() {
		return false
	}
	return in == object || slices.ContainsFunc(DrawnBy(in), func(o fyne.CanvasObject) bool { return draws(o, object) })
}

// object adds what an object tells to the tree and returns the nodes at its top.
func (s *walk) object(o fyne.CanvasObject, at place) []accessible.ID {
	if o == nil || !o.Visible() {
		return nil
	}
	at.offset = at.offset.Add(o.Position())
	own := areaOf(at.offset, o.Size())
	if focused := s.canvas.Focused(); focused != nil && any(focused) == any(o) {
		at.focused = true
	}
	n, told := describe(o)
	var ids []accessible.ID
	if told {
		ids = s.add(n, o, own, at)
	} else {
		ids = s.inside(o, at)
	}
	if _, can := o.(fyne.Focusable); can && !slices.ContainsFunc(ids, s.isFocusable) && !at.covered && !isDisabled(o) {
		s.untold = append(s.untold, reflect.TypeOf(o).String())
	}
	return ids
}

// isFocusable reports whether a node, or one below it, can have the focus.
func (s *walk) isFocusable(id accessible.ID) bool {
	n := s.tree.Nodes[id]
	return n.States.Has(accessible.Focusable) || slices.ContainsFunc(n.Children, s.isFocusable)
}

func isDisabled(o fyne.CanvasObject) bool {
	d, ok := o.(fyne.Disableable)
	return ok && d.Disabled()
}

// Wrong lists what is wrong with what a canvas tells: what can have the focus but is not told about, what is told to be elsewhere
// than where Fyne draws it, and what is seen outside of what it is told to be in.
func Wrong(c fyne.Canvas) []string {
	s := (&walker{}).walk(c, accessible.Node{})
	wrong := s.untold
	at := func(o fyne.CanvasObject) fyne.Position {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	}
	origin := at(c.Content()).Subtract(c.Content().Position()) // the driver of tests has another one than the canvas
	for thing, id := range s.ids {
		n := s.tree.Nodes[id]
		if o, drawn := thing.(fyne.CanvasObject); drawn {
			if is := areaOf(at(o).Subtract(origin), o.Size()); n.Bounds != pixels(c, is) {
				wrong = append(wrong, fmt.Sprintf("%T %q is told to be at %v, but is at %v", o, n.Name, n.Bounds, is))
			}
		}
		for _, child := range n.Children {
			part := s.tree.Nodes[child]
			seen := part.Bounds.Intersect(pixels(c, s.targets[child].clip))
			if !part.States.Has(accessible.OffScreen) && !seen.In(n.Bounds.Inset(-1)) {
				wrong = append(wrong, fmt.Sprintf("%q is seen at %v, outside of %q at %v", part.Name, seen, n.Name, n.Bounds))
			}
		}
	}
	return wrong
}

// inside adds what is drawn in an object.
func (s *walk) inside(o fyne.CanvasObject, at place) (ids []accessible.ID) {
	if isClip(o) {
		at.clip = at.clip.intersect(areaOf(at.offset, o.Size()))
	}
	children := inReadingOrder(o, DrawnBy(o))
	explained := explanation(o)
	var of, by []accessible.ID
	for _, child := range children {
		in := at
		if explained.Of != nil && child == explained.Of {
			in.explain(explained)
		}
		added := s.object(child, in)
		switch child {
		case explained.Of:
			of = added
		case explained.Name, explained.Hint, explained.Value:
			by = append(by, added...)
		}
		ids = append(ids, added...)
	}
	for _, id := range by {
		if n := s.tree.Nodes[id]; n.Role == accessible.RoleLabel && len(of) > 0 {
			s.tree.Explains[id] = of[0]
		}
	}
	return ids
}

// explain adds what is said about what stands at a place. What stands closer goes before.
func (at *place) explain(e Explanation) {
	for _, one := range []struct {
		to *string
		by fyne.CanvasObject
	}{{&at.name, e.Name}, {&at.hint, e.Hint}, {&at.value, e.Value}} {
		if one.by == nil {
			continue
		}
		if said := textOf(one.by); said != "" {
			*one.to = said
		}
	}
}

func explanation(o fyne.CanvasObject) Explanation {
	if c, ok := o.(*fyne.Container); ok {
		if e, ok := c.Layout.(Explainer); ok {
			return e.Explain(c.Objects)
		}
	}
	return Explanation{}
}

// DrawnBy returns what an object is drawn with.
func DrawnBy(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case fyne.Widget:
		return renderer(o).Objects()
	}
	return nil
}

// borderLayout has what stands at the edges behind what stands in the middle.
var borderLayout = reflect.TypeOf(layout.NewBorderLayout(nil, nil, nil, nil))

// inReadingOrder returns objects in the order in which people read them.
func inReadingOrder(in fyne.CanvasObject, objects []fyne.CanvasObject) []fyne.CanvasObject {
	c, ok := in.(*fyne.Container)
	if !ok || c.Layout == nil || reflect.TypeOf(c.Layout) != borderLayout {
		return objects
	}
	objects = slices.Clone(objects)
	slices.SortStableFunc(objects, func(a, b fyne.CanvasObject) int {
		return cmp.Or(cmp.Compare(a.Position().Y, b.Position().Y), cmp.Compare(a.Position().X, b.Position().X))
	})
	return objects
}

// isClip reports whether what is drawn in an object ends at its edges.
func isClip(o fyne.CanvasObject) bool {
	if _, is := o.(fyne.Scrollable); is {
		return true
	}
	w, is := o.(fyne.Widget)
	if !is {
		return false
	}
	_, is = renderer(w).(interface{ IsClip() })
	return is
}

// add adds a node with what is below it and returns it; a panel without a name is left out.
func (s *walk) add(n Node, o fyne.CanvasObject, own area, at place) []accessible.ID {
	at.apply(&n)
	if n.Role == accessible.RoleUnknown || n.Role == accessible.RoleLabel && n.Name == "" {
		return nil // decoration
	}
	if n.Role == accessible.RolePanel && n.Name == "" {
		return append(s.below(n, o, at), s.parts(n, nil, at)...)
	}
	key := n.Key
	if key == nil {
		key = o
	}
	id := s.id(key)
	node := new(accessible.Node)
	*node = n.Node
	node.ID, node.Bounds = id, pixels(s.canvas, own)
	s.tree.Nodes[id] = node
	if shown := own.intersect(at.clip); shown.empty() {
		node.States |= accessible.OffScreen
	} else {
		node.Shown = pixels(s.canvas, shown)
	}
	t := target{Handler: n.Handler, at: at.offset, clip: at.clip}
	if f, ok := o.(fyne.Focusable); ok && n.States.Has(accessible.Focusable) {
		t.focusable = f
	}
	if at.covered {
		node.States &^= accessible.Focusable
	} else if at.focused && (any(o) == any(s.canvas.Focused()) || n.States.Has(accessible.Focused)) {
		s.focus = id // a row or an entry of a menu in the place of what holds it
	}
	node.States &^= accessible.Focused
	s.targets[id] = t
	at.name, at.hint, at.value = "", "", ""
	if n.Role == accessible.RoleDialog {
		at.dialog = n.Name
	}
	node.Children = append(s.below(n, o, at), s.parts(n, node, at)...)
	if n.Role == accessible.RoleMenuBar {
		s.hangMenu(node)
	}
	return []accessible.ID{id}
}

// below adds what is drawn in a node.
func (s *walk) below(n Node, o fyne.CanvasObject, at place) (ids []accessible.ID) {
	if n.Holds && o != nil {
		return s.inside(o, at)
	}
	for _, one := range n.Only {
		ids = append(ids, s.object(one, at)...)
	}
	return ids
}

// parts adds the parts of a node, and links those that stand in its text.
func (s *walk) parts(n Node, in *accessible.Node, at place) (ids []accessible.ID) {
	var links []accessible.Link
	for _, part := range n.Parts {
		added := s.add(part, nil, areaOf(at.offset.Add(part.At), part.Size), at)
		if part.Span[0] < part.Span[1] && len(added) == 1 {
			links = append(links, accessible.Link{From: part.Span[0], To: part.Span[1], Child: added[0]})
		}
		ids = append(ids, added...)
	}
	if links != nil && in != nil && in.Text != nil {
		text := *in.Text
		text.Links = links
		in.Text = &text
	}
	return ids
}

// apply adds to a control what stands around it.
func (at *place) apply(n *Node) {
	if !explains[n.Role] {
		return
	}
	if n.Name == "" {
		n.Name = at.name
	}
	if n.Name == "" && n.Role != accessible.RoleChart {
		n.Name = cmp.Or(n.Placeholder, at.dialog) // the only field of a dialog needs no name to be seen
	}
	if n.Description == "" {
		n.Description = at.hint
	}
	if n.Value != nil && n.Value.Text == "" {
		n.Value.Text = at.value
	}
}

// explains are the controls that what stands around them explains.
var explains = map[accessible.Role]bool{
	accessible.RoleEntry: true, accessible.RolePasswordEntry: true, accessible.RoleComboBox: true, accessible.RoleSlider: true,
	accessible.RoleSpinButton: true, accessible.RoleCheckBox: true, accessible.RoleList: true, accessible.RoleTree: true,
	accessible.RoleProgressBar: true, accessible.RoleGrouping: true, accessible.RoleTable: true, accessible.RoleChart: true,
}

// again names a thing that is in a tree more than once.
type again struct {
	key any
	n   int
}

// id is the ID of a thing, the one of the tree before if it was in that.
func (s *walk) id(thing any) accessible.ID {
	key := thing
	for n := 2; s.ids[key] != 0; n++ {
		key = again{thing, n}
	}
	id, known := s.before[key]
	if !known {
		s.last++
		id = s.last
	}
	s.ids[key] = id
	return id
}

// pixels converts an area of a canvas to pixels of the window.
func pixels(c fyne.Canvas, a area) image.Rectangle {
	left, top := c.PixelCoordinateForPosition(fyne.NewPos(a.left, a.top))
	right, bottom := c.PixelCoordinateForPosition(fyne.NewPos(a.right, a.bottom))
	return image.Rect(left, top, right, bottom)
}

// textOf is what an object says, in one line.
func textOf(o fyne.CanvasObject) string {
	if o == nil || !o.Visible() {
		return ""
	}
	if n, told := describe(o); told && (n.Name != "" || !n.Holds) {
		return n.Name
	}
	var parts []string
	for _, child := range DrawnBy(o) {
		if said := textOf(child); said != "" {
			parts = append(parts, said)
		}
	}
	return strings.Join(parts, " ")
}
