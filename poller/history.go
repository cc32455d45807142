package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"kairos/poller/schedule"
)

const (
	// maxDates is how many dates of a feed are read, the newest.
	maxDates = 20_000
	// historyBatch is how many feeds are stored in one transaction.
	historyBatch = 100
)

// LearnHistory learns how feeds post from the dates of their articles, which somebody else has watched until an instant: so the
// first plan is as good as after these weeks. What was learned by fetching a feed stays where it rests on more.
func (p *Poller) LearnHistory(ctx context.Context, feeds []int64, until time.Time) error {
	if now := p.now(); until.After(now) {
		until = now
	}
	for batch := range slices.Chunk(feeds, historyBatch) {
		var learned []State
		for _, feed := range batch {
			s, ok, err := p.history(ctx, feed, until)
			if err != nil {
				return fmt.Errorf("learn how feed %d posts: %w", feed, err)
			}
			if ok {
				learned = append(learned, s)
			}
		}
		err := p.store.WriteAside(ctx, func(tx *sql.Tx) error {
			for _, s := range learned {
				if err := s.write(ctx, tx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	p.Changed()
	return nil
}

// history returns what the dates of a feed's articles add to what is known of it; ok is false if that is nothing.
func (p *Poller) history(ctx context.Context, feed int64, until time.Time) (s State, ok bool, err error) {
	var subject int64
	var address string
	err = p.db.Row(ctx, "SELECT i.id, f.url FROM subject i JOIN reader_feed f ON f.id = i.feed WHERE f.id = ? AND f.account = 0", []any{feed}, &subject, &address)
	if errors.Is(err, sql.ErrNoRows) {
		return s, false, nil // it is gone, or its server's
	}
	if err != nil {
		return s, false, err
	}
	if s, err = p.state(ctx, subject); err != nil {
		return s, false, err
	}
	s.moveTo(address)
	if !s.posts.UpTo.IsZero() {
		until = s.posts.UpTo
	}
	dates, err := p.times(ctx, "SELECT published FROM reader_article WHERE feed = ? AND published <= ? ORDER BY published DESC LIMIT ?",
		feed, until.Unix(), maxDates)
	if err != nil {
		return s, false, err
	}
	var posts schedule.Posts
	posts.History(until, dates)
	if posts.Tally.Exposure() <= s.posts.Tally.Exposure() {
		return s, false, nil
	}
	s.posts.Tally, s.posts.UpTo = posts.Tally, posts.UpTo
	if posts.Newest.After(s.posts.Newest) {
		s.posts.Newest = posts.Newest
	}
	return s, true, nil
}
