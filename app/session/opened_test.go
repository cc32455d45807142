package session

import "testing"

// An article is marked read when the setting says so; one that is shown unasked counts as opened only once it stayed.
func TestMarkOnOpen(t *testing.T) {
	for _, c := range []struct {
		when           OpenMark
		unasked        bool
		opened, stayed bool
	}{
		{MarkAtOnce, false, true, false},
		{MarkAtOnce, true, false, true},
		{MarkLater, false, false, true},
		{MarkLater, true, false, true},
		{MarkNever, false, false, false},
		{MarkNever, true, false, false},
	} {
		s := listing(feed, []int64{5, 4})
		s.OpenMark, s.Unasked = c.when, Unasked{ID: 4, Again: true}
		id := int64(5)
		if c.unasked {
			id = 4
		}
		if got := s.Opened(id); got != c.opened || s.Unasked.Again != c.unasked || (s.Unasked.ID == 4) != c.unasked {
			t.Errorf("%s, unasked %v: marked %v when opened, then %+v", c.when, c.unasked, got, s.Unasked)
		}
		if got := s.StayedOpen(id); got != c.stayed {
			t.Errorf("%s, unasked %v: marked %v when it stayed", c.when, c.unasked, got)
		}
	}
	if s := New(feed, NewMarks(nil, nil)); !s.Opened(5) {
		t.Error("without a setting it is not marked at once")
	}
}
