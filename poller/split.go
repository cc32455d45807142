package poller

import (
	"context"
	"slices"
	"time"

	"kairos/poller/plan"
)

// split is the budget split over the feeds on the circle of the average day, and what it
// was made for. It gives each feed its cycle and fetches their price; the hours to come
// are planned around it again and again.
type split struct {
	day     string
	zone    int
	budget  int
	method  plan.Method
	feeds   []int64
	changes int

	result plan.Result
	shares []float64 // σ, by feed
}

func (s *split) fits(o *split) bool {
	return s.day == o.day && s.zone == o.zone && s.budget == o.budget && s.method == o.method && s.changes == o.changes && slices.Equal(s.feeds, o.feeds)
}

// split splits the budget over the feeds. Habits are those of weeks: it is done anew once a
// day, and when something was changed; then it is fresh.
func (p *Poller) split(ctx context.Context, in *inputs, method plan.Method) (s *split, fresh bool, err error) {
	_, zone := in.now.Zone()
	s = &split{day: in.now.Format(time.DateOnly), zone: zone, budget: in.budget, method: method}
	for i := range in.feeds {
		s.feeds = append(s.feeds, in.feeds[i].Feed.ID)
		s.shares = append(s.shares, in.feeds[i].Share)
	}
	s.changes = p.signals.version()
	p.mu.Lock()
	kept := p.lastSplit
	p.mu.Unlock()
	if kept != nil && kept.fits(s) {
		return kept, false, nil
	}
	if s.result, err = p.solve(ctx, in.problem(), method); err != nil {
		return nil, false, err
	}
	p.mu.Lock()
	p.lastSplit = s
	p.mu.Unlock()
	return s, true, nil
}

// solve is plan.Solve with what it worked out for feeds that have not changed
// since the last time.
func (p *Poller) solve(ctx context.Context, problem plan.Problem, m plan.Method) (plan.Result, error) {
	if m != plan.Exact { // the others work nothing out that would be of use again
		return plan.Solve(ctx, problem, m)
	}
	p.planning.Lock()
	defer p.planning.Unlock()
	return p.planner.Solve(ctx, problem, m)
}

// circle is λc of the average day.
func (in *inputs) circle() []float64 {
	_, zone := in.now.Zone()
	return in.access.Usual.Circle(bins, time.Duration(zone)*time.Second)
}

// problem is the budget to be split on the circle of the average day.
func (in *inputs) problem() plan.Problem {
	problem := plan.Problem{Period: 24, Access: in.circle(), Budget: float64(in.budget), Level: true}
	for i := range in.feeds {
		problem.Feeds = append(problem.Feeds, in.feeds[i].problem())
	}
	return problem
}

func (f *FeedPlan) problem() plan.Feed {
	return plan.Feed{ID: f.Feed.ID, Weight: f.weight, Posting: f.posting.Circle(bins, 0),
		MinGap: f.state.gap().Hours(), MaxGap: f.every().Hours(), Forbidden: f.state.skips.bins(), Day: f.day}
}
