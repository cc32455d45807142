package plan

import "fmt"

// Warning is a shortcoming of a plan, as a fact.
type Warning struct {
	Code   WarningCode `json:"code"`
	Feeds  int         `json:"feeds,omitempty"`  // feeds concerned
	Of     int         `json:"of,omitempty"`     // feeds in all
	Budget float64     `json:"budget,omitempty"` // fetches per period
	Excess int         `json:"excess,omitempty"` // fetches beyond the budget
}

// WarningCode says what is wrong with a plan.
type WarningCode string

const (
	// NoBudget: the budget is too small for any fetch, so nothing is planned and the delay is 0.
	NoBudget WarningCode = "no-budget"
	// BudgetTooSmall: Feeds of Of feeds are fetched less often than they should be with Budget.
	BudgetTooSmall WarningCode = "budget-too-small"
	// GapsContradict: the shortest gap or the forbidden bins keep Feeds feeds from being fetched
	// as often as their longest gap asks.
	GapsContradict WarningCode = "gaps-contradict"
	// HostTooSmall: Feeds of Of feeds are fetched less often than they should be, since their hosts take no more requests.
	HostTooSmall WarningCode = "host-too-small"
	// FloorRelaxed: the budget does not pay for the floors of Feeds of Of feeds, so they are lowered in proportion.
	FloorRelaxed WarningCode = "floor-relaxed"
	// DayOverBudget: the fullest period of the cycles has Excess fetches more than Budget.
	DayOverBudget WarningCode = "day-over-budget"
)

// String returns the warning as a short technical text for logs.
func (w Warning) String() string {
	switch w.Code {
	case BudgetTooSmall:
		return fmt.Sprintf("%s: %d of %d feeds at %g fetches per period", w.Code, w.Feeds, w.Of, w.Budget)
	case HostTooSmall, FloorRelaxed:
		return fmt.Sprintf("%s: %d of %d feeds", w.Code, w.Feeds, w.Of)
	case GapsContradict:
		return fmt.Sprintf("%s: %d feeds", w.Code, w.Feeds)
	case DayOverBudget:
		return fmt.Sprintf("%s: %d fetches more than %g", w.Code, w.Excess, w.Budget)
	}
	return string(w.Code)
}
