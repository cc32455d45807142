package schedule

import (
	"context"
	"errors"
	"slices"
	"time"

	"kairos/poller/plan"
)

// Change is a change to one feed or to the budget, whose effect on the feed is forecast. Zero values leave things as
// they are.
type Change struct {
	Weight float64
	Every  time.Duration
	Budget float64 // fetches a day, all feeds together
}

// FeedForecast is what a feed is expected to get and to bring.
type FeedForecast struct {
	Fetches float64       // a day
	Ready   float64       // share of its posts that are fetched, and not lost, at the first access after them
	Lost    float64       // share of its posts
	Late    time.Duration // Point.Late
}

// ErrNotPlanned says that a feed is not among those that are fetched in the background.
var ErrNotPlanned = errors.New("the feed is not fetched in the background")

// ForecastFeed returns what a feed is expected to get under each of some changes. The price that a budget gives a fetch
// is taken to stay where one feed alone is changed: it is one of many. Errors: ErrNotPlanned, and those of Forecast.
func (s *Scheduler) ForecastFeed(ctx context.Context, in Inputs, feed int64, changes []Change) ([]FeedForecast, error) {
	at := slices.IndexFunc(in.Feeds, func(f Feed) bool { return f.ID == feed })
	if at < 0 {
		return nil, ErrNotPlanned
	}
	prices, err := s.pricesOf(ctx, in, changes)
	if err != nil {
		return nil, err
	}
	out := make([]FeedForecast, len(changes))
	for k, c := range changes {
		changed := in
		changed.Feeds = slices.Clone(in.Feeds)
		if f := &changed.Feeds[at]; c.Weight > 0 {
			f.Weight = c.Weight
		}
		if c.Every > 0 {
			changed.Feeds[at].Every = c.Every
		}
		problem, access := s.longRun(&changed)
		problem.Timer = budgetOf(&in, c) / float64(max(1, len(in.Feeds)))
		problem.Budget = forecastBins
		problem.Feeds = problem.Feeds[at : at+1]
		problem.Feeds[0].Price += prices[k] * problem.Feeds[0].Cost / problem.Feeds[0].Weight
		result, err := plan.Solve(ctx, problem, changed.Method)
		if err != nil {
			return nil, err
		}
		absent := newAbsence(access, in.Access.Hazard)
		point := pointOf(changed.Feeds[at:at+1], &problem, &result, absent)
		out[k] = FeedForecast{Fetches: point.Fetches, Ready: point.Ready, Lost: point.Lost, Late: point.Late}
	}
	return out, nil
}

// pricesOf returns the price of a usual fetch, beyond its cost, under the budget of each change.
func (s *Scheduler) pricesOf(ctx context.Context, in Inputs, changes []Change) ([]float64, error) {
	var budgets []float64
	for _, c := range changes {
		budgets = append(budgets, budgetOf(&in, c))
	}
	slices.Sort(budgets)
	budgets = slices.Compact(budgets)
	problem, _ := s.longRun(&in)
	results, err := plan.SolveBudgets(ctx, problem, in.Method, budgets)
	if err != nil {
		return nil, err
	}
	prices := make([]float64, len(changes))
	for k, c := range changes {
		n, _ := slices.BinarySearch(budgets, budgetOf(&in, c))
		prices[k] = results[n].Marginal()
	}
	return prices, nil
}

// budgetOf is the budget of a change, or that of now.
func budgetOf(in *Inputs, c Change) float64 {
	if c.Budget > 0 {
		return c.Budget
	}
	return in.Budget
}
