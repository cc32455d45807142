package schedule

import (
	"math/rand/v2"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// A feed that posts once a day, at any hour from 6 to 18, and has posted at 8 is not fetched again today. It would be if only its
// usual hours counted.
func TestPostedToday(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 9))
	const days = 60
	posting := func(hours, spread float64) (posts []time.Time) {
		for at := 0.0; at < 24*(days+1); at += hours {
			x := at + 12 + spread*(r.Float64()-0.5)
			if hours == 24 && int(at/24) == days-1 {
				x = at + 8 // today's
			}
			posts = append(posts, monday.Truncate(day).Add(time.Duration(x*float64(time.Hour))))
		}
		return posts
	}
	now := monday.Truncate(day).Add((days-1)*day + 13*time.Hour) // five hours after today's posts
	in := Inputs{Now: now, Method: plan.Exact, Budget: 40, Bucket: plan.Bucket{PerDay: 40, Days: 1, At: now},
		Access: rate.Tally{}.Outlook(rate.AccessPrior)}
	for i := range 20 {
		posts := posting(24, 12)
		if i%2 > 0 {
			posts = posting(2.4, 2)
		}
		p := learn(now.Add(-(days-2)*day), posts, 15, 4*time.Hour, (days-2)*day+time.Hour)
		in.Feeds = append(in.Feeds, Feed{ID: int64(i), Weight: 1, Interest: 0.5, Fetched: p.UpTo, Tried: p.UpTo, Posts: p})
	}
	for _, ignore := range []bool{false, true} {
		rules := Default()
		rules.IgnoreLatest = ignore
		pl, err := New(rules).Replan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		today, others := 0, 0
		for i, f := range pl.Feeds {
			for _, at := range f.Instants {
				switch {
				case i%2 > 0:
					others++
				case at.At.Before(now.Truncate(day).Add(day)):
					today++
				}
			}
		}
		t.Logf("latest posts ignored: %v; %d fetches of the daily feeds on that day, %d of the others", ignore, today, others)
		if ignore == (today == 0) || others < 20 {
			t.Errorf("%d fetches of daily feeds that have posted today, %d of the others", today, others)
		}
	}
}
