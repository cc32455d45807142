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

// bucket is what is left of a budget of so many fetches a day at now, without those in
// flight.
func (b *budget) bucket(ctx context.Context, now time.Time, perDay int) (plan.Bucket, error) {
	// Those in flight first: one that ends in between counts twice rather than not at all.
	spending := b.jobs.spent()
	bucket, err := readBucket(now, func(into ...any) error { return b.db.Row(ctx, selectBucket, nil, into...) })
	if err != nil {
		return bucket, err
	}
	bucket.PerDay = float64(perDay)
	return bucket.Spend(spending), nil
}

const selectBucket = "SELECT per_day, days, at FROM bucket"

// readBucket reads what is left, as of now. A budget that was never used begins at the
// usual level.
func readBucket(now time.Time, scan func(into ...any) error) (plan.Bucket, error) {
	var b plan.Bucket
	var at int64
	err := scan(&b.PerDay, &b.Days, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return plan.Bucket{Days: plan.UsualLevel, At: now}, nil
	}
	if err != nil {
		return b, fmt.Errorf("read what is left of the budget: %w", err)
	}
	b.At = time.UnixMilli(at)
	return b.AsOf(now), nil
}

func writeBucket(ctx context.Context, tx *sql.Tx, b plan.Bucket) error {
	_, err := tx.ExecContext(ctx, "REPLACE INTO bucket VALUES (1, ?, ?, ?)", b.PerDay, b.Days, b.At.UnixMilli())
	if err != nil {
		return fmt.Errorf("store what is left of the budget: %w", err)
	}
	return nil
}

// pay takes the requests of the fetch out of the bucket.
func (o *Outcome) pay(ctx context.Context, tx *sql.Tx) error {
	b, err := readBucket(o.At, tx.QueryRowContext(ctx, selectBucket).Scan)
	if err != nil {
		return err
	}
	return writeBucket(ctx, tx, b.Spend(o.cost()))
}

// setBudget puts the budget of a plan in force from then on.
func setBudget(ctx context.Context, tx *sql.Tx, pl *schedule.Plan) error {
	b, err := readBucket(pl.Made, tx.QueryRowContext(ctx, selectBucket).Scan)
	if err != nil {
		return err
	}
	b.PerDay = pl.Budget
	return writeBucket(ctx, tx, b)
}
