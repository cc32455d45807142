package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets"
)

// subpage stands in the place of a page of the settings, with a way back to it: the button at its top, or Escape.
type subpage struct {
	title   string
	content fyne.CanvasObject
	buttons []*widgets.DialogButton
	main    *widgets.DialogButton // one of the buttons, which Enter presses; nil: none
	focus   fyne.Focusable        // gets the keys; nil: the button at the top
	left    func()                // called when it is left, for whatever is next
	back    func()                // called then when the page is shown again, which gives the keys to where they were

	object fyne.CanvasObject // all of it
}

// openSubpage shows a subpage in the place of the page.
func (d *settingsDialog) openSubpage(s *subpage) {
	d.dropSubpage()
	d.subpage = s
	back := widgets.NewDialogButton(d.page.Title(), func() { d.Keys.Used(); d.closeSubpage(s) })
	back.Icon, back.Importance = theme.NavigateBackIcon(), widget.LowImportance
	top := container.NewHBox(back, widget.NewLabelWithStyle(s.title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true}))
	bottom := container.NewHBox(layout.NewSpacer())
	for _, b := range s.buttons {
		bottom.Add(b)
	}
	s.object = container.NewBorder(top, bottom, nil, nil, s.content)
	d.inside(nil)
	if s.focus == nil {
		s.focus = back
	}
	d.focus(s.focus)
	widgets.Reveal(d.Dialogs.Window.Canvas(), s.focus.(fyne.CanvasObject))
}

// closeSubpage shows the page again, if the subpage is still shown; it reports whether it was.
func (d *settingsDialog) closeSubpage(s *subpage) bool {
	if s == nil || d.subpage != s {
		return false
	}
	d.focus(d.names) // until the page has listed again what it shows
	d.dropSubpage()
	s.back()
	return true
}

// dropSubpage takes the subpage away, if there is one.
func (d *settingsDialog) dropSubpage() {
	s := d.subpage
	if s == nil {
		return
	}
	d.subpage = nil
	d.inside(nil)
	s.left()
}

// key handles Escape and Enter while a subpage is shown.
func (d *settingsDialog) key(key fyne.KeyName) (used bool) {
	s := d.subpage
	if s == nil {
		return false
	}
	switch key {
	case fyne.KeyEscape:
		d.closeSubpage(s)
	case fyne.KeyReturn, fyne.KeyEnter:
		if s.main != nil && !s.main.Disabled() {
			s.main.OnTapped()
		}
	}
	return true
}

// subpageButton returns a button of a subpage.
func (d *settingsDialog) subpageButton(text string, main bool, do func()) *widgets.DialogButton {
	b := widgets.NewDialogButton(text, func() { d.Keys.Used(); do() })
	if main {
		b.Importance = widget.HighImportance
	}
	return b
}
