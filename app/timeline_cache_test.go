package app

import (
	"slices"
	"testing"
)

func TestRemembered(t *testing.T) {
	var r remembered
	all, unread := listKey{place: "all"}, listKey{place: "unread"}
	if got := r.complete(all, []int64{9, 8}); !slices.Equal(got, []int64{9, 8}) {
		t.Errorf("nothing is remembered: %v", got)
	}
	r.keep(all, []int64{8, 7, 6, 5})
	r.keep(unread, []int64{8, 5})
	for _, c := range []struct {
		of         listKey
		head, want []int64
	}{
		{all, []int64{9, 8, 7}, []int64{9, 8, 7, 6, 5}},
		{unread, []int64{9, 8}, []int64{9, 8, 5}},
		{all, []int64{9, 4}, []int64{9, 4}},             // 4 was not there
		{all, []int64{5, 9, 8}, []int64{5, 9, 8, 7, 6}}, // 5 has risen
		{all, nil, nil},
		{listKey{place: "all", folds: true}, []int64{8}, []int64{8}},
		{listKey{place: "all", arranged: arrangement{oldest: true}}, []int64{8}, []int64{8}},
	} {
		if got := r.complete(c.of, c.head); !slices.Equal(got, c.want) {
			t.Errorf("%v begins with %v: %v, want %v", c.of, c.head, got, c.want)
		}
	}
	r.keep(all, []int64{8, 3})
	if got := r.complete(all, []int64{8}); !slices.Equal(got, []int64{8, 3}) {
		t.Errorf("after it was listed again: %v", got)
	}
}

// What is remembered is bounded, and what was listed last stays.
func TestRememberedIsBounded(t *testing.T) {
	var r remembered
	sum := func() (n int) {
		for _, l := range r.lists {
			n += len(l.ids)
		}
		return n
	}
	for i := range 20 {
		r.keep(listKey{place: string(rune('a' + i))}, slices.Repeat([]int64{int64(i)}, rememberedMost/5))
		if sum() > rememberedMost {
			t.Fatalf("%d ids are remembered", sum())
		}
	}
	if len(r.lists) != 5 || r.lists[4].of.place != "t" {
		t.Errorf("%d lists, the last %q", len(r.lists), r.lists[len(r.lists)-1].of.place)
	}
	r.keep(listKey{place: "vast"}, make([]int64, rememberedMost+1))
	if len(r.lists) != 0 {
		t.Errorf("a list over the bound is remembered, or what it had no room beside")
	}
}
