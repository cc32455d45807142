package published

import (
	"math"
	"testing"

	"kairos/poller/plan/plantest"
)

func TestOptPoliteKeepsHostsAndIsOptimal(t *testing.T) {
	r := plantest.Random(70)
	full := 0
	for range plantest.Rounds(30) {
		s := someSources(r, 2+r.IntN(10), 1+r.IntN(4))
		hosts := len(byHost(s))
		gap := math.Exp(r.NormFloat64())
		budget := r.Float64() * 1.3 * float64(hosts) / gap
		for m, l := range laws {
			p, err := OptPolite(l, s, budget, gap)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range byHost(s) {
				if load := sumAt(p.Frequency, h); load*gap > 1+1e-9 {
					t.Fatalf("%s: a host gets %v requests an hour, one every %v h is allowed", m, load, gap)
				}
			}
			if want := min(budget, float64(hosts)/gap); !plantest.Near(p.Spent, want, 1e-9) || !plantest.Near(p.Spent, total(p.Frequency), 1e-9) {
				t.Fatalf("%s spends %v of %v on %d hosts with at most %v each", m, p.Spent, budget, hosts, 1/gap)
			}
			if p.Within < p.Unpolite*(1-1e-9) {
				t.Fatalf("%s: cost %v within the limit, %v without it", m, p.Within, p.Unpolite)
			}
			if p.Full == 0 && !plantest.Near(p.Within, p.Unpolite, 1e-9) {
				t.Fatalf("%s: no host is full, but POLITE %v is not UNPOLITE %v", m, p.Within, p.Unpolite)
			}
			full += p.Full
			checkNoShiftIsBetter(t, m, s, p.Frequency, 1/gap)
		}
	}
	if full == 0 {
		t.Error("no host is ever full")
	}
}
