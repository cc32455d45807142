package poller

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/useraccess/rate"
)

// Expectation is what the first plan of a day expected of the rest of that day, on the wall clock.
type Expectation struct {
	Since, Until time.Time
	Visits       float64
	Articles     float64 // of the feeds fetched in the background, not those of accounts
}

// expectationsKept is how long expectations are kept.
const expectationsKept = 90 * day

// storeExpectation stores what the first plan of a day expects of the rest of it.
func (p *planner) storeExpectation(ctx context.Context, in *schedule.Inputs) error {
	y, m, d := in.Now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, in.Now.Location())
	p.mu.Lock()
	done := p.expected.Equal(today)
	p.expected = today
	p.mu.Unlock()
	n := int(today.AddDate(0, 0, 1).Sub(in.Now) / schedule.Bin)
	if done || n == 0 {
		return nil
	}
	e := Expectation{Since: in.Now, Until: in.Now.Add(time.Duration(n) * schedule.Bin)}
	for _, perHour := range in.Access.Sample(in.Now, schedule.Bin, n, in.Now.Location()) {
		e.Visits += perHour * schedule.Bin.Hours()
	}
	var sampled []float64
	var sampler rate.Sampler
	for i := range in.Feeds {
		if in.Feeds[i].Account {
			continue
		}
		posting := in.Feeds[i].Rate()
		sampled = sampler.Renew(&posting, time.UTC).SampleInto(sampled, in.Now, schedule.Bin, n)
		for _, perHour := range sampled {
			e.Articles += perHour * schedule.Bin.Hours()
		}
	}
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO expectation (day, since, until, visits, articles) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			today.Format(time.DateOnly), e.Since.Unix(), e.Until.Unix(), e.Visits, e.Articles)
		if err == nil {
			_, err = tx.ExecContext(ctx, "DELETE FROM expectation WHERE since < ?", in.Now.Add(-expectationsKept).Unix())
		}
		if err != nil {
			return fmt.Errorf("store what is expected: %w", err)
		}
		return nil
	})
}

// storeForeseen stores which visits a plan was made for. One that was made because the window was opened or the machine woke
// tells nothing: that was a sign of a visit which the outlook did not know.
func (p *planner) storeForeseen(ctx context.Context, in *schedule.Inputs) error {
	if in.Occasion != "" {
		return nil
	}
	p.mu.Lock()
	fresh := p.foreseen.isNew(in)
	p.mu.Unlock()
	if !fresh {
		return nil
	}
	f := foresee(in)
	stored, err := json.Marshal(f.Visits)
	if err != nil {
		return fmt.Errorf("store which visits are foreseen: %w", err)
	}
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO foreseen (at, last, visits) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", f.At.Unix(), lastKnown(in), string(stored))
		if err == nil {
			_, err = tx.ExecContext(ctx, "DELETE FROM foreseen WHERE at < ?", in.Now.Add(-foreseenKept).Unix())
		}
		if err != nil {
			return fmt.Errorf("store which visits are foreseen: %w", err)
		}
		return nil
	})
}

// Expectations reads the expectations since a time, oldest first.
func Expectations(ctx context.Context, store *reader.Store, since time.Time) ([]Expectation, error) {
	return reader.Collect(ctx, store.Read(), "read what was expected", func(row *sql.Rows, e *Expectation) error {
		var from, to int64
		err := row.Scan(&from, &to, &e.Visits, &e.Articles)
		e.Since, e.Until = time.Unix(from, 0), time.Unix(to, 0)
		return err
	}, "SELECT since, until, visits, articles FROM expectation WHERE since >= ? ORDER BY since", since.Unix())
}
