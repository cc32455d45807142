package accessible

import (
	"context"
	"image"
	"os"
	"strconv"

	"github.com/godbus/dbus/v5"
)

// Relations of AtspiRelationType.
const (
	labelFor  = 1
	flowsTo   = 10
	flowsFrom = 11
)

// relation is an element of a set of relations.
type relation struct {
	Type    uint32
	Targets []reference
}

var accessibleMethods = map[string]any{
	"GetChildAtIndex": func(o *object, i int32) reference { return o.child(i) },
	"GetChildren":     func(o *object) []reference { return o.toAll(o.tree, o.children()) },
	"GetIndexInParent": func(o *object) int32 {
		if o.node == nil {
			return -1
		}
		return o.indexInParent(o.node.ID)
	},
	"GetRelationSet": (*object).relations,
	"GetRole": func(o *object) uint32 {
		if o.node == nil {
			return applicationRole
		}
		return atspiRoles[o.node.Role].number
	},
	"GetRoleName":          func(o *object) string { return o.roleName() },
	"GetLocalizedRoleName": func(o *object) string { return o.roleName() }, // clients have the words themselves
	"GetState":             func(o *object) []uint32 { return o.state() },
	"GetAttributes":        (*object).attributes,
	"GetApplication":       func(o *object) reference { return o.refer(rootPath) },
	"GetInterfaces":        (*object).interfaces,
}

// text is something of the node, nothing of the program.
func (o *object) text(of func(*Node) string) string {
	if o.node == nil {
		return ""
	}
	return of(o.node)
}

func (o *object) name() string {
	if o.node == nil {
		return o.service.name
	}
	return o.node.Name
}

func (o *object) roleName() string {
	if o.node == nil {
		return "application"
	}
	return atspiRoles[o.node.Role].name
}

func (o *object) children() []ID {
	if o.node != nil {
		return o.tree.children[o.node.ID]
	}
	if o.tree.has(FrameID) {
		return []ID{FrameID}
	}
	return nil
}

func (o *object) child(i int32) reference {
	all := o.children()
	if i < 0 || int(i) >= len(all) {
		return nowhere
	}
	return o.to(o.tree, all[i])
}

func (o *object) parent() reference {
	switch {
	case o.node == nil:
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.desktop
	case o.node.ID == FrameID:
		return o.refer(rootPath)
	}
	return o.to(o.tree, o.tree.parent[o.node.ID])
}

func (o *object) indexInParent(id ID) int32 { return o.tree.index(id) }

func (o *object) state() []uint32 {
	var bits uint64 = 1<<stateEnabled | 1<<stateSensitive | 1<<stateShowing | 1<<stateVisible
	if o.node != nil {
		bits = atspiStates(o.node, o.tree.states(o.node))
	}
	return []uint32{uint32(bits), uint32(bits >> 32)}
}

func (o *object) locale() string {
	if o.node != nil && o.node.Language != "" {
		return o.node.Language
	}
	return locale()
}

// locale is the language of the window, as the environment names it.
func locale() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := os.Getenv(name); value != "" {
			return value
		}
	}
	return "C"
}

func (o *object) attributes() map[string]string {
	all := map[string]string{"toolkit": "Fyne"}
	n := o.node
	if n == nil {
		return all
	}
	all["id"] = strconv.FormatUint(uint64(n.ID), 10)
	for name, value := range map[string]int{"level": n.Level, "posinset": n.PosInSet, "setsize": n.SetSize} {
		if value > 0 {
			all[name] = strconv.Itoa(value)
		}
	}
	for name, value := range map[string]string{"placeholder-text": n.Placeholder, "keyshortcuts": n.Shortcut, "url": n.URL} {
		if value != "" {
			all[name] = value
		}
	}
	switch n.Role {
	case RoleCode:
		all["tag"] = "pre"
	case RoleBlockQuote:
		all["tag"] = "blockquote"
	}
	return all
}

func (o *object) relations() []relation {
	all := []relation{}
	if o.node == nil {
		return all
	}
	if control := o.tree.Explains[o.node.ID]; control != 0 { // else Orca reads all hints of a dialog when that opens
		all = append(all, relation{labelFor, []reference{o.to(o.tree, control)}})
	}
	if o.node.Text == nil {
		return all
	}
	flow := o.tree.flow()[o.node.ID]
	if flow[1] != 0 {
		all = append(all, relation{flowsTo, []reference{o.to(o.tree, flow[1])}})
	}
	if flow[0] != 0 {
		all = append(all, relation{flowsFrom, []reference{o.to(o.tree, flow[0])}})
	}
	return all
}

// cached is what a client keeps of an object.
type cached struct {
	Object, Application, Parent reference
	Index, Children             int32
	Interfaces                  []string
	Name                        string
	Role                        uint32
	Description                 string
	States                      []uint32
}

func (c *session) cached(tree *served, n *Node) cached {
	o := &object{session: c, tree: tree, node: n, path: rootPath}
	index := int32(-1)
	if n != nil {
		o.path = pathOf(n.ID)
		index = tree.index(n.ID)
	}
	role := uint32(applicationRole)
	if n != nil {
		role = atspiRoles[n.Role].number
	}
	return cached{
		Object: c.refer(o.path), Application: c.refer(rootPath), Parent: o.parent(), Index: index,
		Children: int32(len(o.children())), Interfaces: o.interfaces(), Name: o.name(), Role: role,
		Description: o.text(func(n *Node) string { return n.Description }), States: o.state(),
	}
}

func (o *object) cacheItems() []cached {
	all := []cached{o.cached(o.tree, nil)}
	o.tree.walk(FrameID, func(n *Node, _ ID) { all = append(all, o.cached(o.tree, n)) })
	return all
}

// Coordinates count from the screen, the window or the parent.
const (
	ofScreen = iota
	ofWindow
	ofParent
)

// origin is the point of the window from which coordinates count.
func (o *object) origin(from uint32) image.Point {
	switch from {
	case ofScreen:
		return image.Point{}.Sub(o.windowAt())
	case ofParent:
		if parent := o.tree.nodes[o.tree.parent[o.node.ID]]; parent != nil {
			return parent.Bounds.Min
		}
	}
	return image.Point{}
}

// windowAt is where the window is on the screen: desktops move it without the program drawing anything. Where it does not
// know, as under Wayland, that is the corner.
func (o *object) windowAt() (at image.Point) {
	o.ask(func(ctx context.Context, app App) (known bool) {
		at, known = app.Origin(ctx)
		return known
	})
	return at
}

type rectangle struct{ X, Y, Width, Height int32 }

func (o *object) rectangle(r image.Rectangle, from uint32) rectangle {
	r = r.Sub(o.origin(from))
	return rectangle{int32(r.Min.X), int32(r.Min.Y), int32(r.Dx()), int32(r.Dy())}
}

func (o *object) bounds(from uint32) rectangle { return o.rectangle(o.node.Bounds, from) }

// point is a point that a client names, in pixels of the window.
func (o *object) point(x, y int32, from uint32) image.Point {
	return image.Pt(int(x), int(y)).Add(o.origin(from))
}

var componentMethods = map[string]any{
	"Contains": func(o *object, x, y int32, from uint32) bool { return o.point(x, y, from).In(o.node.Bounds) },
	"GetAccessibleAtPoint": func(o *object, x, y int32, from uint32) reference {
		return o.to(o.tree, o.tree.at(o.node.ID, o.point(x, y, from)))
	},
	"GetExtents": func(o *object, from uint32) rectangle { return o.bounds(from) },
	"GetPosition": func(o *object, from uint32) (x, y int32) {
		r := o.bounds(from)
		return r.X, r.Y
	},
	"GetSize": func(o *object) (width, height int32) {
		r := o.bounds(ofWindow)
		return r.Width, r.Height
	},
	"GetLayer": func(o *object) uint32 {
		switch o.node.Role {
		case RoleFrame:
			return 7
		case RolePopupMenu, RoleToolTip:
			return 5
		}
		return 3
	},
	"GetMDIZOrder": func(*object) int16 { return -1 },
	"GetAlpha":     func(*object) float64 { return 1 },
	"GrabFocus": func(o *object) bool {
		return o.ask(func(ctx context.Context, app App) bool { return app.Focus(ctx, o.node.ID) })
	},
	"SetExtents":  func(_ *object, _, _, _, _ int32, _ uint32) bool { return false },
	"SetPosition": func(_ *object, _, _ int32, _ uint32) bool { return false },
	"SetSize":     func(_ *object, _, _ int32) bool { return false },
	"ScrollTo": func(o *object, _ uint32) bool {
		return o.ask(func(ctx context.Context, app App) bool { return app.ScrollTo(ctx, o.node.ID, 0, 0) })
	},
	"ScrollToPoint": func(_ *object, _ uint32, _, _ int32) bool { return false },
}

// ask calls the window.
func (o *object) ask(what func(context.Context, App) bool) bool { return o.service.ask(o.ctx, what) }

type action struct{ Name, Description, Key string }

func (o *object) action(i int32) Action {
	if i < 0 || int(i) >= len(o.node.Actions) {
		return Action{}
	}
	return o.node.Actions[i]
}

// key is the key of the i-th action: the shortcut is for the usual one.
func (o *object) key(i int32) string {
	if i != 0 {
		return ""
	}
	return keyBinding(o.node.Shortcut)
}

var actionMethods = map[string]any{
	"GetName":          func(o *object, i int32) string { return o.action(i).Name },
	"GetLocalizedName": func(o *object, i int32) string { return o.action(i).Label },
	"GetDescription":   func(o *object, i int32) string { return o.action(i).Label },
	"GetKeyBinding":    func(o *object, i int32) string { return o.key(i) },
	"GetActions": func(o *object) []action {
		all := []action{}
		for i, a := range o.node.Actions {
			all = append(all, action{a.Name, a.Label, o.key(int32(i))})
		}
		return all
	},
	"DoAction": func(o *object, i int32) bool {
		return o.action(i) != Action{} &&
			o.ask(func(ctx context.Context, app App) bool { return app.Do(ctx, o.node.ID, int(i)) })
	},
}

// selected are the children that are.
func (o *object) selected() []ID {
	var all []ID
	for _, id := range o.children() {
		if o.tree.nodes[id].States.Has(Selected) {
			all = append(all, id)
		}
	}
	return all
}

// selectChild selects or unselects one of some nodes.
func (o *object) selectChild(of []ID, i int32, on bool) bool {
	return i >= 0 && int(i) < len(of) &&
		o.ask(func(ctx context.Context, app App) bool { return app.Select(ctx, of[i], on) })
}

var selectionMethods = map[string]any{
	"GetSelectedChild": func(o *object, i int32) reference {
		all := o.selected()
		if i < 0 || int(i) >= len(all) {
			return nowhere
		}
		return o.to(o.tree, all[i])
	},
	"IsChildSelected": func(o *object, i int32) bool {
		all := o.children()
		return i >= 0 && int(i) < len(all) && o.tree.nodes[all[i]].States.Has(Selected)
	},
	"SelectChild":           func(o *object, i int32) bool { return o.selectChild(o.children(), i, true) },
	"DeselectChild":         func(o *object, i int32) bool { return o.selectChild(o.children(), i, false) },
	"DeselectSelectedChild": func(o *object, i int32) bool { return o.selectChild(o.selected(), i, false) },
	"SelectAll":             func(o *object) bool { return o.selectAll(true) },
	"ClearSelection":        func(o *object) bool { return o.selectAll(false) },
}

// selectAll selects all children, or none, if several can be selected.
func (o *object) selectAll(on bool) bool {
	of := o.selected()
	if on {
		if !o.node.States.Has(MultiSelectable) {
			return false
		}
		of = o.children()
	}
	for i := range of {
		if !o.selectChild(of, int32(i), on) {
			return false
		}
	}
	return true
}

func (o *object) setValue(v float64) {
	o.ask(func(ctx context.Context, app App) bool { return app.SetValue(ctx, o.node.ID, v) })
}

var imageMethods = map[string]any{
	"GetImageExtents": func(o *object, from uint32) rectangle { return o.bounds(from) },
	"GetImagePosition": func(o *object, from uint32) (x, y int32) {
		r := o.bounds(from)
		return r.X, r.Y
	},
	"GetImageSize": func(o *object) (width, height int32) {
		r := o.bounds(ofWindow)
		return r.Width, r.Height
	},
}

// documentAttributes are what clients ask of a document.
func (o *object) documentAttributes() map[string]string {
	return map[string]string{"DocURL": o.node.URL, "Title": o.node.Name, "MimeType": "text/html"}
}

var documentMethods = map[string]any{
	"GetLocale":         func(o *object) string { return o.locale() },
	"GetAttributes":     (*object).documentAttributes,
	"GetAttributeValue": func(o *object, name string) string { return o.documentAttributes()[name] },
}

var _ dbus.Handler = (*session)(nil)
