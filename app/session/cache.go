package session

import "slices"

// ListKey identifies a list of articles: the sidebar item, the order, and whether each story is listed once.
type ListKey struct {
	Item   string
	Order  Order
	Dedupe bool
}

// ListCache holds the ids of lists that were shown before, the newest last, so that an item that is chosen again has
// its full length at once. Listing a hundred thousand ids takes longer than people wait.
type ListCache struct {
	lists []cachedList
}

type cachedList struct {
	key ListKey
	ids []int64
}

// maxCachedIDs bounds the ids in the cache: 16 MB, where there are a million articles.
const maxCachedIDs = 2_000_000

// Store puts a list into the cache in place of the one with the same key. The oldest lists make room.
func (c *ListCache) Store(key ListKey, ids []int64) {
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

// Complete appends to the beginning of a list what stood below it when it was stored.
func (c *ListCache) Complete(key ListKey, head []int64) []int64 {
	for _, l := range c.lists {
		if l.key == key && len(head) > 0 {
			if at := slices.Index(l.ids, head[len(head)-1]); at >= 0 {
				return append(slices.Clone(head), without(l.ids[at+1:], head)...)
			}
		}
	}
	return head
}
