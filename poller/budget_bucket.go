package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/poller/plan"
	"kairos/poller/schedule"
)

// bucket is what is left of a budget of so many fetches a day at now, without those in flight: that of the server of an account, or of
// this computer (0).
func (b *budget) bucket(ctx context.Context, account int64, now time.Time, perDay int) (plan.Bucket, error) {
	// Those in flight first: one that ends in between counts twice rather than not at all.
	spending := b.jobs.spent(account)
	stored, err := readBucket(func(into ...any) error { return b.db.Row(ctx, selectBucket, []any{account}, into...) })
	return stored.without(spending, now, perDay), err
}

const selectBucket = "SELECT per_day, days, at FROM bucket WHERE account = ?"

// storedBucket is what is left as it is stored: of a budget that was never used the zero one.
type storedBucket struct {
	perDay, days float64
	at           int64 // Unix ms
}

// asOf returns it at now. A budget that was never used begins at the usual level.
func (s storedBucket) asOf(now time.Time) plan.Bucket {
	if s.at == 0 {
		return plan.Bucket{Days: plan.UsualLevel, At: now}
	}
	return plan.Bucket{PerDay: s.perDay, Days: s.days, At: time.UnixMilli(s.at)}.AsOf(now)
}

// without returns it at now, of a budget of so many fetches a day from now on, without what fetches in flight are expected to take.
func (s storedBucket) without(spending float64, now time.Time, perDay int) plan.Bucket {
	b := s.asOf(now)
	b.PerDay = float64(perDay)
	return b.Spend(spending)
}

func readBucket(scan func(into ...any) error) (s storedBucket, err error) {
	if err = scan(&s.perDay, &s.days, &s.at); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return storedBucket{}, fmt.Errorf("read what is left of the budget: %w", err)
	}
	return s, nil
}

func writeBucket(ctx context.Context, tx *sql.Tx, account int64, b plan.Bucket) error {
	_, err := tx.ExecContext(ctx, "REPLACE INTO bucket VALUES (?, ?, ?, ?)", account, b.PerDay, b.Days, b.At.UnixMilli())
	if err != nil {
		return fmt.Errorf("store what is left of the budget: %w", err)
	}
	return nil
}

// pay takes a cost out of the bucket of the server of an account, or of this computer (0).
func pay(ctx context.Context, tx *sql.Tx, account int64, at time.Time, cost float64) error {
	b, err := readBucket(tx.QueryRowContext(ctx, selectBucket, account).Scan)
	if err != nil {
		return err
	}
	return writeBucket(ctx, tx, account, b.asOf(at).Spend(cost))
}

// setBudget puts the budget of a plan in force from then on.
func setBudget(ctx context.Context, tx *sql.Tx, account int64, pl *schedule.Plan) error {
	stored, err := readBucket(tx.QueryRowContext(ctx, selectBucket, account).Scan)
	if err != nil {
		return err
	}
	b := stored.asOf(pl.Made)
	b.PerDay = pl.Budget
	return writeBucket(ctx, tx, account, b)
}
