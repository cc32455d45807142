package policy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
	"kairos/poller/schedule"
)

// platformReader is a person who comes in the morning and in the evening and reads feeds of one host. Traces do not tell hosts, so
// these are dealt.
func platformReader(feeds, weeks int, end int64) *traces.Set {
	r := rand.New(rand.NewPCG(28, 28))
	u := traces.User{ID: "u", Zone: time.UTC}
	start := end - int64(weeks)*7*daySeconds
	for at := start; at < end; at += daySeconds {
		for _, minutes := range []float64{7.5 * 60, 20 * 60} {
			u.Accesses = append(u.Accesses, at+int64(60*(minutes+4*r.NormFloat64())))
		}
	}
	for i := range feeds {
		f := traces.Feed{ID: fmt.Sprint("feed ", i), Host: "platform.example"}
		perDay := 6 * math.Pow(0.94, float64(i))
		for at := float64(start); ; {
			if at += r.ExpFloat64() / perDay * float64(daySeconds); at >= float64(end) {
				break
			}
			f.Posts = append(f.Posts, int64(at))
		}
		u.Feeds = append(u.Feeds, f)
	}
	return &traces.Set{Users: []traces.User{u}, End: end}
}

// Of a host that is asked once a minute a plan that knows it has more ready, and sooner, than one whose requests are delayed.
func TestHostsInThePlan(t *testing.T) {
	set := platformReader(60, 5, time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC).Unix())
	aware := variant{rules: schedule.Default(), method: plan.Kairos}
	blind := aware
	blind.ignoreHosts = true
	protocol := lab.Protocol{Warmup: 4 * 7 * day, Weeks: 1, Relearn: day, Spacing: time.Minute}
	rows, err := lab.Run(t.Context(), set, lab.Options{Protocol: protocol, Budgets: []float64{3}, Policies: []lab.Policy{aware.policy("aware"), blind.policy("blind"), Uniform}})
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]lab.Row{}
	for _, r := range rows {
		by[r.Policy] = r
		t.Logf("%s: ready %.1f %%, delay %.0f h, %d fetches", r.Policy, r.Ready, r.Delay, r.Fetches)
	}
	if a, b := by["aware"], by["blind"]; a.Ready < b.Ready+3 || a.Delay > 0.8*b.Delay {
		t.Errorf("ready %.1f %%, delay %.0f h; blind to hosts %.1f %%, %.0f h", a.Ready, a.Delay, b.Ready, b.Delay)
	}
	for _, p := range []lab.Policy{blind.policy("blind"), Fixed60} {
		at, err := lab.NewWorld(set, &set.Users[0], protocol).Fetches(t.Context(), p, 3)
		if err != nil {
			t.Fatal(err)
		}
		fetched := map[int64]bool{}
		for _, feed := range at {
			for _, at := range feed {
				for d := int64(-59); d < 60; d++ {
					if fetched[at+d] {
						t.Fatalf("%s fetches from the host at %d and %d", p.Name, at, at+d)
					}
				}
				fetched[at] = true
			}
		}
	}
}
