package dialogs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"kairos/app/widgets"
)

// insideWidth is the width of what is shown inside of another dialog, where that has room for it.
const insideWidth = 620

// host is the dialog inside of which the next one is shown; nil: it gets a box of its own.
func (s *Stack) host() *Dialog {
	switch top := s.top(); {
	case top == nil:
		return nil
	case top.Inside != nil:
		return top
	default:
		return top.host
	}
}

// showInside shows d inside of another dialog.
func (s *Stack) showInside(d, host *Dialog) {
	d.host, d.frame, d.page = host, host.frame, newPage(d)
	c := s.Canvas()
	before := c.Focused()
	d.hide = func() {
		var below fyne.CanvasObject
		if top := s.top(); top != nil {
			below = top.page
		}
		host.Inside(below)
		if before != nil {
			c.Focus(before)
		}
	}
	s.Open = append(s.Open, d)
	host.Inside(d.page)
}

// newPage draws a dialog without a box.
func newPage(d *Dialog) fyne.CanvasObject {
	title, buttons := widgets.NewText(d.Title, widgets.Section), container.New(&buttonRow{Dialog: d})
	for _, b := range d.Buttons {
		buttons.Add(b.widget)
	}
	if d.Height > 0 {
		return container.New(layout.NewCustomPaddedLayout(framePad, framePad, framePad, framePad), container.New(stretched{}, title, d.Content, buttons))
	}
	return widgets.NewVScroll(widgets.NewPage(insideWidth, widgets.NewColumn(frameGap, title, d.Content, buttons)))
}

// buttonRow is the layout of a dialog's buttons.
type buttonRow struct {
	*Dialog
	width float32 // of the last layout
}

func (r *buttonRow) MinSize([]fyne.CanvasObject) fyne.Size {
	_, least := r.buttonsWidth()
	return fyne.NewSize(least, r.buttonsHeight(r.width))
}

func (r *buttonRow) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	r.width = size.Width
	r.layoutButtons(fyne.Position{}, size.Width)
}

// stretched is the layout of a title, of content that gets all the room, and of buttons.
type stretched struct{}

func (stretched) MinSize(objects []fyne.CanvasObject) fyne.Size {
	title, content, buttons := objects[0].MinSize(), objects[1].MinSize(), objects[2].MinSize()
	return fyne.NewSize(max(content.Width, buttons.Width), title.Height+content.Height+buttons.Height+2*frameGap)
}

func (stretched) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	top := widgets.FitWidth(objects[0], size.Width) + frameGap
	high := widgets.FitWidth(objects[2], size.Width)
	objects[1].Move(fyne.NewPos(0, top))
	objects[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-top-frameGap-high)))
	objects[2].Move(fyne.NewPos(0, size.Height-high))
	objects[2].Resize(fyne.NewSize(size.Width, high))
}
