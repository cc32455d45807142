package poller

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"kairos/reader"
)

// dueRow is an instant that has come and what is known of its feed. It stays in
// the plan until the fetch is in the ledger, so that whoever stops in between
// finds it again.
type dueRow struct {
	Instant
	feed  reader.Feed
	state State
}

// due returns the instants that have come, most valuable first.
func (p *Poller) due(ctx context.Context, now time.Time) ([]dueRow, error) {
	rows, err := p.db.Rows(ctx, `SELECT i.feed, i.at, i.code, i.why, i.value, i.posts FROM instant i
		JOIN feed f ON f.id = i.feed WHERE i.at <= ? AND f.removed = 0 AND f.paused = 0`, now.Unix())
	if err != nil {
		return nil, fmt.Errorf("read what is due: %w", err)
	}
	instants, err := scanInstants(rows)
	if err != nil {
		return nil, fmt.Errorf("read what is due: %w", err)
	}
	slices.SortFunc(instants, func(a, b Instant) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), a.At.Compare(b.At), cmp.Compare(a.Feed, b.Feed))
	})
	due := make([]dueRow, len(instants))
	for i, at := range instants {
		due[i].Instant = at
		if due[i].feed, err = p.store.Feed(ctx, at.Feed); err != nil {
			return nil, fmt.Errorf("read what is due: %w", err)
		}
		if due[i].state, err = p.state(ctx, at.Feed); err != nil {
			return nil, err
		}
		due[i].state.of(due[i].feed)
	}
	return due, nil
}

// runDue starts what is due, as far as the budget reaches, and little by little when
// saving has ended. What finds no room stays due; room is when there will be some, zero
// if nothing waits for it.
func (p *Poller) runDue(ctx context.Context, now time.Time, due []dueRow) (room time.Time, err error) {
	if len(due) == 0 {
		return time.Time{}, nil
	}
	left, more, err := p.left(ctx, now)
	if err != nil {
		return time.Time{}, err
	}
	var tooSoon []dueRow
	for _, d := range due {
		switch {
		case p.occupied(d.feed):
		case d.state.Gone, now.Before(d.state.allowed(now)):
			tooSoon = append(tooSoon, d)
		case left <= 0:
			room = more
		case d.Code != TopUp && !p.eased(now, &room):
		default:
			left--
			p.start(ctx, job{feed: d.feed, code: d.Code, why: d.Why}, nil)
		}
	}
	return room, p.putOff(ctx, now, tooSoon)
}

// eased reports whether a fetch may begin now that saving has ended; if not, room is
// when it may.
func (p *Poller) eased(now time.Time, room *time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.easing.take(now) {
		return true
	}
	*room = p.easing.next
	return false
}

// occupied reports whether a feed is being fetched, or waits for the network.
func (p *Poller) occupied(f reader.Feed) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, busy := p.running[f.ID]
	return busy || p.heldBack(f.URL)
}

// left is how many background fetches may begin at now; if none, more is when
// that changes.
func (p *Poller) left(ctx context.Context, now time.Time) (left int, more time.Time, err error) {
	budget, err := p.perDay(ctx)
	if err != nil {
		return 0, time.Time{}, err
	}
	b, err := p.bucket(ctx, now, budget)
	if err != nil {
		return 0, time.Time{}, err
	}
	if left = b.Left(); left > 0 {
		return left, time.Time{}, nil
	}
	wait := b.Until()
	if wait < 0 {
		wait = day
	}
	return 0, now.Add(max(wait, time.Second)), nil
}

// putOff moves what came too soon (after a fetch by hand, a fault or a
// Retry-After, in an hour to be skipped) to when its feed may be fetched again.
func (p *Poller) putOff(ctx context.Context, now time.Time, rows []dueRow) error {
	if len(rows) == 0 {
		return nil
	}
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		for _, d := range rows {
			if err := d.state.postpone(ctx, tx, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// postpone merges the feed's instants before it may be fetched again into one
// then; a feed that is gone for good has none.
func (s *State) postpone(ctx context.Context, tx *sql.Tx, now time.Time) error {
	query, args := "UPDATE OR REPLACE instant SET at = ?2 WHERE feed = ?1 AND at < ?2", []any{s.Feed, ceilUnix(s.allowed(now))}
	if s.Gone {
		query, args = "DELETE FROM instant WHERE feed = ?", args[:1]
	}
	if _, err := tx.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("put off feed %d: %w", s.Feed, err)
	}
	return nil
}

// served takes what is due at now off the feed's plan.
func (s *State) served(ctx context.Context, tx *sql.Tx, now time.Time) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM instant WHERE feed = ? AND at <= ?", s.Feed, now.Unix()); err != nil {
		return fmt.Errorf("take feed %d off the plan: %w", s.Feed, err)
	}
	return s.postpone(ctx, tx, now)
}

// retry plans another try after a fault, if the feed has nothing to do before.
func (s *State) retry(ctx context.Context, tx *sql.Tx, now time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO instant (feed, at, code, why, value, posts)
		SELECT id, ?2, ?3, ?4, 0, 0 FROM feed WHERE id = ?1 AND removed = 0 AND paused = 0`,
		s.Feed, ceilUnix(s.allowed(now)), string(Retry), s.again())
	if err != nil {
		return fmt.Errorf("plan another try of feed %d: %w", s.Feed, err)
	}
	return nil
}

func (p *Poller) nextInstant(ctx context.Context, now time.Time) (time.Time, error) {
	var next int64
	err := p.db.Row(ctx, "SELECT coalesce(min(at), 0) FROM instant WHERE at > ?", []any{now.Unix()}, &next)
	if err != nil {
		return now, fmt.Errorf("read the plan: %w", err)
	}
	if next == 0 {
		return now.Add(day), nil
	}
	return time.Unix(next, 0), nil
}

// isFile reports whether a feed is a file of this machine.
func isFile(address string) bool { return strings.HasPrefix(address, "file:") }
