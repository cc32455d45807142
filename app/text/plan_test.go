package text

import (
	"testing"

	"kairos/poller/plan"
)

func TestPlanWarnings(t *testing.T) {
	worded(t, func(p *Printer, c plan.WarningCode) string {
		return p.PlanWarning(plan.Warning{Code: c, Feeds: 2, Of: 3, Excess: 2})
	})
}
