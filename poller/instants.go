package poller

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"kairos/poller/plan"
	"kairos/poller/schedule"
)

// cycleDays is the day of its cycle on which each feed with a cycle of several
// days is fetched.
func (r *records) cycleDays(ctx context.Context) (map[int64]int, error) {
	rows, err := r.store.Read().QueryContext(ctx, "SELECT subject, at FROM cycle WHERE every > 1")
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	defer rows.Close()
	days := map[int64]int{}
	for rows.Next() {
		var feed int64
		var text string
		var at []int
		if err := rows.Scan(&feed, &text); err != nil {
			return nil, fmt.Errorf("read the plan: %w", err)
		}
		if json.Unmarshal([]byte(text), &at) == nil && len(at) > 0 {
			days[feed] = schedule.DayOf(plan.Cycle{At: at})
		}
	}
	return days, rows.Err()
}

// selectAgenda reads what is planned of all feeds.
const selectAgenda = "SELECT subject, instants FROM agenda"

// eachAgenda hands on what a query for feed and instants finds.
func (r *records) eachAgenda(ctx context.Context, query string, args []any, do func(feed int64, stored []byte) error) error {
	// Many a time a row or none is read, and watching for the end of ctx takes longer.
	rows, err := r.db.Rows(context.WithoutCancel(ctx), query, args...)
	if err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var feed int64
		var stored sql.RawBytes
		if err = rows.Scan(&feed, &stored); err == nil {
			err = do(feed, stored)
		}
		if err != nil {
			return fmt.Errorf("read the plan: %w", err)
		}
	}
	return rows.Err()
}

// plannedOf returns what is planned for one feed, in order of time. What has come stays until it is done.
func (r *records) plannedOf(ctx context.Context, feed int64) (instants []Instant, err error) {
	err = r.eachAgenda(ctx, selectAgenda+" WHERE subject = ?", []any{feed}, func(feed int64, stored []byte) (err error) {
		instants, err = readInstants(nil, feed, stored)
		return err
	})
	return instants, err
}

// instants returns what is planned, in order of time.
func (r *records) instants(ctx context.Context) (instants []Instant, err error) {
	err = r.eachAgenda(ctx, selectAgenda, nil, func(feed int64, stored []byte) (err error) {
		instants, err = readInstants(instants, feed, stored)
		return err
	})
	slices.SortFunc(instants, func(a, b Instant) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Feed, b.Feed)) })
	return instants, err
}

// slots returns the feed and the time of everything that is planned, those of each feed in order of time, which is all that a new plan
// asks for.
func (p *planner) slots(ctx context.Context) (instants []Instant, err error) {
	size := 0
	if err := p.db.Row(ctx, "SELECT coalesce(sum(length(instants)), 0) FROM agenda", nil, &size); err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	instants = make([]Instant, 0, size/leastStored)
	err = p.eachAgenda(ctx, selectAgenda+" WHERE "+p.scope(), nil, func(feed int64, stored []byte) (err error) {
		instants, _, err = readTimes(instants, feed, stored)
		return err
	})
	return instants, err
}

// upcoming returns the first instant after a time; not there if none is planned. Where something has come by then, it may stand behind
// that.
func (p *planner) upcoming(ctx context.Context, after time.Time) (first Instant, there bool, err error) {
	query := selectAgenda + " WHERE " + p.scope() + ` AND next <= ?1
		UNION ALL SELECT subject, instants FROM (` + selectAgenda + " WHERE " + p.scope() + ` AND next > ?1 ORDER BY next, subject LIMIT 1)`
	var instants []Instant
	err = p.eachAgenda(ctx, query, []any{after.Unix()}, func(feed int64, stored []byte) (err error) {
		if instants, err = readInstants(instants[:0], feed, stored); err != nil {
			return err
		}
		i := slices.IndexFunc(instants, func(at Instant) bool { return at.At.Unix() > after.Unix() })
		if i >= 0 && (!there || instants[i].At.Before(first.At)) {
			first, there = instants[i], true
		}
		return nil
	})
	return first, there, err
}

// nextAgenda returns the first instant of the feeds of which nothing has come by now, a day later if none is planned.
func (r *records) nextAgenda(ctx context.Context, now time.Time) (time.Time, error) {
	var next int64
	err := r.db.Row(ctx, "SELECT coalesce(min(next), 0) FROM agenda WHERE next > ?", []any{now.Unix()}, &next)
	if err != nil {
		return now, fmt.Errorf("read the plan: %w", err)
	}
	return agendaTime(next, now), nil
}

// agendaTime is a time that was read in Unix seconds, a day after now if there is none.
func agendaTime(next int64, now time.Time) time.Time {
	if next == 0 {
		return now.Add(day)
	}
	return time.Unix(next, 0)
}

// storePlan puts a plan in place of the one in force.
func (p *planner) storePlan(ctx context.Context, pl *schedule.Plan) error {
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		if err := p.storeCycles(ctx, tx, pl); err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		if err := p.storeInstants(ctx, tx, pl); err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		if pl.Partial() {
			return nil
		}
		return errors.Join(setBudget(ctx, tx, p.server.account, pl), sumLedger(ctx, tx, pl.Made))
	})
}

func (p *planner) storeCycles(ctx context.Context, tx *sql.Tx, pl *schedule.Plan) error {
	if !pl.Fresh {
		return nil
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM cycle WHERE "+p.scope()); err != nil {
		return err
	}
	// A feed may have gone since the plan was begun.
	stmt, err := tx.PrepareContext(ctx, "INSERT INTO cycle SELECT id, ?2, ?3, ?4, ?5 FROM subject WHERE id = ?1")
	if err != nil {
		return err
	}
	defer stmt.Close()
	for _, f := range pl.Feeds {
		at, err := json.Marshal(f.Cycle.At)
		if err != nil {
			return err
		}
		if _, err := stmt.ExecContext(ctx, f.Feed.ID, f.Cycle.Every, string(at), f.Cycle.Delay, f.Cycle.Saving); err != nil {
			return err
		}
	}
	return nil
}

// storeInstants stores what the plan changes of the instants in force. Feeds that have gone or were paused meanwhile have none.
func (p *planner) storeInstants(ctx context.Context, tx *sql.Tx, pl *schedule.Plan) error {
	ctx = context.WithoutCancel(ctx) // the transaction ends with it, and needs not be watched for every feed
	stored := map[int64][]byte{}
	if pl.Partial() {
		for i := range pl.Feeds {
			id := pl.Feeds[i].Feed.ID
			data, err := storedInstants(ctx, tx, id)
			if err != nil {
				return err
			}
			stored[id] = data
		}
	} else if err := p.readAgenda(ctx, tx, stored); err != nil {
		return err
	}
	put, err := tx.PrepareContext(ctx, putAgenda) // to parse it takes longer than to run it
	if err != nil {
		return err
	}
	defer put.Close()
	var old, next []Instant
	revise := func(feed int64, f *schedule.FeedPlan) (err error) {
		old = old[:0]
		if data := stored[feed]; data != nil {
			if old, err = readInstants(old, feed, data); err != nil {
				return err
			}
		}
		delete(stored, feed)
		changed := false
		switch next, changed = pl.Revise(f, old, next); {
		case !changed:
		case len(next) == 0:
			err = putInstants(ctx, tx, feed, nil)
		default:
			_, err = put.ExecContext(ctx, feed, next[0].At.Unix(), appendInstants(nil, next))
		}
		return err
	}
	for i := range pl.Feeds {
		if err := revise(pl.Feeds[i].Feed.ID, &pl.Feeds[i]); err != nil {
			return err
		}
	}
	for feed := range stored {
		if err := revise(feed, nil); err != nil {
			return err
		}
	}
	return nil
}

// readAgenda reads what is stored of all feeds, without those that are not fetched here any more: their instants are struck.
func (p *planner) readAgenda(ctx context.Context, tx *sql.Tx, stored map[int64][]byte) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM agenda WHERE "+p.scope()+" AND subject NOT IN (SELECT id FROM "+p.subjects()+")")
	if err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, selectAgenda+" WHERE "+p.scope())
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var feed int64
		var data []byte
		if err := rows.Scan(&feed, &data); err != nil {
			return err
		}
		stored[feed] = data
	}
	return rows.Err()
}

// storedInstants reads what is stored of one feed; nil if that is nothing.
func storedInstants(ctx context.Context, tx *sql.Tx, feed int64) (data []byte, err error) {
	err = tx.QueryRowContext(ctx, "SELECT instants FROM agenda WHERE subject = ?", feed).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return data, err
}

const putAgenda = `INSERT INTO agenda (subject, next, instants) SELECT id, ?2, ?3 FROM (SELECT id FROM ` + polled + ` UNION ALL SELECT id FROM ` + refreshed + `) WHERE id = ?1
	ON CONFLICT (subject) DO UPDATE SET next = excluded.next, instants = excluded.instants`

// putInstants stores the instants of a subject, unless it has gone or was paused meanwhile.
func putInstants(ctx context.Context, tx *sql.Tx, subject int64, instants []Instant) error {
	if len(instants) == 0 {
		_, err := tx.ExecContext(ctx, "DELETE FROM agenda WHERE subject = ?", subject)
		return err
	}
	_, err := tx.ExecContext(ctx, putAgenda, subject, instants[0].At.Unix(), appendInstants(nil, instants))
	return err
}

// changeInstants lets change decide what becomes of a feed's instants. A feed that is gone for good loses all.
func changeInstants(ctx context.Context, tx *sql.Tx, feed int64, gone bool, change func(instants []Instant) []Instant) error {
	if gone {
		if err := putInstants(ctx, tx, feed, nil); err != nil {
			return fmt.Errorf("strike the plan of feed %d: %w", feed, err)
		}
		return nil
	}
	data, err := storedInstants(ctx, tx, feed)
	var old []Instant
	if err == nil && data != nil {
		old, err = readInstants(nil, feed, data)
	}
	if err != nil {
		return fmt.Errorf("read the plan of feed %d: %w", feed, err)
	}
	if next := change(old); !slices.Equal(old, next) {
		if err := putInstants(ctx, tx, feed, next); err != nil {
			return fmt.Errorf("store the plan of feed %d: %w", feed, err)
		}
	}
	return nil
}
