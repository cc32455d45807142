package schedule

import (
	"context"
	"maps"
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
	budget  float64
	method  plan.Method
	feeds   []int64
	hosts   map[string]float64 // requests a day that they take
	changes int

	result   plan.Result // its prices are beyond cost
	cost     float64     // of a fetch, weighted h (planning.fetchCost)
	interest []float64   // q, by feed
}

// marginal is the value of one fetch more or less, in weighted hours.
func (s *split) marginal() float64 { return s.cost + s.result.Marginal() }

func (s *split) fits(o *split) bool {
	return s.day == o.day && s.zone == o.zone && s.budget == o.budget && s.method == o.method && s.changes == o.changes &&
		slices.Equal(s.feeds, o.feeds) && maps.Equal(s.hosts, o.hosts)
}

// splitFor splits the budget over the feeds. Habits are those of weeks: it is done again
// once a day, and when something was changed; then it is fresh.
func (s *Scheduler) splitFor(ctx context.Context, p *planning) (_ *split, fresh bool, err error) {
	_, zone := p.Now.Zone()
	next := &split{day: p.Now.Format(time.DateOnly), zone: zone, budget: p.Budget, method: p.Method, changes: p.Changes, hosts: p.capacities()}
	for i := range p.feeds {
		next.feeds = append(next.feeds, p.feeds[i].Feed.ID)
		next.interest = append(next.interest, p.feeds[i].Feed.Interest)
	}
	if kept := s.kept(); kept != nil && kept.fits(next) {
		return kept, false, nil
	}
	if next.result, err = s.solve(ctx, p.problem(), p.Method); err != nil {
		return nil, false, err
	}
	next.cost = p.fetchCost()
	s.mu.Lock()
	s.split = next
	s.mu.Unlock()
	return next, true, nil
}

// fetchCost is what a fetch must save, in hours of delay weighted like those of a feed of normal
// weight and the mean interest. The papers' methods know no such cost.
func (p *planning) fetchCost() float64 {
	cost := p.objective().FetchCost
	interest, n := 0.0, 0
	for i := range p.feeds {
		if f := p.feeds[i].Feed; !f.List {
			interest, n = interest+p.interest(f), n+1
		}
	}
	if n == 0 || cost == 0 {
		return 0
	}
	return cost * interest / float64(n)
}

func (s *Scheduler) kept() *split {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.split
}

// solve is plan.Solve with what it worked out for feeds that have not changed
// since the last time.
func (s *Scheduler) solve(ctx context.Context, problem plan.Problem, m plan.Method) (plan.Result, error) {
	if !m.TakesCharges() { // the others work nothing out that would be of use again
		return plan.Solve(ctx, problem, m)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.planner.Solve(ctx, problem, m)
}

// circle is λc of the average day, in n bins.
func (p *planning) circle(n int) []float64 {
	if p.objective().Waiting.NotReady {
		_, zone := p.Now.Zone()
		return p.Access.StartsCircle(n, time.Duration(zone)*time.Second)
	}
	return p.usualCircle(n)
}

// usualCircle is λc of the average day, whatever the objective takes of it.
func (p *planning) usualCircle(n int) []float64 {
	_, zone := p.Now.Zone()
	return p.Access.Usual.Circle(n, time.Duration(zone)*time.Second)
}

// problem is the budget to be split on the circle of the average day.
func (p *planning) problem() plan.Problem { return p.problemOf(bins) }

// problemOf is problem in n bins, a divisor of those of a plan.
func (p *planning) problemOf(n int) plan.Problem {
	objective := p.objective()
	problem := plan.Problem{Period: 24, Access: p.circle(n), Waiting: objective.Waiting, Budget: p.Budget, Level: true,
		Feeds: make([]plan.Feed, len(p.feeds)), Hosts: p.capacities()}
	cost := p.fetchCost()
	inParallel(len(p.feeds), func(i int) {
		f := &p.feeds[i]
		problem.Feeds[i] = plan.Feed{
			ID: f.Feed.ID, Weight: f.weight, Posting: f.learned.Circle(n, 0),
			MinGap: f.gap.Hours(), MaxGap: f.every.Hours(), Forbidden: coarse(p.asleep(f.Feed.Limits.Skips.bins()), n), Day: f.day,
			Host: f.Feed.Host, Cost: f.cost, Price: cost * f.cost / f.weight,
			Window: f.Feed.Posts.Window.Items(), LossWeight: objective.LossWeight, Dispersion: objective.Dispersion, Floor: objective.Floor,
		}
	})
	return problem
}

// coarse returns the bins of n a day of which every bin of a plan is forbidden.
func coarse(forbidden []int, n int) []int {
	if n == bins || len(forbidden) == 0 {
		return forbidden
	}
	count := make([]int, n)
	for _, b := range forbidden {
		count[b*n/bins]++
	}
	var all []int
	for k, c := range count {
		if c == bins/n {
			all = append(all, k)
		}
	}
	return all
}
