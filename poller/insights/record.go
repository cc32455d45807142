package insights

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Record is the whole history, for whoever wants to compute with it.
type Record struct {
	Feeds  []RecordedFeed // those subscribed to
	Visits []Visit        // oldest first
	Awake  []Span         // oldest first; nil: nothing is known of it
}

// RecordedFeed is when articles of a feed were posted.
type RecordedFeed struct {
	ID    int64
	Title string
	URL   string
	Posts []int64 // ascending, Unix seconds
}

// Record reads the whole history. Articles count as posted when Realised takes them to be or, before
// its days, when they were dated.
func (in *Insights) Record(ctx context.Context) (*Record, error) {
	h, err := in.read(ctx, MostDays)
	if err != nil {
		return nil, err
	}
	r := &Record{}
	if r.Feeds, err = in.recordFeeds(ctx, h); err != nil {
		return nil, err
	}
	log, err := in.log.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range log {
		if !a.At.After(h.now) {
			r.Visits = append(r.Visits, Visit{a.At, a.Until})
		}
	}
	for _, w := range h.wakings {
		r.Awake = append(r.Awake, Span{w.From, w.To})
	}
	return r, nil
}

func (in *Insights) recordFeeds(ctx context.Context, h *history) ([]RecordedFeed, error) {
	rows, err := in.store.Read().QueryContext(ctx, "SELECT id, "+titleColumn+", url FROM feed WHERE removed = 0 ORDER BY id")
	if err != nil {
		return nil, fmt.Errorf("read the feeds: %w", err)
	}
	defer rows.Close()
	var feeds []RecordedFeed
	for rows.Next() {
		var f RecordedFeed
		if err := rows.Scan(&f.ID, &f.Title, &f.URL); err != nil {
			return nil, fmt.Errorf("read the feeds: %w", err)
		}
		feeds = append(feeds, f)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the feeds: %w", err)
	}
	known := h.byID()
	posts := map[int64][]int64{}
	dates, err := in.store.Read().QueryContext(ctx, "SELECT feed, min(published, seen), seen FROM status ORDER BY published")
	if err != nil {
		return nil, fmt.Errorf("read when articles were posted: %w", err)
	}
	defer dates.Close()
	for dates.Next() {
		var feed, at, seen int64
		if err := dates.Scan(&feed, &at, &seen); err != nil {
			return nil, fmt.Errorf("read when articles were posted: %w", err)
		}
		if f := known[feed]; (f == nil || seen <= f.since || seen > h.to.Unix()) && at > earliest {
			posts[feed] = append(posts[feed], at)
		}
	}
	for i := range feeds {
		f := &feeds[i]
		if f.Posts = posts[f.ID]; known[f.ID] != nil {
			f.Posts = append(f.Posts, known[f.ID].posts...)
		}
		slices.Sort(f.Posts)
	}
	return feeds, dates.Err()
}

// earliest is when the dates of articles are believed to begin: older ones are no times.
var earliest = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
