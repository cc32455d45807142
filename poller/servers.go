package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

// Where an account lets Kairos decide when its server fetches, its feeds are planned like those of this computer, by a planner with a
// budget of its own; what comes of an instant is a request to the server to fetch that feed. Which of them post when is learned from
// the articles that the account has brought.

// refreshLead is how much earlier a server is to fetch than a feed of this computer would be: the synchronization that brings what
// it has found is planned for the same visit. A fetch counts as made at the time it is for.
const refreshLead = 10 * time.Minute

// RefreshUsual as a number of refreshes a day stands for BalancedPerFeed for each feed.
const RefreshUsual = -1

// SetRefresh sets how many times a day, for all its feeds together, the server of an account is told to fetch a feed: 0 leaves it to
// its own schedule.
func (p *Poller) SetRefresh(ctx context.Context, account int64, perDay int) error {
	if perDay < RefreshUsual || perDay > mostPerDay {
		return fmt.Errorf("%d is not a number of refreshes a day", perDay)
	}
	err := p.store.Write(ctx, func(tx *sql.Tx) error {
		if _, err := reader.GetAccount(ctx, tx, account); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO refresh (account, per_day) VALUES (?, ?)
			ON CONFLICT (account) DO UPDATE SET per_day = excluded.per_day`, account, perDay)
		return err
	})
	p.Changed()
	return err
}

// Refresh returns how many times a day the server of an account is told to fetch a feed, 0 if it is not, and how often it was in the
// last 24 hours.
func (p *Poller) Refresh(ctx context.Context, account int64) (perDay, last24h int, err error) {
	err = p.db.Row(ctx, `SELECT coalesce((SELECT per_day FROM refresh WHERE account = ?1), 0), (SELECT count(*) FROM ledger
		WHERE reason = ?2 AND at >= ?3 AND subject IN `+feedsOf+`)`, []any{account, string(Refresh), p.now().Add(-day).Unix()}, &perDay, &last24h)
	if err != nil {
		return 0, 0, fmt.Errorf("read when account %d is refreshed: %w", account, err)
	}
	return perDay, last24h, nil
}

// server is the server of an account that lets Kairos decide when it fetches.
type server struct {
	account int64
	url     string
	perDay  int // fetches of its feeds
}

// servers are those, each with a planner of its own.
type servers struct {
	*env
	newPlanner func() *planner

	mu       sync.Mutex // guards planners
	planners map[int64]*planner
}

// forget forgets all plans.
func (s *servers) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.planners = nil
}

// look tells servers to fetch what is due, and returns when to look again; before is when the loop looked last.
func (s *servers) look(ctx context.Context, now, before time.Time) (next time.Time, err error) {
	next = now.Add(day)
	rows, err := s.db.Rows(ctx, `SELECT a.id, a.url, CASE WHEN r.per_day > 0 THEN r.per_day ELSE -r.per_day * ? * (SELECT count(*) FROM reader_feed
		WHERE account = a.id AND remote <> '') END FROM refresh r JOIN reader_account a ON a.id = r.account WHERE r.per_day <> 0 AND a.paused = 0`, BalancedPerFeed)
	if err != nil {
		return next, fmt.Errorf("read which servers to plan for: %w", err)
	}
	defer rows.Close()
	s.mu.Lock()
	known := s.planners
	s.mu.Unlock()
	planners := map[int64]*planner{}
	for rows.Next() {
		var one server
		if err := rows.Scan(&one.account, &one.url, &one.perDay); err != nil {
			return next, fmt.Errorf("read which servers to plan for: %w", err)
		}
		p := known[one.account]
		if p == nil {
			p = s.newPlanner()
		}
		p.server, planners[one.account] = one, p
	}
	s.mu.Lock()
	s.planners = planners
	s.mu.Unlock()
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return next, fmt.Errorf("read which servers to plan for: %w", err)
	}
	for _, p := range planners {
		at, err := p.serve(ctx, now, before)
		if err != nil {
			return next, fmt.Errorf("plan for the server of account %d: %w", p.server.account, err)
		}
		if at.Before(next) {
			next = at
		}
	}
	return next, nil
}

// serve tells the server of an account to fetch what is due, and returns when to look again.
func (p *planner) serve(ctx context.Context, now, before time.Time) (next time.Time, err error) {
	if until := p.jobs.leftAloneUntil(p.server.account); now.Before(until) {
		return until, nil
	}
	if p.network.holdsBack(p.server.url) {
		return now.Add(tick), nil
	}
	at := now.Add(refreshLead)
	due, err := p.due(ctx, at)
	if err != nil {
		return now, err
	}
	basis, _ := p.inForce()
	known := news{p.signals.version(), p.signals.visitsSoFar()}
	occasion, stale := rules.Occasion(schedule.Observation{Now: at, Before: before.Add(refreshLead), Made: basis, Budget: float64(p.server.perDay),
		Changed: known != p.known, Due: due.all})
	if stale {
		if err := p.replan(ctx, at, occasion); err != nil {
			return now, err
		}
		p.known = known
		if due, err = p.due(ctx, at); err != nil {
			return now, err
		}
	}
	room, next, err := p.startDue(ctx, at, due)
	for _, t := range []time.Time{room, schedule.NextBasis(at)} {
		if !t.IsZero() && t.Before(next) {
			next = t
		}
	}
	return next.Add(-refreshLead), err
}

// news counts what has happened that a plan may depend on.
type news struct{ changes, visits int }

// refreshHistory is how far back the dates of articles tell how a feed posts.
const refreshHistory = 90 * day

// addPosts adds to the feeds of a server when they posted.
func (p *planner) addPosts(ctx context.Context, in *schedule.Inputs, are map[int64]identity) error {
	now := p.now()
	rows, err := p.db.Rows(ctx, `SELECT a.feed, a.published FROM reader_article a WHERE a.feed IN (SELECT id FROM reader_feed WHERE account = ?)
		AND a.published >= ? AND a.deleted = 0`, p.server.account, now.Add(-refreshHistory).Unix())
	if err != nil {
		return fmt.Errorf("read when articles were posted: %w", err)
	}
	defer rows.Close()
	dates := map[int64][]time.Time{}
	for rows.Next() {
		var feed, at int64
		if err := rows.Scan(&feed, &at); err != nil {
			return fmt.Errorf("read when articles were posted: %w", err)
		}
		dates[feed] = append(dates[feed], time.Unix(at, 0))
	}
	for i := range in.Feeds {
		f := &in.Feeds[i]
		f.Posts = schedule.Posts{}
		f.Posts.Arrived(now, dates[are[f.ID].feed])
	}
	return rows.Err()
}
