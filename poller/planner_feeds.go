package poller

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"kairos/poller/schedule"
)

// plannedFeed is a feed, or an account, as a plan and the start of a fetch see it: titles, unread articles and the
// rest of its State would take longer to read than all of that.
type plannedFeed struct {
	schedule.Feed
	identity
	url  string
	gone bool // for good
}

// identity is which feed or which account a subject is.
type identity struct{ feed, account int64 }

// plannedColumns are what a plannedRow holds, of subject p (polled) and its poll state s, if it was ever tried.
const plannedColumns = `p.id, p.feed, p.account, p.url, p.list, p.weight, p.interest, p.every, coalesce(s.address, ''), coalesce(s.tried, 0), coalesce(s.fetched, 0),
	coalesce(s.failures, 0), coalesce(s.not_before, 0), coalesce(s.gone, 0), coalesce(s.floor, 0), coalesce(s.ttl, 0),
	coalesce(s.skip_hours, 0), coalesce(s.skip_days, 0), coalesce(s.upto, 0), coalesce(s.posted, 0), s.tally,
	coalesce(s.shown, 0), coalesce(s.keeps, 0), coalesce(s.turnover, 0),
	coalesce(s.documents, 0), coalesce(s.not_modified, 0), coalesce(s.document_size, 0), coalesce(s.connects, 0)`

// plannedRow is what plannedColumns are scanned into, one row after the other.
type plannedRow struct {
	subject subject
	s       State // as it is scanned
	state   State // as it is
	into    []any

	every, tried, fetched, notBefore, floor, ttl, upto, posted int64
	tally                                                      sql.RawBytes // until the next row
}

// newPlannedRow returns one that is scanned into together with more.
func newPlannedRow(more ...any) *plannedRow {
	r := new(plannedRow)
	s, f, window := &r.s, &r.subject.feed, &r.s.posts.Window
	r.into = append([]any{&r.subject.id, &f.ID, &r.subject.account, &r.subject.url, &r.subject.list, &f.Weight, &f.Interest, &r.every, &s.address, &r.tried, &r.fetched,
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
	f := &r.subject.feed
	s.subject, f.Every, f.URL = r.subject.id, time.Duration(r.every)*time.Second, r.subject.url
	s.Tried, s.Fetched, s.NotBefore = instant(r.tried), instant(r.fetched), instant(r.notBefore)
	s.posts.UpTo, s.posts.Newest = instant(r.upto), instant(r.posted)
	s.Limits.MaxAge, s.Limits.TTL = time.Duration(r.floor)*time.Second, time.Duration(r.ttl)*time.Second
	if err := readTally(&s.posts.Tally, r.tally); err != nil {
		return fmt.Errorf("read what was learned of subject %d: %w", s.subject, err)
	}
	s.setSubject(&r.subject)
	*planned = plannedFeed{s.scheduleFeed(), identity{f.ID, r.subject.account}, r.subject.url, s.Gone}
	planned.Weight, planned.Interest = f.Weight, f.Interest
	return nil
}

// eachPlanned hands on what is polled and meets a condition, in the order in which it was subscribed to and without the interest in
// it, one by one: so many feeds are not kept twice.
func (p *planner) eachPlanned(ctx context.Context, condition string, args []any, do func(f *plannedFeed)) error {
	rows, err := p.db.Rows(ctx, "SELECT "+plannedColumns+" FROM "+p.subjects()+" p LEFT JOIN poll s ON s.subject = p.id WHERE "+condition+" ORDER BY p.id", args...)
	if err != nil {
		return fmt.Errorf("read the feeds: %w", err)
	}
	defer rows.Close()
	row := newPlannedRow()
	row.subject.server = p.server.account
	var f plannedFeed
	for rows.Next() {
		if err := row.scan(rows, &f); err != nil {
			return fmt.Errorf("read the feeds: %w", err)
		}
		do(&f)
	}
	return rows.Err()
}
