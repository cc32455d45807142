package lab

import (
	"math/rand/v2"
	"testing"

	"kairos/poller/lab/traces"
)

// A view shows posts up to the last fetch and accesses before now, and its slices cannot be
// extended beyond them.
func TestViewShowsOnlyThePast(t *testing.T) {
	set, protocol := traces.Synthetic(), Protocol{Warmup: 14 * day, Weeks: 2, Relearn: day}
	r := rand.New(rand.NewPCG(7, 8))
	w := NewWorld(set, &set.Users[0], protocol)
	v := w.View()
	for now := w.start; now < w.end; now += int64(r.IntN(20000)) {
		v.moveTo(now)
		feed := r.IntN(v.Feeds())
		v.recordFetch(feed, now)
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
			if n := len(traces.Between(w.posts[i], 0, v.Last(i))); len(p) != n {
				t.Fatalf("feed %d: %d posts known, %d were fetched", i, len(p), n)
			}
			if tally := v.Posting(i); tally.At.Unix() > v.Last(i)+1 {
				t.Fatalf("feed %d is learned from up to %v, fetched at %d", i, tally.At, v.Last(i))
			}
		}
		if tally := v.Access(); tally.At.Unix() > now+1 {
			t.Fatalf("accesses are learned from up to %v, now is %d", tally.At, now)
		}
		if u := v.Until(); u <= now || u > now+daySeconds {
			t.Fatalf("at %d the next learning is at %d", now, u)
		}
	}
}
