package accessible

import (
	"cmp"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// controlTypes are the roles as UI Automation numbers them.
var controlTypes = map[Role]int32{
	RoleUnknown: controlCustom, RoleFrame: 50032, RolePanel: controlGroup, RoleList: 50008, RoleListItem: 50007, RoleTree: 50023,
	RoleTreeItem: 50024, RoleDocument: 50030, RoleHeading: controlText, RoleParagraph: controlText, RoleLink: 50005, RoleImage: 50006,
	RoleButton: controlButton, RoleToggleButton: controlButton, RoleCheckBox: 50002, RoleRadioButton: 50013, RoleComboBox: 50003,
	RoleEntry: controlEdit, RolePasswordEntry: controlEdit, RoleSlider: 50015, RoleSpinButton: 50016, RoleLabel: controlText,
	RoleMenuBar: 50010, RoleMenu: controlMenuItem, RoleMenuItem: controlMenuItem, RoleCheckMenuItem: controlMenuItem,
	RoleRadioMenuItem: controlMenuItem, RolePopupMenu: 50009, RoleDialog: controlWindow, RoleAlert: controlWindow,
	RoleProgressBar: 50012, RoleStatusBar: 50017, RoleToolBar: 50021, RoleTable: 50036, RoleTableRow: controlGroup,
	RoleTableCell: 50029, RoleColumnHeader: 50035, RoleRowHeader: 50035, RoleBlockQuote: controlGroup, RoleCode: controlText,
	RoleScrollPane: 50033, RoleSeparator: 50038, RoleSplitPane: 50033, RoleTabList: 50018, RoleTab: 50019, RoleChart: 50006,
	RoleCaption: controlText, RoleMedia: controlGroup, RoleToolTip: 50022, RoleNotification: controlText, RoleGrouping: controlGroup,
	RoleForm: controlGroup, RoleTerm: controlText, RoleDefinition: controlText,
}

const (
	controlButton   = 50000
	controlEdit     = 50004
	controlMenuItem = 50011
	controlText     = 50020
	controlCustom   = 50025
	controlGroup    = 50026
	controlWindow   = 50032
)

// The properties that are told.
const (
	propertyControlType    = 30003
	propertyName           = 30005
	propertyAccelerator    = 30006
	propertyHasFocus       = 30008
	propertyFocusable      = 30009
	propertyEnabled        = 30010
	propertyAutomationID   = 30011
	propertyHelp           = 30013
	propertyControl        = 30016
	propertyContent        = 30017
	propertyPassword       = 30019
	propertyOffScreen      = 30022
	propertyFramework      = 30024
	propertyRequired       = 30025
	propertyText           = 30045
	propertyExpandState    = 30070
	propertyIsSelected     = 30079
	propertyToggleState    = 30086
	propertyValid          = 30103
	propertyProvider       = 30107
	propertyPosition       = 30152
	propertySize           = 30153
	propertyLevel          = 30154
	propertyHeadingLevel   = 30173
	propertyIsDialog       = 30174
	headingLevelNone       = 80050
	deepestHeading         = 9
	propertyDescription    = 30159
	frameworkName          = "Fyne"
	providerName           = "Kairos"
	automationIDNumberBase = 10
)

// property is what a client is told about a node: a string, bool or int32; nil leaves it to Windows.
func property(t *served, n *Node, id int32) any {
	states := t.states(n)
	switch id {
	case propertyName:
		return n.spoken()
	case propertyFocusable:
		return states.Has(Focusable) || n.ID == FrameID
	case propertyHasFocus:
		return states.Has(Focused)
	case propertyEnabled:
		return !states.Has(Disabled)
	case propertyControl, propertyContent:
		return !(n.Role == RolePanel && n.Name == "") && n.Role != RoleSeparator
	case propertyFramework:
		return frameworkName
	case propertyProvider:
		return providerName
	}
	if n.ID == FrameID {
		return nil // Windows knows its windows
	}
	switch id {
	case propertyControlType:
		return controlTypes[n.Role]
	case propertyAccelerator:
		return n.Shortcut
	case propertyAutomationID:
		return strconv.FormatUint(uint64(n.ID), automationIDNumberBase)
	case propertyHelp:
		return cmp.Or(n.Help, n.Placeholder)
	case propertyDescription:
		return n.Description
	case propertyPassword:
		return n.Role == RolePasswordEntry
	case propertyOffScreen:
		return states.Has(OffScreen)
	case propertyRequired:
		return states.Has(Required)
	case propertyValid:
		return !states.Has(Invalid)
	case propertyPosition:
		return int32(n.PosInSet)
	case propertySize:
		return int32(n.SetSize)
	case propertyLevel:
		return int32(n.Level)
	case propertyHeadingLevel:
		if n.Role != RoleHeading || n.Level < 1 {
			return int32(headingLevelNone)
		}
		return int32(headingLevelNone + min(n.Level, deepestHeading))
	case propertyIsDialog:
		return n.Role == RoleDialog || n.Role == RoleAlert
	}
	return n.patternProperty(id)
}

// patternProperty is what clients ask without the pattern that it belongs to.
func (n *Node) patternProperty(id int32) any {
	switch {
	case id == propertyText && n.hasPattern(valueFace):
		return n.valueText()
	case id == propertyExpandState && n.hasPattern(expandFace):
		return n.expandState()
	case id == propertyToggleState && n.hasPattern(toggleFace):
		return n.toggleState()
	case id == propertyIsSelected && n.hasPattern(selectionItemFace):
		return n.isSelected() != 0
	}
	return nil
}

// spoken is what a screen reader says for a node: a text that has no name is its own.
func (n *Node) spoken() string {
	if n.Name != "" || n.Text == nil || n.States.Has(Editable) {
		return n.Name
	}
	return strings.ReplaceAll(n.Text.Content, string(Embedded), "")
}

// patterns are the numbers of the interfaces by which clients use a node.
var patterns = map[int32]int{
	10000: invokeFace, 10001: selectionFace, 10002: valueFace, 10003: rangeValueFace, 10005: expandFace, 10010: selectionItemFace, 10014: textFace, 10015: toggleFace, 10017: scrollItemFace,
}

func (n *Node) hasPattern(which int) bool {
	switch which {
	case invokeFace:
		return len(n.Actions) > 0 && !n.hasPattern(toggleFace)
	case toggleFace:
		return len(n.Actions) > 0 && n.States.Has(Checkable)
	case expandFace:
		return n.States.Has(Expandable)
	case selectionItemFace:
		return n.States.Has(Selectable)
	case valueFace:
		return n.Value != nil || n.Text != nil && (n.Role == RoleEntry || n.Role == RolePasswordEntry)
	case rangeValueFace:
		return n.Value != nil && n.Value.Max > n.Value.Min
	case selectionFace:
		return n.Role == RoleList || n.Role == RoleTree || n.Role == RoleTabList
	case textFace:
		return n.Text != nil && n.Role != RolePasswordEntry
	case scrollItemFace:
		return n.ID != FrameID
	}
	return false
}

// actionCalled is the place of the first of these actions that the node has, or of its usual one.
func (n *Node) actionCalled(names []string) int {
	for _, name := range names {
		for i, a := range n.Actions {
			if a.Name == name {
				return i
			}
		}
	}
	return 0
}

func (n *Node) toggleState() int32 {
	switch {
	case n.States.Has(Mixed):
		return 2
	case n.States.Has(Checked):
		return 1
	}
	return 0
}

func (n *Node) expandState() int32 {
	if n.States.Has(Expanded) {
		return 1
	}
	return 0
}

func (n *Node) isSelected() int32 {
	if n.States.Has(Selected) {
		return 1
	}
	return 0
}

func (n *Node) selectsSeveral() int32 {
	if n.States.Has(MultiSelectable) {
		return 1
	}
	return 0
}

func (n *Node) isReadOnly() int32 {
	if n.Text != nil && n.States.Has(Editable) && !n.States.Has(ReadOnly) {
		return 0
	}
	return 1
}

func (n *Node) valueText() string {
	switch {
	case n.Value != nil && n.Value.Text != "":
		return n.Value.Text
	case n.Value != nil:
		return strconv.FormatFloat(n.Value.Now, 'f', -1, 64)
	case n.Text != nil:
		return n.Text.Content
	}
	return ""
}

// variant is a VARIANT of COM.
type variant struct {
	kind  uint16
	_     [3]uint16
	value uint64
	_     uint64
}

// The kinds of variants.
const (
	kindInt     = 3
	kindDouble  = 5
	kindString  = 8
	kindBool    = 11
	kindUnknown = 13
)

func newVariant(v any) variant {
	switch v := v.(type) {
	case string:
		return variant{kind: kindString, value: uint64(newString(v))}
	case int32:
		return variant{kind: kindInt, value: uint64(uint32(v))}
	case bool:
		if v {
			return variant{kind: kindBool, value: 0xFFFF}
		}
		return variant{kind: kindBool}
	}
	return variant{}
}

var (
	oleaut32         = windows.NewLazySystemDLL("oleaut32.dll")
	procNewString    = oleaut32.NewProc("SysAllocStringLen")
	procFreeString   = oleaut32.NewProc("SysFreeString")
	procNewArray     = oleaut32.NewProc("SafeArrayCreateVector")
	procPutInArray   = oleaut32.NewProc("SafeArrayPutElement")
	procClearVariant = oleaut32.NewProc("VariantClear")
)

// newString returns a BSTR, which is the caller's to free.
func newString(s string) uintptr {
	units := append(windows.StringToUTF16(strings.ReplaceAll(s, "\x00", "")), 0)
	p, _, _ := procNewString.Call(uintptr(unsafe.Pointer(&units[0])), uintptr(len(units)-2))
	return p
}

// newArray returns a SAFEARRAY of int32, float64 or COM objects, to which it has references of its own. It is the caller's to
// free; 0 if there is no memory.
func newArray[T int32 | float64 | uintptr](kind uintptr, values []T) uintptr {
	array, _, _ := procNewArray.Call(kind, 0, uintptr(len(values)))
	if array == 0 {
		return 0
	}
	for i := range values {
		at, value := int32(i), uintptr(unsafe.Pointer(&values[i]))
		if kind == kindUnknown {
			value = uintptr(values[i])
		}
		procPutInArray.Call(array, uintptr(unsafe.Pointer(&at)), value)
	}
	return array
}
