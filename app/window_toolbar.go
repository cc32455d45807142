package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// newToolbar returns the row at the top: buttons, the search and battery saver.
func (w *window) newToolbar() fyne.CanvasObject {
	button := func(text string, icon fyne.ThemeIconName, command string) *widget.Button {
		b := widget.NewButtonWithIcon(text, iconOf(icon), func() {
			w.used()
			w.perform(command)
		})
		b.Importance = widget.LowImportance
		return b
	}
	left := container.NewHBox(
		button(lang.L("Add feed"), theme.IconNameContentAdd, "add"),
		button(lang.L("Refresh"), theme.IconNameViewRefresh, "refresh"),
		button(lang.L("Mark all read"), theme.IconNameConfirm, "read-all"),
	)
	return container.NewVBox(container.NewBorder(nil, nil, left, w.budget.button, w.search.bar), widget.NewSeparator())
}
