package settings

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"kairos/app/accessible/describe"
	"kairos/app/widgets"
)

// cardList is cards below each other that are rebuilt after each change. The focus stays where it was meanwhile.
type cardList struct {
	*fyne.Container
	settings *settingsDialog
	controls *[]fyne.Focusable // of all cards, in their order
}

func newCardList(d *settingsDialog) cardList {
	return cardList{widgets.NewColumn(8), d, &[]fyne.Focusable{}}
}

// card returns a card: what switches it on, nil for nothing, text, and buttons.
func card(enabled, text fyne.CanvasObject, buttons ...fyne.CanvasObject) fyne.CanvasObject {
	lead := fyne.CanvasObject(container.NewWithoutLayout())
	if enabled != nil {
		lead = enabled
	}
	return widgets.NewPanel("", container.New(cardLayout{}, lead, text, container.NewHBox(buttons...)))
}

// cardLayout puts the buttons behind the text, or below it where that would have little room.
type cardLayout struct{}

const cardTextLeast = 180

func (cardLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	lead, text, buttons := objects[0], objects[1], objects[2]
	check, row := lead.MinSize(), buttons.MinSize()
	width := size.Width - check.Width - row.Width
	below := width < cardTextLeast
	if below {
		width = size.Width - check.Width
	}
	text.Move(fyne.NewPos(check.Width, 0))
	high := widgets.FitWidth(text, width)
	middle := max(high, row.Height)
	at := fyne.NewPos(size.Width-row.Width, (middle-row.Height)/2)
	if below {
		middle, at.Y = max(high, check.Height), max(high, check.Height)
	}
	text.Move(fyne.NewPos(check.Width, (middle-high)/2))
	lead.Resize(check)
	lead.Move(fyne.NewPos(0, (middle-check.Height)/2))
	buttons.Resize(row)
	buttons.Move(at)
}

// Explain implements describe.Explainer.
func (cardLayout) Explain(objects []fyne.CanvasObject) describe.Explanation {
	return describe.Explanation{Of: objects[0], Name: objects[1]}
}

func (cardLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	check, text, row := objects[0].MinSize(), objects[1].MinSize(), objects[2].MinSize()
	high := max(check.Height, text.Height)
	if objects[2].Position().Y >= high {
		high += row.Height
	} else {
		high = max(high, row.Height)
	}
	return fyne.NewSize(max(check.Width+text.Width, row.Width), high)
}

// control adds what can have the focus in a card.
func (l cardList) control(controls ...fyne.Focusable) { *l.controls = append(*l.controls, controls...) }

// fill replaces the cards by those that add adds. What it returns is called when they are on screen, and gives the focus
// to what stands where they were, or else to the next control that works.
func (l cardList) fill(add func()) (shown func()) {
	at := slices.Index(*l.controls, l.settings.Dialogs.Canvas().Focused())
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
