package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"kairos/poller/plan"
	"kairos/reader"
)

// surged notes that a fetch has found a feed in a burst: its coming hours are planned
// anew at once.
func (p *Poller) surged(feed int64) {
	p.signals.burstFound(feed)
}

// takeSurges returns the feeds found in a burst since the last plan, and the split it
// stands on, nil before the first plan.
func (p *Poller) takeSurges() (feeds []int64, s *split) {
	feeds = p.signals.takeBursts()
	p.mu.Lock()
	defer p.mu.Unlock()
	return feeds, p.lastSplit
}

// follow plans the feeds anew that have turned out to be in a burst. Others keep their
// instants: what is spent beyond the plan moves the price of the next one, for which
// their least valuable instants are struck.
func (p *Poller) follow(ctx context.Context, now time.Time) error {
	surges, s := p.takeSurges()
	if len(surges) == 0 || s == nil || s.method != plan.Exact {
		return nil
	}
	in, err := p.surroundings(ctx, now)
	if err != nil {
		return err
	}
	in.method = s.method
	in.look()
	for _, id := range surges {
		if err := p.followOne(ctx, in, s, id); err != nil {
			return err
		}
	}
	p.say(now, "planned anew what posts much now: %s", count(len(surges), "feed", "feeds"))
	return p.putSome(ctx, in)
}

// followOne plans one feed, unless it has gone or was paused meanwhile.
func (p *Poller) followOne(ctx context.Context, in *inputs, s *split, id int64) error {
	at := slices.Index(s.feeds, id)
	feed, err := p.store.Feed(ctx, id)
	if at < 0 || errors.Is(err, reader.ErrUnknown) || err == nil && feed.Paused {
		return nil
	}
	if err != nil {
		return err
	}
	state, err := p.state(ctx, id)
	if err != nil {
		return err
	}
	rows, err := p.db.Rows(ctx, "SELECT "+instantColumns+" FROM instant WHERE feed = ? ORDER BY at", id)
	if err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	instants, err := scanInstants(rows)
	if err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	one := *in // the feeds planned before are no longer asked
	one.feeds = nil
	p.learned(&one, feed, state, s.shares[at])
	one.remember(instants, false)
	for i := range one.feeds {
		f := &one.feeds[i]
		f.Cycle = s.result.Feeds[at]
		if err := one.coming(f, one.turns(f), in.bucket.Price(s.result.Marginal())); err != nil {
			return err
		}
	}
	in.feeds = append(in.feeds, one.feeds...)
	return nil
}

// putSome stores the instants of a few feeds in place of those in force.
func (p *Poller) putSome(ctx context.Context, in *inputs) error {
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		for i := range in.feeds {
			f := &in.feeds[i]
			old, err := instantsBy(ctx, tx, "feed = ? AND at >= ?", f.Feed.ID, in.start.Add(Bin).Unix())
			if err != nil {
				return fmt.Errorf("store the plan: %w", err)
			}
			if err := replace(ctx, tx, old, soon(f.Instants, in.start)); err != nil {
				return fmt.Errorf("store the plan: %w", err)
			}
		}
		return nil
	})
}
