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
}

// newUndoLine returns the line; used is called when the action was undone, and takes the keys.
func newUndoLine(s *Settings, used func()) *undoLine {
	l := &undoLine{Settings: s, what: widgets.NewText("", widgets.Muted)}
	l.button = widgets.NewDialogButton(lang.L("Undo"), func() {
		s.Keys.Used()
		l.hide()
		used()
		s.Undo()
	})
	l.button.Importance = widget.LowImportance
	l.object = container.NewBorder(nil, nil, container.New(layout.NewCustomPaddedLayout(0, 0, 16, 0)), l.button, widgets.NewInset(l.what))
	l.object.Hide()
	return l
}

func (l *undoLine) hide() { l.object.Hide() }

// offer says what was done and offers to undo it.
func (l *undoLine) offer(what string, undo func(ctx context.Context) error) {
	l.AddUndo(what, undo)
	l.what.SetText(what, widgets.Muted)
	l.object.Show()
	l.object.Refresh()
}
