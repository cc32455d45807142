package dialogs

import (
	"slices"

	"fyne.io/fyne/v2"
)

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

// buttonLines are the visible buttons in lines of at most this width, in each of which there is one at least.
func (d *Dialog) buttonLines(width float32) (lines [][]*Button) {
	room := float32(0)
	for _, b := range d.Buttons {
		if !b.widget.Visible() {
			continue
		}
		wide := buttonSize(b).Width
		if len(lines) == 0 || room < wide {
			lines, room = append(lines, nil), width
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], b)
		room -= wide + buttonGap
	}
	return lines
}

// buttonsWidth is the width of the buttons beside each other, and the least, at which each has a line of its own.
func (d *Dialog) buttonsWidth() (all, least float32) {
	for _, b := range d.Buttons {
		if b.widget.Visible() {
			wide := buttonSize(b).Width
			all, least = all+wide+buttonGap, max(least, wide)
		}
	}
	return max(0, all-buttonGap), least
}

// buttonsHeight is the height of the buttons in lines of this width, zero while they are hidden.
func (d *Dialog) buttonsHeight(width float32) (height float32) {
	for i, line := range d.buttonLines(width) {
		if i > 0 {
			height += buttonGap
		}
		height += buttonSize(line[0]).Height
	}
	return height
}

// layoutButtons puts the answers at the right end of each line, and what stands aside at the left.
func (d *Dialog) layoutButtons(at fyne.Position, width float32) {
	for _, line := range d.buttonLines(width) {
		left, right := at.X, at.X+width
		for _, b := range line {
			if b.Aside {
				size := buttonSize(b)
				b.widget.Resize(size)
				b.widget.Move(fyne.NewPos(left, at.Y))
				left += size.Width + buttonGap
			}
		}
		for _, b := range slices.Backward(line) {
			if !b.Aside {
				size := buttonSize(b)
				right -= size.Width
				b.widget.Resize(size)
				b.widget.Move(fyne.NewPos(right, at.Y))
				right -= buttonGap
			}
		}
		at.Y += buttonSize(line[0]).Height + buttonGap
	}
}
