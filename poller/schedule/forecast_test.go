package schedule

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// More fetches never bring less, and the curve joins what was computed.
func TestForecast(t *testing.T) {
	in := steady(2, 0.5, 0.1, 0.02)
	for i := range in.Feeds {
		in.Feeds[i].Posts.Window = Window{Shown: 15, Size: 15}
	}
	var budgets []float64
	for b := 1.0; b < 200; b *= 1.3 {
		budgets = append(budgets, b)
	}
	c, err := New(Default()).Forecast(t.Context(), in, budgets, 1, Seen{})
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range c {
		if p.Budget != budgets[k] || p.Ready < 0 || p.Ready > 1 || p.Lost < 0 || p.Lost > 1 || p.Fetches > p.Budget*(1+1e-9) || math.Abs(p.Posts-24*2.62) > 3 {
			t.Errorf("at %v: %+v", budgets[k], p)
		}
		if k > 0 && (p.Ready < c[k-1].Ready-0.01 || p.MeanLate() > c[k-1].MeanLate() || p.Lost > c[k-1].Lost+1e-9) {
			t.Errorf("%+v, with fewer fetches %+v", p, c[k-1])
		}
	}
	if low, high := c[0], c[len(c)-1]; low.Ready > 0.5 || high.Ready < 0.9 || high.MeanLate() > time.Hour/2 || high.Late > 6*time.Hour {
		t.Errorf("%+v to %+v", low, high)
	}
	mid := c.At(math.Sqrt(budgets[3] * budgets[4]))
	if want := (c[3].Ready + c[4].Ready) / 2; math.Abs(mid.Ready-want) > 1e-9 {
		t.Errorf("between %v and %v: %v", c[3].Ready, c[4].Ready, mid.Ready)
	}
	for _, ready := range []float64{0.5, 0.7, 0.85} {
		p, ok := c.Least(func(p Point) bool { return p.Ready >= ready })
		if !ok || p.Ready < ready || p.Ready > ready+0.001 || math.Abs(c.At(p.Budget).Ready-p.Ready) > 1e-6 {
			t.Errorf("%v ready: %+v, %t", ready, p, ok)
		}
	}
	if p, ok := c.Least(func(p Point) bool { return p.Ready > 1 }); ok || p != c[len(c)-1] {
		t.Errorf("out of reach: %+v, %t", p, ok)
	}
	half, err := New(Default()).Forecast(t.Context(), in, []float64{40}, 0.5, Seen{})
	if err != nil {
		t.Fatal(err)
	}
	full, err := New(Default()).Forecast(t.Context(), in, []float64{20}, 1, Seen{})
	if err != nil || math.Abs(half[0].Ready-full[0].Ready) > 1e-9 {
		t.Errorf("40 fetches worth half: %+v, 20 worth one: %+v, %v", half[0], full[0], err)
	}
}

// Without clusters ready is that of the plan's own cycles, counted post by post.
func TestReadyOfACycle(t *testing.T) {
	access, posting := make([]float64, forecastBins), make([]float64, forecastBins)
	for k := range access {
		access[k], posting[k] = 0.3, 1
	}
	a := newAbsence(access, rate.Hazard{})
	// One fetch a day: a post at t before it is ready with e^−0.3(24−t).
	const coming = 0.3 * surprise
	want := (1 - math.Exp(-coming*24)) / coming
	var late lateness
	got, lost := a.ready(&plan.Feed{Posting: posting}, &plan.Cycle{Every: 1, At: []int{17}}, &late)
	if math.Abs(got-want) > 0.01 || lost != 0 {
		t.Errorf("%v ready a day, want %v; %v lost", got, want, lost)
	}
	// Those that are not ready are late by the hours to the fetch.
	hours := (24*24/2 - (1-math.Exp(-coming*24)*(24*coming+1))/(coming*coming)) / (24 - want)
	if off := late.mean().Hours() - hours; math.Abs(off) > 0.1 {
		t.Errorf("%s late, want %v h", late.mean(), hours)
	}
	// With a window of five the earlier ones are lost.
	got, lost = a.ready(&plan.Feed{Posting: posting, Window: 5}, &plan.Cycle{Every: 1, At: []int{17}}, new(lateness))
	want, gone := 0.0, 0.0
	for n := range 240 {
		later := float64(n)/10 + 0.05 // hours, and posts, until the fetch
		want += 0.1 * math.Exp(-coming*later) * (1 - plan.AtLeast(later, 5, dispersion))
		gone += 0.1 * plan.AtLeast(later, 5, dispersion)
	}
	if math.Abs(got-want) > 0.02 || math.Abs(lost-gone) > 0.02 {
		t.Errorf("%v ready of those shown, want %v; %v lost, want %v", got, want, lost, gone)
	}
}

func TestForecastFeed(t *testing.T) {
	in := steady(1, 0.3, 0.3, 0.1)
	in.Budget = 16
	changes := []Change{{}, {Weight: 3}, {Weight: 0.3}, {Every: time.Hour}, {Budget: 32}, {Budget: 8}}
	f, err := New(Default()).ForecastFeed(t.Context(), in, 1, changes)
	if err != nil {
		t.Fatal(err)
	}
	now := f[0]
	for k, more := range []bool{1: true, 2: false, 3: true, 4: true, 5: false} {
		if k > 0 && (more != (f[k].Fetches > now.Fetches) || more != (f[k].Ready > now.Ready) || more != (f[k].Late < now.Late)) {
			t.Errorf("%+v: %+v, now %+v", changes[k], f[k], now)
		}
	}
	if f[3].Fetches < 20 {
		t.Errorf("at least every hour: %v fetches a day", f[3].Fetches)
	}
	if _, err := New(Default()).ForecastFeed(t.Context(), in, 99, changes); !errors.Is(err, ErrNotPlanned) {
		t.Errorf("%v", err)
	}
}

// The curve for 300 feeds is there within a third of a second.
func BenchmarkForecast(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	var posts []float64
	for range 300 {
		posts = append(posts, math.Exp(r.NormFloat64()*2-4))
	}
	in := steady(posts...)
	in.Access = rate.Tally{}.Outlook(rate.AccessPrior)
	for i := range in.Feeds {
		in.Feeds[i].Posts.Window = Window{Shown: 15, Size: 15}
	}
	var budgets []float64
	for _, n := range []float64{0.5, 1, 2, 3, 4, 6, 8, 12, 16, 24} {
		budgets = append(budgets, 300*n)
	}
	s := New(Default())
	for b.Loop() {
		if _, err := s.Forecast(b.Context(), in, budgets, 1, Seen{}); err != nil {
			b.Fatal(err)
		}
	}
}

// A curve moves towards what was realized, the more visits tell it and the nearer to the fetches made; it never falls.
func TestCorrected(t *testing.T) {
	var c Curve
	for _, n := range []float64{1, 2, 4, 8, 16} {
		c = append(c, Point{Budget: n, Fetches: n, Ready: 1 - 0.3/n, Late: time.Hour})
	}
	for _, x := range []struct {
		visits      int
		ready, want float64 // at 4 fetches a day, where 0.925 is forecast
	}{{0, 0.8, 0.925}, {20, 0.825, 0.875}, {60, 0.825, 0.85}, {20, 0.985, 0.955}, {1 << 40, 0.8, 0.8}} {
		got := c.corrected(c, Seen{Fetches: 4, Ready: x.ready, Visits: x.visits})
		if math.Abs(got[2].Ready-x.want) > 1e-9 {
			t.Errorf("%d visits with %v ready: %v, want %v", x.visits, x.ready, got[2].Ready, x.want)
		}
		for i, p := range got {
			if p.Ready < 0 || p.Ready > 1 || i > 0 && p.Ready < got[i-1].Ready {
				t.Errorf("%d visits with %v ready: %+v", x.visits, x.ready, got)
			}
			if moved, most := math.Abs(p.Ready-c[i].Ready), math.Abs(got[2].Ready-c[2].Ready); moved > most+1e-9 {
				t.Errorf("at %v moved by %v, where fetches were made by %v", p.Fetches, moved, most)
			}
		}
	}
	if got := c.corrected(c, Seen{Fetches: 4, Ready: 0.825, Visits: 20})[3].Ready; math.Abs(got-(c[3].Ready-0.025)) > 1e-9 {
		t.Errorf("at twice the fetches %v", got)
	}
	if got := (Curve{}).corrected(nil, Seen{Fetches: 4, Ready: 0.5, Visits: 20}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if c[2].Ready != 0.925 {
		t.Error("the curve itself was changed")
	}
}

// The range of a share is within 0 and 1, holds it, and is widest in the middle.
func TestRange(t *testing.T) {
	width := func(ready float64) float64 {
		low, high := Point{Ready: ready}.Range()
		if low < 0 || high > 1 || low > ready || high < ready {
			t.Errorf("%v: %v to %v", ready, low, high)
		}
		return high - low
	}
	for x := 0.0; x <= 0.5; x += 0.01 {
		if math.Abs(width(x)-width(1-x)) > 1e-9 || x > 0 && width(x) < width(x-0.01) {
			t.Errorf("%v: %v wide", x, width(x))
		}
	}
	if w := width(0.89); math.Abs(w-0.098) > 0.005 {
		t.Errorf("of 0.89 it is %v wide", w)
	}
}

// Whoever came more often than expected, and found as much as the model says for that, does not correct it.
func TestSeenIsComparedWithTheVisitsThatCame(t *testing.T) {
	in := steady(2, 0.5, 0.1, 0.02)
	forecast := func(in Inputs, seen Seen) Point {
		c, err := New(Default()).Forecast(t.Context(), in, []float64{20}, 1, seen)
		if err != nil {
			t.Fatal(err)
		}
		return c[0]
	}
	expected := forecast(in, Seen{})
	often := in
	often.Access.LongRun = 3 * in.Access.Usual.Mean()
	{
		seen := Seen{Days: 30, Visits: int(30 * rate.Hours * often.Access.LongRun), Fetches: expected.Fetches, Ready: forecast(often, Seen{}).Ready}
		if seen.Ready > expected.Ready-0.02 {
			t.Fatalf("three times the visits: %v ready, otherwise %v", seen.Ready, expected.Ready)
		}
		if got := forecast(in, seen); math.Abs(got.Ready-expected.Ready) > 0.01 {
			t.Errorf("%+v, alone %+v", got, expected)
		}
		if got := forecast(often, seen); math.Abs(got.Ready-seen.Ready) > 0.01 {
			t.Errorf("%+v, seen %+v", got, seen)
		}
	}
}
