// Package accessible tells screen readers what is in the window. The window describes itself as a Tree of nodes
// (role, name, states, text, actions); a Service compares each tree with the one before and serves it to
// assistive technology: on Linux as AT-SPI 2 over D-Bus, elsewhere not yet.
package accessible

import (
	"context"
	"image"
)

// ID names a node. The same thing has the same ID in the next tree, so that clients keep what they hold; an ID that
// is gone is not used again for something else. Zero is no node.
type ID uint64

// FrameID is the ID of the window's frame, the root of every tree.
const FrameID ID = 1

// Role says what a node is.
type Role uint8

// The roles that there are. Their order is of no meaning.
const (
	RoleUnknown       Role = iota
	RoleFrame              // the window
	RolePanel              // a group of other nodes; without a name it is a container that is not told about
	RoleList               // rows below each other, one or several of which are selected
	RoleListItem           // a row of a list
	RoleTree               // rows that have a level and can be expanded
	RoleTreeItem           // a row of a tree
	RoleDocument           // what is read: the article
	RoleHeading            // has a Level
	RoleParagraph          // has a Text
	RoleLink               // a link of a text
	RoleImage              // its name is what it shows
	RoleButton             // a push button
	RoleToggleButton       // a button that stays pressed: Checked
	RoleCheckBox           //
	RoleRadioButton        //
	RoleComboBox           // its name is what it is for, its Value.Text or selected item what is chosen
	RoleEntry              // a field, with Text
	RolePasswordEntry      // a field whose Text is dots
	RoleSlider             // has a Value
	RoleSpinButton         // has a Value
	RoleLabel              // text that is not edited
	RoleMenuBar            //
	RoleMenu               // a menu, or an item that opens one
	RoleMenuItem           //
	RoleCheckMenuItem      //
	RoleRadioMenuItem      //
	RolePopupMenu          //
	RoleDialog             //
	RoleAlert              // a dialog that reports an error or asks one question
	RoleProgressBar        // has a Value
	RoleStatusBar          //
	RoleToolBar            //
	RoleTable              // its cells have a Cell
	RoleTableRow           //
	RoleTableCell          //
	RoleColumnHeader       // a cell that names its column
	RoleRowHeader          // a cell that names its row
	RoleBlockQuote         //
	RoleCode               // code, or preformatted text
	RoleScrollPane         //
	RoleSeparator          //
	RoleSplitPane          //
	RoleTabList            //
	RoleTab                //
	RoleChart              // its values are in its name, description, or children
	RoleCaption            // text that belongs to a picture or table
	RoleMedia              // audio or video
	RoleToolTip            //
	RoleNotification       //
	RoleGrouping           // several fields that belong together
	RoleForm               // the fields of a page or dialog
	RoleTerm               // the term of a list of descriptions
	RoleDefinition         // what such a term means
)

// States are what holds of a node at the moment, as a set of bits.
type States uint32

// The states. A node is enabled and shown unless it says otherwise.
const (
	Disabled        States = 1 << iota // cannot be used now
	OffScreen                          // scrolled out of sight
	Focusable                          // can have the keyboard
	Focused                            // has it: the node that is the Focus of its tree
	Selectable                         // of a list, tree, tab list or menu
	Selected                           //
	MultiSelectable                    // a list in which several may be selected
	Checkable                          //
	Checked                            // also a toggle button that is pressed
	Mixed                              // neither checked nor unchecked
	Expandable                         // a folder, a combo box, a menu
	Expanded                           //
	Editable                           // its Text can be changed
	MultiLine                          // a field of several lines
	ReadOnly                           // a field that cannot be changed now
	Required                           // must be filled in
	Invalid                            // is filled in wrongly; the Description says why
	Busy                               // at work
	Modal                              // a dialog that keeps the rest of the window from use
	Active                             // the frame or dialog that has the keyboard of the desktop
	Visited                            // a link that was followed
	HasPopup                           // opens a menu
	Default                            // what Enter does in a dialog
	Horizontal                         // a slider, separator, or list that goes from left to right
)

// Has tells whether all states of which are set.
func (s States) Has(which States) bool { return s&which == which }

// With is s with the states of which set or cleared.
func (s States) With(which States, on bool) States {
	if on {
		return s | which
	}
	return s &^ which
}

// Node is one thing that the window shows. Nodes are values of a snapshot: nobody changes one that is in a Tree
// which was handed to a Service.
type Node struct {
	ID          ID
	Role        Role
	Name        string // what it is called, as a person would say it; without it the text of a Text is read
	Description string // what more there is to say: a hint, what is wrong
	Help        string // how it is used, if that is not obvious
	Placeholder string // what an empty field shows
	Shortcut    string // the key that presses it, as menus write it: "Ctrl+R"
	Language    string // of the text, as in HTML ("de"); empty is the window's
	States      States
	Bounds      image.Rectangle // in pixels of the window
	Shown       image.Rectangle // the part of Bounds that is not scrolled out of sight
	Level       int             // of a heading or tree item, from 1; 0 is none
	PosInSet    int             // place in the whole list, from 1, even if only what is visible has nodes; 0 is unknown
	SetSize     int             // rows of the whole list; 0 is unknown
	Children    []ID
	Text        *Text    // nil if its text is its name and nobody moves through it
	Value       *Value   // nil if it has none
	Cell        *Cell    // nil if it is no cell of a table
	URL         string   // where a link leads, what an image shows, what a document is
	Actions     []Action // what can be done with it, the usual first
}

// Action is something that can be done with a node.
type Action struct {
	Name  string // for programs: "press", "toggle", "open", "expand", "menu" …
	Label string // for people, in the language of the window
}

// Value is the number that a slider or progress bar shows.
type Value struct {
	Now, Min, Max float64
	Step          float64 // what a key adds; 0 is unknown
	Text          string  // as people read it: "200 articles"; may be empty
}

// Cell is the place of a cell in its table, counted from 0.
type Cell struct {
	Row, Column         int
	RowSpan, ColumnSpan int // 0 counts as 1
}

// Text is a text through which somebody may move by character, word, line … All offsets in this package count
// characters (runes) of Content, not bytes.
//
// A child within the text (a link or image of a paragraph) stands in Content as itself, a link with its words, an
// image as the single character Embedded, and in Links.
type Text struct {
	Content string
	Caret   int    // -1 if there is none
	Select  [2]int // from and to of the selection; equal if nothing is selected
	Lines   []int  // where the lines begin as they are drawn, rising, without the 0; nil if a line ends at "\n" only
	Runs    []Run  // how parts of it look, rising, not overlapping
	Links   []Link // children at their places, rising, not overlapping
}

// Embedded stands in a Text for a child that is no text.
const Embedded = '\uFFFC'

// Run is how a part of a text looks.
type Run struct {
	From, To                                     int
	Bold, Italic, Underline, Strikethrough, Mono bool
	Marked                                       bool // highlighted, as what a search found
	Language                                     string
}

// Link is a child at its place in the text of its parent.
type Link struct {
	From, To int
	Child    ID
}

// App is what the window does for assistive technology. The methods are called on goroutines of the service; the
// window hands each over to its own goroutine. They return false when the node is gone or cannot do it. A call that
// is not done when ctx ends returns then.
type App interface {
	// Listen tells whether somebody listens now. When it becomes true the window makes a tree and calls
	// Service.Update, and again after each change; when it becomes false, it makes none any more.
	Listen(on bool)
	// Do does an action of a node, by its place in Actions.
	Do(ctx context.Context, id ID, action int) bool
	// Focus gives the keyboard to a node.
	Focus(ctx context.Context, id ID) bool
	// Select selects or unselects a row, item or tab.
	Select(ctx context.Context, id ID, on bool) bool
	// Replace puts text in the place of the characters from … to of a field.
	Replace(ctx context.Context, id ID, from, to int, text string) bool
	// SelectText selects the characters from … to of a text and puts the caret at to; equal only moves the caret.
	SelectText(ctx context.Context, id ID, from, to int) bool
	// SetValue sets a slider.
	SetValue(ctx context.Context, id ID, value float64) bool
	// ScrollTo scrolls a node into sight, or the characters from … to of its text if to is greater than from.
	ScrollTo(ctx context.Context, id ID, from, to int) bool
	// Origin is where the window is on the screen, in pixels; false if that is not known.
	Origin(ctx context.Context) (image.Point, bool)
	// TextBounds is where the characters from … to are drawn, in pixels of the window.
	TextBounds(ctx context.Context, id ID, from, to int) (image.Rectangle, bool)
	// OffsetAt is the character of a text at a point, in pixels of the window.
	OffsetAt(ctx context.Context, id ID, at image.Point) (int, bool)
}

// Politeness says how urgent an announcement is.
type Politeness uint8

// How urgent an announcement is: Polite ones wait for what is being spoken, Assertive ones interrupt it.
const (
	Polite Politeness = iota + 1
	Assertive
)
