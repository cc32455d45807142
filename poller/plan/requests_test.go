package plan

import (
	"testing"
	"time"
)

// What a fetch takes out of the budget is counted, and has to be saved: a feed whose fetches take three requests each gets no
// more than the same feed whose fetches take one, and the budget holds in requests.
func TestRequestsAreCounted(t *testing.T) {
	r := random(41)
	for range rounds(30) {
		p := randomProblem(2+r.IntN(8), 48, 0)
		p.Budget, p.Level = 3+r.Float64()*40, true
		one := solve(t, p, Exact)
		p.Feeds[0].Requests = 3
		three := solve(t, p, Exact)
		often := func(c Cycle) float64 {
			if c.Every == 0 {
				return 0
			}
			return float64(len(c.At)) / float64(c.Every)
		}
		if a, b := often(one.Feeds[0]), often(three.Feeds[0]); b > a+1e-9 {
			t.Errorf("%v fetches at one request, %v at three", a, b)
		}
		if s := spent(three) + 2*often(three.Feeds[0]); s > p.Budget+1e-6 {
			t.Errorf("%v requests of %v", s, p.Budget)
		}
	}
}

// A bucket never admits more requests than it will have, and drops the least valuable fetches.
func TestBucketAdmitsRequests(t *testing.T) {
	r := random(42)
	start := time.Unix(1_700_000_000, 0)
	for range rounds(200) {
		b := Bucket{PerDay: 1 + r.Float64()*20, Days: r.Float64(), At: start}
		offers := make([]PlannedFetch, 1+r.IntN(30))
		for i := range offers {
			offers[i] = PlannedFetch{At: start.Add(time.Duration(r.IntN(48*60)) * time.Minute), Value: r.Float64(), Requests: r.IntN(4)}
		}
		admitted := b.Admit(offers)
		for i := range offers {
			left := b.Level() + b.PerDay*offers[i].At.Sub(start).Hours()/24
			for k, o := range offers {
				if admitted[k] && !o.At.After(offers[i].At) {
					left -= float64(max(1, o.Requests))
				}
			}
			if admitted[i] && left < -1e-6 {
				t.Fatalf("%v requests are missing at %s", -left, offers[i].At)
			}
		}
	}
}
