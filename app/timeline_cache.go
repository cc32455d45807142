package app

import "slices"

// listKey identifies a list of articles: the sidebar item, the order, and whether each story is listed once.
type listKey struct {
	item   string
	order  listOrder
	dedupe bool
}

// listCache holds the ids of lists that were shown before, the newest last, so that an item that is chosen again has
// its full length at once. Listing a hundred thousand ids takes longer than people wait.
type listCache struct {
	lists []cachedList
}

type cachedList struct {
	key listKey
	ids []int64
}

// maxCachedIDs bounds the ids in the cache: 16 MB, where there are a million articles.
const maxCachedIDs = 2_000_000

// store puts a list into the cache in place of the one with the same key. The oldest lists make room.
func (c *listCache) store(key listKey, ids []int64) {
	c.lists = slices.DeleteFunc(c.lists, func(l cachedList) bool { return l.key == key })
	c.lists = append(c.lists, cachedList{key, ids})
	room := maxCachedIDs
	for i := len(c.lists) - 1; i >= 0; i-- {
		if room -= len(c.lists[i].ids); room < 0 {
			c.lists = slices.Delete(c.lists, 0, i+1)
			return
		}
	}
}

// complete appends to the beginning of a list what stood below it when it was stored.
func (c *listCache) complete(key listKey, head []int64) []int64 {
	for _, l := range c.lists {
		if l.key == key && len(head) > 0 {
			if at := slices.Index(l.ids, head[len(head)-1]); at >= 0 {
				return append(slices.Clone(head), without(l.ids[at+1:], head)...)
			}
		}
	}
	return head
}
