package text

import (
	"fmt"

	"kairos/poller/plan"
)

// PlanWarning words a shortcoming of a plan.
func (p *Printer) PlanWarning(w plan.Warning) string {
	switch w.Code {
	case plan.NoBudget:
		return p.L("The budget is too small for any fetch, so nothing is planned.")
	case plan.BudgetTooSmall:
		return p.N("The budget of {{.Budget}} fetches is too small: {{.PluralCount}} of {{.All}} feeds are fetched less often than they should be.",
			w.Feeds, V{"Budget": amount(w.Budget), "All": w.Of})
	case plan.GapsContradict:
		return p.N("{{.PluralCount}} feeds cannot be fetched as often as you want: their shortest interval and forbidden hours are kept.", w.Feeds)
	case plan.DayOverBudget:
		return p.N("On the fullest day the plan has {{.PluralCount}} fetches more than the budget of {{.Budget}}.", w.Excess, V{"Budget": amount(w.Budget)})
	}
	return string(w.Code)
}

func amount(x float64) string { return fmt.Sprintf("%.4g", x) }
