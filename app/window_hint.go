package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"kairos/app/icon"
	"kairos/app/widgets"
)

// newHintPane returns the line above the status bar for a hint, which is hidden at first: its text, what can be done, and the button
// that puts it away.
func newHintPane(text *widgets.Text, putAway func(), acts ...fyne.CanvasObject) *fyne.Container {
	away := widgets.NewToolButton(lang.L("Do not show this again"), icon.Theme(theme.IconNameCancel), putAway)
	away.NoName = true
	away.SetText("")
	pane := container.NewBorder(nil, nil, nil, container.NewCenter(container.NewHBox(append(acts, away)...)),
		container.New(layout.NewCustomPaddedLayout(8, 8, 8, 8), text))
	pane.Hide()
	return pane
}
