package policy

import (
	"math"
	"os"
	"testing"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
	"kairos/poller/schedule"
)

// plainServer answers as the lab estimates bytes.
func plainServer(string) server { return server{size: lab.FullBytes} }

// Servers that are dealt: a share of them ignores validators, and the sizes of documents are log-normal, with the mean of
// the plain ones.
const (
	ignoringServers = 0.2
	sizeSpread      = 1.0
)

// dealtServer deals the server of a feed by a fixed seed.
func dealtServer(feed string) server {
	normal := math.Sqrt2 * math.Erfinv(2*lab.Draw("size", feed)-1)
	size := lab.FullBytes * math.Exp(sizeSpread*normal-sizeSpread*sizeSpread/2)
	return server{lab.Draw("validators", feed) < ignoringServers, int64(min(size, 32<<20))}
}

// spending is what fetches brought and cost, the mean of some people; cost, requests and bytes a feed and day.
type spending struct {
	lab.Readiness
	delay                 float64 // h a day
	cost, requests, bytes float64
}

// add adds a share of what one person's fetches brought and cost.
func (s *spending) add(share float64, w *lab.World, u *traces.User, fetches [][]int64, c *costs) {
	row := w.Score(fetches)
	s.Ready, s.ReadyByFeed = s.Ready+share*row.Ready, s.ReadyByFeed+share*row.ReadyByFeed
	s.ReadySlow, s.ReadyRead = s.ReadySlow+share*row.ReadySlow, s.ReadyRead+share*row.ReadyRead
	s.delay += share * row.Delay / row.Days
	share /= row.Days * float64(len(u.Feeds))
	for i, at := range fetches {
		server, posts, before := c.server(u.Feeds[i].ID), w.Posts(i), w.Start()
		for _, t := range at {
			one := server.answer(len(traces.Between(posts, before+1, t+1)))
			s.cost += share * c.Spent(one)
			s.bytes += share * float64(one.Bytes+lab.RequestBytes)
			before = t
		}
		s.requests += share * float64(len(at))
	}
}

// costOf returns what one person's fetches cost a feed and day.
func costOf(w *lab.World, u *traces.User, fetches [][]int64, c *costs) float64 {
	var s spending
	s.add(1, w, u, fetches, c)
	return s.cost
}

// With as much cost as the fetches of a plan that counts each as one, a plan that knows what they cost takes fewer bytes. A soak draws
// the table of poller/RESULTS.md.
func TestWhatCostsBring(t *testing.T) {
	skipIfShort(t)
	people, budgets, servers := 3, []float64{2}, map[string]func(string) server{"dealt servers": dealtServer}
	o := defaultOptions()
	o.Weeks = 2
	if os.Getenv("KAIROS_SOAK") != "" {
		people, budgets, o.Weeks = 12, []float64{2, 4, 8}, 3
		servers["plain servers"] = plainServer
	}
	set := labtest.Panel(t, 0).Half(2).Sample(people)
	byFetch := variant{rules: schedule.Default(), method: plan.Kairos}
	for name, server := range servers {
		for _, budget := range budgets {
			byCost := byFetch
			byCost.costs = &costs{Tariff: byFetch.rules.SaverTariff, server: server}
			unbound := byCost.policy("") // by its bucket alone, in cost
			unbound.OwnPace = true
			var one, two spending
			for i := range set.Users {
				u := &set.Users[i]
				w, share := lab.NewWorld(set, u, o.Protocol), 1/float64(len(set.Users))
				fetches, err := w.Fetches(t.Context(), byFetch.policy(""), budget)
				if err != nil {
					t.Fatal(err)
				}
				one.add(share, w, u, fetches, byCost.costs)
				fetches, err = w.Fetches(t.Context(), unbound, costOf(w, u, fetches, byCost.costs))
				if err != nil {
					t.Fatal(err)
				}
				two.add(share, w, u, fetches, byCost.costs)
			}
			for what, s := range map[string]spending{"by fetch": one, "by cost ": two} {
				t.Logf("%s, %v a day, %s: cost %.2f, %.2f requests, %.2f kB a feed; ready %.1f, by feed %.1f, slow %.1f, read %.1f, delay %.0f h a day",
					name, budget, what, s.cost, s.requests, s.bytes/1000, s.Ready, s.ReadyByFeed, s.ReadySlow, s.ReadyRead, s.delay)
			}
			if two.cost > 1.03*one.cost || two.cost < 0.9*one.cost {
				t.Errorf("%s: a cost of %v is spent of %v", name, two.cost, one.cost)
			}
			if two.bytes > one.bytes {
				t.Errorf("%s: %.0f bytes a feed and day by cost, %.0f by fetch", name, two.bytes, one.bytes)
			}
		}
	}
}
