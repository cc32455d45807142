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

// What is shown unasked, as one goes through the feeds, counts as opened later than what the user opens.
func TestOpenedAfter(t *testing.T) {
	s := listing(feed, []int64{5, 4})
	s.Unasked = Unasked{ID: 4}
	if s.OpenedAfter(5) != openedAfter || s.OpenedAfter(4) <= openedAfter {
		t.Errorf("%s and %s", s.OpenedAfter(5), s.OpenedAfter(4))
	}
}

// A click on an article that is shown unasked opens it.
func TestChosenUnasked(t *testing.T) {
	for _, c := range []struct {
		when OpenMark
		id   int64
		want bool
	}{{MarkAtOnce, 4, true}, {MarkAtOnce, 5, false}, {MarkLater, 4, false}, {MarkNever, 4, false}} {
		s := listing(feed, []int64{5, 4})
		s.OpenMark, s.Unasked = c.when, Unasked{ID: 4, Again: true}
		if got := s.Chosen(c.id); got != c.want || s.Chosen(c.id) {
			t.Errorf("%+v: %v, or a second click marks it again", c, got)
		}
		if after := s.OpenedAfter(c.id); after != openedAfter {
			t.Errorf("%+v: it counts as opened after %v", c, after)
		}
	}
}

// Who goes on from an article that was shown unasked has seen it.
func TestPassedUnasked(t *testing.T) {
	for _, c := range []struct {
		when           OpenMark
		unasked, again bool
		read           bool
		want           int64
	}{
		{MarkAtOnce, true, false, false, 4}, {MarkAtOnce, false, false, false, 0}, {MarkAtOnce, true, true, false, 0}, {MarkAtOnce, true, false, true, 0},
		{MarkLater, true, false, false, 0}, {MarkNever, true, false, false, 0},
	} {
		s := listing(feed, []int64{5, 4})
		if s.OpenMark = c.when; c.unasked {
			s.Unasked = Unasked{ID: 4, Again: c.again}
		}
		if got := s.Passed(); got != 0 {
			t.Errorf("nothing is shown, and %d passed", got)
		}
		s.List.Loaded[4].Read = c.read
		s.Shown = s.List.Loaded[4]
		if got := s.Passed(); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
