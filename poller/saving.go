package poller

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Saving is a time in which battery saver was in force.
type Saving struct {
	From, To time.Time // To is zero while it lasts
}

// savingKept is how long such times are kept: as long as the timeline of the last day needs them.
const savingKept = 2 * day

// noteSaving notes when battery saver begins and ends. What was in force when the program ended lasts until it is seen
// to be over.
func (b *budget) noteSaving(ctx context.Context, saving bool, now time.Time) error {
	b.mu.Lock()
	known := b.noted != nil && *b.noted == saving
	b.mu.Unlock()
	if known {
		return nil
	}
	var open bool
	err := b.db.Row(ctx, "SELECT count(*) > 0 FROM saving WHERE until = 0", nil, &open)
	if err == nil && open != saving {
		err = b.store.Write(ctx, func(tx *sql.Tx) error {
			change := "UPDATE saving SET until = max(since, ?1) WHERE until = 0"
			if saving {
				change = "REPLACE INTO saving (since, until) VALUES (?1, 0)"
			}
			if _, err := tx.ExecContext(ctx, change, now.Unix()); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, "DELETE FROM saving WHERE until <> 0 AND until < ?", now.Add(-savingKept).Unix())
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("note battery saver: %w", err)
	}
	b.mu.Lock()
	b.noted = &saving
	b.mu.Unlock()
	return nil
}

// SavingSince returns the times since one in which battery saver was in force, oldest first.
func (p *Poller) SavingSince(ctx context.Context, since time.Time) (all []Saving, err error) {
	rows, err := p.store.Read().QueryContext(ctx, "SELECT since, until FROM saving WHERE until = 0 OR until > ? ORDER BY since", since.Unix())
	if err != nil {
		return nil, fmt.Errorf("read when battery saver was on: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var from, to int64
		if err := rows.Scan(&from, &to); err != nil {
			return nil, err
		}
		s := Saving{From: time.Unix(from, 0)}
		if to != 0 {
			s.To = time.Unix(to, 0)
		}
		all = append(all, s)
	}
	return all, rows.Err()
}
