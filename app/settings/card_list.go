package settings

import (
	"slices"

	"fyne.io/fyne/v2"

	"kairos/app/widgets"
)

// cardList is cards below each other that are made anew after each change. The keys stay where they were meanwhile.
type cardList struct {
	*fyne.Container
	settings *settingsDialog
	controls *[]fyne.Focusable // of all cards, in their order
}

func newCardList(d *settingsDialog) cardList {
	return cardList{widgets.NewColumn(8), d, &[]fyne.Focusable{}}
}

// control adds what can have the keys in a card.
func (l cardList) control(controls ...fyne.Focusable) { *l.controls = append(*l.controls, controls...) }

// fill replaces the cards by those that add adds. What it returns is called when they are on screen, and gives the keys
// to what stands where they were, or else to the next control that works.
func (l cardList) fill(add func()) (shown func()) {
	at := slices.Index(*l.controls, l.settings.Dialogs.Window.Canvas().Focused())
	l.RemoveAll()
	*l.controls = nil
	add()
	return func() {
		if at < 0 {
			return
		}
		for _, c := range (*l.controls)[min(at, len(*l.controls)):] {
			if off, ok := c.(fyne.Disableable); !ok || !off.Disabled() {
				l.settings.focus(c)
				return
			}
		}
		l.settings.focus(l.settings.names)
	}
}
