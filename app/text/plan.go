package text

import (
	"math"

	"kairos/poller/plan"
)

// PlanWarning describes a shortcoming of a plan.
func (p *Printer) PlanWarning(w plan.Warning) string {
	switch w.Code {
	case plan.NoBudget:
		return p.L("The budget is too small for any fetch, so nothing is planned.")
	case plan.BudgetTooSmall:
		return p.N("The budget of {{.Budget}} fetches is too small: {{.PluralCount}} of {{.All}} feeds are fetched less often than they should be.",
			w.Feeds, V{"Budget": p.Amount(w.Budget), "All": w.Of})
	case plan.GapsContradict:
		return p.N("{{.PluralCount}} feeds cannot be fetched as often as you want: their shortest interval and forbidden hours are kept.", w.Feeds)
	case plan.HostTooSmall:
		return p.N("{{.PluralCount}} of {{.All}} feeds are fetched less often than they should be: their website accepts only a few requests.",
			w.Feeds, V{"All": w.Of})
	case plan.FloorRelaxed:
		return p.N("{{.PluralCount}} of {{.All}} feeds get fewer fetches than they should: the budget of {{.Budget}} is too small.",
			w.Feeds, V{"All": w.Of, "Budget": p.Amount(w.Budget)})
	case plan.DayOverBudget:
		return p.N("On the fullest day the plan has {{.PluralCount}} fetches more than the budget of {{.Budget}}.", w.Excess, V{"Budget": p.Amount(w.Budget)})
	}
	return string(w.Code)
}

// Rate describes how often something happens, given how often a day: "4.5 a day", "one every 12 days", "none".
func (p *Printer) Rate(perDay float64) string {
	switch days := daysBetween(perDay); {
	case days < 0:
		return p.L("none")
	case days == 0:
		return p.L("{{.N}} a day", V{"N": p.Amount(perDay)})
	default:
		return p.N("one every {{.PluralCount}} days", days)
	}
}

// fetchRate describes how often a feed is fetched, given how often a day: "4.5 fetches a day", "one fetch every 12 days".
func (p *Printer) fetchRate(perDay float64) string {
	switch days := daysBetween(perDay); {
	case days < 0:
		return p.L("no fetches")
	case days == 0 && p.Amount(perDay) == p.Amount(1):
		return p.L("one fetch a day")
	case days == 0:
		return p.L("{{.N}} fetches a day", V{"N": p.Amount(perDay)})
	default:
		return p.N("one fetch every {{.PluralCount}} days", days)
	}
}

// daysBetween is how many days lie between two of what happens so often a day: 0 if it is told by the day, -1 for never.
func daysBetween(perDay float64) int {
	switch days := math.Round(1 / perDay); {
	case perDay <= 0, days > 3650:
		return -1
	case perDay >= 0.67:
		return 0
	default:
		return int(days)
	}
}
