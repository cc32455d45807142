package sidebar

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"kairos/reader"
)

// setOrder stores the order of the feeds, which can be undone.
func (s *Pane) setOrder(order []int64, message string) {
	before := s.library.Order
	s.shell.Work(func(ctx context.Context) error { return s.library.StoreOrder(ctx, order) }, func(err error) {
		if err != nil {
			s.shell.Fail(err)
			return
		}
		store := func(order []int64) func(ctx context.Context) error {
			return func(ctx context.Context) error {
				defer s.shell.Do(s.library.Reload)
				return s.library.StoreOrder(ctx, order)
			}
		}
		s.shell.AddUndoRedo(message, store(before), store(order))
		s.library.Reload()
	})
}

// place puts a feed where another one of its folder stands.
func (s *Pane) place(one, at reader.Feed) {
	s.setOrder(s.library.Placed(one, at), lang.L("{{.Name}} moved", map[string]any{"Name": one.Title}))
}

// MoveChosen moves the chosen feed by one place, up if step is negative, within its folder.
func (s *Pane) MoveChosen(step int) {
	f := s.session.Place.Feed
	if f == nil {
		s.shell.Say(lang.L("Select a feed first."))
		return
	}
	if at := s.library.Neighbor(f, step); at != nil {
		s.place(*f, *at)
	}
}

// SortByName forgets what was sorted by hand.
func (s *Pane) SortByName() {
	if len(s.library.Order) > 0 {
		s.setOrder(nil, lang.L("Feeds sorted by name"))
	}
}
