package policy

import (
	"bytes"
	"os"
	"testing"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
)

// defaultOptions replay eight weeks at six budgets.
func defaultOptions() lab.Options {
	return lab.Options{Protocol: lab.DefaultProtocol, Budgets: lab.DefaultBudgets}
}

// The delay of exact on real traces stays below fixed bounds.
func TestExactOnRealTraces(t *testing.T) {
	users, o := 3, defaultOptions()
	most := 0.15
	o.Policies = byNames("uniform", "he-parker-shrunk", "exact", "clairvoyant")
	o.Budgets, o.Weeks = []float64{1, 4}, 3
	if soak := os.Getenv("KAIROS_SOAK") != ""; soak {
		users, o = 0, defaultOptions()
		most = 0.08
		o.Policies = byNames("uniform", "exact", "he-parker", "he-parker-shrunk", "sia", "missing", "clairvoyant")
	}
	set := labtest.Panel(t, users)
	start := time.Now()
	rows := run(t, set, o)
	t.Logf("%d users in %v", len(set.Users), time.Since(start).Round(time.Second))
	var out bytes.Buffer
	if err := lab.WriteTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + out.String())
	least := func(budget float64) float64 { // beyond, some fetches are not worth their cost
		if budget > 4 {
			return budget / 3
		}
		return budget
	}
	cubeRoot, uniformReady := ratios(rows, "he-parker-shrunk"), 0.0
	for _, s := range lab.Summarize(rows) {
		switch {
		case s.Fetches > 1.001*s.Budget || s.Fetches < least(s.Budget)*(0.99-2/(7*float64(o.Weeks))) && s.Policy != "clairvoyant":
			t.Errorf("%s at %v uses %v fetches per feed and day", s.Policy, s.Budget, s.Fetches)
		case s.Excess < 0:
			t.Errorf("%s at %v has less delay than the clairvoyant", s.Policy, s.Budget)
		case s.Policy == "uniform" && s.Budget == 24:
			uniformReady = s.Ready
		}
	}
	for _, s := range lab.Summarize(rows) {
		if s.Policy != "exact" {
			continue
		}
		if s.Ratio > most || s.Worst > 0.5 {
			t.Errorf("exact at %v: %.3f of uniform's delay, the worst user %.2f", s.Budget, s.Ratio, s.Worst)
		}
		if cube := cubeRoot[s.Budget]; users == 0 && s.Ratio > cube {
			t.Errorf("exact at %v: %.4f, with the cube root %.4f", s.Budget, s.Ratio, cube)
		}
		if s.Budget == 4 && s.Ready < uniformReady-1 {
			t.Errorf("ready at 4 a day %.1f %%, uniform at 24 a day %.1f %%", s.Ready, uniformReady)
		}
	}
}

// On real traces, too, a policy's fetches do not depend on later posts and accesses.
func TestPoliciesIgnoreTheFutureOfRealTraces(t *testing.T) {
	set, o := labtest.Panel(t, 1), defaultOptions()
	cut := int64(2*daySeconds + 600)
	if o.Weeks = 1; os.Getenv("KAIROS_SOAK") != "" {
		o.Weeks, cut = 2, 9*daySeconds+600
	}
	for u := range set.Users {
		for _, p := range all {
			if p.Hindsight == nil {
				labtest.CheckIgnoresFuture(t, set, &set.Users[u], o.Protocol, p, cut, 0.4, 8)
			}
		}
	}
}
