// Package describe makes the tree that screen readers are told from what the window draws. It walks the objects of the
// canvas: those that describe themselves (Describer) say what they are from the data that they draw, and Fyne's own
// widgets are described here, also where ours extend them. What says nothing and holds nothing is decoration.
package describe

import (
	"fyne.io/fyne/v2"

	"kairos/app/accessible"
)

// Describer is a widget, or the layout of a container, that says what it is for whoever cannot see it. It is asked on
// Fyne's goroutine, after a frame that has changed something, and only while somebody listens.
type Describer interface{ Describe() Node }

// Node is what a part of the window says about itself. ID, Bounds and Children of the embedded node are filled in by the
// walk. A node of RolePanel without a name is passed over, but for what it holds.
type Node struct {
	accessible.Node
	Handler

	// Key names the same thing in the next tree, also when another widget draws it; nil: the object that tells.
	Key any

	// Holds says that what is drawn in it is told, too, below it. Otherwise the node stands for all of it.
	Holds bool

	// Only are the objects of those that it is drawn with that are told below it; nil: Holds says.
	Only []fyne.CanvasObject

	// Parts are told below it and are no objects of the canvas; each has a Key. At and Size of each are its place in the
	// object, and Span the characters of the text of the node that it stands for; none if they are equal.
	Parts []Node
	At    fyne.Position
	Size  fyne.Size
	Span  [2]int
}

// Handler does what assistive technology asks of a node. Functions that are nil are not possible.
type Handler struct {
	Do         []func()                                        // the actions, in their order
	Focus      func()                                          // gives it the focus; nil: as Fyne does
	Select     func(on bool)                                   // selects or unselects it
	Replace    func(from, to int, text string)                 // replaces characters of its text
	SelectText func(from, to int)                              // selects characters, or moves the caret where they are equal
	SetValue   func(float64)                                   // sets its number
	ScrollTo   func(from, to int)                              // scrolls to it, or to characters of its text
	TextBounds func(from, to int) (fyne.Position, fyne.Size)   // where characters are, in the object
	OffsetAt   func(at fyne.Position) (offset int, found bool) // the character at a place in the object
}

// Act adds an action: a name for programs, one for people, and what it does.
func (n *Node) Act(name, label string, do func()) {
	n.Actions = append(n.Actions, accessible.Action{Name: name, Label: label})
	n.Do = append(n.Do, do)
}

// Explainer is the layout of a container in which an object explains another one: its name beside a field, a hint below.
type Explainer interface {
	Explain(objects []fyne.CanvasObject) Explanation
}

// Explanation says what explains the controls in Of. Objects that are nil say nothing.
type Explanation struct {
	Of    fyne.CanvasObject
	Name  fyne.CanvasObject // names those without a name
	Hint  fyne.CanvasObject // says more about them
	Value fyne.CanvasObject // words their number
}
