package sync

import (
	"context"
	"sync/atomic"
)

// Traffic counts the requests of a synchronization. Its methods are safe for concurrent use, and do nothing for nil.
type Traffic struct{ requests, bytes, shortened atomic.Int64 }

type trafficKey struct{}

// TrafficOf returns what counts the requests made under a context, nil if nothing does.
func TrafficOf(ctx context.Context) *Traffic {
	t, _ := ctx.Value(trafficKey{}).(*Traffic)
	return t
}

// Add counts a request with so many bytes of its answer.
func (t *Traffic) Add(bytes int) {
	if t != nil {
		t.requests.Add(1)
		t.bytes.Add(int64(bytes))
	}
}

// Shorten counts articles whose texts were too long to be kept.
func (t *Traffic) Shorten(articles int) {
	if t != nil {
		t.shortened.Add(int64(articles))
	}
}
