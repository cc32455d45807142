package poller

import (
	"context"
	"slices"
	"time"

	"kairos/poller/schedule"
)

// forecastPerFeed are the budgets that are forecast, in fetches a feed a day.
var forecastPerFeed = []float64{0.5, 1, SaverPerFeed, 3, 4, 6, BalancedPerFeed, 12, 16, FreshPerFeed}

// Forecast is what budgets are expected to bring, by what is known now.
type Forecast struct {
	Feeds int            // that the budget counts, also those that are not planned because they are gone
	Curve schedule.Curve // without points if nothing can be forecast: there are no feeds
	Evidence
}

// Evidence is how many visits a forecast rests on; with none a typical day is assumed.
type Evidence struct{ Visits int }

// fewVisits is how many visits tell somebody's hours and how often they come: with fewer, the prior of a typical user has as
// large a part in the forecast (rate.AccessPrior, whose hours weigh 15 visits).
const fewVisits = 15

// Guess reports whether so few visits are known that the forecast is a guess.
func (e Evidence) Guess() bool { return e.Visits < fewVisits }

// PerFeed returns what so many fetches a feed a day are expected to bring.
func (f *Forecast) PerFeed(n float64) schedule.Point { return f.Curve.At(n * float64(f.Feeds)) }

// Forecast forecasts what budgets bring. It takes some tenths of a second with hundreds of feeds.
func (p *Poller) Forecast(ctx context.Context) (f Forecast, err error) {
	found, err := p.budget.promise(ctx)
	if err != nil {
		return f, err
	}
	if f.Curve, f.Feeds, err = p.goal.forecast(ctx, p.now(), found.Worth, 0); err != nil {
		return f, err
	}
	f.Visits, err = p.planner.log.Known(ctx)
	return f, err
}

// forecast forecasts what budgets up to a ceiling bring (a day in all; 0: those of Fresh for so many feeds), where a fetch is
// worth so many of those that the forecast assumes (0: one), corrected by what was seen. The curve has no points if nothing can be
// forecast.
func (p *planner) forecast(ctx context.Context, now time.Time, worth float64, ceiling, feeds int, seen schedule.Seen) (schedule.Curve, error) {
	in, err := p.inputs(ctx, now)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(in.Feeds, func(f schedule.Feed) bool { return !f.Account }) {
		return nil, nil // what comes of an account depends on its server
	}
	if worth <= 0 {
		worth = 1
	}
	return p.scheduler.Forecast(ctx, in, budgetsUpTo(feeds, ceiling), worth, seen)
}

// budgetsUpTo returns budgets to forecast for so many feeds, a day in all, ascending.
func budgetsUpTo(feeds, ceiling int) (budgets []float64) {
	for _, n := range forecastPerFeed {
		if b := n * float64(feeds); ceiling == 0 || b < float64(ceiling) {
			budgets = append(budgets, b)
		}
	}
	if ceiling > 0 {
		budgets = append(budgets, float64(ceiling))
	}
	return budgets
}
