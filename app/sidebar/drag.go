package sidebar

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/library"
	"kairos/app/widgets"
	"kairos/reader"
)

// drag is a feed or a folder that is being dragged.
type drag struct {
	item    *Item         // nil: nothing is dragged
	pointer fyne.Position // on the canvas
	folder  *string       // where it would go; nil: nowhere else
	at      *reader.Feed  // the feed of its folder whose place it would take, if not nil
	beside  string        // the folder beside it whose place it would take, itself where it would stay; ""
	gap     int           // row below the place among the folders, if beside is not ""
	ended   bool          // Escape was pressed: it is no longer dragged, though the button is still held
}

// Dragged implements fyne.Draggable.
func (r *row) Dragged(ev *fyne.DragEvent) {
	widgets.HideTooltip()
	if r.dragged != nil {
		r.dragged(ev.AbsolutePosition)
	}
}

// DragEnd implements fyne.Draggable.
func (r *row) DragEnd() {
	if r.dropped != nil {
		r.dropped()
	}
}

// dragTo shows an item where the pointer is, and where it would go if it were dropped there. What is dragged stays the same until
// then: the row that it was in may show another item once the list has scrolled.
func (s *Pane) dragTo(item Item, at fyne.Position) {
	if s.drag.ended {
		return
	}
	if s.drag.item != nil {
		item = *s.drag.item
	}
	s.aim(item, at)
	s.mark.show(s)
	if s.edgeStep() != 0 && !s.scrolling {
		s.scrollLater()
	}
}

const (
	edge       = 32 // how far from the top or the bottom of the list the pointer scrolls it
	edgeScroll = 40 * time.Millisecond
)

// scrollLater scrolls the list on while something is dragged at its edge, also where the pointer rests.
func (s *Pane) scrollLater() {
	s.scrolling = true
	s.after(edgeScroll, func() {
		s.scrolling = false
		s.scrollAtEdge()
	})
}

// scrollAtEdge scrolls the list by a step.
func (s *Pane) scrollAtEdge() {
	step, before := s.edgeStep(), s.List.GetScrollOffset()
	if step == 0 {
		return
	}
	most := max(0, float32(len(s.Items))*(rowHeight+theme.Padding())-theme.Padding()-s.List.Size().Height)
	s.List.ScrollToOffset(min(max(0, before+step), most))
	if s.List.GetScrollOffset() == before {
		return
	}
	s.aim(*s.drag.item, s.drag.pointer)
	s.mark.show(s)
	s.scrollLater()
}

// edgeStep is how far the list is to be scrolled next: faster the nearer the pointer is to the edge. It is 0 where nothing is dragged
// there.
func (s *Pane) edgeStep() float32 {
	if s.drag.item == nil || !s.drag.item.IsMovable() {
		return 0
	}
	origin := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.List)
	at := s.drag.pointer.Subtract(origin)
	if at.X < 0 || at.X > s.List.Size().Width {
		return 0
	}
	switch above, below := edge-at.Y, at.Y-s.List.Size().Height+edge; {
	case above > 0:
		return -min(above, 2*edge) / edge * rowHeight / 2
	case below > 0:
		return min(below, 2*edge) / edge * rowHeight / 2
	}
	return 0
}

// aim finds out where an item would go if it were dropped at a point of the window.
func (s *Pane) aim(item Item, at fyne.Position) {
	s.drag = drag{item: &item, pointer: at}
	if i := s.rowAt(at); i >= 0 && i < len(s.Items) && item.IsMovable() {
		if at := s.Items[i].Feed; at != nil && item.Feed != nil && library.SameFolder(at, item.Feed) {
			if at.ID != item.Feed.ID {
				s.drag.at = at
				s.shell.Hover(lang.L("Move {{.Name}} to the place of {{.Feed}}", map[string]any{"Name": item.Name, "Feed": at.Title}))
			}
			return
		}
		if folder, row, near := s.gapAt(item, at); near {
			if s.drag.beside, s.drag.gap = folder, row; folder != item.Folder {
				s.shell.Hover(lang.L("Move {{.Name}} to the place of {{.Feed}}", map[string]any{"Name": item.Name, "Feed": library.NameOf(folder)}))
				return
			}
			s.shell.Hover("")
			return
		}
		folder := s.Items[i].Branch().Path(s.library.Snapshot)
		if len(s.library.Moves(item.Branch())(folder)) > 0 {
			s.drag.folder = &folder
			s.shell.Hover(moveText(item.Name, folder))
			return
		}
	}
	s.shell.Hover("")
}

// drop moves the dragged item to where it was let go.
func (s *Pane) drop() {
	switch d := s.drag; {
	case d.item == nil:
	case d.at != nil:
		s.place(*d.item.Feed, *d.at)
	case d.beside != "":
		if d.beside != d.item.Folder {
			s.placeFolder(*d.item, d.beside)
		}
	case d.folder != nil:
		s.Move(s.library.Moves(d.item.Branch())(*d.folder), movedText(d.item.Name, *d.folder))
	}
	s.drag = drag{}
	s.mark.show(s)
	s.shell.Hover("")
}

// CancelDrag leaves what is dragged where it was. It reports whether anything was dragged.
func (s *Pane) CancelDrag() bool {
	if s.drag.item == nil {
		return false
	}
	s.drag = drag{ended: true}
	s.mark.show(s)
	s.shell.Hover("")
	return true
}

// rowAt is the row at a point of the window, -1 for none.
func (s *Pane) rowAt(at fyne.Position) int {
	origin := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.List)
	y := at.Y - origin.Y
	if y < 0 || y > s.List.Size().Height || at.X < origin.X || at.X > origin.X+s.List.Size().Width {
		return -1
	}
	return int((y + s.List.GetScrollOffset()) / (rowHeight + theme.Padding()))
}
