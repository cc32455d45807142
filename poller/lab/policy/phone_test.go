package policy

import (
	"fmt"
	"os"
	"testing"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/lab/traces"
)

// onPhone are ways in which a person's accesses are split between this machine and a phone.
var onPhone = map[string]func(u *traces.User, at int64) bool{
	"every other one": func(u *traces.User, at int64) bool { return lab.Draw("phone", u.ID, fmt.Sprint(at)) < 0.5 },
	"outside work": func(u *traces.User, at int64) bool {
		t := time.Unix(at, 0).In(u.Zone)
		return t.Weekday() == time.Saturday || t.Weekday() == time.Sunday || t.Hour() < 9 || t.Hour() >= 17
	},
}

// sampled is how many people are replayed; 0: all, with KAIROS_SOAK=panel.
func sampled() int {
	switch os.Getenv("KAIROS_SOAK") {
	case "":
		return 2
	case "panel":
		return 0
	}
	return 8
}

// A person reads on a phone, too: the same plan with and without what the server says about that, both scored at all accesses. Knowing
// them is worth a lot of delay.
func TestAccessesOnAPhone(t *testing.T) {
	budgets, protocol := []float64{2}, lab.DefaultProtocol
	protocol.Weeks = 2
	if os.Getenv("KAIROS_SOAK") != "" {
		budgets, protocol.Weeks = []float64{2, 8}, 3
	}
	set := labtest.Panel(t, sampled())
	for _, budget := range budgets {
		for how, phone := range onPhone {
			if protocol.Weeks < 3 && how != "outside work" {
				continue
			}
			var known, unknown lab.Row
			share, all := 0, 0
			for i := range set.Users {
				u := &set.Users[i]
				here := *u
				here.Accesses = nil
				for _, at := range u.Accesses {
					if all++; phone(u, at) {
						share++
						continue
					}
					here.Accesses = append(here.Accesses, at)
				}
				w := lab.NewWorld(set, u, protocol)
				add := func(sum *lab.Row, planned *lab.World) {
					fetches, err := planned.Fetches(t.Context(), Exact, budget)
					if err != nil {
						t.Fatal(err)
					}
					row := w.Score(fetches)
					sum.Delay += row.Delay / row.Days / float64(len(set.Users))
					sum.Ready += row.Ready / float64(len(set.Users))
					sum.Fetches += row.Fetches
				}
				add(&known, w)
				add(&unknown, lab.NewWorld(set, &here, protocol))
			}
			t.Logf("%v a day, %.0f %% of the accesses on the phone (%s): known %.2f h a day, ready %.1f %%, %d fetches; unknown %.2f h, %.1f %%, %d",
				budget, 100*float64(share)/float64(all), how, known.Delay, known.Ready, known.Fetches, unknown.Delay, unknown.Ready, unknown.Fetches)
			if known.Delay > unknown.Delay {
				t.Errorf("%v a day, %s: knowing all accesses brings %.2f h of delay, not knowing them %.2f", budget, how, known.Delay, unknown.Delay)
			}
		}
	}
}
