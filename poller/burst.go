package poller

import (
	"context"
	"database/sql"
	"encoding/json"
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
	p.mu.Lock()
	p.surges = append(p.surges, feed)
	p.stir()
	p.mu.Unlock()
	p.poke()
}

// takeSurges returns the feeds found in a burst since the last plan, and the price that
// has held since; there is none before the first plan.
func (p *Poller) takeSurges() (feeds []int64, marginal float64, planned bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	feeds, p.surges = p.surges, nil
	return feeds, p.marginal, p.planned != planKey{}
}

// follow plans the feeds anew that have turned out to be in a burst. Others keep their
// instants: what is spent beyond the plan moves the price of the next one, for which
// their least valuable instants are struck.
func (p *Poller) follow(ctx context.Context, now time.Time) error {
	surges, marginal, planned := p.takeSurges()
	if len(surges) == 0 || !planned {
		return nil
	}
	method, err := p.Method(ctx)
	if err != nil || method != plan.Exact {
		return err
	}
	in, err := p.gatherSome(ctx, now, surges)
	if err != nil {
		return err
	}
	in.method = method
	in.look()
	for i := range in.feeds {
		f := &in.feeds[i]
		if err := p.readCycle(ctx, f); err != nil {
			return err
		}
		if err := in.coming(f, in.turns(f), in.bucket.Price(marginal)); err != nil {
			return err
		}
	}
	return p.putSome(ctx, in)
}

// gatherSome is gather for a few feeds; those gone or paused meanwhile are left out.
func (p *Poller) gatherSome(ctx context.Context, now time.Time, ids []int64) (*inputs, error) {
	states := map[int64]State{}
	for _, id := range ids {
		s, err := p.state(ctx, id)
		if err != nil {
			return nil, err
		}
		states[id] = s
	}
	in, err := p.surroundings(ctx, now)
	if err != nil {
		return nil, err
	}
	err = p.fill(ctx, in, states, func(f reader.Feed) bool { return slices.Contains(ids, f.ID) })
	if err != nil {
		return nil, err
	}
	return in, p.before(ctx, in, false)
}

// readCycle reads the cycle in force.
func (p *Poller) readCycle(ctx context.Context, f *FeedPlan) error {
	var at string
	err := p.db.row(ctx, "SELECT every, at FROM cycle WHERE feed = ?", []any{f.Feed.ID}, &f.Cycle.Every, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(at), &f.Cycle.At)
	}
	if err != nil {
		return fmt.Errorf("read the cycle of feed %d: %w", f.Feed.ID, err)
	}
	return nil
}

// putSome stores the instants of a few feeds in place of those in force.
func (p *Poller) putSome(ctx context.Context, in *inputs) error {
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		for i := range in.feeds {
			_, err := tx.ExecContext(ctx, "DELETE FROM instant WHERE feed = ? AND at >= ?", in.feeds[i].Feed.ID, in.start.Add(Bin).Unix())
			if err != nil {
				return fmt.Errorf("store the plan: %w", err)
			}
		}
		if err := putInstants(ctx, tx, &Plan{Feeds: in.feeds}); err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		return nil
	})
}
