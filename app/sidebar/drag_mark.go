package sidebar

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"kairos/app/look"
	"kairos/app/widgets"
)

// dragMark shows, above the list, what is dragged beside the pointer, and where it would stand: a line between two feeds or folders,
// or a frame around the folder that it would go into.
type dragMark struct {
	*fyne.Container
	line, folder, ground *canvas.Rectangle
	name                 *widgets.Line
}

func newDragMark() *dragMark {
	m := &dragMark{line: canvas.NewRectangle(nil), folder: canvas.NewRectangle(nil), ground: canvas.NewRectangle(nil),
		name: widgets.NewLine(look.TextSize(theme.SizeNameText))}
	m.folder.StrokeWidth, m.folder.CornerRadius, m.ground.CornerRadius, m.ground.StrokeWidth = 2, 4, 4, 1
	m.Container = container.NewWithoutLayout(append([]fyne.CanvasObject{m.line, m.folder, m.ground}, m.name.Objects()...)...)
	m.Hide()
	return m
}

// Sizes of the mark, in units.
const (
	markLine  = 2  // its thickness
	markAside = 14 // how far the name is from the pointer, which would cover it
	markWidth = 200
	markPad   = 6
)

// show shows the drag of a sidebar, or nothing if there is none.
func (m *dragMark) show(s *Pane) {
	d := &s.drag
	if d.item == nil || !d.item.IsMovable() {
		if m.Visible() {
			m.Hide()
		}
		return
	}
	accent := widgets.Color(s.List, look.ColorAccent)
	m.line.FillColor, m.folder.StrokeColor = accent, accent
	m.line.Hidden, m.folder.Hidden = !m.placeLine(s), !m.placeFolder(s)
	m.placeName(s)
	m.Show()
	m.Refresh()
}

// placeName puts the name of what is dragged beside the pointer.
func (m *dragMark) placeName(s *Pane) {
	at := s.drag.pointer.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(m.Container))
	m.name.Content, m.name.Color = s.drag.item.Name, widgets.Color(s.List, look.ColorText)
	need := m.name.Needs()
	width := min(need.Width+1, markWidth)
	x, y := at.X+markAside, at.Y+2
	m.ground.FillColor, m.ground.StrokeColor = widgets.Color(s.List, theme.ColorNameOverlayBackground), widgets.Color(s.List, look.ColorFrame)
	m.ground.Move(fyne.NewPos(x, y))
	m.ground.Resize(fyne.NewSize(width+2*markPad, need.Height+4))
	m.name.Fit(x+markPad, y+2, width)
	m.Objects = append([]fyne.CanvasObject{m.line, m.folder, m.ground}, m.name.Objects()...)
}

// placeLine puts the line where a feed or folder would stand that is sorted by hand: above the feed whose place it takes, or below
// that if it comes from above, or between the folders. It returns false where none would.
func (m *dragMark) placeLine(s *Pane) bool {
	row := s.lineRow()
	if row < 0 {
		return false
	}
	left := float32(8 + s.drag.item.Indent*indentWidth)
	m.line.Move(fyne.NewPos(left, s.rowTop(row)-theme.Padding()/2-markLine/2))
	m.line.Resize(fyne.NewSize(max(0, s.List.Size().Width-left-8), markLine))
	return true
}

// lineRow is the row above which the line stands, −1 for none.
func (s *Pane) lineRow() int {
	switch {
	case s.drag.beside != "" && s.drag.beside != s.drag.item.Folder:
		return s.drag.gap
	case s.drag.at == nil:
		return -1
	}
	row, from := -1, -1
	for i, item := range s.Items {
		switch {
		case item.Feed == nil:
		case item.Feed.ID == s.drag.at.ID:
			row = i
		case item.Feed.ID == s.drag.item.Feed.ID:
			from = i
		}
	}
	if from >= 0 && from < row {
		row++
	}
	return row
}

// placeFolder puts the frame around the row of the folder that the item would go into. It returns false where that has none:
// at the top level, or outside of the list.
func (m *dragMark) placeFolder(s *Pane) bool {
	if s.drag.folder == nil {
		return false
	}
	for i, item := range s.Items {
		if item.Folder != "" && item.Folder == *s.drag.folder {
			m.folder.FillColor = widgets.Color(s.List, theme.ColorNameHover)
			m.folder.Move(fyne.NewPos(2, s.rowTop(i)))
			m.folder.Resize(fyne.NewSize(max(0, s.List.Size().Width-4), rowHeight))
			return true
		}
	}
	return false
}

// rowTop is where a row begins on screen, below the top of the list.
func (s *Pane) rowTop(i int) float32 {
	return float32(i)*(rowHeight+theme.Padding()) - s.List.GetScrollOffset()
}
