package app

import (
	"slices"
	"testing"
)

func TestListCache(t *testing.T) {
	var r listCache
	all, unread := listKey{item: "all"}, listKey{item: "unread"}
	if got := r.complete(all, []int64{9, 8}); !slices.Equal(got, []int64{9, 8}) {
		t.Errorf("nothing is remembered: %v", got)
	}
	r.store(all, []int64{8, 7, 6, 5})
	r.store(unread, []int64{8, 5})
	for _, c := range []struct {
		of         listKey
		head, want []int64
	}{
		{all, []int64{9, 8, 7}, []int64{9, 8, 7, 6, 5}},
		{unread, []int64{9, 8}, []int64{9, 8, 5}},
		{all, []int64{9, 4}, []int64{9, 4}},             // 4 was not there
		{all, []int64{5, 9, 8}, []int64{5, 9, 8, 7, 6}}, // 5 has risen
		{all, nil, nil},
		{listKey{item: "all", dedupe: true}, []int64{8}, []int64{8}},
		{listKey{item: "all", order: listOrder{oldestFirst: true}}, []int64{8}, []int64{8}},
	} {
		if got := r.complete(c.of, c.head); !slices.Equal(got, c.want) {
			t.Errorf("%v begins with %v: %v, want %v", c.of, c.head, got, c.want)
		}
	}
	r.store(all, []int64{8, 3})
	if got := r.complete(all, []int64{8}); !slices.Equal(got, []int64{8, 3}) {
		t.Errorf("after it was listed again: %v", got)
	}
}

// The cache is bounded; the lists shown last stay.
func TestListCacheIsBounded(t *testing.T) {
	var r listCache
	sum := func() (n int) {
		for _, l := range r.lists {
			n += len(l.ids)
		}
		return n
	}
	for i := range 20 {
		r.store(listKey{item: string(rune('a' + i))}, slices.Repeat([]int64{int64(i)}, maxCachedIDs/5))
		if sum() > maxCachedIDs {
			t.Fatalf("%d ids are remembered", sum())
		}
	}
	if len(r.lists) != 5 || r.lists[4].key.item != "t" {
		t.Errorf("%d lists, the last %q", len(r.lists), r.lists[len(r.lists)-1].key.item)
	}
	r.store(listKey{item: "vast"}, make([]int64, maxCachedIDs+1))
	if len(r.lists) != 0 {
		t.Errorf("a list over the bound is remembered, or what it had no room beside")
	}
}
