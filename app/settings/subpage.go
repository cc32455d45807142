package settings

import (
	"slices"

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
	main    *widgets.DialogButton   // one of the buttons, which Enter presses; nil: none
	focus   fyne.Focusable          // gets the focus; nil: the button at the top
	keep    func(leave func()) bool // asks before what is not saved is lost and reports whether it asks; nil: nothing is lost
	left    func()                  // called when it is left, for whatever is next
	back    func()                  // called then when the page is shown again, which gives the focus to where it was

	object fyne.CanvasObject // all of it
}

// openSubpage shows a subpage in the place of the page.
func (d *settingsDialog) openSubpage(s *subpage) {
	d.dropSubpage()
	d.subpage = s
	back := widgets.NewDialogButton(d.page.Title(), func() { d.Keys.Used(); d.leaveSubpage(s) })
	back.Icon, back.Importance = theme.NavigateBackIcon(), widget.LowImportance
	top := container.NewHBox(back, widget.NewLabelWithStyle(s.title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true}))
	bottom := container.New(fromRight{})
	for _, b := range slices.Backward(s.buttons) {
		bottom.Add(b)
	}
	// Tab goes in this order: what is done with the content before the way back.
	s.object = container.New(layout.NewBorderLayout(top, bottom, nil, nil), s.content, bottom, top)
	d.inside(nil)
	if s.focus == nil {
		s.focus = back
	}
	d.focus(s.focus)
	widgets.Reveal(d.Dialogs.Canvas(), s.focus.(fyne.CanvasObject))
}

// leaveSubpage closes a subpage, or asks first.
func (d *settingsDialog) leaveSubpage(s *subpage) {
	if s.keep == nil || !s.keep(func() { d.closeSubpage(s) }) {
		d.closeSubpage(s)
	}
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
		d.leaveSubpage(s)
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

// fromRight is the layout of buttons in a row that ends at the right, the last button first.
type fromRight struct{}

func (fromRight) Layout(buttons []fyne.CanvasObject, size fyne.Size) {
	right := size.Width
	for _, b := range buttons {
		least := b.MinSize()
		b.Resize(fyne.NewSize(least.Width, size.Height))
		b.Move(fyne.NewPos(right-least.Width, 0))
		right -= least.Width + theme.Padding()
	}
}

func (fromRight) MinSize(buttons []fyne.CanvasObject) (least fyne.Size) {
	for i, b := range buttons {
		if i > 0 {
			least.Width += theme.Padding()
		}
		one := b.MinSize()
		least = fyne.NewSize(least.Width+one.Width, max(least.Height, one.Height))
	}
	return least
}
