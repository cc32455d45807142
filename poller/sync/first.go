package sync

import (
	"context"
	"errors"
	"net/url"
	"time"
)

// readBack is how far back read articles are got at first if nothing limits what is kept here. Older ones stay at the server.
const readBack = 90 * 24 * time.Hour

// Bounds of a first synchronization: a server that never comes to an end would fill the disk.
var (
	maxFirstPages  = 10_000 // a run
	maxFirstStored = 2_000_000
)

// first does the first synchronization, or the rest of it, page by page. Each page is stored together with the cursor of the next.
// Marks that are set here meanwhile are sent between the pages; what changes at the server meanwhile comes with the difference.
func (r *run) first(ctx context.Context) error {
	if r.state.Phase == New {
		if err := r.beginFirst(ctx); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	for r.state.Phase == First {
		seen[r.state.cursor] = true
		page, err := r.service.Page(ctx, r.state.cursor, r.state.back)
		if err != nil {
			return err
		}
		if page.Next != "" && seen[page.Next] {
			return &Error{Code: Garbled, Host: r.host(), Err: errors.New("a list goes on where it was")}
		}
		if len(seen) > maxFirstPages || r.state.Stored+len(page.Articles) > maxFirstStored {
			return &Error{Code: TooLarge, Host: r.host(), Err: errors.New("the list of articles does not end")}
		}
		next := r.state
		next.cursor, next.Stored = page.Next, next.Stored+len(page.Articles)
		if page.Next == "" {
			next.Phase = Ready
		}
		if err := r.storeArticles(ctx, page.Articles, next); err != nil {
			return err
		}
		if err := r.send(ctx); err != nil {
			return err
		}
	}
	return nil
}

// host returns the host of the account's server, for errors.
func (r *run) host() string {
	if u, err := url.Parse(r.account.URL); err == nil {
		return u.Host
	}
	return ""
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
