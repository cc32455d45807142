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

// plannedColumns are what a plannedRow holds, of feed f and its poll state s, if it was ever tried.
const plannedColumns = `f.id, f.url, f.account, f.weight, f.interest, f.every, coalesce(s.address, ''), coalesce(s.tried, 0), coalesce(s.fetched, 0),
	coalesce(s.failures, 0), coalesce(s.not_before, 0), coalesce(s.gone, 0), coalesce(s.floor, 0), coalesce(s.ttl, 0),
	coalesce(s.skip_hours, 0), coalesce(s.skip_days, 0), coalesce(s.upto, 0), coalesce(s.posted, 0), s.tally,
	coalesce(s.shown, 0), coalesce(s.keeps, 0), coalesce(s.turnover, 0),
	coalesce(s.documents, 0), coalesce(s.not_modified, 0), coalesce(s.document_size, 0), coalesce(s.connects, 0)`

// plannedRow is what plannedColumns are scanned into, one row after the other.
type plannedRow struct {
	feed  reader.Feed
	s     State // as it is scanned
	state State // as it is
	into  []any

	every, tried, fetched, notBefore, floor, ttl, upto, posted int64
	tally                                                      sql.RawBytes // until the next row
}

// newPlannedRow returns one that is scanned into together with more.
func newPlannedRow(more ...any) *plannedRow {
	r := new(plannedRow)
	s, window := &r.s, &r.s.posts.Window
	r.into = append([]any{&r.feed.ID, &r.feed.URL, &r.feed.Account, &r.feed.Weight, &r.feed.Interest, &r.every, &s.address, &r.tried, &r.fetched,
		&s.Failures, &r.notBefore, &s.Gone, &r.floor, &r.ttl, &s.Limits.Skips.Hours, &s.Limits.Skips.Days, &r.upto, &r.posted, &r.tally,
		&window.Shown, &window.Size, &window.Turnover,
		&s.answers.Full, &s.answers.NotModified, &s.answers.Size, &s.answers.Opened}, more...)
	return r
}

// scan scans the next row into a feed.
func (r *plannedRow) scan(rows *sql.Rows, planned *plannedFeed) error {
	if err := rows.Scan(r.into...); err != nil {
		return err
	}
	s := &r.state
	*s = r.s // which a move changes
	s.Feed, r.feed.Every = r.feed.ID, time.Duration(r.every)*time.Second
	s.Tried, s.Fetched, s.NotBefore = instant(r.tried), instant(r.fetched), instant(r.notBefore)
	s.posts.UpTo, s.posts.Newest = instant(r.upto), instant(r.posted)
	s.Limits.MaxAge, s.Limits.TTL = time.Duration(r.floor)*time.Second, time.Duration(r.ttl)*time.Second
	if err := readTally(&s.posts.Tally, r.tally); err != nil {
		return fmt.Errorf("read what was learned of feed %d: %w", s.Feed, err)
	}
	s.setFeed(r.feed)
	*planned = plannedFeed{s.scheduleFeed(), r.feed.URL, s.Gone}
	planned.Weight, planned.Interest = r.feed.Weight, r.feed.Interest
	return nil
}

// eachPlanned hands on the feeds that meet a condition and are fetched here, by their ids and without the interest in
// them, one by one: so many feeds are not kept twice.
func (r *records) eachPlanned(ctx context.Context, condition string, args []any, do func(f *plannedFeed)) error {
	rows, err := r.db.Rows(ctx, "SELECT "+plannedColumns+" FROM feed f LEFT JOIN poll s ON s.feed = f.id WHERE "+condition+
		" AND "+fetchedHere+" ORDER BY f.id", args...)
	if err != nil {
		return fmt.Errorf("read the feeds: %w", err)
	}
	defer rows.Close()
	row := newPlannedRow()
	var f plannedFeed
	for rows.Next() {
		if err := row.scan(rows, &f); err != nil {
			return fmt.Errorf("read the feeds: %w", err)
		}
		do(&f)
	}
	return rows.Err()
}
