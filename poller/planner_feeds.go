package poller

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

// plannedFeed is a feed as a plan and the start of a fetch see it: titles, unread articles and the
// rest of its State would take longer to read than all of that.
type plannedFeed struct {
	schedule.Feed
	url  string
	gone bool // for good
}

// plannedColumns are what scanPlanned reads, of feed f and its poll state s, if it was ever tried.
const plannedColumns = `f.id, f.url, f.weight, f.every, coalesce(s.address, ''), coalesce(s.tried, 0), coalesce(s.fetched, 0),
	coalesce(s.failures, 0), coalesce(s.not_before, 0), coalesce(s.gone, 0), coalesce(s.floor, 0), coalesce(s.ttl, 0),
	coalesce(s.skip_hours, 0), coalesce(s.skip_days, 0), coalesce(s.upto, 0), coalesce(s.posted, 0), s.tally,
	coalesce(s.shown, 0), coalesce(s.keeps, 0), coalesce(s.turnover, 0)`

// scanPlanned scans plannedColumns and more.
func scanPlanned(rows *sql.Rows, more ...any) (plannedFeed, error) {
	var f reader.Feed
	var s State
	var every, tried, fetched, notBefore, floor, ttl, upto, posted int64
	var tally []byte
	window := &s.posts.Window
	into := append(make([]any, 0, 32), &f.ID, &f.URL, &f.Weight, &every, &s.address, &tried, &fetched,
		&s.Failures, &notBefore, &s.Gone, &floor, &ttl, &s.Limits.Skips.Hours, &s.Limits.Skips.Days, &upto, &posted, &tally,
		&window.Shown, &window.Size, &window.Turnover)
	if err := rows.Scan(append(into, more...)...); err != nil {
		return plannedFeed{}, err
	}
	s.Feed, f.Every = f.ID, time.Duration(every)*time.Second
	s.Tried, s.Fetched, s.NotBefore = instant(tried), instant(fetched), instant(notBefore)
	s.posts.UpTo, s.posts.Newest = instant(upto), instant(posted)
	s.Limits.MaxAge, s.Limits.TTL = time.Duration(floor)*time.Second, time.Duration(ttl)*time.Second
	var err error
	if s.posts.Tally, err = readTally(tally); err != nil {
		return plannedFeed{}, fmt.Errorf("read what was learned of feed %d: %w", s.Feed, err)
	}
	s.setFeed(f)
	planned := plannedFeed{s.scheduleFeed(), f.URL, s.Gone}
	planned.Weight = f.Weight
	return planned, nil
}

// plannedFeeds returns the feeds that meet a condition and are not paused, by their ids, without
// their shares.
func (r *records) plannedFeeds(ctx context.Context, condition string, args ...any) (feeds []plannedFeed, err error) {
	rows, err := r.db.Rows(ctx, "SELECT "+plannedColumns+" FROM feed f LEFT JOIN poll s ON s.feed = f.id WHERE "+condition+
		" AND f.removed = 0 AND f.paused = 0 ORDER BY f.id", args...)
	if err != nil {
		return nil, fmt.Errorf("read the feeds: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		f, err := scanPlanned(rows)
		if err != nil {
			return nil, fmt.Errorf("read the feeds: %w", err)
		}
		feeds = append(feeds, f)
	}
	return feeds, rows.Err()
}
