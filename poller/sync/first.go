package sync

import (
	"context"
	"time"
)

// readBack is how far back read articles are got at first if nothing limits what is kept here. Older ones stay at the server.
const readBack = 90 * 24 * time.Hour

// first does the first synchronization, or the rest of it, page by page. Each page is stored together with the cursor of the next.
// Marks that are set here meanwhile are sent between the pages; what changes at the server meanwhile comes with the difference.
func (r *run) first(ctx context.Context) error {
	if r.state.Phase == New {
		if err := r.beginFirst(ctx); err != nil {
			return err
		}
	}
	for r.state.Phase == First {
		page, err := r.service.Page(ctx, r.state.cursor, r.state.back)
		if err != nil {
			return err
		}
		if page.Next != "" && page.Next == r.state.cursor {
			return &Error{Code: Garbled}
		}
		next := r.state
		next.cursor, next.Stored = page.Next, next.Stored+len(page.Articles)
		if page.Next == "" {
			next.Phase = Ready
		}
		if err := r.storeArticles(ctx, page.Articles, next); err != nil {
			return err
		}
		if err := r.send(ctx); err != nil && !isRejected(err) {
			return err
		}
	}
	return nil
}

func (r *run) beginFirst(ctx context.Context) error {
	now, err := r.service.Difference(ctx, time.Time{})
	if err != nil {
		return err
	}
	keep, err := r.store.Storage.Retention(ctx)
	if err != nil {
		return err
	}
	next := r.state
	next.Phase, next.cursor, next.since = First, "", now.Now
	next.back = r.now().Add(-readBack)
	if keep.Days > 0 {
		next.back = r.now().AddDate(0, 0, -keep.Days)
	}
	return r.write(ctx, next, nil)
}
