package policy

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/plan"
	"kairos/poller/schedule"
	"kairos/useraccess/rate"
)

// ablations returns the policies that lead from the paper's to ours: its split and schedule on
// its rates and on ours, our split on the same circle, and exact without one of its steps.
func ablations() (all []lab.Policy) {
	add := func(name string, p lab.Policy) {
		p.Name = name
		all = append(all, p)
	}
	add("uniform", Uniform)
	add("cube root, histograms", HeParkerDaily)
	add("cube root", HeParkerShrunk)
	add("exact split", Recipe{Rates: Posterior, Split: SplitBy(plan.Exact)}.Policy(""))
	without := func(name string, change func(e *variant)) {
		e := variant{rules: schedule.Default(), method: plan.Exact}
		change(&e)
		add(name, e.policy(name))
	}
	without("exact", func(*variant) {})
	without("histograms", func(e *variant) { e.rates = asCounted })
	without("no clusters", func(e *variant) { e.rates = unclustered })
	without("no latest posts", func(e *variant) { e.rules.IgnoreLatest = true })
	without("no top-ups", func(e *variant) { e.rules.NoTopUps = true })
	without("not at accesses", func(e *variant) { e.ignoreAccesses = true })
	without("no floors", func(e *variant) { e.rules = withoutFloors() })
	without("one price", func(e *variant) { e.rules.OnePrice = true })
	without("15 minutes", func(e *variant) { e.rules.Grain = 3 })
	without("60 minutes", func(e *variant) { e.rules.Grain = 12 })
	return all
}

// withoutFloors are rules that let every feed be fetched at any time.
func withoutFloors() schedule.Rules {
	return schedule.Rules{Silent: 1 << 62, Dormant: 1 << 62}
}

// unclustered returns exact's rates without the clusters of accesses.
func unclustered(v *lab.View) (rate.Outlook, func(feed int) rate.Rate) {
	_, posting := posterior(v)
	return rate.Outlook{Usual: v.Access().Rate(rate.AccessPrior)}, posting
}

// posterior returns exact's rates as the lab counts them.
func posterior(v *lab.View) (rate.Outlook, func(feed int) rate.Rate) {
	return v.Access().Outlook(rate.AccessPrior), func(feed int) rate.Rate {
		return v.Posting(feed).Rate(rate.FeedPrior)
	}
}

// asCounted returns exact's rates without a prior: what was not seen in the last two weeks is
// impossible.
func asCounted(v *lab.View) (rate.Outlook, func(feed int) rate.Rate) {
	o, _ := posterior(v)
	access, posting := histograms(v, twoWeeks)
	o.Usual = rate.Rate{Profile: access}
	return o, func(feed int) rate.Rate { return rate.Rate{Profile: posting(feed)} }
}

// Without one of the large steps the delay is larger. The effect of the others is smaller than
// the differences between a few users and weeks; a soak replays enough of both for its table to tell.
func TestWhatEachStepIsWorth(t *testing.T) {
	skipIfShort(t)
	users, o := 4, defaultOptions()
	o.Budgets, o.Weeks = []float64{2}, 2
	large := []string{"cube root, histograms", "exact split", "histograms", "not at accesses", "60 minutes"}
	o.Policies = slices.DeleteFunc(ablations(), func(p lab.Policy) bool {
		return p.Name != "uniform" && p.Name != "exact" && !slices.Contains(large, p.Name)
	})
	if os.Getenv("KAIROS_SOAK") != "" {
		users, o = 12, defaultOptions()
		o.Policies = ablations()
	}
	rows, err := lab.RunEach(t.Context(), labtest.Panel(t, users), o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := lab.WriteTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + out.String())
	whole := ratios(rows, "exact")
	for _, name := range large {
		without := ratios(rows, name)
		for _, budget := range o.Budgets {
			if !(whole[budget] < without[budget]) {
				t.Errorf("at %v: exact has %.4f of uniform's delay, %s %.4f", budget, whole[budget], name, without[budget])
			}
		}
	}
}
