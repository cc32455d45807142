package plan

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller/plan/plantest"
	"kairos/useraccess/rate"
)

// The delay does not fall when the shortest gap grows.
func TestDelayGrowsWithTheShortestGap(t *testing.T) {
	r := plantest.Random(11)
	for range plantest.Rounds(20) {
		p := randomProblem(1, 72, 6)
		p.Feeds[0].Posting = plantest.Bumpy(r, 72)
		last := 0.0
		for gap := 0.0; gap < 30; gap += 1.5 {
			p.Feeds[0].MinGap = gap
			d := solve(t, p, Exact).Delay
			if d < last*(1-1e-9)-1e-9 {
				t.Fatalf("delay %v with a shortest gap of %v h, %v with a shorter one", d, gap, last)
			}
			last = d
		}
	}
}

func TestSolveIsDeterministic(t *testing.T) {
	p := randomProblem(60, 96, 200)
	for _, m := range []Method{Exact, HeParker, Sia, Uniform} {
		first := solve(t, p, m)
		for range 3 {
			if again := solve(t, p, m); !reflect.DeepEqual(first, again) {
				t.Fatalf("%s: two solutions of the same problem differ", m)
			}
		}
	}
	same := randomProblem(4, 96, 6)
	for i := range same.Feeds {
		same.Feeds[i].Posting = same.Feeds[0].Posting
	}
	got := solve(t, same, Exact)
	for i := 1; i < 4; i++ {
		if len(got.Feeds[i].At)*got.Feeds[i-1].Every > len(got.Feeds[i-1].At)*got.Feeds[i].Every {
			t.Errorf("of equal feeds a later one gets more fetches: %+v", got.Feeds)
		}
	}
}

// Feeds just subscribed, known only by their first fetch: a news site with a day's posts, and blogs
// with two posts in two months. For a user without a history the news site is fetched several times
// a day in waking hours, the blogs every few days.
func TestFirstDay(t *testing.T) {
	const n = 288
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	var news rate.Tally
	for k := range 30 {
		post := now.Add(-time.Duration(k+1) * 48 * time.Minute)
		news.Add(time.UTC, rate.FeedHalfLife, post, post.Add(48*time.Minute), post)
	}
	access := rate.Tally{}.Posterior(rate.AccessPrior).Circle(n, time.Hour)
	p := Problem{Period: 24, Access: access, Budget: 6}
	p.Feeds = []Feed{{Weight: 0.3, Posting: news.Posterior(rate.FeedPrior).Circle(n, 0), Day: -1}}
	for i := range 5 {
		var blog rate.Tally
		blog.Add(time.UTC, rate.FeedHalfLife, now.AddDate(0, 0, -60), now, now.AddDate(0, 0, -14-i), now.AddDate(0, 0, -55+i))
		posting := blog.Posterior(rate.FeedPrior).Circle(n, 0)
		p.Feeds = append(p.Feeds, Feed{ID: int64(i + 1), Weight: 0.3, Posting: posting, Day: -1})
	}
	got := solve(t, p, Exact)
	if m := len(got.Feeds[0].At); got.Feeds[0].Every != 1 || m < 3 {
		t.Errorf("the news site is fetched %d times every %d days", m, got.Feeds[0].Every)
	}
	for _, a := range got.Feeds[0].At {
		if local := (a + 12) % n; local < 5*12 {
			t.Errorf("a fetch at night: %v", got.Feeds[0].At)
		}
	}
	slow := 0
	for _, c := range got.Feeds[1:] {
		if len(c.At) > 1 || c.Every > 5 {
			t.Errorf("a blog is fetched %d times every %d days", len(c.At), c.Every)
		}
		if c.Every >= 2 {
			slow++
		}
	}
	if slow < 4 { // one may get the rest of the budget
		t.Errorf("only %d of 5 blogs are fetched every few days", slow)
	}
}

func FuzzSolve(f *testing.F) {
	f.Add(uint64(1), 24, 10.0, 0.0, 0.0, uint8(0))
	f.Add(uint64(2), 7, 0.3, 5.0, 40.0, uint8(3))
	f.Add(uint64(3), 48, 1e9, 30.0, 400.0, uint8(1))
	f.Fuzz(func(t *testing.T, seed uint64, n int, budget, minGap, maxGap float64, shut uint8) {
		if n < 1 || n > 64 || budget > 1e6 {
			t.Skip()
		}
		r := plantest.Random(seed)
		p := Problem{Period: 24, Access: plantest.Bumpy(r, n), Budget: budget, Level: seed%2 == 0}
		for i := range 4 {
			fd := Feed{ID: int64(i), Weight: r.Float64(), Posting: plantest.Bumpy(r, n), MinGap: minGap, MaxGap: maxGap, Day: i - 1}
			charge(r, &fd, n)
			for range shut {
				fd.Forbidden = append(fd.Forbidden, r.IntN(n))
			}
			p.Feeds = append(p.Feeds, fd)
		}
		for _, m := range []Method{Exact, HeParker, Uniform} {
			got, err := Solve(context.Background(), p, m)
			if err != nil {
				continue
			}
			if s := spent(got); s > budget+1e-6 {
				t.Fatalf("%s spends %v of %v", m, s, budget)
			}
			for i, c := range got.Feeds {
				if !slices.IsSorted(c.At) || math.IsNaN(c.Delay) || c.Delay < 0 || c.Every > 0 && len(c.At) == 0 {
					t.Fatalf("%s: %+v", m, c)
				}
				for _, a := range c.At {
					if a < 0 || a >= c.Every*n || slices.Contains(p.Feeds[i].Forbidden, a%n) {
						t.Fatalf("%s: bin %d of %+v", m, a, c)
					}
				}
			}
		}
	})
}

func TestSolveStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Solve(ctx, randomProblem(50, 96, 200), Exact); !errors.Is(err, context.Canceled) {
		t.Fatalf("canceled: %v", err)
	}
}

func TestSolveRejectsBadProblems(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		change func(p *Problem)
		want   string
	}{
		"period":    {func(p *Problem) { p.Period = 0 }, "period"},
		"NaN":       {func(p *Problem) { p.Period = nan }, "period"},
		"budget":    {func(p *Problem) { p.Budget = -1 }, "budget"},
		"infinite":  {func(p *Problem) { p.Budget = math.Inf(1) }, "budget"},
		"no bins":   {func(p *Problem) { p.Access = nil }, "no bins"},
		"access":    {func(p *Problem) { p.Access[3] = nan }, "access rate"},
		"posting":   {func(p *Problem) { p.Feeds[1].Posting[3] = -1 }, "feed 1: the posting rate: bin 3"},
		"lengths":   {func(p *Problem) { p.Feeds[1].Posting = p.Feeds[1].Posting[:5] }, "5 bins"},
		"weight":    {func(p *Problem) { p.Feeds[0].Weight = nan }, "weight"},
		"gap":       {func(p *Problem) { p.Feeds[0].MinGap = -1 }, "gaps"},
		"gaps":      {func(p *Problem) { p.Feeds[0].MinGap, p.Feeds[0].MaxGap = 5, 4 }, "longer than the longest"},
		"long gap":  {func(p *Problem) { p.Feeds[0].MaxGap = 0.1 }, "shorter than a bin"},
		"price":     {func(p *Problem) { p.Feeds[0].Price = -1 }, "prices"},
		"loss":      {func(p *Problem) { p.Feeds[0].LossWeight = nan }, "losses"},
		"spread":    {func(p *Problem) { p.Feeds[0].Dispersion = -1 }, "dispersion"},
		"prices":    {func(p *Problem) { p.Feeds[0].Prices = make([]float64, 3) }, "the prices have 3 bins"},
		"bin price": {func(p *Problem) { p.Feeds[0].Prices = append(make([]float64, 23), nan) }, "price of bin 23"},
		"window":    {func(p *Problem) { p.Feeds[0].Window = -1 }, "window"},
		"forbidden": {func(p *Problem) { p.Feeds[0].Forbidden = []int{24} }, "forbidden bin 24"},
		"all shut": {func(p *Problem) {
			for k := range 24 {
				p.Feeds[0].Forbidden = append(p.Feeds[0].Forbidden, k)
			}
		}, "every bin is forbidden"},
	} {
		p := randomProblem(3, 24, 10)
		c.change(&p)
		if _, err := Solve(context.Background(), p, Exact); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	if _, err := Solve(context.Background(), randomProblem(3, 24, 10), "best"); err == nil {
		t.Error("an unknown method is accepted")
	}
}
