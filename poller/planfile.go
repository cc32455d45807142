package poller

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// before adds to the inputs what the plan in force has of each feed: the day of
// its cycle, the instants to come, and the one that has come or is about to.
func (p *Poller) before(ctx context.Context, in *inputs, anew bool) error {
	days, err := p.cycleDays(ctx)
	if err != nil {
		return err
	}
	instants, err := p.Instants(ctx)
	if err != nil {
		return err
	}
	byFeed := make(map[int64]*FeedPlan, len(in.feeds))
	for i := range in.feeds {
		f := &in.feeds[i]
		byFeed[f.Feed.ID] = f
		if d, ok := days[f.Feed.ID]; ok {
			f.day = d
		}
	}
	for _, at := range instants {
		f := byFeed[at.Feed]
		switch {
		case f == nil:
		case !at.At.Before(in.start.Add(Bin)):
			f.old = append(f.old, in.bin(at.At)) // an offset is shorter than a bin
		case anew && at.At.Before(in.now.Add(-overdue)) && !in.running[at.Feed]:
			f.overdue = true
		case f.pending.IsZero():
			f.pending = at.At
			if !in.running[at.Feed] { // what runs has been paid for
				in.bucket = in.bucket.Spend(1)
			}
		}
	}
	return nil
}

// cycleDays is the day of its cycle on which each feed with a cycle of several
// days is fetched.
func (p *Poller) cycleDays(ctx context.Context) (map[int64]int, error) {
	rows, err := p.store.Read().QueryContext(ctx, "SELECT feed, at FROM cycle WHERE every > 1")
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
			days[feed] = at[0] / bins
		}
	}
	return days, rows.Err()
}

// Instants returns what is planned, in order of time. What has come stays until
// it is done.
func (p *Poller) Instants(ctx context.Context) ([]Instant, error) {
	rows, err := p.store.Read().QueryContext(ctx, "SELECT feed, at, code, why, value, posts FROM instant ORDER BY at, feed")
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	instants, err := scanInstants(rows)
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	return instants, nil
}

func scanInstants(rows *sql.Rows) ([]Instant, error) {
	defer rows.Close()
	var instants []Instant
	for rows.Next() {
		var i Instant
		var at int64
		if err := rows.Scan(&i.Feed, &at, &i.Code, &i.Why, &i.Value, &i.Posts); err != nil {
			return nil, err
		}
		i.At = time.Unix(at, 0)
		instants = append(instants, i)
	}
	return instants, rows.Err()
}

// put stores a plan in place of the one in force. What has come or is about to
// stays, so that a re-plan never loses it, but for what is overdue if that was
// decided anew.
func (p *Poller) put(ctx context.Context, in *inputs, pl *Plan, anew bool) error {
	running, err := json.Marshal(slices.AppendSeq([]int64{}, maps.Keys(in.running)))
	if err != nil {
		return fmt.Errorf("store the plan: %w", err)
	}
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM instant WHERE at >= ?1
			OR ?2 AND at < ?3 AND feed NOT IN (SELECT value FROM json_each(?4))
			OR feed NOT IN (SELECT id FROM feed WHERE removed = 0 AND paused = 0)`,
			in.start.Add(Bin).Unix(), anew, in.now.Add(-overdue).Unix(), string(running))
		if err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		if err := putCycles(ctx, tx, pl); err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		if err := putInstants(ctx, tx, pl); err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		return errors.Join(in.rate(ctx, tx), sumLedger(ctx, tx, in.now))
	})
}

func putCycles(ctx context.Context, tx *sql.Tx, pl *Plan) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM cycle"); err != nil {
		return err
	}
	// A feed may have gone since the plan was begun.
	stmt, err := tx.PrepareContext(ctx, "INSERT INTO cycle SELECT id, ?2, ?3, ?4, ?5 FROM feed WHERE id = ?1")
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

func putInstants(ctx context.Context, tx *sql.Tx, pl *Plan) error {
	stmt, err := tx.PrepareContext(ctx, `REPLACE INTO instant (feed, at, code, why, value, posts)
		SELECT id, ?2, ?3, ?4, ?5, ?6 FROM feed WHERE id = ?1 AND removed = 0 AND paused = 0`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	put := func(instants []Instant) error {
		for _, i := range instants {
			if _, err := stmt.ExecContext(ctx, i.Feed, i.At.Unix(), string(i.Code), i.Why, i.Value, i.Posts); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range pl.Feeds {
		if err := put(pl.Feeds[i].Instants); err != nil {
			return err
		}
	}
	return put(pl.now)
}
