package session

import (
	"testing"
	"time"

	"kairos/reader"
)

func TestLikelyFirstHasNoGroups(t *testing.T) {
	o := Order{Group: GroupByDay, HideRead: true}.SortedBy(LikelyFirst)
	if o != (Order{Sort: LikelyFirst, HideRead: true}) {
		t.Errorf("%+v", o)
	}
	if o = o.GroupedBy(GroupByFeed); o != (Order{Group: GroupByFeed, HideRead: true}) {
		t.Errorf("%+v", o)
	}
	if o = o.SortedBy(OldestFirst); o.Group != GroupByFeed {
		t.Errorf("%+v", o)
	}
}

// The queue is listed as it plays, all of it, whatever is chosen for other lists.
func TestQueueHasItsOwnOrder(t *testing.T) {
	s := New(Place{Key: Queue, Query: reader.Query{Queued: true}}, NewMarks(nil, nil))
	s.List.Order = Order{Sort: OldestFirst, Group: GroupByFeed, HideRead: true}
	if q := s.Query(time.Time{}, false); q.Order != reader.QueueOrder || q.ByFeed || q.HideRead {
		t.Errorf("%+v", q)
	}
	if o := s.Order(); o.Group != GroupNone {
		t.Errorf("%+v", o)
	}
	s.Choose(feed)
	if q := s.Query(time.Time{}, false); q.Order != reader.OldestFirst || !q.HideRead {
		t.Errorf("%+v", q)
	}
}
