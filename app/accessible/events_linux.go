package accessible

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/godbus/dbus/v5"
)

const eventFace = "org.a11y.atspi.Event."

// emit sends an event of an object. Nobody has to be there to hear it.
func (c *session) emit(path dbus.ObjectPath, event, detail string, a, b int, data any) {
	_ = c.bus.Emit(path, eventFace+event, detail, int32(a), int32(b), dbus.MakeVariant(data), map[string]dbus.Variant{})
}

// show serves a tree and tells clients how it differs from the one before.
func (c *session) show(t *Tree) {
	c.shown = t
	t = c.withNotices(t)
	before, ok := c.service.serve(t)
	if !ok {
		return
	}
	now := c.service.peek()
	for _, e := range changes(before, t) {
		c.tell(now, e)
	}
}

// tell sends what clients hear of an event.
func (c *session) tell(now *served, e Event) {
	path := pathOf(e.ID)
	switch e.Kind {
	case Removed:
		if e.Top {
			c.emit(c.parentPath(e.Parent), "Object.ChildrenChanged", "remove", e.Index, 0, c.refer(path))
		}
		_ = c.bus.Emit(cachePath, faces+"Cache.RemoveAccessible", c.refer(path))
	case Added:
		_ = c.bus.Emit(cachePath, faces+"Cache.AddAccessible", c.cached(now, e.Node))
		if e.Top {
			c.emit(c.parentPath(e.Parent), "Object.ChildrenChanged", "add", e.Index, 0, c.refer(path))
		}
		if e.ID == FrameID {
			c.emit(path, "Window.Create", "", 0, 0, e.Node.Name)
		}
		if e.Node.Role.appears() {
			c.emit(path, "Object.StateChanged", stateNames[stateShowing], 1, 0, int32(0))
		}
	case Replaced:
		c.emit(path, "Object.AttributesChanged", "", 0, 0, "")
	case Renamed:
		c.emit(path, "Object.PropertyChange", "accessible-name", 0, 0, e.Text)
	case Redescribed:
		c.emit(path, "Object.PropertyChange", "accessible-description", 0, 0, e.Text)
	case Moved:
		r := e.Node.Bounds
		c.emit(path, "Object.BoundsChanged", "", 0, 0,
			rectangle{int32(r.Min.X), int32(r.Min.Y), int32(r.Dx()), int32(r.Dy())})
	case ValueChanged:
		if e.Node.Value != nil {
			c.emit(path, "Object.PropertyChange", "accessible-value", 0, 0, e.Node.Value.Now)
		}
	case TextDeleted:
		c.emit(path, "Object.TextChanged", "delete", e.From, e.To-e.From, e.Text)
	case TextInserted:
		c.emit(path, "Object.TextChanged", "insert", e.From, e.To-e.From, e.Text)
	case TextSelected:
		c.emit(path, "Object.TextSelectionChanged", "", 0, 0, "")
	case CaretMoved:
		if e.From >= 0 { // otherwise it is in another text now, which announces it
			c.emit(path, "Object.TextCaretMoved", "", e.From, 0, "")
		}
	case SelectionChanged:
		c.emit(path, "Object.SelectionChanged", "", 0, 0, "")
	case StateChanged:
		c.tellState(now, e)
	}
}

// parentPath is the path of a parent; the frame hangs below the program.
func (c *session) parentPath(id ID) dbus.ObjectPath {
	if id == 0 {
		return rootPath
	}
	return pathOf(id)
}

// appears tells whether screen readers announce such a node when it is shown, wherever the focus is.
func (r Role) appears() bool {
	switch r {
	case RoleAlert, RoleDialog, RoleNotification, RoleToolTip, RolePopupMenu:
		return true
	}
	return false
}

// tellState sends the states of AT-SPI that change with one of ours.
func (c *session) tellState(now *served, e Event) {
	n, path := now.nodes[e.ID], pathOf(e.ID)
	states := now.states(n)
	changed := atspiStates(n, states) ^ atspiStates(n, states.With(e.State, !e.On))
	if e.State == Active && n.Role == RoleFrame {
		event := "Window.Deactivate"
		if e.On {
			event = "Window.Activate"
		}
		c.emit(path, event, "", 0, 0, n.Name)
	}
	is := atspiStates(n, states)
	for ; changed != 0; changed &= changed - 1 {
		state := bits.TrailingZeros64(changed)
		on := 0
		if is&(1<<state) != 0 {
			on = 1
		}
		c.emit(path, "Object.StateChanged", stateNames[state], on, 0, int32(0))
	}
}

// Notices are shown to clients that do not know announcements, as nodes of their own below the frame. Their IDs count
// down from the largest, so that they never meet those of the window.
const (
	lastNotice  = ^ID(0)
	keptNotices = 3 // a client asks for the text a moment later
)

// announce has clients say something: as an announcement if one of them knows these (Orca does from 45 on), otherwise
// as a notification that appears.
func (c *session) announce(n notice) {
	if c.listensTo("object", "announcement") {
		c.emit(pathOf(FrameID), "Object.Announcement", "", int(n.how), 0, n.text)
		return
	}
	c.notices = append(c.notices, &Node{ID: lastNotice - c.noticed, Role: RoleNotification, Name: n.text})
	c.noticed++
	if len(c.notices) > keptNotices {
		c.notices = c.notices[1:]
	}
	if c.shown != nil {
		c.show(c.shown)
	}
}

// withNotices is the tree with the last announcements.
func (c *session) withNotices(t *Tree) *Tree {
	if len(c.notices) == 0 || t.Nodes[FrameID] == nil {
		return t
	}
	all, frame := *t, *t.Nodes[FrameID]
	all.Nodes = maps.Clone(t.Nodes)
	frame.Children = slices.Clone(frame.Children)
	for _, n := range c.notices {
		all.Nodes[n.ID] = n
		frame.Children = append(frame.Children, n.ID)
	}
	all.Nodes[FrameID] = &frame
	return &all
}
