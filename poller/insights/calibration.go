package insights

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"kairos/poller"
)

// Calibration tells how well visits and articles were predicted: what the first plan of each day
// expected of the rest of that day, beside what came. Predictions are stored by the loop as they are
// made (poller.Expectation), so nothing that came later is in them.
type Calibration struct {
	Days             []PredictedDay // past ones, oldest first
	Visits, Articles Fit
	// ByDay and BySince compare the visits that plans were made for with those that came, by parts of the day and by the hours since
	// the last visit known to the plan.
	ByDay, BySince []Band
	Notes          []Note
}

// PredictedDay is what was predicted of a day, and what came.
type PredictedDay struct {
	Since, Until     time.Time // from the first plan to midnight, by the wall clock
	ExpectedVisits   float64
	Visits           int
	ExpectedArticles float64
	Articles         int // those probably lost included
}

// Fit is how predictions fit what came, over all days.
type Fit struct {
	Expected float64
	Came     int
	Miss     float64 // mean over the days of the difference, regardless of its sign
	Code     FitCode
}

// FitCode is what a fit comes to.
type FitCode string

// What fits come to.
const (
	FitUnknown FitCode = "unknown" // there are less than a week's predictions
	FitClose   FitCode = "close"   // within a fifth, or within chance
	MoreCame   FitCode = "more"    // more came than expected
	FewerCame  FitCode = "fewer"   // fewer came
)

// Calibration returns the predictions of the last days that are over and of which all is known, so many of
// them, within MostDays.
func (in *Insights) Calibration(ctx context.Context, days int) (Calibration, error) {
	state, err := in.state(ctx)
	if err != nil {
		return Calibration{}, err
	}
	h, err := in.history(ctx, MostDays, state)
	if err != nil {
		return Calibration{}, err
	}
	expected, err := poller.Expectations(ctx, in.store, h.from)
	if err != nil {
		return Calibration{}, fmt.Errorf("read predictions: %w", err)
	}
	c := Calibration{Notes: h.notes}
	zone := h.now.Location()
	expected = slices.DeleteFunc(expected, func(e poller.Expectation) bool {
		return e.Until.After(h.to) || e.Since.Before(h.from) || !h.watched(e.Since, e.Until)
	})
	for _, e := range expected[max(0, len(expected)-max(days, 1)):] {
		d := PredictedDay{Since: e.Since.In(zone), Until: e.Until.In(zone), ExpectedVisits: e.Visits, ExpectedArticles: e.Articles}
		for _, a := range slices.Concat(h.visits, h.elsewhere) { // both are predicted
			if a.At.After(e.Since) && a.At.Before(e.Until) {
				d.Visits++
			}
		}
		for _, f := range h.feeds {
			d.Articles += between(f.posts, e.Since.Unix(), e.Until.Unix())
		}
		d.Articles = h.ofAll(d.Articles)
		c.Days = append(c.Days, d)
	}
	if c.ByDay, c.BySince, err = in.bands(ctx, h); err != nil {
		return Calibration{}, err
	}
	c.Visits = fit(c.Days, func(d *PredictedDay) (float64, int) { return d.ExpectedVisits, d.Visits })
	c.Articles = fit(c.Days, func(d *PredictedDay) (float64, int) { return d.ExpectedArticles, d.Articles })
	return c, nil
}

// fewestDays is how many predicted days tell anything.
const fewestDays = 7

func fit(days []PredictedDay, of func(d *PredictedDay) (expected float64, came int)) Fit {
	f := Fit{Code: FitUnknown}
	for i := range days {
		expected, came := of(&days[i])
		f.Expected, f.Came = f.Expected+expected, f.Came+came
		f.Miss += math.Abs(float64(came)-expected) / float64(len(days))
	}
	if len(days) < fewestDays {
		return f
	}
	off := float64(f.Came) - f.Expected
	// Events come in clusters: their number varies by more than that of independent ones.
	switch chance := 3 * math.Sqrt(max(1, f.Expected)); {
	case math.Abs(off) <= max(f.Expected/5, chance):
		f.Code = FitClose
	case off > 0:
		f.Code = MoreCame
	default:
		f.Code = FewerCame
	}
	return f
}
