package session

import "kairos/reader"

// Grouping is what puts consecutive articles into a group.
type Grouping string

const (
	GroupNone   Grouping = ""
	GroupByDay  Grouping = "day"
	GroupByFeed Grouping = "feed"
)

// Sorting is which articles come first.
type Sorting string

const (
	NewestFirst Sorting = ""
	OldestFirst Sorting = "oldest"
	LikelyFirst Sorting = "likely" // to be read; such a list is not grouped
	AsPlayed    Sorting = "queue"  // of the queue, which has no other order
)

// Order is how the timeline is sorted and grouped.
type Order struct {
	Sort     Sorting
	Group    Grouping
	HideRead bool
}

// SortedBy returns the order with other articles first.
func (o Order) SortedBy(s Sorting) Order {
	if o.Sort = s; s == LikelyFirst {
		o.Group = GroupNone
	}
	return o
}

// GroupedBy returns the order with other groups.
func (o Order) GroupedBy(g Grouping) Order {
	if o.Group = g; g != GroupNone && o.Sort == LikelyFirst {
		o.Sort = NewestFirst
	}
	return o
}

// Apply returns q in this order. Of LikelyFirst it selects the articles only: the store does not know what is likely.
func (o Order) Apply(q reader.Query) reader.Query {
	switch o.Sort {
	case OldestFirst:
		q.Order = reader.OldestFirst
	case AsPlayed:
		q.Order = reader.QueueOrder
	}
	q.ByFeed = o.Group == GroupByFeed && q.Feed == 0
	q.HideRead = o.HideRead && q.View != reader.Starred && !q.Snoozed && !q.Ended
	return q
}
