package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

const selectDue = "SELECT " + plannedColumns + `, a.instants FROM agenda a JOIN feed f ON f.id = a.feed
	LEFT JOIN poll s ON s.feed = a.feed WHERE a.next <= ? AND ` + fetchedHere

// due returns the instants that have come, most valuable first. They stay in the plan until
// their fetch is in the ledger, so that they are not lost if the program ends in between.
func (p *planner) due(ctx context.Context, now time.Time) ([]schedule.Due, error) {
	// The few rows are read before anybody could give up, and watching for that takes longer.
	rows, err := p.db.Rows(context.WithoutCancel(ctx), selectDue, now.Unix())
	if err != nil {
		return nil, fmt.Errorf("read what is due: %w", err)
	}
	defer rows.Close()
	var due []schedule.Due
	var stored sql.RawBytes
	var instants []Instant
	row := newPlannedRow(&stored)
	var f plannedFeed
	for rows.Next() {
		if err := row.scan(rows, &f); err != nil {
			return nil, fmt.Errorf("read what is due: %w", err)
		}
		if instants, err = readInstants(instants[:0], f.ID, stored); err != nil {
			return nil, fmt.Errorf("read what is due: %w", err)
		}
		for _, at := range instants {
			if at.At.After(now) {
				break
			}
			due = append(due, schedule.Due{Instant: at, Of: f.Feed, Gone: f.gone,
				Running: p.jobs.isRunning(f.ID), Held: p.network.holdsBack(f.url)})
		}
	}
	schedule.SortDue(due)
	return due, rows.Err()
}

// startDue starts what is due, as far as the budget reaches, and little by little when
// saving has ended. What finds no room stays due; room is when there will be some, zero
// if nothing waits for it.
func (p *planner) startDue(ctx context.Context, now time.Time, due []schedule.Due) (room time.Time, err error) {
	if len(due) == 0 {
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
	s := rules.Start(now, due, bucket, &p.ramp)
	p.mu.Unlock()
	for _, d := range s.Begin {
		feed, err := p.store.Feeds.Polled(ctx, d.Feed)
		if errors.Is(err, reader.ErrUnknown) {
			continue // it was removed a moment ago
		}
		if err != nil {
			return time.Time{}, fmt.Errorf("start what is due: %w", err)
		}
		p.jobs.start(ctx, job{feed: feed, code: Code(d.Reason.Code), reason: d.Reason}, nil)
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
