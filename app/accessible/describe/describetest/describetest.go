// Package describetest shows and checks the trees that package describe makes.
package describetest

import (
	"fmt"
	"slices"
	"strings"

	"kairos/app/accessible"
)

// Listing is a tree as indented lines: role, name, and what else is told about each node.
func Listing(t *accessible.Tree) string {
	var b strings.Builder
	var list func(id accessible.ID, depth int)
	list = func(id accessible.ID, depth int) {
		n := t.Nodes[id]
		if n == nil {
			fmt.Fprintf(&b, "%s?\n", strings.Repeat("  ", depth))
			return
		}
		fmt.Fprintf(&b, "%s%s\n", strings.Repeat("  ", depth), line(n, id == t.Focus))
		for _, child := range n.Children {
			list(child, depth+1)
		}
	}
	list(accessible.FrameID, 0)
	return b.String()
}

func line(n *accessible.Node, focused bool) string {
	parts := []string{roleName(n.Role)}
	add := func(format string, values ...any) { parts = append(parts, fmt.Sprintf(format, values...)) }
	if n.Name != "" {
		add("%q", n.Name)
	}
	if n.Text != nil && n.Text.Content != n.Name {
		add("text %q", cut(n.Text.Content))
	}
	if n.Text != nil && n.Text.Caret >= 0 && n.States.Has(accessible.ReadOnly) {
		add("caret %d", n.Text.Caret)
	}
	if n.Description != "" {
		add("described %q", n.Description)
	}
	if n.Placeholder != "" && n.Placeholder != n.Name {
		add("placeholder %q", n.Placeholder)
	}
	if n.Value != nil && n.Value.Text != "" {
		add("value %q", n.Value.Text)
	} else if n.Value != nil {
		add("value %v", n.Value.Now)
	}
	if n.Level > 0 {
		add("level %d", n.Level)
	}
	if n.SetSize > 0 {
		add("%d/%d", n.PosInSet, n.SetSize)
	}
	if n.Cell != nil {
		add("cell %d,%d", n.Cell.Row, n.Cell.Column)
	}
	if n.URL != "" {
		add("to %s", n.URL)
	}
	if n.Shortcut != "" {
		add("key %s", n.Shortcut)
	}
	if s := stateNames(n.States); s != "" {
		add("[%s]", s)
	}
	if focused {
		add("<-")
	}
	var actions []string
	for _, a := range n.Actions {
		actions = append(actions, a.Name)
	}
	if len(actions) > 0 {
		add("(%s)", strings.Join(actions, ", "))
	}
	return strings.Join(parts, " ")
}

// cut leaves the beginning and the end of a long text.
func cut(s string) string {
	if r := []rune(s); len(r) > 120 {
		return string(r[:90]) + " … " + string(r[len(r)-20:])
	}
	return s
}

// stateNames are the states worth a word, in the order of their bits.
func stateNames(s accessible.States) string {
	var names []string
	for _, one := range []struct {
		is   accessible.States
		name string
	}{{accessible.Disabled, "disabled"}, {accessible.OffScreen, "off screen"}, {accessible.Focusable, "focusable"}, {accessible.Selected, "selected"},
		{accessible.Checkable, "checkable"}, {accessible.Checked, "checked"}, {accessible.Expandable, "expandable"}, {accessible.Expanded, "expanded"},
		{accessible.Modal, "modal"}, {accessible.Default, "default"}, {accessible.Invalid, "invalid"}, {accessible.Busy, "busy"}, {accessible.Active, "active"}} {
		if s.Has(one.is) {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, ", ")
}

// roleName is a role as listings write it.
func roleName(r accessible.Role) string {
	if name, ok := roleNames[r]; ok {
		return name
	}
	return fmt.Sprint("role ", uint8(r))
}

var roleNames = map[accessible.Role]string{
	accessible.RoleFrame: "frame", accessible.RolePanel: "panel", accessible.RoleList: "list", accessible.RoleListItem: "list item",
	accessible.RoleTree: "tree", accessible.RoleTreeItem: "tree item", accessible.RoleDocument: "document", accessible.RoleHeading: "heading",
	accessible.RoleParagraph: "paragraph", accessible.RoleLink: "link", accessible.RoleImage: "image", accessible.RoleButton: "button",
	accessible.RoleToggleButton: "toggle button", accessible.RoleCheckBox: "check box", accessible.RoleRadioButton: "radio button",
	accessible.RoleComboBox: "combo box", accessible.RoleEntry: "entry", accessible.RolePasswordEntry: "password", accessible.RoleSlider: "slider",
	accessible.RoleSpinButton: "spin button", accessible.RoleLabel: "label", accessible.RoleMenuBar: "menu bar", accessible.RoleMenu: "menu",
	accessible.RoleMenuItem: "menu item", accessible.RoleCheckMenuItem: "check menu item", accessible.RoleRadioMenuItem: "radio menu item",
	accessible.RolePopupMenu: "popup menu", accessible.RoleDialog: "dialog", accessible.RoleAlert: "alert", accessible.RoleProgressBar: "progress bar",
	accessible.RoleStatusBar: "status bar", accessible.RoleToolBar: "tool bar", accessible.RoleTable: "table", accessible.RoleTableRow: "row",
	accessible.RoleTableCell: "cell", accessible.RoleColumnHeader: "column header", accessible.RoleRowHeader: "row header",
	accessible.RoleBlockQuote: "quote", accessible.RoleCode: "code", accessible.RoleScrollPane: "scroll pane", accessible.RoleSeparator: "separator",
	accessible.RoleSplitPane: "split pane", accessible.RoleTabList: "tab list", accessible.RoleTab: "tab", accessible.RoleChart: "chart",
	accessible.RoleCaption: "caption", accessible.RoleMedia: "media", accessible.RoleToolTip: "tool tip", accessible.RoleNotification: "notification",
	accessible.RoleGrouping: "grouping", accessible.RoleForm: "form", accessible.RoleTerm: "term", accessible.RoleDefinition: "definition",
}

// Lint lists what is wrong with a tree: what can have the focus but has no name or role, children that are missing or
// have two parents, nodes out of reach, and extents out of the window.
func Lint(t *accessible.Tree) (wrong []string) {
	parents := map[accessible.ID]accessible.ID{}
	say := func(n *accessible.Node, format string, values ...any) {
		wrong = append(wrong, fmt.Sprintf("%s: %s", line(n, n.ID == t.Focus), fmt.Sprintf(format, values...)))
	}
	frame := t.Nodes[accessible.FrameID]
	if frame == nil {
		return []string{"there is no frame"}
	}
	if t.Focus != 0 && t.Nodes[t.Focus] == nil {
		wrong = append(wrong, "what has the focus is not in the tree")
	}
	for id, n := range t.Nodes {
		if n.ID != id {
			say(n, "is listed as another one")
		}
		for _, child := range n.Children {
			switch {
			case t.Nodes[child] == nil:
				say(n, "the child %d is missing", child)
			case parents[child] != 0:
				say(t.Nodes[child], "has two parents")
			}
			parents[child] = id
		}
	}
	for id, n := range t.Nodes {
		if id != accessible.FrameID && parents[id] == 0 {
			say(n, "has no parent")
		}
		if n.Role == accessible.RoleUnknown {
			say(n, "has no role")
		}
		if n.States.Has(accessible.Focusable) && strings.TrimSpace(n.Name) == "" && (n.Text == nil || n.States.Has(accessible.Editable)) {
			say(n, "can have the focus, but has no name")
		}
		if n.States.Has(accessible.Focused) != (id == t.Focus) {
			say(n, "is said to have the focus, or not to")
		}
		if !n.States.Has(accessible.OffScreen) && (n.Bounds.Empty() || n.Bounds.Intersect(frame.Bounds).Empty()) {
			say(n, "is at %v, not in the window %v", n.Bounds, frame.Bounds)
		}
		if n.Role == accessible.RoleDialog {
			lintDialog(t, n, say)
		}
		if n.Text != nil {
			wrong = append(wrong, lintText(t, n, say)...)
		}
	}
	slices.Sort(wrong)
	return wrong
}

// lintDialog checks that only one thing in a dialog goes by its title, as the only field of one does.
func lintDialog(t *accessible.Tree, dialog *accessible.Node, say func(*accessible.Node, string, ...any)) {
	named := 0
	var count func(id accessible.ID)
	count = func(id accessible.ID) {
		n := t.Nodes[id]
		if n == nil {
			return
		}
		if n != dialog && n.Name == dialog.Name && n.States.Has(accessible.Focusable) {
			if named++; named > 1 {
				say(n, "goes by the name of the dialog, as another one does")
			}
		}
		for _, child := range n.Children {
			count(child)
		}
	}
	count(dialog.ID)
}

// lintText checks the offsets of a text.
func lintText(t *accessible.Tree, n *accessible.Node, say func(*accessible.Node, string, ...any)) []string {
	length := len([]rune(n.Text.Content))
	if n.Text.Caret < -1 || n.Text.Caret > length || n.Text.Select[0] > n.Text.Select[1] || n.Text.Select[1] > length {
		say(n, "has the caret at %d and %v selected of %d characters", n.Text.Caret, n.Text.Select, length)
	}
	last := 0
	for _, at := range n.Text.Lines {
		if at <= last || at > length {
			say(n, "has a line at %d after %d of %d", at, last, length)
		}
		last = at
	}
	last = 0
	for _, r := range n.Text.Runs {
		if r.From < last || r.To <= r.From || r.To > length {
			say(n, "has a run from %d to %d after %d of %d", r.From, r.To, last, length)
		}
		last = r.To
	}
	last = 0
	for _, l := range n.Text.Links {
		if l.From < last || l.To <= l.From || l.To > length {
			say(n, "has a link from %d to %d after %d of %d", l.From, l.To, last, length)
		}
		if t.Nodes[l.Child] == nil || !slices.Contains(n.Children, l.Child) {
			say(n, "has a link that is not one of its children")
		}
		last = l.To
	}
	return nil
}
