package useraccess

import (
	"context"
	"time"
)

// Unwatched is a time whose visits are not in the log: learning was switched off.
type Unwatched struct {
	Since, Until time.Time // Until is zero while it lasts
}

// Unwatched returns the times whose visits are not in the log, oldest first.
func (l *Log) Unwatched(ctx context.Context) ([]Unwatched, error) {
	pauses, err := listPauses(ctx, l.file.Read())
	if err != nil {
		return nil, err
	}
	times := make([]Unwatched, len(pauses))
	for i, p := range pauses {
		if times[i].Since = p.Since; p.Until.After(p.Since) {
			times[i].Until = p.Until
		}
	}
	return times, nil
}
