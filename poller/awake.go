package poller

import (
	"context"
	"fmt"
	"time"

	"kairos/poller/schedule"
	"kairos/useraccess"
)

// awakeLog logs when the machine is awake and has a network while the loop runs: only then can
// anything be fetched. The loop's goroutine owns it.
type awakeLog struct {
	log      *useraccess.Log
	network  *network
	learning func(ctx context.Context) (bool, error)

	from    time.Time // of the time awake that goes on; zero if none does
	stored  time.Time // its end, as far as it is stored; from if it is not
	stopped bool      // learning is off, and that is stored
}

// awakeEvery is how often the end of the time awake is stored at most. A crash loses what came after;
// sleep and the end of the program lose nothing.
const awakeEvery = 15 * time.Minute

// note notes that the loop looks at the clock at now, and did so at before.
func (a *awakeLog) note(ctx context.Context, before, now time.Time) error {
	learning, err := a.learning(ctx)
	if err != nil {
		return fmt.Errorf("note the time awake: %w", err)
	}
	if !learning {
		return a.stop(ctx)
	}
	a.stopped = false
	missing, slept := a.network.isMissing(), now.Sub(before) > schedule.Asleep
	switch {
	case a.from.IsZero():
	case now.Before(a.from): // the clock was set back
		a.from = time.Time{}
	case slept:
		err = a.end(ctx, before)
	case missing:
		err = a.end(ctx, now)
	case now.Sub(a.stored) >= awakeEvery:
		err = a.store(ctx, now)
	}
	if err == nil && a.from.IsZero() && !missing {
		a.from, a.stored = now, now
	}
	return err
}

// end ends the time awake.
func (a *awakeLog) end(ctx context.Context, at time.Time) error {
	if a.from.IsZero() {
		return nil
	}
	err := a.store(ctx, at)
	if err == nil {
		a.from = time.Time{}
	}
	return err
}

func (a *awakeLog) store(ctx context.Context, to time.Time) error {
	if !to.After(a.from) {
		return nil
	}
	if a.stored.Equal(a.from) {
		a.stored = to
		return a.log.NoteAwake(ctx, a.from, to)
	}
	there, err := a.log.ProlongAwake(ctx, a.from, to)
	if a.stored = to; err == nil && !there { // the log was cleared, and begins anew
		a.from = to
	}
	return err
}

// stop notes that learning is off.
func (a *awakeLog) stop(ctx context.Context) error {
	if a.stopped {
		return nil
	}
	err := a.log.StopWatching(ctx)
	if err == nil {
		a.from, a.stopped = time.Time{}, true
	}
	return err
}
