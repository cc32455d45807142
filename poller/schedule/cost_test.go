package schedule

import (
	"testing"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// steady are inputs with feeds that post so many times an hour, and a budget that never binds.
func steady(perHour ...float64) Inputs {
	in := Inputs{Now: monday, Method: plan.Exact, Budget: 2000, Bucket: full(2000), Access: rate.Tally{}.Outlook(rate.AccessPrior)}
	for i, posts := range perHour {
		f := Feed{ID: int64(i), Weight: 1, Interest: 0.3, Fetched: monday, Tried: monday, Posts: Posts{UpTo: monday, Newest: monday}}
		for d := range 2 {
			for h := range rate.Hours {
				f.Posts.Tally.Watch[d][h], f.Posts.Tally.Count[d][h] = 1e5, 1e5*posts
			}
		}
		in.Feeds = append(in.Feeds, f)
	}
	return in
}

// With a cost every instant saves at least that, and a feed that hardly posts is asked as seldom
// as it may be, whatever budget lies idle.
func TestFetchCost(t *testing.T) {
	r := Default()
	r.Exact.FetchCost = 1
	for _, weight := range []float64{1, 2} {
		in := steady(1, 1e-6)
		in.Feeds[0].Weight = weight
		pl, err := New(r).Replan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		cost := r.Exact.FetchCost * 0.3
		for _, f := range pl.Feeds {
			for _, at := range f.Instants {
				if at.Value < cost && f.Feed.ID == 0 {
					t.Errorf("feed %d is fetched to save %.4f h, a fetch costs %.4f", f.Feed.ID, at.Value, cost)
				}
			}
		}
		if n := len(pl.Feeds[0].Instants); n < 10 {
			t.Errorf("a busy feed has %d instants in two days", n)
		}
		if n, every := len(pl.Feeds[1].Instants), pl.Feeds[1].Cycle.Every; n > 1 || every != longestCycle {
			t.Errorf("a feed that posts once a century has %d instants in two days, a cycle of %d days", n, every)
		}
		if pl.Price < cost || pl.PriceNow < cost {
			t.Errorf("prices %v and %v are below the cost %v", pl.Price, pl.PriceNow, cost)
		}
	}
	r.Exact.FetchCost = 0
	pl, err := New(r).Replan(t.Context(), steady(1, 1e-6))
	if err != nil || len(pl.Feeds[1].Instants) < 10 {
		t.Errorf("without a cost it has %d instants, %v", len(pl.Feeds[1].Instants), err)
	}
}

// The papers' methods spend what they are given.
func TestFetchCostIsNotThePapers(t *testing.T) {
	r := Default()
	for _, m := range []plan.Method{plan.HeParker, plan.Sia, plan.Uniform} {
		in := steady(1, 1e-6)
		in.Method, in.Budget, in.Bucket = m, 10, full(10)
		pl, err := New(r).Preview(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		free := r
		free.Exact.FetchCost = 0
		other, err := New(free).Preview(t.Context(), in)
		if err != nil || pl.Delay != other.Delay || pl.Price != other.Price {
			t.Errorf("%s: delay %v, price %v; without a cost %v, %v, %v", m, pl.Delay, pl.Price, other.Delay, other.Price, err)
		}
	}
}
