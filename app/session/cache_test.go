package session

import (
	"slices"
	"testing"
)

func TestListCache(t *testing.T) {
	var r ListCache
	all, unread := ListKey{Item: "all"}, ListKey{Item: "unread"}
	if got := r.Complete(all, []int64{9, 8}); !slices.Equal(got, []int64{9, 8}) {
		t.Errorf("nothing is remembered: %v", got)
	}
	r.Store(all, []int64{8, 7, 6, 5})
	r.Store(unread, []int64{8, 5})
	for _, c := range []struct {
		of         ListKey
		head, want []int64
	}{
		{all, []int64{9, 8, 7}, []int64{9, 8, 7, 6, 5}},
		{unread, []int64{9, 8}, []int64{9, 8, 5}},
		{all, []int64{9, 4}, []int64{9, 4}},             // 4 was not there
		{all, []int64{5, 9, 8}, []int64{5, 9, 8, 7, 6}}, // 5 has risen
		{all, nil, nil},
		{ListKey{Item: "all", Dedupe: true}, []int64{8}, []int64{8}},
		{ListKey{Item: "all", Order: Order{Sort: OldestFirst}}, []int64{8}, []int64{8}},
	} {
		if got := r.Complete(c.of, c.head); !slices.Equal(got, c.want) {
			t.Errorf("%v begins with %v: %v, want %v", c.of, c.head, got, c.want)
		}
	}
	r.Store(all, []int64{8, 3})
	if got := r.Complete(all, []int64{8}); !slices.Equal(got, []int64{8, 3}) {
		t.Errorf("after it was listed again: %v", got)
	}
}

// The cache is bounded; the lists shown last stay.
func TestListCacheIsBounded(t *testing.T) {
	var r ListCache
	sum := func() (n int) {
		for _, l := range r.lists {
			n += len(l.ids)
		}
		return n
	}
	for i := range 20 {
		r.Store(ListKey{Item: string(rune('a' + i))}, slices.Repeat([]int64{int64(i)}, maxCachedIDs/5))
		if sum() > maxCachedIDs {
			t.Fatalf("%d ids are remembered", sum())
		}
	}
	if len(r.lists) != 5 || r.lists[4].key.Item != "t" {
		t.Errorf("%d lists, the last %q", len(r.lists), r.lists[len(r.lists)-1].key.Item)
	}
	r.Store(ListKey{Item: "vast"}, make([]int64, maxCachedIDs+1))
	if len(r.lists) != 0 {
		t.Errorf("a list over the bound is remembered, or what it had no room beside")
	}
}
