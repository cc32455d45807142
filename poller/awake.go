package poller

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kairos/poller/schedule"
	"kairos/useraccess"
	"kairos/useraccess/rate"
)

// awakeLog logs when the machine is awake and has a network while the loop runs: only then can
// anything be fetched.
type awakeLog struct {
	log      *useraccess.Log
	network  *network
	learning func(ctx context.Context) (bool, error)

	mu      sync.Mutex // guards what follows
	from    time.Time  // of the time awake that goes on; zero if none does
	stored  time.Time  // its end, as far as it is stored
	stopped bool       // learning is off, and that is stored
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
	a.mu.Lock()
	defer a.mu.Unlock()
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
		err = a.log.NoteAwake(ctx, now, now)
	}
	return err
}

// ends notes that the loop ends.
func (a *awakeLog) ends(ctx context.Context, at time.Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.end(ctx, at)
}

// end ends the time awake; a.mu is held.
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

// store stores the time awake up to a time; a.mu is held.
func (a *awakeLog) store(ctx context.Context, to time.Time) error {
	a.stored = to
	there, err := a.log.ProlongAwake(ctx, a.from, to)
	if err == nil && !there { // the log was cleared, and begins again
		a.from = to
		err = a.log.NoteAwake(ctx, to, to)
	}
	return err
}

// stop notes that learning is off.
func (a *awakeLog) stop(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped {
		return nil
	}
	err := a.log.StopWatching(ctx)
	if err == nil {
		a.from, a.stopped = time.Time{}, true
	}
	return err
}

// chances is how probably the machine is awake, on the wall clock of now.
func (a *awakeLog) chances(ctx context.Context, now time.Time) (*rate.Chances, error) {
	wakings, err := a.log.Wakings(ctx, now)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	from := a.from
	a.mu.Unlock()
	// The end of that which goes on may be stored as it was a few minutes ago.
	if n := len(wakings); n > 0 && wakings[n-1].From.Equal(from) {
		wakings[n-1].To = now
	}
	chances := rate.NewAwake(wakings, now.Location()).Chances()
	return &chances, nil
}
