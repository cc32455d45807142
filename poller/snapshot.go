package poller

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
)

// Snapshot is what is stored of feeds, for reports (poller/report), by feed.
type Snapshot struct {
	At           time.Time
	Feeds        []reader.Feed // in the order of the sidebar
	Budget       int           // fetches a day
	States       map[int64]State
	Last         map[int64]Outcome   // the newest line of the ledger that is of a fetch
	Next         map[int64]Instant   // the first instant planned
	Awaited      map[int64]time.Time // of a feed whose host is down: when that is asked again, by one of its feeds
	Shares       map[int64]Share
	Interests    map[int64]FeedInterest
	BlockedUntil func(host string) time.Time // zero if the host may be asked now
}

// Share is what the plan gives a feed.
type Share struct {
	Fetches float64 // a day
	Delay   float64 // expected with them, h a day (He & Parker (5), unweighted)
}

// Snapshot reads what is stored of one feed, or of all if feed is 0. Errors:
// reader.ErrUnknown.
func (p *Poller) Snapshot(ctx context.Context, feed int64) (s Snapshot, err error) {
	if err := p.hosts.restore(ctx); err != nil {
		return s, err
	}
	s = Snapshot{At: p.now(), BlockedUntil: p.client.BlockedUntil}
	if s.Feeds, err = p.feedsOf(ctx, feed); err != nil {
		return s, err
	}
	if s.Budget, err = p.budget.perDay(ctx); err != nil {
		return s, err
	}
	if s.States, err = p.statesOf(ctx, feed); err != nil {
		return s, err
	}
	if err := p.addSynced(ctx, &s); err != nil {
		return s, err
	}
	if err := p.addThere(ctx, s.States); err != nil {
		return s, err
	}
	if s.Last, err = p.lastLines(ctx, feed); err != nil {
		return s, err
	}
	if s.Next, err = p.nextInstants(ctx, feed); err != nil {
		return s, err
	}
	if s.waitsBeyondHost() {
		if s.Awaited, err = p.awaited(ctx); err != nil {
			return s, err
		}
	}
	if s.Shares, err = p.shares(ctx, feed); err != nil {
		return s, err
	}
	s.Interests, err = p.interestsOf(ctx, s.Feeds, s.States)
	return s, err
}

// waitsBeyondHost reports whether a feed waits for longer than its host has asked for, as it does while that is down.
func (s *Snapshot) waitsBeyondHost() bool {
	return slices.ContainsFunc(s.Feeds, func(f reader.Feed) bool {
		until := s.States[f.ID].NotBefore
		return until.After(s.At) && until.After(s.BlockedUntil(fetch.Host(f.URL)))
	})
}

// narrow limits a query to one feed, if feed is not 0.
func narrow(feed int64, query, column string) (string, []any) {
	if feed == 0 {
		return query, nil
	}
	return query + " AND " + column + " = ?", []any{feed}
}

func (r *records) feedsOf(ctx context.Context, feed int64) ([]reader.Feed, error) {
	if feed == 0 {
		return r.store.Feeds.List(ctx)
	}
	f, err := r.store.Feeds.Get(ctx, feed)
	return []reader.Feed{f}, err
}

func (r *records) statesOf(ctx context.Context, feed int64) (map[int64]State, error) {
	if feed == 0 {
		return r.states(ctx, "")
	}
	return r.states(ctx, " AND feed = ?", feed)
}

// addSynced adds to the feeds of accounts when these were synchronized last.
func (r *records) addSynced(ctx context.Context, s *Snapshot) error {
	rows, err := r.db.Rows(ctx, "SELECT i.account, s.fetched FROM subject i JOIN poll s ON s.subject = i.id WHERE i.account IS NOT NULL AND s.fetched > 0")
	if err != nil {
		return fmt.Errorf("read when accounts were synchronized: %w", err)
	}
	defer rows.Close()
	synced := map[int64]time.Time{}
	for rows.Next() {
		var account, at int64
		if err := rows.Scan(&account, &at); err != nil {
			return fmt.Errorf("read when accounts were synchronized: %w", err)
		}
		synced[account] = instant(at)
	}
	for i := range s.Feeds {
		if at, there := synced[s.Feeds[i].Account]; there {
			s.States[s.Feeds[i].ID] = State{Fetched: at}
		}
	}
	return rows.Err()
}

// lastLines returns the newest lines of the ledger that are of fetches.
func (r *records) lastLines(ctx context.Context, feed int64) (map[int64]Outcome, error) {
	query, args := narrow(feed, `SELECT `+ledgerColumns+`f.title FROM reader_feed f JOIN subject i ON i.feed = f.id JOIN ledger l
		ON l.id = (SELECT id FROM ledger WHERE subject = i.id AND result <> 'dropped' AND reason NOT IN `+auxiliaryCodes+` ORDER BY at DESC, id DESC LIMIT 1)
		WHERE f.account = 0`, "f.id")
	lines, err := r.lines(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	last := make(map[int64]Outcome, len(lines))
	for _, o := range lines {
		last[o.Feed] = o
	}
	return last, nil
}

// nextInstants returns the first instants planned.
func (r *records) nextInstants(ctx context.Context, feed int64) (map[int64]Instant, error) {
	query, args := narrow(feed, `SELECT f.id, a.instants FROM agenda a JOIN subject i ON i.id = a.subject JOIN reader_feed f ON f.id = i.feed WHERE f.paused = 0 AND f.account = 0`, "f.id")
	next := map[int64]Instant{}
	err := r.eachAgenda(ctx, query, args, func(feed int64, stored []byte) error {
		instants, err := readInstants(nil, feed, stored)
		if err == nil && len(instants) > 0 {
			next[feed] = instants[0]
		}
		return err
	})
	return next, err
}

// shares returns what the plan in force gives the feeds.
func (r *records) shares(ctx context.Context, feed int64) (map[int64]Share, error) {
	query, args := narrow(feed, "SELECT feed, every, json_array_length(at), delay FROM cycle JOIN subject i ON i.id = subject WHERE every > 0 AND feed IS NOT NULL AND feed NOT IN (SELECT id FROM reader_feed WHERE account <> 0)", "feed")
	rows, err := r.store.Read().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	defer rows.Close()
	shares := map[int64]Share{}
	for rows.Next() {
		var feed int64
		var every, n int
		var s Share
		if err := rows.Scan(&feed, &every, &n, &s.Delay); err != nil {
			return nil, fmt.Errorf("read the plan: %w", err)
		}
		s.Fetches = float64(n) / float64(every)
		shares[feed] = s
	}
	return shares, rows.Err()
}
