package session

import "testing"

// A stream begins unasked with the first unread article of an item that was chosen, where it may take the place of the list.
func TestStreamListed(t *testing.T) {
	for name, c := range map[string]struct {
		s      *Session
		wanted bool
		status int64
		reveal bool
		step   StreamStep
		row    int
	}{
		"chosen":              {listing(feed, []int64{5, 4, 3}, 5), true, 0, true, StreamBegins, 1},
		"chosen, all read":    {listing(feed, []int64{5, 4}, 5, 4), true, 0, true, StreamBegins, 0},
		"behind the list":     {listing(feed, []int64{5, 4}), true, 0, false, StreamFollows, 0},
		"nothing in it":       {listing(feed, nil), true, 0, true, StreamGivesWay, 0},
		"listed again":        {listing(feed, []int64{5, 4}), false, 0, true, StreamFollows, 0},
		"emptied meanwhile":   {listing(feed, nil), false, 0, true, StreamFollows, 0},
		"behind a status":     {listing(feed, []int64{5, 4}), true, 7, true, StreamStays, 0},
		"a status of nothing": {listing(feed, nil), true, 7, true, StreamStays, 0},
	} {
		c.s.StreamWanted, c.s.Status = c.wanted, c.status
		step, row := c.s.StreamListed(c.reveal)
		if step != c.step || row != c.row {
			t.Errorf("%s: step %d at row %d, want %d at %d", name, step, row, c.step, c.row)
		}
		if began := c.s.Unasked.ID != 0; began != (step == StreamBegins) || began && c.s.Unasked.ID != c.s.List.IDs[row] {
			t.Errorf("%s: article %d was not asked for", name, c.s.Unasked.ID)
		}
	}
	// What stands below the rows that are known: the unread article that was looked for, or one that may be among the rest.
	long := listing(feed, []int64{5, 4}, 5, 4)
	long.StreamWanted = true
	long.List.IDs, long.List.Part = []int64{5, 4, 3, 2}, true
	if step, _ := long.StreamListed(true); step != StreamStays || !long.StreamWanted {
		t.Errorf("before all are listed: step %d", step)
	}
	long.List.unread = 2
	if step, row := long.StreamListed(true); step != StreamBegins || row != 3 {
		t.Errorf("the unread one is far below: step %d at row %d", step, row)
	}
	s := listing(feed, []int64{5, 4})
	s.StreamWanted, s.List.Current = true, 4
	if step, _ := s.StreamListed(true); step != StreamFollows {
		t.Errorf("with an article open: step %d", step)
	}
}
