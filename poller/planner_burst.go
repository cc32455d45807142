package poller

import (
	"context"
	"slices"
	"time"

	"kairos/poller/schedule"
)

// planBursts plans the feeds again that have turned out to be in a burst, or that others mention, and reports whether there are any.
func (p *planner) planBursts(ctx context.Context, now time.Time) (planned bool, err error) {
	bursts, mentioned := p.signals.takeBursts(), p.signals.takeMentioned()
	if len(bursts)+len(mentioned) == 0 {
		return false, nil
	}
	in, err := p.surroundings(ctx, now)
	if err != nil {
		return false, err
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(bursts, mentioned)))) {
		if err := p.addBurst(ctx, &in, id); err != nil {
			return false, err
		}
	}
	if err := p.addMentions(ctx, &in); err != nil {
		return false, err
	}
	pl, err := p.scheduler.Burst(in)
	if err != nil || pl == nil {
		return false, err
	}
	if len(bursts) > 0 {
		p.activity.tell(Activity{At: now, Code: BurstsPlanned, Feeds: len(bursts)})
	}
	return true, p.storePlan(ctx, pl)
}

// addBurst adds one feed and its instants, unless it has gone or was paused meanwhile. Its share is that
// of the split.
func (p *planner) addBurst(ctx context.Context, in *schedule.Inputs, id int64) error {
	there := false
	err := p.addPlanned(ctx, in, "p.id = ?", []any{id}, func(*plannedFeed) { there = true })
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
