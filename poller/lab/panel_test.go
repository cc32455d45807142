package lab

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// panel are the real traces, or a few of their users.
func panel(t *testing.T, users int) *Set {
	t.Helper()
	dir := os.Getenv("KAIROS_TRACES")
	if dir == "" {
		t.Skip("skipped: no traces")
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	set, err := Read(Files{Posts: at("posts.csv.gz"), Access: at("access.csv.gz"), Panel: at("panel.csv"), Users: at("users.csv")})
	if err != nil {
		t.Fatal(err)
	}
	if got := stamp(set.End); got != "2026-01-05 00:00:00" {
		t.Fatalf("the traces end at %s", got)
	}
	return set.Sample(users)
}

// What learning and planning are worth on real feeds and people: bounds that the
// product must not fall behind.
func TestRealPeople(t *testing.T) {
	users, most, o := 3, 0.15, Defaults()
	o.Policies = []string{"uniform", "he-parker-shrunk", "exact", "clairvoyant"}
	o.Budgets, o.Weeks = []float64{1, 4}, 3
	if soak := os.Getenv("KAIROS_SOAK") != ""; soak {
		users, most, o = 0, 0.09, Defaults()
		o.Policies = []string{"uniform", "exact", "he-parker", "he-parker-shrunk", "sia", "missing", "clairvoyant"}
	}
	set := panel(t, users)
	began := time.Now()
	rows := replayed(t, set, o)
	t.Logf("%d users in %v", len(set.Users), time.Since(began).Round(time.Second))
	var out bytes.Buffer
	if err := WriteTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + out.String())
	ratio, uniformReady := map[string]float64{}, 0.0
	for _, s := range Summarise(rows) {
		ratio[key(s.Policy, s.Budget)] = s.Ratio
		switch {
		case s.Fetches > 1.001*s.Budget || s.Fetches < s.Budget*(0.99-2/(7*float64(o.Weeks))) && s.Policy != "clairvoyant":
			t.Errorf("%s at %v takes %v fetches a feed a day", s.Policy, s.Budget, s.Fetches)
		case s.Over < 0:
			t.Errorf("%s at %v beats the clairvoyant", s.Policy, s.Budget)
		case s.Policy == "uniform" && s.Budget == 24:
			uniformReady = s.Ready
		}
	}
	for _, s := range Summarise(rows) {
		if s.Policy != "exact" {
			continue
		}
		if s.Ratio > most || s.Worst > 0.5 {
			t.Errorf("exact at %v: %.3f of uniform's delay, the worst user %.2f", s.Budget, s.Ratio, s.Worst)
		}
		if cube := ratio[key("he-parker-shrunk", s.Budget)]; users == 0 && s.Ratio > cube {
			t.Errorf("exact at %v: %.4f, with the cube root %.4f", s.Budget, s.Ratio, cube)
		}
		if s.Budget == 4 && s.Ready < uniformReady-0.5 {
			t.Errorf("ready at 4 a day %.1f %%, uniform at 24 a day %.1f %%", s.Ready, uniformReady)
		}
	}
}

// On real traces, too, what comes later changes nothing before.
func TestNobodySeesTheFutureOfRealPeople(t *testing.T) {
	set, o := panel(t, 1), Defaults()
	cut := int64(2*daySeconds + 600)
	if o.Weeks = 1; os.Getenv("KAIROS_SOAK") != "" {
		o.Weeks, cut = 2, 9*daySeconds+600
	}
	for u := range set.Users {
		for name, k := range policies {
			if k.hindsight == nil {
				sameBefore(t, set, &set.Users[u], &o, name, cut)
			}
		}
	}
}
