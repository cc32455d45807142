package lab

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kairos/poller/lab/traces"
	"kairos/useraccess/rate"
)

// A view shows the posts that fetches brought and accesses before now, and its slices cannot be
// extended beyond them.
func TestViewShowsOnlyThePast(t *testing.T) {
	set, protocol := traces.Synthetic(), Protocol{Warmup: 14 * day, Weeks: 2, Relearn: day}
	r := rand.New(rand.NewPCG(7, 8))
	w := NewWorld(set, &set.Users[0], protocol)
	v := w.View()
	known := make([][]int64, v.Feeds()) // counted one by one
	for i := range known {
		known[i] = traces.Between(w.posts[i], 0, w.start)
	}
	lost := 0
	for now := w.start; now < w.end; now += int64(r.IntN(20000)) {
		v.moveTo(now)
		feed := r.IntN(v.Feeds())
		since := traces.Between(w.posts[feed], v.Last(feed), now)
		v.recordFetch(feed, now)
		known[feed] = append(known[feed], since[max(0, len(since)-DefaultWindow):]...)
		lost += max(0, len(since)-DefaultWindow)
		a := v.Accesses()
		if len(a) > 0 && a[len(a)-1] >= now || cap(a) != len(a) {
			t.Fatalf("at %d an access of %d is known", now, a[len(a)-1])
		}
		if n := len(traces.Between(w.accesses, 0, now-1)); len(a) != n {
			t.Fatalf("%d accesses known, %d were before now", len(a), n)
		}
		for i := range v.Feeds() {
			p := v.Posts(i)
			if len(p) > 0 && p[len(p)-1] > v.Last(i) || cap(p) != len(p) {
				t.Fatalf("feed %d: a post of %d is known, fetched at %d", i, p[len(p)-1], v.Last(i))
			}
			if !slices.Equal(p, known[i]) {
				t.Fatalf("feed %d: %d posts known, %d were brought", i, len(p), len(known[i]))
			}
			tally := v.Posting(i)
			if tally.At.Unix() > v.Last(i)+1 {
				t.Fatalf("feed %d is learned from up to %v, fetched at %d", i, tally.At, v.Last(i))
			}
			var count rate.Tally
			addEvents(&count, time.UTC, &rate.FeedPrior, v.WarmupStart(), v.Last(i), p)
			if got, want := tally.Events(), count.Events(); math.Abs(got-want) > 1e-6*want {
				t.Fatalf("feed %d: %v events are learned from, %v were brought", i, got, want)
			}
		}
		if tally := v.Access(); tally.At.Unix() > now+1 {
			t.Fatalf("accesses are learned from up to %v, now is %d", tally.At, now)
		}
		if u := v.Until(); u <= now || u > now+daySeconds {
			t.Fatalf("at %d the next learning is at %d", now, u)
		}
	}
	if lost == 0 {
		t.Error("nothing was lost")
	}
}
