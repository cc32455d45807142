package poller

import (
	"context"
	"fmt"
	"time"
)

const (
	// inUseFor is how long the window counts as in use after somebody last used it.
	inUseFor = 3 * time.Minute
	// inUseWhileSaving is how far apart synchronizations are while the window is in use and requests are saved.
	inUseWhileSaving = 15 * time.Minute
	// onReturn is the least gap before the first synchronization after the user has come to the window.
	onReturn = time.Minute
)

// syncInUse synchronizes accounts while the window is in use, beside the plan and its budget: the plan knows what comes to their servers,
// but not what their users do on other devices, and asks the users' own servers with some small requests.
func (l *loop) syncInUse(ctx context.Context, now time.Time) error {
	used, came := l.signals.lastUsed()
	if used.IsZero() || now.Sub(used).Abs() > inUseFor || l.network.isDown() {
		return nil
	}
	allowed, err := l.budget.allowed(ctx)
	if err != nil || allowed.perDay == 0 {
		return err
	}
	accounts, err := l.store.Accounts.List(ctx)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		if a.Paused {
			continue
		}
		one, err := l.accountSubject(ctx, a.ID)
		if err != nil {
			return err
		}
		s, err := l.state(ctx, one.id)
		if err != nil {
			return fmt.Errorf("read when account %d was synchronized: %w", a.ID, err)
		}
		s.setSubject(&one)
		at := s.allowed(now)
		switch {
		case s.Fetched.Before(came) && s.Failures == 0:
			at = later(s.NotBefore, s.Fetched.Add(onReturn))
		case allowed.reduced:
			at = later(at, s.Fetched.Add(inUseWhileSaving))
		}
		if s.Fetched.IsZero() || now.Before(at) || l.jobs.isRunning(one.id) {
			continue
		}
		l.jobs.start(ctx, job{subject: one, code: InUse}, nil)
	}
	return nil
}
