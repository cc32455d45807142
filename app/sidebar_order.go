package app

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"kairos/reader"
)

// setOrder stores the order of the feeds, which can be undone.
func (s *sidebar) setOrder(order []int64, message string) {
	before := s.library.Order
	s.shell.Work(func(ctx context.Context) error { return s.library.StoreOrder(ctx, order) }, func(err error) {
		if err != nil {
			s.shell.Fail(err)
			return
		}
		s.shell.AddUndo(message, func(ctx context.Context) error {
			defer s.shell.Do(s.library.Reload)
			return s.library.StoreOrder(ctx, before)
		})
		s.library.Reload()
	})
}

// place puts a feed where another one of its folder stands.
func (s *sidebar) place(one, at reader.Feed) {
	s.setOrder(s.library.Placed(one, at), lang.L("{{.Name}} moved", map[string]any{"Name": one.Title}))
}

// moveChosen moves the chosen feed by one place, up if step is negative, within its folder.
func (s *sidebar) moveChosen(step int) {
	f := s.session.Place.Feed
	if f == nil {
		s.shell.Say(lang.L("Select a feed first."))
		return
	}
	if at := s.library.Neighbor(f, step); at != nil {
		s.place(*f, *at)
	}
}

// sortByName forgets what was sorted by hand.
func (s *sidebar) sortByName() {
	if len(s.library.Order) > 0 {
		s.setOrder(nil, lang.L("Feeds sorted by name"))
	}
}
