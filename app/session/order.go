package session

import "kairos/reader"

// Grouping is what puts consecutive articles into a group.
type Grouping string

const (
	GroupNone   Grouping = ""
	GroupByDay  Grouping = "day"
	GroupByFeed Grouping = "feed"
)

// Order is how the timeline is sorted and grouped.
type Order struct {
	OldestFirst bool
	Group       Grouping
	HideRead    bool
}

// Apply returns q in this order.
func (o Order) Apply(q reader.Query) reader.Query {
	if o.OldestFirst {
		q.Order = reader.OldestFirst
	}
	q.ByFeed = o.Group == GroupByFeed && q.Feed == 0
	q.HideRead = o.HideRead && q.View != reader.Starred
	return q
}
