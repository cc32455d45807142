package poller

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kairos/poller/plan"
	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/useraccess"
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

// FeedPlan is the plan of one feed, or of an account.
type FeedPlan struct {
	Feed    reader.Feed // zero for an account
	Account int64       // that is synchronized; 0: a feed
	Title   string      // of either
	schedule.FeedPlan
}

// planner makes plans, stores them, and starts what is due.
type planner struct {
	*env
	log       *useraccess.Log
	awake     *awakeLog
	signals   *signals
	network   *network
	activity  *activity
	jobs      *jobs
	budget    *budget
	scheduler *schedule.Scheduler
	row       *dueRow // of the loop alone
	server    server  // whose fetches are planned; zero: those of this computer
	known     news    // to the plan for a server

	mu     sync.Mutex     // guards what follows
	basis  schedule.Basis // of the plan in force
	price  float64        // μ of the plan in force
	madeAt time.Time      // when the last plan was begun
	ramp   schedule.Ramp

	expected time.Time // the day whose expectation is stored
	foreseen foreseenAt
}

// preview makes the plan as it would be now under a method, without storing it. Its feeds are in the
// order of their list, accounts after them.
func (p *planner) preview(ctx context.Context, method plan.Method) (*Plan, error) {
	in, err := p.inputs(ctx, p.now())
	if err != nil {
		return nil, err
	}
	in.Method = method
	pl, err := p.scheduler.Preview(ctx, in)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]*schedule.FeedPlan, len(pl.Feeds))
	for i := range pl.Feeds {
		byID[pl.Feeds[i].Feed.ID] = &pl.Feeds[i]
	}
	out := &Plan{Plan: pl}
	subjects, err := p.listed(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range subjects {
		if planned := byID[s.id]; planned != nil {
			out.Feeds = append(out.Feeds, FeedPlan{Feed: s.feed, Account: s.account, Title: s.title, FeedPlan: *planned})
		}
	}
	return out, nil
}

// replan replans and puts it in force. On an occasion (schedule.TopUp,
// schedule.CatchUp or schedule.Presence) what is worth it is planned for now.
func (p *planner) replan(ctx context.Context, now time.Time, occasion schedule.Code) (err error) {
	p.mu.Lock()
	p.madeAt = now
	p.mu.Unlock()
	if p.server.account != 0 {
		_, err := p.putInForce(ctx, now, occasion)
		return err
	}
	p.signals.planning()
	defer func() {
		if err != nil {
			p.signals.feedsChanged()
		}
	}()
	in, err := p.putInForce(ctx, now, occasion)
	if err != nil {
		return err
	}
	if err := p.storeForeseen(ctx, in); err != nil {
		return err
	}
	return p.storeExpectation(ctx, in)
}

// putInForce makes a plan, stores it, and returns what it was made from.
func (p *planner) putInForce(ctx context.Context, now time.Time, occasion schedule.Code) (*schedule.Inputs, error) {
	in, err := p.inputs(ctx, now)
	if err != nil {
		return nil, err
	}
	in.Occasion = occasion
	if in.Method, err = p.method(ctx); err != nil {
		return nil, err
	}
	pl, err := p.scheduler.Replan(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := p.storePlan(ctx, pl); err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.basis, p.price = schedule.BasisOf(now, in.Budget), pl.Price
	p.mu.Unlock()
	if p.server.account == 0 {
		for _, w := range pl.Warnings {
			p.logger.Info("plan", "warning", w.String())
		}
		p.activity.tellPlan(pl, occasion)
	}
	return &in, nil
}

// subjects selects what is planned, as polled does.
func (p *planner) subjects() string {
	if p.server.account == 0 {
		return polled
	}
	return fmt.Sprintf("(SELECT * FROM %s WHERE server = %d)", refreshed, p.server.account)
}

// scope is the condition of a subject that this planner plans for it. What nobody polls any more is in the scope of that of this
// computer, which strikes it.
func (p *planner) scope() string {
	if p.server.account == 0 {
		return "subject NOT IN (SELECT id FROM " + refreshed + ")"
	}
	return "subject IN (SELECT id FROM " + p.subjects() + ")"
}

// allowed returns what may be spent now.
func (p *planner) allowed(ctx context.Context) (allowance, error) {
	if p.server.account == 0 {
		return p.budget.allowed(ctx)
	}
	return allowance{perDay: p.server.perDay}, nil
}

// inForce returns the basis of the plan in force and its price.
func (p *planner) inForce() (schedule.Basis, float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.basis, p.price
}

// isUnsettled reports whether fetches in flight go on changing what the plan depends on,
// and it was made a moment ago.
func (p *planner) isUnsettled(now time.Time, load int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	since := now.Sub(p.madeAt)
	return since >= 0 && since < replanEvery && load > 0
}

// isRampedUntil reports whether what waits until room does so because saving has ended.
func (p *planner) isRampedUntil(now, room time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now.Before(p.ramp.Until) && room.Equal(p.ramp.Next)
}

// setBack mends the ramp after the clock was set back.
func (p *planner) setBack(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ramp.SetBack(now)
}

// noteSaving notes whether battery saver is on, so that fetches resume little by little
// when it ends.
func (p *planner) noteSaving(a allowance, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ramp.Observe(a.saving, a.feeds, a.perDay, now)
}
