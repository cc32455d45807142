package poller_test

import (
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/insights"
	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/lab/traces"
	"kairos/poller/score"
)

// lifeOf makes a person of traces live from Monday on with up to so many of their feeds, as they did in
// the weeks before the end of the traces.
func lifeOf(t *testing.T, set *traces.Set, u *traces.User, feeds, days, window int, budget string) (l poller.Life, posts [][]int64, accesses []int64) {
	t.Helper()
	shift := poller.Monday.Unix() - set.End + int64(days+3)*86400
	shifted := func(of []int64) (at []int64) {
		for _, x := range of {
			at = append(at, x+shift)
		}
		return slices.Compact(at)
	}
	for i := range min(feeds, len(u.Feeds)) {
		posts = append(posts, shifted(u.Feeds[i*len(u.Feeds)/min(feeds, len(u.Feeds))].Posts))
	}
	accesses = shifted(u.Accesses)
	return poller.NewLife(t, posts, accesses, budget, days, window), posts, accesses
}

// scored is what the lab makes of the fetches of a life if feeds show so many items. Nobody knows yet
// what was posted after the last fetch of a feed, or before a visit that no fetch has followed, so it counts only if all of it does. An article
// dated in the very second of its fetch looks like one without a date (insights), and is placed so.
func scored(l poller.Life, posts [][]int64, accesses []int64, fetches [][]int64, window int, all bool) lab.Row {
	u := &traces.User{ID: "u", Zone: time.UTC, Accesses: accesses}
	for i, at := range posts {
		if n := len(fetches[i]); n > 0 && !all {
			last := fetches[i][n-1]
			if k, _ := slices.BinarySearch(accesses, last+1); k < len(accesses) && accesses[k] < l.End().Unix() {
				last = accesses[max(0, k-1)]
			}
			at = traces.Between(at, 0, last+1)
		}
		at = slices.Clone(at)
		for k, post := range at {
			if n, found := slices.BinarySearch(fetches[i], post); found && n > 0 {
				at[k] = fetches[i][n-1] + (post-fetches[i][n-1])/2 + 1
			}
		}
		slices.Sort(at)
		u.Feeds = append(u.Feeds, traces.Feed{Posts: at})
	}
	w := lab.NewWorldBetween(l.Start().Unix(), l.End().Unix(), u, lab.Protocol{Weeks: 1, Relearn: day, Window: window})
	return w.Score(fetches)
}

// A person's month in the real loop: insights tells the ready, the delay and the requests that the lab
// makes of the same fetches, to the last digit, if no article was lost. If feeds show 15 items, those lost are estimated,
// and count.
func TestInsightsEqualTheLab(t *testing.T) {
	poller.SlowWithRace(t)
	set, days := traces.Synthetic(), 30
	if os.Getenv("KAIROS_TRACES") != "" {
		set = labtest.Panel(t, 12)
	}
	if testing.Short() {
		days = 4
	}
	set.Users = slices.DeleteFunc(set.Users, func(u traces.User) bool {
		return len(traces.Between(u.Accesses, set.End-int64(days)*86400, set.End)) < 20
	})
	people, feeds := set.Users[:1], 7
	if os.Getenv("KAIROS_SOAK") != "" {
		people, feeds = set.Users[:min(6, len(set.Users))], 10
	}
	const everything = 100
	for i := range people {
		for _, c := range []struct {
			window int
			budget string
		}{{everything, poller.Balanced}, {lab.DefaultWindow, poller.Balanced}, {lab.DefaultWindow, strconv.Itoa(poller.SaverPerFeed * feeds)}} {
			window := c.window
			if window != everything && os.Getenv("KAIROS_SOAK") == "" {
				continue
			}
			began := time.Now()
			l, posts, accesses := lifeOf(t, set, &people[i], feeds, days, window, c.budget)
			fetches := l.Live()
			in := insights.New(l.Store(), l.Log(), l.Now)
			r, err := in.Realized(t.Context(), days)
			if err != nil {
				t.Fatal(err)
			}
			checkPredictions(t, in, days)
			lab, whole := scored(l, posts, accesses, fetches, window, false), scored(l, posts, accesses, fetches, window, true)
			checkCosts(t, in, &r, whole.Posts-lab.Posts)
			t.Logf("%s, window %d, budget %s, %s: %d visits, %d requests, %d articles, ready %.2f %%, the others %s late; lab %.2f %%, %.2f %% with what is not fetched yet; lost %d, told %d; timer %.2f %%, %s, multiple %.1f",
				people[i].ID, window, c.budget, time.Since(began).Round(time.Second), r.Visits, r.Actual.Requests, r.Posts, r.Actual.Ready, r.Actual.Late.Round(time.Second),
				lab.Ready, whole.Ready, lab.Lost, r.Lost, r.EqualIntervals.Ready, r.EqualIntervals.Late.Round(time.Second), r.Multiple)
			if !r.Known || r.Actual.Requests != lab.Fetches || r.Visits != lab.Accesses {
				t.Errorf("%d requests, %d visits; in the lab %d, %d", r.Actual.Requests, r.Visits, lab.Fetches, lab.Accesses)
			}
			if window != everything {
				if off := r.Actual.Ready - lab.Ready; math.Abs(off) > 7 {
					t.Errorf("%.1f %% ready with %d lost; in the lab %.1f %%, %d", r.Actual.Ready, r.Lost, lab.Ready, lab.Lost)
				}
				continue
			}
			if lab.Lost > 0 {
				t.Fatalf("%d articles were lost", lab.Lost)
			}
			if r.Posts != lab.Posts || math.Abs(r.Actual.Ready-lab.Ready) > 1e-9 {
				t.Errorf("%d articles, ready %v %%; in the lab %d, %v %%", r.Posts, r.Actual.Ready, lab.Posts, lab.Ready)
			}
		}
	}
}

// checkPredictions checks that every day of a life was predicted, and logs how well.
func checkPredictions(t *testing.T, in *insights.Insights, days int) {
	t.Helper()
	c, err := in.Calibration(t.Context(), days)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Days) < days-2 || len(c.Days) > days {
		t.Errorf("%d of %d days were predicted", len(c.Days), days)
	}
	t.Logf("visits %+v, articles %+v", c.Visits, c.Articles)
}

// checkCosts checks that what the feeds cost adds up to what was realized. The first fetch of the period
// may bring articles from before it, and some that came are not judged yet.
func checkCosts(t *testing.T, in *insights.Insights, r *insights.Realized, unjudged int) {
	t.Helper()
	c, err := in.Costs(t.Context(), r.Asked)
	if err != nil {
		t.Fatal(err)
	}
	requests, articles, offered, ready := 0, 0, 0, 0.0
	for _, f := range c.Feeds {
		requests, articles = requests+f.Requests, articles+f.Articles
		offered, ready = offered+f.Offered, ready+float64(f.Offered)*f.Ready
	}
	if ready /= float64(max(1, offered)); requests != r.Actual.Requests || articles < r.Posts || articles > r.Posts+unjudged+len(c.Feeds) || !c.Ready || math.Abs(ready-r.Actual.Ready) > 1e-6 {
		t.Errorf("%d requests, %d articles, %v %% ready; realized %d, %d, %v %%", requests, articles, ready, r.Actual.Requests, r.Posts, r.Actual.Ready)
	}
}

// What a timer and hindsight could have done is told for the times in which the machine was awake, as
// the log of those times has them.
func TestInsightsOfASleepingMachine(t *testing.T) {
	poller.SlowWithRace(t)
	const days = 7
	var asleep []traces.Span
	for d := range days {
		for _, hours := range [][2]int{{14, 16}, {25, 31}} { // of Monday
			at := func(hour int) int64 {
				return poller.Monday.Truncate(day).Add(time.Duration(24*d+hour) * time.Hour).Unix()
			}
			asleep = append(asleep, traces.Span{From: at(hours[0]), To: at(hours[1])})
		}
	}
	set := traces.Synthetic()
	u := set.Users[0]
	l, posts, accesses := lifeOf(t, set, &u, 6, days, 100, poller.Balanced)
	accesses = slices.DeleteFunc(accesses, func(at int64) bool {
		return slices.ContainsFunc(asleep, func(s traces.Span) bool { return s.From-60 <= at && at <= s.To })
	})
	awake := l.Sleep(asleep, accesses)
	fetches := l.Live()
	r, err := insights.New(l.Store(), l.Log(), l.Now).Realized(t.Context(), days)
	if err != nil {
		t.Fatal(err)
	}
	h := score.History{Start: l.Start().Unix(), End: l.End().Unix(), Accesses: traces.Between(accesses, l.Start().Unix(), l.End().Unix()), Awake: awake}
	for i, at := range posts {
		last := fetches[i][len(fetches[i])-1]
		known, _ := slices.BinarySearch(h.Accesses, last+1) // the visits that a fetch of the feed followed
		unknown := h.Accesses[known:]
		h.Posts = append(h.Posts, slices.DeleteFunc(traces.Between(at, h.Start, last), func(post int64) bool {
			return len(unknown) > 0 && post <= unknown[len(unknown)-1] && (known == 0 || post > h.Accesses[known-1])
		}))
	}
	actual := h.Score(fetches)
	timer, best := h.EqualIntervals(float64(r.Actual.Requests)), h.Score(h.Hindsight(r.Actual.Requests))
	t.Logf("%+v\ntimer %+v, hindsight %.2f %%", r, timer, best.ReadyShare())
	near := func(what string, got, want, most float64) {
		t.Helper()
		if math.Abs(got-want) > most {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("ready", r.Actual.Ready, actual.ReadyShare(), 1e-9)
	near("ready at equal intervals", r.EqualIntervals.Ready, timer.Ready, 2) // three of the articles
	near("late at equal intervals in minutes", r.EqualIntervals.Late.Minutes(), timer.Late*60, 10)
	near("ready in hindsight", r.Hindsight.Ready, best.ReadyShare(), 1)
	near("late over all in hindsight in minutes", r.Hindsight.MeanLate.Minutes(), best.MeanLateOfAll()*60, 1)
	if len(r.Notes) > 0 {
		t.Errorf("%+v", r.Notes)
	}
}
