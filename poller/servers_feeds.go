package poller

import (
	"context"
	"fmt"
	"time"
)

// addThere adds to the states of feeds how the servers of accounts fare with theirs, as far as they tell.
func (p *Poller) addThere(ctx context.Context, states map[int64]State) error {
	if p.jobs.accounts == nil {
		return nil
	}
	all, err := p.jobs.accounts.FeedHealth(ctx)
	if err != nil {
		return err
	}
	for feed, h := range all {
		s := states[feed]
		s.There = &h
		switch {
		case h.NotAdded != nil:
			s.Failures, s.Since, s.Message = 1, h.Since, Message{Code: NotSynced, Sync: h.NotAdded}
		case h.Failures > 0:
			s.Failures, s.Since, s.Message = h.Failures, h.Since, Message{Code: ServerFailed, Text: h.Message}
		}
		states[feed] = s
	}
	return nil
}

// Posted returns the dates of the articles of a feed from since up to now, and that of its newest one by then, zero if it has none.
func (p *Poller) Posted(ctx context.Context, feed int64, since, now time.Time) (dates []time.Time, newest time.Time, err error) {
	dates, err = p.times(ctx, "SELECT published FROM reader_article WHERE feed = ? AND published BETWEEN ? AND ? ORDER BY published", feed, since.Unix(), now.Unix())
	if err != nil {
		return nil, newest, err
	}
	var at int64
	err = p.db.Row(ctx, "SELECT coalesce(max(published), 0) FROM reader_article WHERE feed = ? AND published <= ?", []any{feed, now.Unix()}, &at)
	if err != nil {
		return nil, newest, fmt.Errorf("read the newest article of feed %d: %w", feed, err)
	}
	return dates, instant(at), nil
}
