package lab

import (
	"cmp"
	"slices"
)

// Reading is what a person did at an access with the posts of a feed that were offered there: each was
// read, or passed over one by one.
type Reading struct {
	At           int64 // of the access
	Feed         int
	Read, Passed int // posts
}

// delivery is the posts of a feed that a fetch has brought.
type delivery struct {
	at       int64 // of the fetch
	feed     int
	from, to int // indexes of the posts, to exclusive
}

// readingLog is what the view has told about readings. Nothing is computed until somebody asks.
type readingLog struct {
	brought  []delivery // in order of time
	offered  int        // of these, those that have been offered
	accesses int        // that are in readings
	readings []Reading
	last     []int // by feed, its last reading; nil before anybody asked
}

// Readings returns what was read and passed over at the accesses so far, ascending, those of the
// warm-up too. A post is offered at the first access after the fetch that brought it, whatever came
// between; one of the warm-up at the first access after it. A lost post never is. The slice grows from
// call to call.
func (v *View) Readings() []Reading {
	l := &v.read
	if l.last == nil {
		l.last = slices.Repeat([]int{-1}, v.Feeds())
		// What the replay's fetches brought so far comes after the warm-up.
		l.brought = append(v.warmupDeliveries(), l.brought...)
	}
	for ; l.accesses < v.accesses; l.accesses++ {
		v.offer(v.w.accesses[l.accesses])
	}
	return slices.Clip(l.readings)
}

// warmupDeliveries are the posts of the warm-up, each brought as it was published.
func (v *View) warmupDeliveries() (brought []delivery) {
	for feed, posts := range v.w.posts {
		for k, n := 0, v.w.postsUntil(feed, v.w.start); k < n; k++ {
			brought = append(brought, delivery{posts[k], feed, k, k + 1})
		}
	}
	slices.SortStableFunc(brought, func(a, b delivery) int { return cmp.Compare(a.at, b.at) })
	return brought
}

// offer notes what is read and passed over at an access.
func (v *View) offer(at int64) {
	l, read := &v.read, v.w.read()
	before := len(l.readings)
	for ; l.offered < len(l.brought) && l.brought[l.offered].at < at; l.offered++ {
		d := l.brought[l.offered]
		if l.last[d.feed] < before {
			l.last[d.feed] = len(l.readings)
			l.readings = append(l.readings, Reading{At: at, Feed: d.feed})
		}
		r := &l.readings[l.last[d.feed]]
		for _, wasRead := range read[d.feed][d.from:d.to] {
			if wasRead {
				r.Read++
			} else {
				r.Passed++
			}
		}
	}
}
