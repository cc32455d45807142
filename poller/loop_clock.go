package poller

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"
)

// trustAfter is how long a clock that was set back must stay so until what was learned
// before is brought down to it. Many a machine begins in 1970 and learns the time a minute
// later; it would also learn that no feed has posted since.
const trustAfter = time.Hour

// wallClock notices when the clock of the machine was set back.
type wallClock struct {
	mu        sync.Mutex // guards what follows
	last      time.Time  // look at the clock; zero before the first
	setBackAt time.Time  // when the clock was last set back, by the clock since; zero once that time is trusted
}

// lastLook returns when the loop looked at the clock last.
func (c *wallClock) lastLook() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// looked notes that the loop looks at the clock, and returns when it did before.
func (c *wallClock) looked(now time.Time) (before time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, c.last = c.last, now
	return before
}

// startsOrWasSetBack reports whether this is the first look, or the clock was set back
// since the last one.
func (c *wallClock) startsOrWasSetBack(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	first, back := c.last.IsZero(), now.Before(c.last.Add(-tick))
	if first {
		c.last = now
	}
	if first || back {
		c.setBackAt = now
	}
	return first || back
}

// isToBeTrusted reports whether the clock was set back and has stayed so for long enough.
func (c *wallClock) isToBeTrusted(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.setBackAt.IsZero() && !now.Before(c.setBackAt.Add(trustAfter))
}

// trusted notes that nothing learned lies ahead of the clock any more.
func (c *wallClock) trusted() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.setBackAt = time.Time{}
}

// setBack mends what a clock that was set back has left in the future: a feed
// fetched next year would not be fetched for a year, and what was spent then
// would be free. What lies ahead of now is taken to have happened now.
func (l *loop) setBack(ctx context.Context, now time.Time) error {
	l.client.ClockSetBack()
	if now.Before(l.clock.lastLook()) {
		l.signals.clockSetBack()
	}
	l.planner.setBack(now)
	l.network.setBack(now)
	l.failure.setBack(now)
	l.outages.setBack()
	l.jobs.clockSetBack()
	if l.icons != nil {
		l.icons.ClockSetBack()
	}
	if l.preparer != nil {
		l.preparer.ClockSetBack()
	}
	// The loop's now is a moment old: what lies a tick ahead is as good as now.
	ahead, wait := now.Add(tick).Unix(), now.Add(longestWait).Unix()
	var any bool
	err := l.store.Read().QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM ledger WHERE at > ?1)
		OR EXISTS (SELECT 1 FROM poll WHERE max(tried, fetched, since) > ?1 OR not_before > ?2)
		OR EXISTS (SELECT 1 FROM host WHERE until > ?2)
		OR EXISTS (SELECT 1 FROM icon WHERE tried > ?1) OR EXISTS (SELECT 1 FROM feed_icon WHERE tried > ?1)`, ahead, wait).Scan(&any)
	if err != nil {
		return fmt.Errorf("look for what lies ahead of the clock: %w", err)
	}
	if !any {
		return nil
	}
	return l.store.Write(ctx, func(tx *sql.Tx) error {
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

// trustClock brings what was learned down to a clock that was set back and has stayed so.
func (l *loop) trustClock(ctx context.Context, now time.Time) error {
	if !l.clock.isToBeTrusted(now) {
		return nil
	}
	var any bool
	err := l.store.Read().QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM poll WHERE max(upto, posted, moving_since) > ?)", now.Unix()).Scan(&any)
	if err == nil && any {
		err = l.store.Write(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `UPDATE poll SET upto = min(upto, ?1), posted = min(posted, ?1), moving_since = min(moving_since, ?1)
				WHERE max(upto, posted, moving_since) > ?1`, now.Unix())
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("mend what was learned ahead of the clock: %w", err)
	}
	l.clock.trusted()
	return nil
}
