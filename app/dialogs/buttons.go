package dialogs

import "fyne.io/fyne/v2"

const (
	buttonGap   = 8
	leastButton = 76 // the width of a button with a short word
)

// buttonSize is the size of a button.
func buttonSize(b *Button) fyne.Size { return b.widget.MinSize().Max(fyne.NewSize(leastButton, 0)) }

// ShowButtons shows or hides the buttons. Content that has a height gets their room while they are hidden.
func (d *Dialog) ShowButtons(on bool) {
	for _, b := range d.Buttons {
		if b.widget.Hidden = !on; on {
			b.widget.Refresh()
		}
	}
	d.frame.Refresh()
}

// hiddenHeight is the height of the row of buttons while it is hidden.
func (d *Dialog) hiddenHeight() (height float32) {
	for _, b := range d.Buttons {
		if !b.widget.Visible() {
			height = max(height, buttonSize(b).Height+frameGap)
		}
	}
	return height
}

// buttonsSize is the size of the row of buttons, zero while it is hidden.
func (d *Dialog) buttonsSize() (size fyne.Size) {
	for _, b := range d.Buttons {
		if !b.widget.Visible() {
			continue
		}
		least := buttonSize(b)
		size = fyne.NewSize(size.Width+least.Width+buttonGap, max(size.Height, least.Height))
	}
	return size
}

// layoutButtons puts the answers at the right end of the row, and what stands aside at the left.
func (d *Dialog) layoutButtons(at fyne.Position, width float32) {
	left, right := at.X, at.X+width
	for _, b := range d.Buttons {
		if b.Aside {
			size := buttonSize(b)
			b.widget.Resize(size)
			b.widget.Move(fyne.NewPos(left, at.Y))
			left += size.Width + buttonGap
		}
	}
	for i := len(d.Buttons) - 1; i >= 0; i-- {
		if b := d.Buttons[i]; !b.Aside {
			size := buttonSize(b)
			right -= size.Width
			b.widget.Resize(size)
			b.widget.Move(fyne.NewPos(right, at.Y))
			right -= buttonGap
		}
	}
}
