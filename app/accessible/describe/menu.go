package describe

import (
	"reflect"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
)

// The bar of menus and the entries of menus are types that Fyne does not export, but their fields Items, Menu and Item are.

// menuKey names a menu of the bar by its label, and the bar itself by none: the bar is rebuilt whenever an entry changes.
type menuKey string

// menuPart describes the bar of menus, a menu in it, or an entry of a menu; false for other widgets.
func menuPart(w fyne.Widget) (Node, bool) {
	if item, ok := field[*fyne.MenuItem](w, "Item"); ok && item != nil {
		return menuItem(w, item), true
	}
	if menu, ok := field[*fyne.Menu](w, "Menu"); ok && menu != nil {
		n := Node{Node: accessible.Node{Role: accessible.RoleMenu, Name: menu.Label, States: accessible.Focusable | accessible.HasPopup | accessible.Selectable | accessible.Expandable}}
		n.States = n.States.With(accessible.Expanded|accessible.Selected, isOpen(w))
		n.Key = menuKey(menu.Label)
		n.Act("press", lang.L("Open"), func() { tap(w) })
		return n, true
	}
	if _, ok := field[[]fyne.CanvasObject](w, "Items"); ok {
		if _, is := w.(interface{ IsActive() bool }); is {
			return Node{Node: accessible.Node{Role: accessible.RoleMenuBar, Name: lang.L("Menu bar")}, Holds: true, Key: menuKey("")}, true
		}
	}
	return Node{}, false
}

func menuItem(w fyne.Widget, item *fyne.MenuItem) Node {
	if item.IsSeparator {
		return Node{}
	}
	n := Node{Node: accessible.Node{Role: accessible.RoleMenuItem, Name: item.Label, States: accessible.Selectable, Shortcut: shortcutText(item.Shortcut)}}
	if item.Disabled {
		n.States |= accessible.Disabled
	} else {
		n.States |= accessible.Focusable
		n.Act("press", lang.L("Press"), func() { tap(w) })
	}
	if item.Checked {
		n.Role, n.States = accessible.RoleCheckMenuItem, n.States|accessible.Checkable|accessible.Checked
	}
	if item.ChildMenu != nil {
		n.Role, n.States = accessible.RoleMenu, n.States|accessible.HasPopup|accessible.Expandable
		if isOpen(w) {
			n.States |= accessible.Expanded
			n.Only = []fyne.CanvasObject{w.(opens).Child()}
		}
	}
	if isActive(w) {
		n.States |= accessible.Selected | accessible.Focused
	}
	return n
}

// opens is what opens a menu: one of the bar, or an entry.
type opens interface{ Child() *widget.Menu }

func isOpen(w fyne.Widget) bool {
	o, ok := w.(opens)
	return ok && o.Child().Visible()
}

// hangMenu hangs the entries of the menu that is open below it: the bar draws them beside its menus. The menu has the focus,
// but they are about its entry.
func (s *walk) hangMenu(bar *accessible.Node) {
	first := slices.IndexFunc(bar.Children, func(id accessible.ID) bool { return s.ids[menuKey(s.tree.Nodes[id].Name)] != id })
	if first < 0 {
		return
	}
	for _, id := range bar.Children[:first] {
		if menu := s.tree.Nodes[id]; menu.States.Has(accessible.Expanded) {
			menu.Children, bar.Children = slices.Clone(bar.Children[first:]), bar.Children[:first]
			if s.focus == id {
				s.focus = s.activeBelow(menu)
			}
			return
		}
	}
}

// activeBelow is the active entry of an open menu, also in a menu that it opens; the menu if none is active.
func (s *walk) activeBelow(menu *accessible.Node) accessible.ID {
	for _, id := range menu.Children {
		if entry := s.tree.Nodes[id]; entry.States.Has(accessible.Selected) {
			return s.activeBelow(entry)
		}
	}
	return menu.ID
}

// isActive reports whether an entry of a menu is the active one.
func isActive(w fyne.Widget) bool {
	menu := reflect.ValueOf(w).Elem().FieldByName("parent")
	if !menu.IsValid() || menu.Kind() != reflect.Pointer || menu.IsNil() {
		return false
	}
	active := menu.Elem().FieldByName("activeItem")
	return active.IsValid() && active.Kind() == reflect.Pointer && active.Pointer() == reflect.ValueOf(w).Pointer()
}

// shortcutText is a shortcut as menus write it.
func shortcutText(s fyne.Shortcut) string {
	k, ok := s.(fyne.KeyboardShortcut)
	if !ok || s == nil {
		return ""
	}
	text := ""
	for _, m := range []struct {
		is   fyne.KeyModifier
		name string
	}{{fyne.KeyModifierControl, "Ctrl+"}, {fyne.KeyModifierAlt, "Alt+"}, {fyne.KeyModifierShift, "Shift+"}, {fyne.KeyModifierSuper, "Super+"}} {
		if k.Mod()&m.is != 0 {
			text += m.name
		}
	}
	return text + string(k.Key())
}

var _ fyne.KeyboardShortcut = (*desktop.CustomShortcut)(nil)

// field returns an exported field of the struct that an object points to.
func field[T any](o any, name string) (value T, ok bool) {
	v := reflect.ValueOf(o)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return value, false
	}
	f := v.Elem().FieldByName(name)
	if !f.IsValid() || !f.CanInterface() {
		return value, false
	}
	value, ok = f.Interface().(T)
	return value, ok
}
