package session

import "testing"

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
