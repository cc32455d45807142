package lab

import (
	"bytes"
	"os"
	"testing"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// ablations are the policies that lead from the paper's to ours: its split and
// schedule on its rates and on ours, our split on the same circle, and then what
// exact is worth without one of its steps.
func ablations() (all []variant) {
	add := func(name string, k kind) { all = append(all, variant{name, k}) }
	add("uniform", policies["uniform"])
	add("cube root, histograms", heParker)
	add("cube root", heParkerShrunk)
	add("exact split", shrunkBy(plan.Exact))
	without := func(name string, change func(s *steps)) {
		s := everyStep
		change(&s)
		add(name, kind{start: s.start})
	}
	without("exact", func(*steps) {})
	without("histograms", func(s *steps) { s.rates = asCounted })
	without("no clusters", func(s *steps) { s.rates = unclustered })
	without("no bursts", func(s *steps) { s.bursts = false })
	without("not at accesses", func(s *steps) { s.attends = false })
	without("one price", func(s *steps) { s.paced = false })
	without("15 minutes", func(s *steps) { s.grain = 3 })
	without("60 minutes", func(s *steps) { s.grain = 12 })
	return all
}

// unclustered does not know that accesses come in clusters.
func unclustered(v *View) (rate.Outlook, func(feed int) rate.Profile) {
	_, posting := expected(v)
	return rate.Outlook{Usual: v.Access().Posterior(rate.AccessPrior), Quiet: 1}, posting
}

// asCounted has no prior: what was not seen in the last two weeks is impossible.
func asCounted(v *View) (rate.Outlook, func(feed int) rate.Profile) {
	o, _ := expected(v)
	var posting func(feed int) rate.Profile
	o.Usual, posting = histogramsOf(v, memory)
	return o, posting
}

// What the large steps are worth holds on any real feeds: without them the delay is
// larger. The others are within what a few users and weeks differ by; the table has
// them, too, and on a soak has enough of both to tell.
func TestWhatEachStepIsWorth(t *testing.T) {
	long(t)
	users, o := 4, Defaults()
	o.Budgets, o.Weeks = []float64{2}, 2
	large := []string{"cube root, histograms", "exact split", "histograms", "not at accesses", "60 minutes"}
	if os.Getenv("KAIROS_SOAK") != "" {
		users, o.Budgets, o.Weeks = 12, Defaults().Budgets, Defaults().Weeks
	}
	s := study{ctx: t.Context()}
	rows, err := s.replays(panel(t, users), &o, ablations())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := WriteTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + out.String())
	ratio := map[string]float64{}
	for _, s := range Summarise(rows) {
		ratio[key(s.Policy, s.Budget)] = s.Ratio
	}
	for _, b := range o.Budgets {
		for _, name := range large {
			if all, less := ratio[key("exact", b)], ratio[key(name, b)]; !(all < less) {
				t.Errorf("at %v: %.4f, with %s %.4f", b, all, name, less)
			}
		}
	}
}
