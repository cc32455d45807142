package poller

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

// due returns the instants that have come, most valuable first.
func (p *planner) due(ctx context.Context, now time.Time) ([]schedule.Due, map[int64]dueFeed, error) {
	rows, err := p.db.Rows(ctx, `SELECT `+instantColumns+` FROM instant i
		JOIN feed f ON f.id = i.feed WHERE i.at <= ? AND f.removed = 0 AND f.paused = 0`, now.Unix())
	if err != nil {
		return nil, nil, fmt.Errorf("read what is due: %w", err)
	}
	instants, err := scanInstants(rows)
	if err != nil {
		return nil, nil, fmt.Errorf("read what is due: %w", err)
	}
	due, feeds := make([]schedule.Due, len(instants)), map[int64]dueFeed{}
	for i, at := range instants {
		f, there := feeds[at.Feed]
		if !there {
			if f, err = p.dueFeed(ctx, at.Feed); err != nil {
				return nil, nil, fmt.Errorf("read what is due: %w", err)
			}
			feeds[at.Feed] = f
		}
		due[i] = schedule.Due{Instant: at, Of: f.state.scheduleFeed(), Gone: f.state.Gone}
	}
	for i := range due {
		d := &due[i]
		d.Running = p.jobs.isRunning(d.Feed)
		d.Held = p.network.holdsBack(feeds[d.Feed].URL)
	}
	schedule.SortDue(due)
	return due, feeds, nil
}

// dueFeed is a feed that is due. The instant stays in the plan until the fetch is in the
// ledger, so that it is not lost if the program ends in between.
type dueFeed struct {
	reader.Feed
	state State
}

func (p *planner) dueFeed(ctx context.Context, id int64) (f dueFeed, err error) {
	if f.Feed, err = p.store.Feeds.Get(ctx, id); err != nil {
		return f, err
	}
	f.state, err = p.state(ctx, id)
	f.state.setFeed(f.Feed)
	return f, err
}

// startDue starts what is due, as far as the budget reaches, and little by little when
// saving has ended. What finds no room stays due; room is when there will be some, zero
// if nothing waits for it.
func (p *planner) startDue(ctx context.Context, now time.Time, due []schedule.Due, feeds map[int64]dueFeed) (room time.Time, err error) {
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
		p.jobs.start(ctx, job{feed: feeds[d.Feed].Feed, code: Code(d.Reason.Code), reason: d.Reason}, nil)
	}
	return s.Room, p.postpone(ctx, now, s.TooSoon, feeds)
}

// postpone moves instants that came too soon (after a manual fetch, a failure or a Retry-After,
// in a skipped hour) to when their feed may be fetched again.
func (p *planner) postpone(ctx context.Context, now time.Time, due []schedule.Due, feeds map[int64]dueFeed) error {
	if len(due) == 0 {
		return nil
	}
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		for _, d := range due {
			f := feeds[d.Feed]
			if err := f.state.postpone(ctx, tx, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// postpone merges the feed's instants before it may be fetched again into one
// then; a feed that is gone for good has none.
func (s *State) postpone(ctx context.Context, tx *sql.Tx, now time.Time) error {
	return s.changeInstants(ctx, tx, now, func(f *schedule.Feed, instants []Instant) []Instant {
		return rules.Postpone(f, instants, now)
	})
}

// served takes what is due at now off the feed's plan. After a failure it plans another
// try, if the feed has nothing to do before.
func (s *State) served(ctx context.Context, tx *sql.Tx, now time.Time, failed bool) error {
	return s.changeInstants(ctx, tx, now, func(f *schedule.Feed, instants []Instant) []Instant {
		instants = rules.Served(f, instants, now)
		if failed {
			instants = rules.Retried(f, instants, now)
		}
		return instants
	})
}
