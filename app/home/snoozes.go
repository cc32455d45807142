package home

import (
	"context"
	"database/sql"
	"log/slog"
	"slices"
	"time"

	"kairos/reader"
	"kairos/reader/snooze"
	"kairos/useraccess"
)

// Snoozes puts articles away and brings them back.
type Snoozes struct {
	store  *reader.Store
	log    *useraccess.Log
	now    func() time.Time
	logger *slog.Logger
}

// Until returns until when an article is put away, and whether that is the next visit, which is expected then.
func (s *Snoozes) Until(ctx context.Context, w snooze.When) (until time.Time, visit bool, err error) {
	now := s.now()
	if w != snooze.Visit {
		return w.At(now), false, nil
	}
	until, err = s.log.NextVisit(ctx, now)
	return until, true, err
}

// Put puts articles away until an instant, or until the next visit if that is earlier. Where a story that several feeds carry is
// listed once and read together, its other articles go, too. Errors: reader.ErrSnoozeTime.
func (s *Snoozes) Put(ctx context.Context, ids []int64, until time.Time, visit bool) (change reader.SnoozeChange, err error) {
	err = s.store.Write(ctx, func(tx *sql.Tx) error {
		others, err := reader.SameStories(ctx, tx, ids)
		if err == nil {
			change, err = reader.Snooze(ctx, tx, slices.Concat(ids, others), s.now(), until, visit)
		}
		return err
	})
	return change, err
}

// Wake brings articles back that are away.
func (s *Snoozes) Wake(ctx context.Context, ids []int64) (reader.SnoozeChange, error) {
	return write(ctx, s.store, func(tx *sql.Tx) (reader.SnoozeChange, error) { return reader.Wake(ctx, tx, ids, s.now()) })
}

// Undo takes back what Put or Wake has changed.
func (s *Snoozes) Undo(ctx context.Context, change reader.SnoozeChange) error {
	return s.store.Write(ctx, func(tx *sql.Tx) error { return reader.UndoSnooze(ctx, tx, change) })
}

// maxWake is how many articles come back in one transaction.
const maxWake = 500

// wakeDue brings back what is due, and all that waits for a visit if there is one. It writes nothing if that is nothing.
func (s *Snoozes) wakeDue(ctx context.Context, visit bool) error {
	for {
		due, err := s.store.Articles.AnyDue(ctx, s.now(), visit)
		if err != nil || !due {
			return err
		}
		err = s.store.Write(ctx, func(tx *sql.Tx) error {
			if err := reader.ForgetRead(ctx, tx); err != nil {
				return err
			}
			_, err := reader.WakeDue(ctx, tx, s.now(), visit, maxWake)
			return err
		})
		if err != nil {
			return err
		}
	}
}

// wakeEvery is short because timers stand still while the machine sleeps.
const wakeEvery = 30 * time.Second

// run brings back what is due, until ctx ends.
func (s *Snoozes) run(ctx context.Context) {
	tick := time.NewTicker(wakeEvery)
	defer tick.Stop()
	for {
		if err := s.wakeDue(ctx, false); err != nil && ctx.Err() == nil {
			s.logger.Error("bring snoozed articles back", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
