package session

import "testing"

// A step waits for the list of the place where it was asked for, unless something else is done meanwhile.
func TestStepWaitsForTheList(t *testing.T) {
	page := Page{IDs: []int64{5, 4, 3}}
	for name, c := range map[string]struct {
		do   func(s *Session)
		want Step
	}{
		"one":                      {func(s *Session) { s.List.Postpone(ToNext) }, ToNext},
		"the last of two":          {func(s *Session) { s.List.Postpone(ToNext); s.List.Postpone(ToNextUnread) }, ToNextUnread},
		"something else was done":  {func(s *Session) { s.List.Postpone(ToNext); s.List.DropStep() }, NoStep},
		"another place was chosen": {func(s *Session) { s.List.Postpone(ToNext); s.Choose(all) }, NoStep},
		"an article was opened":    {func(s *Session) { s.List.Postpone(ToPrevious); s.List.Follow(3) }, NoStep},
		"the list was there": {func(s *Session) {
			if s.List.Take(page); s.List.Postpone(ToNext) {
				t.Error("it waits for a list that is there")
			}
		}, NoStep},
		"the list was there and is empty": {func(s *Session) {
			if s.List.Take(Page{}); s.List.Postpone(ToNext) {
				t.Error("it waits for a list that is there and empty")
			}
		}, NoStep},
	} {
		started, chosen := New(all, NewMarks(nil, nil)), listing(all, page.IDs)
		chosen.Choose(feed)
		for when, s := range map[string]*Session{"at the start": started, "of a feed": chosen} {
			c.do(s)
			s.List.Take(page)
			if got := s.List.Postponed(); got != c.want {
				t.Errorf("%s, %s: step %d, want %d", name, when, got, c.want)
			}
			if s.List.Postponed() != NoStep || s.List.Postpone(ToNext) {
				t.Errorf("%s, %s: it is carried out twice", name, when)
			}
		}
	}
}
