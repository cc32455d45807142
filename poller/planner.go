package poller

import (
	"context"
	"time"

	"kairos/poller/plan"
	"kairos/poller/schedule"
	"kairos/reader"
)

const day = 24 * time.Hour

// rules are those of every schedule that is carried out.
var rules = schedule.Default()

// Instant is one planned fetch.
type Instant = schedule.Instant

// Plan is the plan of all feeds for the coming 48 hours.
type Plan struct {
	*schedule.Plan
	Feeds []FeedPlan
}

// FeedPlan is the plan of one feed.
type FeedPlan struct {
	Feed reader.Feed
	schedule.FeedPlan
}

// Plan makes the plan as it would be at the poller's now under a method, without
// storing it.
func (p *Poller) Plan(ctx context.Context, method plan.Method) (*Plan, error) {
	in, feeds, err := p.inputs(ctx, p.now())
	if err != nil {
		return nil, err
	}
	in.Method = method
	pl, err := p.scheduler.Preview(ctx, in)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]reader.Feed, len(feeds))
	for _, f := range feeds {
		byID[f.ID] = f
	}
	out := &Plan{Plan: pl}
	for _, f := range pl.Feeds {
		out.Feeds = append(out.Feeds, FeedPlan{Feed: byID[f.Feed.ID], FeedPlan: f})
	}
	return out, nil
}

// replan makes the plan anew and puts it in force. On an occasion (schedule.TopUp or
// schedule.CatchUp) what is worth it is planned for now.
func (p *Poller) replan(ctx context.Context, now time.Time, occasion schedule.Code) (err error) {
	p.mu.Lock()
	p.lastPlan = now
	p.mu.Unlock()
	p.signals.planning()
	defer func() {
		if err != nil {
			p.Changed()
		}
	}()
	in, _, err := p.inputs(ctx, now)
	if err != nil {
		return err
	}
	in.Occasion = occasion
	if in.Method, err = p.Method(ctx); err != nil {
		return err
	}
	pl, err := p.scheduler.Replan(ctx, in)
	if err != nil {
		return err
	}
	for _, w := range pl.Warnings {
		p.logger.Info("plan", "warning", w.String())
	}
	if err := p.storePlan(ctx, pl); err != nil {
		return err
	}
	p.mu.Lock()
	p.planned, p.price = schedule.BasisOf(now, in.Budget), pl.Price
	p.mu.Unlock()
	p.sayPlan(pl, occasion)
	return nil
}
