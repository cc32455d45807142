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
	Waiting int  // marks that the server does not know yet
}

// Status returns how an account stands.
func (e *Engine) Status(ctx context.Context, a reader.Account) (s Status, err error) {
	s.Paused, s.Syncing = a.Paused, e.syncing(a.ID)
	if s.State, err = e.State(ctx, a.ID); err != nil {
		return s, err
	}
	s.Waiting, err = e.Waiting(ctx, a.ID)
	return s, err
}

func (e *Engine) syncing(account int64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.turns[account]) > 0
}
