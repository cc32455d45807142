package app

import "slices"

// listKey tells lists of articles apart: a place, its order, and whether a story stands in it
// once.
type listKey struct {
	place    string
	arranged arrangement
	folds    bool
}

// remembered are lists that were shown before, the newest last: one that is chosen again has
// its length at once. To know all ids of a hundred thousand articles takes longer than one
// waits for.
type remembered struct {
	lists []rememberedList
}

type rememberedList struct {
	of  listKey
	ids []int64
}

// rememberedMost bounds the ids remembered: 4 MB.
const rememberedMost = 500_000

// keep remembers a list in place of what was known of it; the oldest ones make room.
func (r *remembered) keep(of listKey, ids []int64) {
	r.forget(of)
	r.lists = append(r.lists, rememberedList{of, ids})
	room := rememberedMost
	for i := len(r.lists) - 1; i >= 0; i-- {
		if room -= len(r.lists[i].ids); room < 0 {
			r.lists = slices.Delete(r.lists, 0, i+1)
			return
		}
	}
}

func (r *remembered) forget(of listKey) {
	r.lists = slices.DeleteFunc(r.lists, func(l rememberedList) bool { return l.of == of })
}

// complete adds to the beginning of a list what stood below it before.
func (r *remembered) complete(of listKey, head []int64) []int64 {
	for _, l := range r.lists {
		if l.of == of && len(head) > 0 {
			if at := slices.Index(l.ids, head[len(head)-1]); at >= 0 {
				return append(slices.Clone(head), without(l.ids[at+1:], head)...)
			}
		}
	}
	return head
}

// without are the ids that are not among others.
func without(ids, others []int64) []int64 {
	are := make(map[int64]bool, len(others))
	for _, id := range others {
		are[id] = true
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return are[id] })
}
