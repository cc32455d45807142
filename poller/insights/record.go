package insights

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"kairos/poller"
	"kairos/reader"
)

// Record is the whole history, for whoever wants to compute with it.
type Record struct {
	Feeds  []RecordedFeed // those subscribed to
	Visits []Visit        // oldest first
	Awake  []Span         // when fetching was possible, oldest first; nil: nothing is known of it
	// Fetches are the requests for these feeds of the last MostDays, oldest first.
	Fetches []RecordedFetch
}

// RecordedFeed is when articles of a feed were posted.
type RecordedFeed struct {
	ID    int64
	Title string
	URL   string
	Posts []int64 // ascending, Unix seconds
}

// RecordedFetch is a line of the ledger.
type RecordedFetch struct {
	Feed   int64
	At     time.Time
	Reason poller.Code
	Result poller.Result
	Status int // HTTP; 0 if there was no answer
	New    int // articles
	Bytes  int64
}

// Record reads the whole history. Articles count as posted when Realized takes them to be or, before
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
	for _, s := range h.awake() {
		r.Awake = append(r.Awake, Span{time.Unix(max(s.From, earliest), 0), time.Unix(min(s.To, h.now.Unix()), 0)})
	}
	r.Fetches, err = in.recordFetches(ctx, h)
	return r, err
}

func (in *Insights) recordFetches(ctx context.Context, h *history) ([]RecordedFetch, error) {
	return reader.Collect(ctx, in.store.Read(), "read the ledger", func(row *sql.Rows, f *RecordedFetch) error {
		var at int64
		err := row.Scan(&f.Feed, &at, &f.Reason, &f.Result, &f.Status, &f.New, &f.Bytes)
		f.At = time.Unix(at, 0)
		return err
	}, `SELECT f.id, at, reason, result, status, new, bytes FROM ledger l JOIN `+fetched+` f ON f.subject = l.subject
		WHERE at >= ? AND `+asked+` ORDER BY at, l.id`, h.now.Add(-MostDays*day).Unix())
}

func (in *Insights) recordFeeds(ctx context.Context, h *history) ([]RecordedFeed, error) {
	rows, err := in.store.Read().QueryContext(ctx, "SELECT id, title, url FROM "+fetched+" ORDER BY id")
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
	dates, err := in.store.Read().QueryContext(ctx, "SELECT feed, min(published, seen), seen FROM reader_article ORDER BY published")
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
			for _, p := range known[f.ID].posts {
				if !p.lost {
					f.Posts = append(f.Posts, p.at)
				}
			}
		}
		slices.Sort(f.Posts)
	}
	return feeds, dates.Err()
}

// earliest is when the dates of articles are believed to begin: older ones are no times.
var earliest = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
