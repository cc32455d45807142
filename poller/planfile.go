package poller

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
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
	for i := range in.feeds {
		f := &in.feeds[i]
		if d, ok := days[f.Feed.ID]; ok {
			f.day = d
		}
	}
	instants, err := p.Instants(ctx)
	if err != nil {
		return err
	}
	in.remember(instants, anew)
	return nil
}

// remember tells the inputs of instants in force: those to come, and the one of each feed
// that has come or is about to.
func (in *inputs) remember(instants []Instant, anew bool) {
	byFeed := make(map[int64]*FeedPlan, len(in.feeds))
	for i := range in.feeds {
		f := &in.feeds[i]
		byFeed[f.Feed.ID] = f
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
	rows, err := p.store.Read().QueryContext(ctx, "SELECT "+instantColumns+" FROM instant ORDER BY at, feed")
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	instants, err := scanInstants(rows)
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	return instants, nil
}

// instantColumns are what scanInstants reads.
const instantColumns = "feed, at, code, why, value, posts"

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
		_, err := tx.ExecContext(ctx, `DELETE FROM instant WHERE
			?1 AND at < ?2 AND feed NOT IN (SELECT value FROM json_each(?3))
			OR feed NOT IN (SELECT id FROM feed WHERE removed = 0 AND paused = 0)`,
			anew, in.now.Add(-overdue).Unix(), string(running))
		if err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		if err := putCycles(ctx, tx, pl); err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		if err := pl.putInstants(ctx, tx, in.start.Add(Bin)); err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		return errors.Join(in.rate(ctx, tx), sumLedger(ctx, tx, in.now))
	})
}

func putCycles(ctx context.Context, tx *sql.Tx, pl *Plan) error {
	if !pl.fresh {
		return nil
	}
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

// putInstants puts the instants of a plan in place of those from `from` on.
func (pl *Plan) putInstants(ctx context.Context, tx *sql.Tx, from time.Time) error {
	old, err := instantsBy(ctx, tx, "at >= ?", from.Unix())
	if err != nil {
		return err
	}
	instants := slices.Clone(pl.now)
	for i := range pl.Feeds {
		instants = append(instants, soon(pl.Feeds[i].Instants, from)...)
	}
	return replace(ctx, tx, old, instants)
}

// soon are the instants of a feed worth storing: those of a day and the next one, however
// late. What comes after them is planned anew many times before.
func soon(instants []Instant, from time.Time) []Instant {
	end := from.Add(day)
	n, _ := slices.BinarySearchFunc(instants, end, func(i Instant, t time.Time) int { return i.At.Compare(t) })
	return instants[:min(len(instants), n+1)]
}

// replace puts instants in place of old ones. Most are where they were, and are not
// written again.
func replace(ctx context.Context, tx *sql.Tx, old map[visit]planned, instants []Instant) error {
	stmt, err := tx.PrepareContext(ctx, `REPLACE INTO instant (feed, at, code, why, value, posts)
		SELECT id, ?2, ?3, ?4, ?5, ?6 FROM feed WHERE id = ?1 AND removed = 0 AND paused = 0`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for _, i := range instants {
		key := visit{i.Feed, i.At.Unix()}
		was, there := old[key]
		delete(old, key)
		if there && was.still(&i) {
			continue
		}
		if _, err := stmt.ExecContext(ctx, i.Feed, i.At.Unix(), string(i.Code), i.Why, i.Value, i.Posts); err != nil {
			return err
		}
	}
	return strike(ctx, tx, old)
}

// visit is an instant's place in the plan.
type visit struct{ feed, at int64 }

// planned is what a stored instant is kept or written anew by.
type planned struct {
	code  Code
	value float64
}

// still reports whether an instant is for the same reason and worth about the same.
func (was planned) still(i *Instant) bool {
	return was.code == i.Code && math.Abs(was.value-i.Value) <= 0.1*i.Value
}

func instantsBy(ctx context.Context, tx *sql.Tx, condition string, args ...any) (map[visit]planned, error) {
	rows, err := tx.QueryContext(ctx, "SELECT feed, at, code, value FROM instant WHERE "+condition, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	old := map[visit]planned{}
	for rows.Next() {
		var v visit
		var was planned
		if err := rows.Scan(&v.feed, &v.at, &was.code, &was.value); err != nil {
			return nil, err
		}
		old[v] = was
	}
	return old, rows.Err()
}

// strike takes instants off the plan.
func strike(ctx context.Context, tx *sql.Tx, instants map[visit]planned) error {
	stmt, err := tx.PrepareContext(ctx, "DELETE FROM instant WHERE feed = ? AND at = ?")
	if err != nil {
		return err
	}
	defer stmt.Close()
	for v := range instants {
		if _, err := stmt.ExecContext(ctx, v.feed, v.at); err != nil {
			return err
		}
	}
	return nil
}
