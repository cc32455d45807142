package poller

import (
	"context"
	"time"

	"kairos/poller/schedule"
)

// planBursts plans the feeds anew that have turned out to be in a burst, and reports whether there are any.
func (p *planner) planBursts(ctx context.Context, now time.Time) (planned bool, err error) {
	bursts := p.signals.takeBursts()
	if len(bursts) == 0 {
		return false, nil
	}
	in, err := p.surroundings(ctx, now)
	if err != nil {
		return false, err
	}
	for _, id := range bursts {
		if err := p.addBurst(ctx, &in, id); err != nil {
			return false, err
		}
	}
	pl, err := p.scheduler.Burst(in)
	if err != nil || pl == nil {
		return false, err
	}
	p.activity.tell(Activity{At: now, Code: BurstsPlanned, Feeds: len(bursts)})
	return true, p.storePlan(ctx, pl)
}

// addBurst adds one feed and its instants, unless it has gone or was paused meanwhile. Its share is that
// of the split.
func (p *planner) addBurst(ctx context.Context, in *schedule.Inputs, id int64) error {
	there := false
	err := p.addPlanned(ctx, in, "f.id = ?", []any{id}, func(*plannedFeed) { there = true })
	if err != nil || !there {
		return err
	}
	instants, err := p.plannedOf(ctx, id)
	if err != nil {
		return err
	}
	in.Instants = append(in.Instants, instants...)
	return nil
}
