package accessible

import "strings"

// atspiRoles are the numbers of AtspiRole and the names that go with them. Where several fit, it is what GTK 4 says of
// its widget for the same.
var atspiRoles = map[Role]struct {
	number uint32
	name   string
}{
	RoleUnknown:       {67, "unknown"},
	RoleFrame:         {23, "frame"},
	RolePanel:         {39, "panel"},
	RoleList:          {31, "list"},
	RoleListItem:      {32, "list item"},
	RoleTree:          {65, "tree"},
	RoleTreeItem:      {91, "tree item"},
	RoleDocument:      {82, "document frame"},
	RoleHeading:       {83, "heading"},
	RoleParagraph:     {73, "paragraph"},
	RoleLink:          {88, "link"},
	RoleImage:         {27, "image"},
	RoleButton:        {43, "push button"},
	RoleToggleButton:  {62, "toggle button"},
	RoleCheckBox:      {7, "check box"},
	RoleRadioButton:   {44, "radio button"},
	RoleComboBox:      {11, "combo box"},
	RoleEntry:         {79, "entry"},
	RolePasswordEntry: {40, "password text"},
	RoleSlider:        {51, "slider"},
	RoleSpinButton:    {52, "spin button"},
	RoleLabel:         {29, "label"},
	RoleMenuBar:       {34, "menu bar"},
	RoleMenu:          {33, "menu"},
	RoleMenuItem:      {35, "menu item"},
	RoleCheckMenuItem: {8, "check menu item"},
	RoleRadioMenuItem: {45, "radio menu item"},
	RolePopupMenu:     {41, "popup menu"},
	RoleDialog:        {16, "dialog"},
	RoleAlert:         {2, "alert"},
	RoleProgressBar:   {42, "progress bar"},
	RoleStatusBar:     {54, "status bar"},
	RoleToolBar:       {63, "tool bar"},
	RoleTable:         {55, "table"},
	RoleTableRow:      {90, "table row"},
	RoleTableCell:     {56, "table cell"},
	RoleColumnHeader:  {57, "table column header"},
	RoleRowHeader:     {58, "table row header"},
	RoleBlockQuote:    {105, "block quote"},
	RoleCode:          {85, "section"},
	RoleScrollPane:    {49, "scroll pane"},
	RoleSeparator:     {50, "separator"},
	RoleSplitPane:     {53, "split pane"},
	RoleTabList:       {38, "page tab list"},
	RoleTab:           {37, "page tab"},
	RoleChart:         {80, "chart"},
	RoleCaption:       {81, "caption"},
	RoleMedia:         {107, "video"},
	RoleToolTip:       {64, "tool tip"},
	RoleNotification:  {101, "notification"},
	RoleGrouping:      {99, "grouping"},
	RoleForm:          {87, "form"},
	RoleTerm:          {122, "description term"},
	RoleDefinition:    {123, "description value"},
}

const applicationRole = 75

// The numbers of AtspiStateType, and the names by which events call them.
const (
	stateActive          = 1
	stateBusy            = 3
	stateChecked         = 4
	stateEditable        = 7
	stateEnabled         = 8
	stateExpandable      = 9
	stateExpanded        = 10
	stateFocusable       = 11
	stateFocused         = 12
	stateHorizontal      = 14
	stateModal           = 16
	stateMultiLine       = 17
	stateMultiSelectable = 18
	statePressed         = 20
	stateResizable       = 21
	stateSelectable      = 22
	stateSelected        = 23
	stateSensitive       = 24
	stateShowing         = 25
	stateSingleLine      = 26
	stateVertical        = 29
	stateVisible         = 30
	stateIndeterminate   = 32
	stateRequired        = 33
	stateInvalidEntry    = 36
	stateSelectableText  = 38
	stateDefault         = 39
	stateVisited         = 40
	stateCheckable       = 41
	stateHasPopup        = 42
	stateReadOnly        = 43
)

var stateNames = map[int]string{
	stateActive: "active", stateBusy: "busy", stateChecked: "checked", stateEditable: "editable", stateEnabled: "enabled",
	stateExpandable: "expandable", stateExpanded: "expanded", stateFocusable: "focusable", stateFocused: "focused",
	stateHorizontal: "horizontal", stateModal: "modal", stateMultiLine: "multi-line",
	stateMultiSelectable: "multiselectable", statePressed: "pressed", stateResizable: "resizable",
	stateSelectable: "selectable", stateSelected: "selected", stateSensitive: "sensitive", stateShowing: "showing",
	stateSingleLine: "single-line", stateVertical: "vertical", stateVisible: "visible",
	stateIndeterminate: "indeterminate", stateRequired: "required", stateInvalidEntry: "invalid-entry",
	stateSelectableText: "selectable-text", stateDefault: "is-default", stateVisited: "visited",
	stateCheckable: "checkable", stateHasPopup: "has-popup", stateReadOnly: "read-only",
}

// sameStates are our states that AT-SPI has, too.
var sameStates = map[States]int{
	Focusable: stateFocusable, Focused: stateFocused, Selectable: stateSelectable, Selected: stateSelected,
	MultiSelectable: stateMultiSelectable, Checkable: stateCheckable, Mixed: stateIndeterminate,
	Expandable: stateExpandable, Expanded: stateExpanded, Editable: stateEditable, ReadOnly: stateReadOnly,
	Required: stateRequired, Invalid: stateInvalidEntry, Busy: stateBusy, Modal: stateModal, Active: stateActive,
	Visited: stateVisited, HasPopup: stateHasPopup, Default: stateDefault,
}

// atspiStates is the bit set that AT-SPI knows for a node in these states.
func atspiStates(n *Node, states States) uint64 {
	var bits uint64
	set := func(on bool, state int) {
		if on {
			bits |= 1 << state
		}
	}
	for ours, theirs := range sameStates {
		set(states.Has(ours), theirs)
	}
	if !n.Role.isField() {
		bits &^= 1 << stateReadOnly // Orca would say so of every paragraph
	}
	if n.Role == RoleParagraph {
		bits &^= 1 << stateFocusable // it would be a field that is read only; the caret needs Focused alone
	}
	toggle := n.Role == RoleToggleButton
	set(states.Has(Checked) && !toggle, stateChecked)
	set(states.Has(Checked) && toggle, statePressed)
	set(!states.Has(Disabled), stateEnabled)
	set(!states.Has(Disabled), stateSensitive)
	set(true, stateVisible)
	set(!states.Has(OffScreen), stateShowing)
	set(n.Role == RoleFrame, stateResizable)
	set(n.Text != nil, stateSelectableText)
	if n.Role.isField() {
		set(states.Has(MultiLine), stateMultiLine)
		set(!states.Has(MultiLine), stateSingleLine)
	}
	switch n.Role {
	case RoleSlider, RoleSeparator, RoleProgressBar, RoleToolBar, RoleTabList, RoleList, RoleSplitPane:
		set(states.Has(Horizontal), stateHorizontal)
		set(!states.Has(Horizontal), stateVertical)
	}
	return bits
}

// isField tells whether people type into such a node.
func (r Role) isField() bool { return r == RoleEntry || r == RolePasswordEntry || r == RoleSpinButton }

// sameEvent tells whether two names of events are the same, however they are written: "object:announcement",
// "Object:Announcement:".
func sameEvent(a, b string) bool {
	plain := func(s string) string {
		return strings.ToLower(strings.TrimRight(strings.ReplaceAll(s, "-", ""), ":"))
	}
	return plain(a) == plain(b)
}

// keyBinding writes a key as ATK does, without a mnemonic: "Ctrl+Shift+R" is ";;<Control><Shift>R".
func keyBinding(shortcut string) string {
	if shortcut == "" {
		return ""
	}
	parts := strings.Split(shortcut, "+")
	if strings.HasSuffix(shortcut, "++") || shortcut == "+" {
		parts = append(parts[:len(parts)-2], "plus")
	}
	for i, part := range parts[:len(parts)-1] {
		if part == "Ctrl" {
			part = "Control"
		}
		parts[i] = "<" + part + ">"
	}
	return ";;" + strings.Join(parts, "")
}
