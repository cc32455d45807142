package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// maxBins bounds the bins of a period, since vertices are stored in 16 bits.
const maxBins = 30000

// Larger values are mistaken units. Within these bounds the costs, which grow as the product of
// both rates, the weight and the cube of the period, stay finite.
const (
	maxPeriod = 1e6  // h: a century
	maxRate   = 1e9  // 1/h
	maxWeight = 1e12 // one feed to another
)

// ProblemError says what is wrong with a problem.
type ProblemError struct {
	Field Field
	Feed  int   // index of the feed, if Field is FeedField
	Err   error // a short English text without the field
}

// Field is a part of a Problem.
type Field string

const (
	PeriodField Field = "period"
	AccessField Field = "access rate"
	BudgetField Field = "budget"
	HostField   Field = "capacity"
	FeedField   Field = "feed"

	WaitingField Field = "cost of waiting"
)

func (e *ProblemError) Error() string {
	if e.Field == FeedField {
		return fmt.Sprintf("plan: feed %d: %v", e.Feed, e.Err)
	}
	return fmt.Sprintf("plan: the %s %v", e.Field, e.Err)
}

func (e *ProblemError) Unwrap() error { return e.Err }

// check returns a *ProblemError if the problem cannot be solved.
func (p *Problem) check() error {
	n := len(p.Access)
	wrong := func(f Field, format string, args ...any) error {
		return &ProblemError{Field: f, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case !(p.Period > 0) || math.IsInf(p.Period, 0):
		return wrong(PeriodField, "must be a positive number of hours, not %v", p.Period)
	case p.Period > maxPeriod:
		return wrong(PeriodField, "of %v h is longer than %v h", p.Period, maxPeriod)
	case n == 0:
		return wrong(AccessField, "has no bins")
	case n > maxBins:
		return wrong(AccessField, "has %d bins, more than %d", n, maxBins)
	case !finiteNonNegative(p.Timer):
		return wrong(BudgetField, "of a timer must be a finite number of fetches, 0 or more, not %v", p.Timer)
	case !finiteNonNegative(p.Budget):
		return wrong(BudgetField, "must be a finite number of fetches, 0 or more, not %v", p.Budget)
	}
	if err := p.Waiting.check(2 * p.Period); err != nil {
		return wrong(WaitingField, "is not valid: %w", err)
	}
	if !p.Waiting.NotReady && slices.ContainsFunc(p.Feeds, func(f Feed) bool { return f.Floor > 0 }) {
		return wrong(WaitingField, "must count what is not ready if feeds have a floor")
	}
	if err := checkRates(p.Access); err != nil {
		return wrong(AccessField, "is not valid: %w", err)
	}
	for i := range p.Feeds {
		if err := p.Feeds[i].check(n, p.Period); err != nil {
			return &ProblemError{Field: FeedField, Feed: i, Err: err}
		}
	}
	if err := p.checkHosts(); err != nil {
		return &ProblemError{Field: HostField, Err: err}
	}
	return nil
}

func (f *Feed) check(n int, period float64) error {
	if len(f.Posting) != n {
		return fmt.Errorf("the posting rate has %d bins, the access rate %d", len(f.Posting), n)
	}
	if err := checkRates(f.Posting); err != nil {
		return fmt.Errorf("the posting rate: %w", err)
	}
	if !(f.Floor >= 0 && f.Floor <= 1) {
		return fmt.Errorf("the floor must be a share from 0 to 1, not %v", f.Floor)
	}
	if !finiteNonNegative(f.Weight) {
		return fmt.Errorf("the weight must be a finite number, 0 or more, not %v", f.Weight)
	}
	if f.Weight > maxWeight {
		return fmt.Errorf("the weight %v is larger than %v", f.Weight, maxWeight)
	}
	if err := f.checkGaps(n, period); err != nil {
		return err
	}
	if err := checkFetchCost(f.Cost); err != nil {
		return err
	}
	if err := f.checkCharges(n); err != nil {
		return err
	}
	return f.checkForbidden(n)
}

func (f *Feed) checkGaps(n int, period float64) error {
	switch {
	case !finiteNonNegative(f.MinGap) || !finiteNonNegative(f.MaxGap):
		return fmt.Errorf("gaps must be finite numbers of hours, 0 or more, not %v and %v", f.MinGap, f.MaxGap)
	case f.MaxGap > 0 && f.MinGap > f.MaxGap:
		return fmt.Errorf("the shortest gap, %v h, is longer than the longest, %v h", f.MinGap, f.MaxGap)
	case f.MaxGap > 0 && f.MaxGap < period/float64(n):
		return fmt.Errorf("the longest gap, %v h, is shorter than a bin", f.MaxGap)
	case f.MinGap > maxEvery*period:
		return fmt.Errorf("the shortest gap, %v h, is longer than the longest cycle", f.MinGap)
	}
	return nil
}

func (f *Feed) checkForbidden(n int) error {
	shut := map[int]bool{}
	for _, k := range f.Forbidden {
		if k < 0 || k >= n {
			return fmt.Errorf("forbidden bin %d is outside of the period of %d bins", k, n)
		}
		shut[k] = true
	}
	if len(shut) == n {
		return errors.New("every bin is forbidden")
	}
	return nil
}

func (f *Feed) checkCharges(n int) error {
	switch {
	case !finiteNonNegative(f.Price) || !finiteNonNegative(f.LossWeight):
		return fmt.Errorf("prices and losses must be finite numbers of hours, 0 or more, not %v and %v", f.Price, f.LossWeight)
	case !finiteNonNegative(f.Dispersion):
		return fmt.Errorf("the dispersion must be a finite number, 0 or more, not %v", f.Dispersion)
	case f.Prices != nil && len(f.Prices) != n:
		return fmt.Errorf("the prices have %d bins, the period %d", len(f.Prices), n)
	case f.Window < 0 || f.Window > MaxWindow:
		return fmt.Errorf("the window must be 0 to %d posts, not %d", MaxWindow, f.Window)
	}
	for k, x := range f.Prices {
		if !finiteNonNegative(x) {
			return fmt.Errorf("the price of bin %d must be a finite number of hours, 0 or more, not %v", k, x)
		}
	}
	return nil
}

// finiteNonNegative reports whether x is a finite number, 0 or more.
func finiteNonNegative(x float64) bool { return x >= 0 && !math.IsInf(x, 0) }

func checkRates(r []float64) error {
	for k, x := range r {
		if x >= 0 && x <= maxRate {
			continue
		}
		if !finiteNonNegative(x) {
			return fmt.Errorf("bin %d must be a finite number of events an hour, 0 or more, not %v", k, x)
		}
		return fmt.Errorf("bin %d is %v events an hour, more than %v", k, x, maxRate)
	}
	return nil
}
