package poller

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kairos/poller/plan"
	"kairos/poller/schedule"
	"kairos/reader"
)

// cycleDays is the day of its cycle on which each feed with a cycle of several
// days is fetched.
func (r *records) cycleDays(ctx context.Context) (map[int64]int, error) {
	rows, err := r.store.Read().QueryContext(ctx, "SELECT feed, at FROM cycle WHERE every > 1")
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

// instants returns what is planned, in order of time. What has come stays until
// it is done.
func (r *records) instants(ctx context.Context) ([]Instant, error) {
	instants, err := instantsBy(ctx, r.store.Read(), "true")
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	return instants, nil
}

// instantColumns are what an instantRow holds, of instant i.
const instantColumns = "i.feed, i.at, i.code, i.why, i.value, i.posts"

// instantsBy returns the instants that meet a condition, in order of time.
func instantsBy(ctx context.Context, q reader.Querier, condition string, args ...any) ([]Instant, error) {
	rows, err := q.QueryContext(ctx, "SELECT "+instantColumns+" FROM instant i WHERE "+condition+" ORDER BY i.at, i.feed", args...)
	if err != nil {
		return nil, err
	}
	return scanInstants(rows)
}

// countInstants tells how much memory those that are planned take.
const countInstants = "SELECT count(*) FROM instant"

// slots returns the feed and the time of everything that is planned, in order of time, which is
// all that a new plan asks for: reading the reasons would take most of the time.
func (r *records) slots(ctx context.Context) ([]Instant, error) {
	count := 0
	if err := r.db.Row(ctx, countInstants, nil, &count); err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	rows, err := r.db.Rows(ctx, "SELECT feed, at FROM instant ORDER BY at, feed")
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	defer rows.Close()
	instants := make([]Instant, 0, count)
	for rows.Next() {
		var i Instant
		var at int64
		if err := rows.Scan(&i.Feed, &at); err != nil {
			return nil, fmt.Errorf("read the plan: %w", err)
		}
		i.At = time.Unix(at, 0)
		instants = append(instants, i)
	}
	return instants, rows.Err()
}

// inForce returns the instants that a plan replaces, as far as schedule.Plan.Update compares
// them: those of its feeds if it is partial, otherwise of all.
func inForce(ctx context.Context, tx *sql.Tx, pl *schedule.Plan) (instants []Instant, err error) {
	const query = "SELECT feed, at, code, value FROM instant"
	if !pl.Partial() {
		count := 0
		if err := tx.QueryRowContext(ctx, countInstants).Scan(&count); err != nil {
			return nil, err
		}
		return appendInForce(ctx, tx, make([]Instant, 0, count), query)
	}
	for _, f := range pl.Feeds {
		if instants, err = appendInForce(ctx, tx, instants, query+" WHERE feed = ?", f.Feed.ID); err != nil {
			return nil, err
		}
	}
	return instants, nil
}

func appendInForce(ctx context.Context, tx *sql.Tx, instants []Instant, query string, args ...any) ([]Instant, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var i Instant
		var at int64
		if err := rows.Scan(&i.Feed, &at, &i.Reason.Code, &i.Value); err != nil {
			return nil, err
		}
		i.At = time.Unix(at, 0)
		instants = append(instants, i)
	}
	return instants, rows.Err()
}

func scanInstants(rows *sql.Rows) ([]Instant, error) {
	defer rows.Close()
	var instants []Instant
	for rows.Next() {
		var i instantRow
		if err := rows.Scan(i.columns()...); err != nil {
			return nil, err
		}
		instants = append(instants, i.instant())
	}
	return instants, rows.Err()
}

// instantRow is what instantColumns are scanned into.
type instantRow struct {
	feed, at     int64
	code         schedule.Code
	why          string
	value, posts float64
}

func (r *instantRow) columns() []any {
	return []any{&r.feed, &r.at, &r.code, &r.why, &r.value, &r.posts}
}

func (r *instantRow) instant() Instant {
	return Instant{Feed: r.feed, At: time.Unix(r.at, 0), Reason: readReason(r.code, r.why, r.posts), Value: r.value}
}

// readReason reads a reason as it is stored. An earlier version stored a sentence, of
// which the code and the posts remain.
func readReason(code schedule.Code, why string, posts float64) schedule.Reason {
	var r schedule.Reason
	if err := json.Unmarshal([]byte(why), &r); err != nil || r.Code == "" {
		return schedule.Reason{Code: code, Posts: posts}
	}
	return r
}

// storePlan puts a plan in place of the one in force.
func (p *planner) storePlan(ctx context.Context, pl *schedule.Plan) error {
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		if !pl.Partial() {
			_, err := tx.ExecContext(ctx, "DELETE FROM instant WHERE feed IN (SELECT f.id FROM feed f WHERE NOT ("+fetchedHere+"))")
			if err != nil {
				return fmt.Errorf("store the plan: %w", err)
			}
		}
		if err := storeCycles(ctx, tx, pl); err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		old, err := inForce(ctx, tx, pl)
		if err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		put, strike := pl.Update(old)
		if err := storeInstants(ctx, tx, put, strike); err != nil {
			return fmt.Errorf("store the plan: %w", err)
		}
		if pl.Partial() {
			return nil
		}
		return errors.Join(setBudget(ctx, tx, pl), sumLedger(ctx, tx, pl.Made))
	})
}

func storeCycles(ctx context.Context, tx *sql.Tx, pl *schedule.Plan) error {
	if !pl.Fresh {
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

// putInstant stores one instant, or nothing if its feed has gone or was paused. It is one row without a
// query, for which SQLite needs no journal of the statement.
const putInstant = `INSERT OR IGNORE INTO instant (feed, at, code, why, value, posts)
	VALUES ((SELECT f.id FROM feed f WHERE f.id = ?1 AND ` + fetchedHere + `), ?2, ?3, ?4, ?5, ?6)
	ON CONFLICT (feed, at) DO UPDATE SET code = excluded.code, why = excluded.why, value = excluded.value, posts = excluded.posts`

// storeInstants strikes instants and puts others, unless their feed has gone or was paused
// meanwhile.
func storeInstants(ctx context.Context, tx *sql.Tx, put []*Instant, strike []Instant) error {
	ctx = context.WithoutCancel(ctx) // the transaction ends with it, and needs not be watched for every instant
	if err := strikeInstants(ctx, tx, strike); err != nil || len(put) == 0 {
		return err
	}
	stmt, err := tx.PrepareContext(ctx, putInstant)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for _, i := range put {
		why, err := json.Marshal(i.Reason)
		if err != nil {
			return err
		}
		if _, err := stmt.ExecContext(ctx, i.Feed, i.At.Unix(), string(i.Reason.Code), string(why), i.Value, i.Reason.Posts); err != nil {
			return err
		}
	}
	return nil
}

func strikeInstants(ctx context.Context, tx *sql.Tx, strike []Instant) error {
	if len(strike) == 0 {
		return nil
	}
	stmt, err := tx.PrepareContext(ctx, "DELETE FROM instant WHERE feed = ? AND at = ?")
	if err != nil {
		return err
	}
	defer stmt.Close()
	for _, i := range strike {
		if _, err := stmt.ExecContext(ctx, i.Feed, i.At.Unix()); err != nil {
			return err
		}
	}
	return nil
}

// changeInstants lets change decide what becomes of a feed's instants up to the first at which it may
// be fetched again; later ones stay. A feed that is gone for good loses all.
func changeInstants(ctx context.Context, tx *sql.Tx, f *schedule.Feed, gone bool, now time.Time, change func(instants []Instant) []Instant) error {
	if gone {
		if _, err := tx.ExecContext(ctx, "DELETE FROM instant WHERE feed = ?", f.ID); err != nil {
			return fmt.Errorf("strike the plan of feed %d: %w", f.ID, err)
		}
		return nil
	}
	old, err := instantsBy(ctx, tx, "feed = ? AND at <= ?", f.ID, ceilUnix(rules.Allowed(f, now)))
	if err != nil {
		return fmt.Errorf("read the plan of feed %d: %w", f.ID, err)
	}
	put, strike := schedule.Changes(old, change(old))
	if err := storeInstants(ctx, tx, put, strike); err != nil {
		return fmt.Errorf("store the plan of feed %d: %w", f.ID, err)
	}
	return nil
}

// nextInstant returns the next instant after now, a day later if none is planned.
func (r *records) nextInstant(ctx context.Context, now time.Time) (time.Time, error) {
	var next int64
	err := r.db.Row(ctx, "SELECT coalesce(min(at), 0) FROM instant WHERE at > ?", []any{now.Unix()}, &next)
	if err != nil {
		return now, fmt.Errorf("read the plan: %w", err)
	}
	if next == 0 {
		return now.Add(day), nil
	}
	return time.Unix(next, 0), nil
}
