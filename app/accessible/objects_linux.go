package accessible

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/godbus/dbus/v5"
)

// Paths of what is served.
const (
	rootPath  = dbus.ObjectPath("/org/a11y/atspi/accessible/root")
	nodePaths = "/org/a11y/atspi/accessible/"
	linkPaths = "/org/a11y/atspi/link/"
	cachePath = dbus.ObjectPath("/org/a11y/atspi/cache")
	nullPath  = dbus.ObjectPath("/org/a11y/atspi/null")
	faces     = "org.a11y.atspi."
)

// reference is how AT-SPI names an object: a connection and a path.
type reference struct {
	Bus  string
	Path dbus.ObjectPath
}

// nowhere is the reference to no object.
var nowhere = reference{Path: nullPath}

func (c *session) refer(path dbus.ObjectPath) reference {
	c.mu.Lock()
	defer c.mu.Unlock()
	return reference{c.self, path}
}

// to refers to a node; to no object if there is none with this ID.
func (c *session) to(s *served, id ID) reference {
	if !s.has(id) {
		return nowhere
	}
	return c.refer(pathOf(id))
}

func (c *session) toAll(s *served, ids []ID) []reference {
	all := make([]reference, len(ids))
	for i, id := range ids {
		all[i] = c.to(s, id)
	}
	return all
}

func pathOf(id ID) dbus.ObjectPath {
	return dbus.ObjectPath(nodePaths + strconv.FormatUint(uint64(id), 10))
}

// idOf is the node that a path names, also as a link; 0 if it names none.
func idOf(path dbus.ObjectPath) ID {
	id, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimPrefix(string(path), nodePaths), linkPaths), 10, 64)
	if err != nil {
		return 0
	}
	return ID(id)
}

// toLink refers to a link as a place of a text. libatspi takes what it holds of a path for what it asked for: a path that
// is a node already would not be a link to it.
func (c *session) toLink(id ID) reference {
	return c.refer(dbus.ObjectPath(linkPaths + strconv.FormatUint(uint64(id), 10)))
}

// object is what a call is about: the program, a node of the tree as it is served at the moment of the call, or the
// cache.
type object struct {
	*session
	path dbus.ObjectPath
	tree *served
	node *Node // nil for the program and the cache
}

// LookupObject is what dbus asks for each call. Whether the object is there turns out when it is called: the tree may
// have to be made first.
func (c *session) LookupObject(path dbus.ObjectPath) (dbus.ServerObject, bool) {
	return objectAt{c, path}, path == cachePath || strings.HasPrefix(string(path), nodePaths) || strings.HasPrefix(string(path), linkPaths)
}

type objectAt struct {
	*session
	path dbus.ObjectPath
}

func (o objectAt) LookupInterface(name string) (dbus.Interface, bool) {
	return interfaceOf{o, name}, methods[name] != nil
}

type interfaceOf struct {
	objectAt
	name string
}

func (i interfaceOf) LookupMethod(name string) (dbus.Method, bool) {
	fn, is := methods[i.name][name]
	return &method{interfaceOf: i, fn: reflect.ValueOf(fn)}, is
}

// method is a function whose first parameter is the object and whose results are the answer; if the last one is an
// error, it is the answer instead when it is not nil.
type method struct {
	interfaceOf
	fn     reflect.Value
	sender string
}

// DecodeArguments decodes what was sent, and notes who sent it.
func (m *method) DecodeArguments(_ *dbus.Conn, sender string, _ *dbus.Message, body []any) ([]any, error) {
	m.sender = sender
	m.met(sender, "")
	if len(body) != m.NumArguments() {
		return nil, dbus.ErrMsgInvalidArg
	}
	args := make([]any, len(body))
	for i := range args {
		args[i] = reflect.New(m.fn.Type().In(i + 1)).Interface()
	}
	if dbus.Store(body, args...) != nil {
		return nil, dbus.ErrMsgInvalidArg
	}
	return args, nil
}

// Call answers.
func (m *method) Call(args ...any) ([]any, error) {
	o, err := m.find()
	if err != nil {
		return nil, *err
	}
	in := []reflect.Value{reflect.ValueOf(o)}
	for _, a := range args {
		in = append(in, reflect.ValueOf(a).Elem())
	}
	var out []any
	for _, v := range m.fn.Call(in) {
		if err, is := v.Interface().(*dbus.Error); is {
			if err != nil {
				return nil, *err
			}
			continue
		}
		out = append(out, v.Interface())
	}
	return out, nil
}

// find is the object of the call as it is now.
func (m *method) find() (*object, *dbus.Error) {
	o := &object{session: m.session, path: m.path}
	if m.isRegistry(m.sender) {
		o.tree = m.service.peek() // it does not read what is in the window: none is made for it
	} else {
		o.tree = m.service.tree(m.ctx)
	}
	if m.path != rootPath && m.path != cachePath {
		id := idOf(m.path)
		if !o.tree.has(id) {
			gone := dbus.MakeNoObjectError(m.path)
			return nil, &gone
		}
		o.node = o.tree.nodes[id]
	}
	if m.name != propsFace && !o.has(m.name) {
		unknown := dbus.MakeUnknownInterfaceError(m.name)
		return nil, &unknown
	}
	return o, nil
}

// NumArguments is how many arguments a caller sends.
func (m *method) NumArguments() int { return m.fn.Type().NumIn() - 1 }

// NumReturns is how many results there are.
func (m *method) NumReturns() int { return m.fn.Type().NumOut() }

// ArgumentValue is a zero of an argument's type.
func (m *method) ArgumentValue(i int) any { return reflect.Zero(m.fn.Type().In(i + 1)).Interface() }

// ReturnValue is a zero of a result's type.
func (m *method) ReturnValue(i int) any { return reflect.Zero(m.fn.Type().Out(i)).Interface() }

// has tells whether the object has an interface.
func (o *object) has(face string) bool {
	if o.path == cachePath {
		return face == faces+"Cache"
	}
	if strings.HasPrefix(string(o.path), linkPaths) {
		return face == faces+"Hyperlink"
	}
	for _, each := range o.interfaces() {
		if each == face {
			return true
		}
	}
	return false
}

// interfaces are those that the object has, as clients ask for them.
// selects tells whether something in it can be selected: of the items of a list in an article screen readers would say that
// they are not.
func (o *object) selects() bool {
	items := o.tree.children[o.node.ID]
	if r := o.node.Role; r != RoleList && r != RoleTable || len(items) == 0 {
		return r.selects()
	}
	return slices.ContainsFunc(items, func(id ID) bool { return o.tree.nodes[id].States.Has(Selectable) })
}

func (o *object) interfaces() []string {
	n := o.node
	if n == nil {
		return []string{faces + "Accessible", faces + "Application", faces + "Collection"}
	}
	all := []string{faces + "Accessible", faces + "Component", faces + "Collection"}
	for _, each := range []struct {
		name string
		has  bool
	}{
		{"Action", len(n.Actions) > 0},
		{"Text", n.Text != nil},
		{"Hypertext", n.Text != nil},
		{"EditableText", n.Text != nil && n.States.Has(Editable)},
		{"Hyperlink", n.Role == RoleLink || o.linkInParent() != nil},
		{"Selection", o.selects()},
		{"Value", n.Value != nil},
		{"Image", n.Role == RoleImage},
		{"Document", n.Role == RoleDocument},
		{"Table", n.Role == RoleTable},
		{"TableCell", n.Cell != nil},
	} {
		if each.has {
			all = append(all, faces+each.name)
		}
	}
	return all
}

// methods are the functions of each interface. They are called with the object as it is at the moment.
var methods map[string]map[string]any

func init() { // what it refers to refers to it
	methods = map[string]map[string]any{
		propsFace: {
			"Get":    (*object).getProperty,
			"GetAll": (*object).allProperties,
			"Set":    (*object).setProperty,
		},
		faces + "Accessible":   accessibleMethods,
		faces + "Application":  {"GetLocale": func(o *object, _ uint32) string { return locale() }},
		faces + "Collection":   collectionMethods,
		faces + "Cache":        {"GetItems": (*object).cacheItems},
		faces + "Component":    componentMethods,
		faces + "Action":       actionMethods,
		faces + "Text":         textMethods,
		faces + "EditableText": editableMethods,
		faces + "Hypertext":    hypertextMethods,
		faces + "Hyperlink":    hyperlinkMethods,
		faces + "Selection":    selectionMethods,
		faces + "Value":        {},
		faces + "Image":        imageMethods,
		faces + "Document":     documentMethods,
		faces + "Table":        tableMethods,
		faces + "TableCell":    cellMethods,
	}
}

// properties are those of each interface.
var properties = map[string]map[string]func(*object) any{
	faces + "Accessible": {
		"Name":        func(o *object) any { return o.name() },
		"Description": func(o *object) any { return o.text(func(n *Node) string { return n.Description }) },
		"HelpText":    func(o *object) any { return o.text(func(n *Node) string { return n.Help }) },
		"Parent":      func(o *object) any { return o.parent() },
		"ChildCount":  func(o *object) any { return int32(len(o.children())) },
		"Locale":      func(o *object) any { return o.locale() },
		"AccessibleId": func(o *object) any {
			return o.text(func(n *Node) string { return strconv.FormatUint(uint64(n.ID), 10) })
		},
	},
	faces + "Application": {
		// Orca 43, which Debian 12 has, gets the keys of programs from the X server only if they say that they are of GTK 4;
		// otherwise it has none, neither its own commands nor "line" or "word" for what the caret passed. What we answer is
		// what GTK 4 answers. The attribute "toolkit" of each object says Fyne.
		"ToolkitName":  func(*object) any { return "GTK" },
		"Version":      func(*object) any { return "4.8" },
		"AtspiVersion": func(*object) any { return "2.1" },
		"Id": func(o *object) any {
			o.mu.Lock()
			defer o.mu.Unlock()
			return o.id
		},
	},
	faces + "Action":    {"NActions": func(o *object) any { return int32(len(o.node.Actions)) }},
	faces + "Text":      textProperties,
	faces + "Hyperlink": hyperlinkProperties,
	faces + "Selection": {"NSelectedChildren": func(o *object) any { return int32(len(o.selected())) }},
	faces + "Value": {
		"CurrentValue":     func(o *object) any { return o.node.Value.Now },
		"MinimumValue":     func(o *object) any { return o.node.Value.Min },
		"MaximumValue":     func(o *object) any { return o.node.Value.Max },
		"MinimumIncrement": func(o *object) any { return o.node.Value.Step },
		"Text":             func(o *object) any { return o.node.Value.Text },
	},
	faces + "Image": {
		"ImageDescription": func(o *object) any { return o.name() },
		"ImageLocale":      func(o *object) any { return o.locale() },
	},
	faces + "Table":     tableProperties,
	faces + "TableCell": cellProperties,
}

// version is a property that all interfaces have.
const version = "version"

func (o *object) getProperty(face, name string) (dbus.Variant, *dbus.Error) {
	if !o.has(face) {
		unknown := dbus.MakeUnknownInterfaceError(face)
		return dbus.Variant{}, &unknown
	}
	if name == version {
		return dbus.MakeVariant(uint32(1)), nil
	}
	for each, get := range properties[face] {
		if strings.EqualFold(each, name) { // the descriptions write nActions, libatspi asks for NActions
			return dbus.MakeVariant(get(o)), nil
		}
	}
	return dbus.Variant{}, unknownProperty(face, name)
}

func (o *object) allProperties(face string) (map[string]dbus.Variant, *dbus.Error) {
	if !o.has(face) {
		unknown := dbus.MakeUnknownInterfaceError(face)
		return nil, &unknown
	}
	all := map[string]dbus.Variant{version: dbus.MakeVariant(uint32(1))}
	for name, get := range properties[face] {
		all[name] = dbus.MakeVariant(get(o))
	}
	return all, nil
}

func (o *object) setProperty(face, name string, value dbus.Variant) *dbus.Error {
	switch v := value.Value().(type) {
	case int32:
		if o.node == nil && face == faces+"Application" && name == "Id" {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.id = v
			return nil
		}
	case float64:
		if o.has(face) && face == faces+"Value" && name == "CurrentValue" {
			o.setValue(v)
			return nil
		}
	}
	return unknownProperty(face, name)
}

func unknownProperty(face, name string) *dbus.Error {
	return dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", []any{"No property " + face + "." + name + " that can be used so"})
}
