package schedule

import (
	"math/rand/v2"
	"testing"
	"time"

	"kairos/poller/plan"
)

// A feed fetched at every instant of its cycle that is pending, at any time near it, is fetched
// as often as its cycle says, however often it is asked.
func TestPendingKeepsCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c := plan.Cycle{Every: 1 + r.IntN(7)}
		for range 1 + r.IntN(8)*(c.Every-7)/-6 {
			c.At = append(c.At, r.IntN(c.Every*bins))
		}
		distinct := map[int]bool{}
		for _, a := range c.At {
			distinct[a] = true
		}
		c.At = c.At[:0]
		for a := range distinct {
			c.At = append(c.At, a)
		}
		f := &FeedPlan{Feed: new(Feed), Cycle: c}
		now := monday
		f.Feed.Fetched = now
		const days = 70
		fetches := 0
		for now.Before(monday.Add(days * day)) {
			now = now.Add(time.Duration(1+r.IntN(40)) * Bin)
			p := &planning{Inputs: &Inputs{Now: now}, start: now.Truncate(Bin)}
			got := p.pendingOf(f)
			if got.end < horizon {
				t.Fatalf("cycle %v, last %s, now %s: %+v", c, f.Feed.Fetched, now, got)
			}
			for i, b := range got.at {
				if b <= 0 || b >= horizon || i > 0 && b < got.at[i-1] {
					t.Fatalf("cycle %v: %+v", c, got)
				}
			}
			if got.missed {
				f.Feed.Fetched = now
				fetches++
			}
		}
		// Instants closer together than the looks may be merged into one.
		want := days * len(c.At) / c.Every
		if fetches > want+1 || len(c.At) == 1 && fetches < want-2 {
			t.Errorf("cycle %v: %d fetches in %d days, want %d", c, fetches, days, want)
		}
	}
}

func TestInstantServedALittleEarly(t *testing.T) {
	p := &planning{Inputs: &Inputs{Now: monday}, start: monday.Truncate(Bin)}
	phase := p.positions(plan.Cycle{Every: 1, At: []int{0}}, 0, 2*bins)[0]
	at := func(hours int) int { return (hours*12 - phase + 2*bins) % bins }
	// Instants 2 h and 14 h from now, 12 h apart going round.
	f := &FeedPlan{Feed: new(Feed), Cycle: plan.Cycle{Every: 1, At: []int{at(2), at(14)}}}
	f.Feed.Fetched = monday
	if got := p.pendingOf(f); len(got.at) != 3 || got.missed {
		t.Errorf("a fetch 2 h before an instant of 12 h serves it: %+v", got)
	}
	f.Feed.Fetched = monday.Add(-3 * time.Hour)
	if got := p.pendingOf(f); len(got.at) != 4 || got.missed {
		t.Errorf("a fetch 5 h before an instant of 12 h does not serve it: %+v", got)
	}
	f.Feed.Fetched = monday.Add(-30 * time.Hour)
	if got := p.pendingOf(f); len(got.at) != 4 || !got.missed || got.count() != 5 {
		t.Errorf("instants without a fetch count as one: %+v", got)
	}
	f.Cycle = plan.Cycle{}
	if got := p.pendingOf(f); got.end != 0 {
		t.Errorf("a feed that is never fetched: %+v", got)
	}
}
