package poller

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

const selectDue = "SELECT " + plannedColumns + ", a.instants, " + feedTitle + `, f.own_title, f.login FROM agenda a JOIN feed f ON f.id = a.feed
	LEFT JOIN poll s ON s.feed = a.feed WHERE a.next <= ? AND ` + fetchedHere

// dueNow is what a look finds due.
type dueNow struct {
	all   []schedule.Due // most valuable first
	feeds map[int64]reader.Feed
	later time.Time // the first instant after now of these feeds; zero if there is none
}

// due returns the instants that have come. They stay in the plan until their fetch is in the ledger, so that they are not lost if
// the program ends in between.
func (p *planner) due(ctx context.Context, now time.Time) (due dueNow, err error) {
	// The few rows are read before anybody could give up, and watching for that takes longer.
	rows, err := p.db.Rows(context.WithoutCancel(ctx), selectDue, now.Unix())
	if err != nil {
		return due, fmt.Errorf("read what is due: %w", err)
	}
	defer rows.Close()
	var stored sql.RawBytes
	var feed reader.Feed
	var instants []Instant
	row := newPlannedRow(&stored, &feed.Title, &feed.OwnTitle, &feed.Login)
	var f plannedFeed
	for rows.Next() {
		if err = row.scan(rows, &f); err == nil {
			instants, err = readInstants(instants[:0], f.ID, stored)
		}
		if err != nil {
			return due, fmt.Errorf("read what is due: %w", err)
		}
		for _, at := range instants {
			if at.At.After(now) {
				if due.later.IsZero() || at.At.Before(due.later) {
					due.later = at.At
				}
				break
			}
			due.all = append(due.all, schedule.Due{Instant: at, Of: f.Feed, Gone: f.gone,
				Running: p.jobs.isRunning(f.ID), Held: p.network.holdsBack(f.url)})
		}
		if due.feeds == nil {
			due.feeds = map[int64]reader.Feed{}
		}
		feed.ID, feed.URL, feed.Account, feed.Weight, feed.Every = f.ID, f.url, row.feed.Account, f.Weight, row.feed.Every
		due.feeds[f.ID] = feed
	}
	schedule.SortDue(due.all)
	return due, rows.Err()
}

// startDue starts what is due, as far as the budget reaches, and little by little when
// saving has ended. What finds no room stays due; room is when there will be some, zero
// if nothing waits for it.
func (p *planner) startDue(ctx context.Context, now time.Time, due dueNow) (room time.Time, err error) {
	if len(due.all) == 0 {
		return time.Time{}, nil
	}
	perDay, err := p.budget.perDay(ctx)
	if err != nil {
		return time.Time{}, err
	}
	bucket, err := p.budget.bucket(ctx, now, perDay)
	if err != nil {
		return time.Time{}, err
	}
	p.mu.Lock()
	s := rules.Start(now, due.all, bucket, &p.ramp)
	p.mu.Unlock()
	for _, d := range s.Begin {
		p.jobs.start(ctx, job{feed: due.feeds[d.Feed], code: Code(d.Reason.Code), reason: d.Reason}, nil)
	}
	return s.Room, p.postpone(ctx, now, s.TooSoon)
}

// postpone moves instants that came too soon (after a manual fetch, a failure or a Retry-After,
// in a skipped hour) to when their feed may be fetched again.
func (p *planner) postpone(ctx context.Context, now time.Time, due []schedule.Due) error {
	if len(due) == 0 {
		return nil
	}
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		for _, d := range due {
			if err := postpone(ctx, tx, &d.Of, d.Gone, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// postpone merges the feed's instants before it may be fetched again into one
// then; a feed that is gone for good has none.
func postpone(ctx context.Context, tx *sql.Tx, f *schedule.Feed, gone bool, now time.Time) error {
	return changeInstants(ctx, tx, f.ID, gone, func(instants []Instant) []Instant { return rules.Postpone(f, instants, now) })
}

// served takes what is due at now off the feed's plan. After a failure it plans another
// try, if the feed has nothing to do before.
func (s *State) served(ctx context.Context, tx *sql.Tx, now time.Time, failed bool) error {
	f := s.scheduleFeed()
	return changeInstants(ctx, tx, s.Feed, s.Gone, func(instants []Instant) []Instant {
		instants = rules.Served(&f, instants, now)
		if failed {
			instants = rules.Retried(&f, instants, now)
		}
		return instants
	})
}
