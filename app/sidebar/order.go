package sidebar

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/library"
	"kairos/app/session"
	"kairos/reader"
)

// sort stores how feeds and folders are sorted by hand, which can be undone. before is how they are sorted now.
func (s *Pane) sort(before, after library.Sorting, message string) {
	s.shell.Work(func(ctx context.Context) error { return s.library.StoreSorting(ctx, after) }, func(err error) {
		if err != nil {
			s.shell.Fail(err)
			return
		}
		store := func(sorting library.Sorting) func(ctx context.Context) error {
			return func(ctx context.Context) error {
				defer s.shell.Do(s.library.Reload)
				return s.library.StoreSorting(ctx, sorting)
			}
		}
		s.shell.AddUndoRedo(message, store(before), store(after))
		s.library.Reload()
	})
}

// place puts a feed where another one of its folder stands.
func (s *Pane) place(one, at reader.Feed) {
	s.sort(s.library.Sorting(), s.library.Placed(one, at), placedText(one.Title))
}

// placeFolder puts a folder where another one beside it stands.
func (s *Pane) placeFolder(item Item, at string) {
	s.sort(s.library.Sorting(s.library.Beside(item.Folder)...), s.library.PlacedFolder(item.Folder, at), placedText(item.Name))
}

func placedText(name string) string { return lang.L("{{.Name}} moved", map[string]any{"Name": name}) }

// MoveChosen moves the chosen feed or folder by one place, up if step is negative, among those beside it that are listed.
func (s *Pane) MoveChosen(step int) {
	switch item := s.session.Place; {
	case item.Feed != nil:
		at := s.library.Neighbor(item.Feed, step)
		for at != nil && s.rowOf(session.FeedKey(at.ID)) < 0 {
			at = s.library.Neighbor(at, step)
		}
		if at != nil {
			s.place(*item.Feed, *at)
		}
	case item.Folder != "" && !item.Account:
		at := s.library.NeighborFolder(item.Folder, step)
		for at != "" && s.rowOf(session.FolderKey(at)) < 0 {
			at = s.library.NeighborFolder(at, step)
		}
		if at != "" {
			s.placeFolder(Item{Place: item}, at)
		}
	default:
		s.shell.Say(lang.L("Select a feed or folder first."))
	}
}

// SortByName forgets what was sorted by hand.
func (s *Pane) SortByName() {
	after := s.library.SortedByName()
	if len(s.library.Order)+len(after.Folders) == 0 {
		return
	}
	before := s.library.Sorting()
	for p := range after.Folders {
		before.Folders[p] = s.library.FolderChoices[p].Position
	}
	s.sort(before, after, lang.L("Feeds and folders sorted by name"))
}

// gapAt finds the gap between the folders beside a dragged one that a point of the window is near to: the row below the gap, and the
// folder whose place the dragged one would take, itself where it would stay.
func (s *Pane) gapAt(item Item, at fyne.Position) (folder string, row int, near bool) {
	if item.Folder == "" || s.rowAt(at) < 0 {
		return "", 0, false
	}
	beside := s.library.Beside(item.Folder)
	var listed []string // of them
	var gaps []int      // rows below them
	var end int         // the row below the last one and what is in it
	for i := range s.Items {
		if one := s.Items[i]; one.Folder != "" && slices.Contains(beside, one.Folder) {
			listed, gaps = append(listed, one.Folder), append(gaps, i)
		}
		if path := s.Items[i].Branch().Path(s.library.Snapshot); len(listed) > 0 && library.InFolder(path, listed[len(listed)-1]) {
			end = i + 1
		}
	}
	from := slices.Index(listed, item.Folder)
	if from < 0 {
		return "", 0, false
	}
	y := at.Y - fyne.CurrentApp().Driver().AbsolutePositionForObject(s.List).Y
	for i, row := range append(gaps, end) {
		if off := y - s.rowTop(row) + theme.Padding()/2; off > gapReach || off < -gapReach {
			continue
		}
		if i > from {
			i = max(i-1, from)
		}
		return listed[i], row, true
	}
	return "", 0, false
}

// gapReach is how near to a gap between folders the pointer is when a folder is dragged there, rather than into a folder.
const gapReach = rowHeight / 4
