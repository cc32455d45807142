package settings

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets"
)

// undoLine says below a page what was done and can be undone; the status bar, which says so too, is behind the settings.
type undoLine struct {
	*Settings
	object *fyne.Container
	what   *widgets.Text
	button *widgets.DialogButton
	used   func()
	offers []string // what can be undone since it was hidden, the last at the end
}

// newUndoLine returns the line; used is called when the action was undone, and takes the focus.
func newUndoLine(s *Settings, used func()) *undoLine {
	l := &undoLine{Settings: s, used: used, what: widgets.NewText("", widgets.Muted)}
	l.button = widgets.NewDialogButton(lang.L("Undo"), l.use)
	l.button.Importance = widget.LowImportance
	// On the left: on the right was the button that did what is undone, and a double click would press both.
	l.object = container.NewBorder(nil, nil, container.New(layout.NewCustomPaddedLayout(0, 0, 16, 0), l.button), nil, widgets.NewInset(l.what))
	l.object.Hide()
	return l
}

func (l *undoLine) hide() {
	l.offers = nil
	l.object.Hide()
}

// use undoes the last action that is offered, if there is one, and then offers the one before.
func (l *undoLine) use() {
	if len(l.offers) == 0 {
		return
	}
	l.Keys.Used()
	l.offers = l.offers[:len(l.offers)-1]
	l.show()
	l.used()
	l.Undo()
}

// show says what is offered.
func (l *undoLine) show() {
	if len(l.offers) == 0 {
		l.object.Hide()
		return
	}
	l.what.SetText(l.offers[len(l.offers)-1], widgets.Muted)
	l.object.Show()
	l.object.Refresh()
}

// offer says what was done and offers to undo it.
func (l *undoLine) offer(what string, undo func(ctx context.Context) error) {
	l.AddUndo(what, undo)
	l.offers = append(l.offers, what)
	l.show()
}
