package poller

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// believed is how long a clock that was set back must stay so until what was learned by
// the one before is brought down to it. Many a machine begins in 1970 and learns the time a
// minute later; it would learn as well that no feed has posted since.
const believed = time.Hour

// setBack mends what a clock that was set back has left in the future: a feed
// fetched next year would not be fetched for a year, and what was spent then
// would be free. What lies ahead of now is taken to have happened now.
func (p *Poller) setBack(ctx context.Context, now time.Time) error {
	p.client.ClockSetBack()
	p.mu.Lock()
	p.behind = now
	if now.Before(p.lastStep) {
		p.signals.clockSetBack()
	}
	p.ramp.SetBack(now)
	p.mu.Unlock()
	p.network.setBack(now)
	p.failure.setBack(now)
	if p.icons != nil {
		p.icons.ClockSetBack()
	}

	// A moment is nothing: the loop's now is as old as its step.
	ahead, wait := now.Add(tick).Unix(), now.Add(longestWait).Unix()
	var any bool
	err := p.store.Read().QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM ledger WHERE at > ?1)
		OR EXISTS (SELECT 1 FROM poll WHERE max(tried, fetched, since) > ?1 OR not_before > ?2)
		OR EXISTS (SELECT 1 FROM host WHERE until > ?2)
		OR EXISTS (SELECT 1 FROM icon WHERE tried > ?1) OR EXISTS (SELECT 1 FROM feed_icon WHERE tried > ?1)`, ahead, wait).Scan(&any)
	if err != nil {
		return fmt.Errorf("look for what lies ahead of the clock: %w", err)
	}
	if !any {
		return nil
	}
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		for _, query := range []string{
			"UPDATE ledger SET at = ?1 WHERE at > ?2",
			`UPDATE poll SET tried = min(tried, ?1), fetched = min(fetched, ?1), since = min(since, ?1),
				not_before = min(not_before, ?3) WHERE max(tried, fetched, since) > ?2 OR not_before > ?3`,
			"UPDATE host SET until = ?3 WHERE until > ?3",
			"UPDATE icon SET tried = ?1 WHERE tried > ?2",
			"UPDATE feed_icon SET tried = ?1 WHERE tried > ?2",
		} {
			if _, err := tx.ExecContext(ctx, query, now.Unix(), ahead, wait); err != nil {
				return fmt.Errorf("mend what lies ahead of the clock: %w", err)
			}
		}
		return nil
	})
}

// believe brings what was learned down to a clock that was set back and has stayed so.
func (p *Poller) believe(ctx context.Context, now time.Time) error {
	p.mu.Lock()
	wait := p.behind.IsZero() || now.Before(p.behind.Add(believed))
	p.mu.Unlock()
	if wait {
		return nil
	}
	var any bool
	err := p.store.Read().QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM poll WHERE max(upto, posted, moving_since) > ?)", now.Unix()).Scan(&any)
	if err == nil && any {
		err = p.store.Write(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `UPDATE poll SET upto = min(upto, ?1), posted = min(posted, ?1), moving_since = min(moving_since, ?1)
				WHERE max(upto, posted, moving_since) > ?1`, now.Unix())
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("believe the clock: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.behind = time.Time{}
	return nil
}
