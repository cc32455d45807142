package sync

import (
	"context"

	"kairos/reader"
)

// Status is how an account stands.
type Status struct {
	State
	Paused  bool
	Syncing bool // now
	Waiting int  // marks, labels and changes of feeds that the server does not know yet
}

// Status returns how an account stands.
func (e *Engine) Status(ctx context.Context, a reader.Account) (s Status, err error) {
	s.Paused, s.Syncing = a.Paused, e.turns.Taken(a.ID)
	if s.State, err = e.State(ctx, a.ID); err != nil {
		return s, err
	}
	s.Waiting, err = e.Waiting(ctx, a.ID)
	return s, err
}
