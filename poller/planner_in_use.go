package poller

import (
	"context"
	"time"

	"kairos/poller/schedule"
)

// inUseFor is how long the window counts as in use after somebody last used it.
const inUseFor = 3 * time.Minute

// planInUse has accounts synced that are worth it while the window is in use, and reports whether there are any.
func (p *planner) planInUse(ctx context.Context, now time.Time) (planned bool, err error) {
	if used := p.signals.lastUsed(); used.IsZero() || now.Sub(used).Abs() > inUseFor || p.network.isDown() {
		return false, nil
	}
	in, err := p.surroundings(ctx, now)
	if err != nil {
		return false, err
	}
	if err := p.addPlanned(ctx, &in, "p.account <> 0", nil, func(*plannedFeed) {}); err != nil {
		return false, err
	}
	var ready []schedule.Feed
	for i := range in.Feeds {
		f := &in.Feeds[i]
		if now.Before(rules.Allowed(f, now)) || in.Running[f.ID] {
			continue
		}
		instants, err := p.plannedOf(ctx, f.ID)
		if err != nil {
			return false, err
		}
		ready, in.Instants = append(ready, *f), append(in.Instants, instants...)
	}
	if in.Feeds = ready; len(ready) == 0 {
		return false, nil
	}
	pl, err := p.scheduler.InUse(in)
	if err != nil || pl == nil || len(pl.Now) == 0 {
		return false, err
	}
	p.activity.tell(Activity{At: now, Code: WorthNow, Feeds: len(pl.Now)})
	return true, p.storePlan(ctx, pl)
}

// hasAccounts reports whether the plan in force syncs any.
func (p *planner) hasAccounts() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.accounts
}
