package poller

import (
	"context"
	"fmt"
	"time"
)

// background is what reports are made from.
type background struct {
	now    time.Time
	states map[int64]State
	last   map[int64]Outcome
	next   map[int64]Instant
	shares map[int64]Share
	budget int
	free   func(host string) time.Time
}

// background reads it for one feed, or for all if feed is 0.
func (p *Poller) background(ctx context.Context, feed int64) (b background, err error) {
	if err := p.hosts.restore(ctx); err != nil {
		return b, err
	}
	b = background{now: p.now(), free: p.client.BlockedUntil}
	if b.budget, err = p.budget.perDay(ctx); err != nil {
		return b, err
	}
	if b.states, err = p.statesOf(ctx, feed); err != nil {
		return b, err
	}
	if b.last, err = p.lastLines(ctx, feed); err != nil {
		return b, err
	}
	if b.next, err = p.nextInstants(ctx, feed); err != nil {
		return b, err
	}
	b.shares, err = p.shares(ctx, feed)
	return b, err
}

// only narrows a query to one feed, if feed is not 0.
func only(feed int64, query, column string) (string, []any) {
	if feed == 0 {
		return query, nil
	}
	return query + " AND " + column + " = ?", []any{feed}
}

func (p *Poller) statesOf(ctx context.Context, feed int64) (map[int64]State, error) {
	if feed == 0 {
		return p.states(ctx)
	}
	s, err := p.state(ctx, feed)
	return map[int64]State{feed: s}, err
}

// lastLines are the newest lines of the ledger that are of fetches.
func (p *Poller) lastLines(ctx context.Context, feed int64) (map[int64]Outcome, error) {
	query, args := only(feed, `SELECT `+ledgerColumns+` FROM feed f JOIN ledger l
		ON l.id = (SELECT id FROM ledger WHERE feed = f.id AND result <> 'dropped' AND reason NOT IN `+beside+` ORDER BY at DESC, id DESC LIMIT 1)
		WHERE f.removed = 0`, "f.id")
	lines, err := p.lines(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	last := make(map[int64]Outcome, len(lines))
	for _, o := range lines {
		last[o.Feed] = o
	}
	return last, nil
}

// nextInstants are the first instants planned.
func (p *Poller) nextInstants(ctx context.Context, feed int64) (map[int64]Instant, error) {
	query, args := only(feed, `SELECT `+instantColumns+` FROM feed f JOIN instant i
		ON i.feed = f.id AND i.at = (SELECT min(at) FROM instant WHERE feed = f.id) WHERE f.removed = 0 AND f.paused = 0`, "f.id")
	rows, err := p.store.Read().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	instants, err := scanInstants(rows)
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	next := make(map[int64]Instant, len(instants))
	for _, at := range instants {
		next[at.Feed] = at
	}
	return next, nil
}

// shares are what the plan in force gives the feeds.
func (p *Poller) shares(ctx context.Context, feed int64) (map[int64]Share, error) {
	query, args := only(feed, "SELECT feed, every, json_array_length(at), delay FROM cycle WHERE every > 0", "feed")
	rows, err := p.store.Read().QueryContext(ctx, query, args...)
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
