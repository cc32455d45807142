package plan

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"kairos/poller/plan/plantest"
)

// edit changes a problem at random.
func edit(r *rand.Rand, p *Problem) {
	n := len(p.Access)
	p.Feeds = slices.Clone(p.Feeds)
	f := &p.Feeds[r.IntN(len(p.Feeds))]
	switch r.IntN(12) {
	case 0, 1, 2:
		f.Posting = plantest.Bumpy(r, n)
	case 3:
		f.Weight = 3 * r.Float64()
	case 4:
		p.Access = plantest.Bumpy(r, n)
	case 5:
		p.Budget = float64(len(p.Feeds)) * 3 * r.Float64()
	case 6:
		p.Budget = float64(len(p.Feeds)) * 0.2 * r.Float64() // may be less than the minimum
	case 7:
		f.MinGap = 6 * r.Float64()
	case 8:
		f.Forbidden = []int{r.IntN(n), r.IntN(n)}
	case 9:
		f.Price, f.Window, f.LossWeight = r.Float64(), 1+r.IntN(5), 20*r.Float64()
		f.Prices = plantest.Bumpy(r, n)
	case 10:
		p.Feeds = slices.Delete(p.Feeds, 0, 1)
		p.Feeds = append(p.Feeds, Feed{ID: 1000 + r.Int64N(5), Weight: 1, Posting: plantest.Bumpy(r, n), Day: -1})
	case 11:
		r.Shuffle(len(p.Feeds), func(i, j int) { p.Feeds[i], p.Feeds[j] = p.Feeds[j], p.Feeds[i] })
	}
}

// After any sequence of problems a Planner returns what a fresh one does.
func TestPlannerEqualsFreshSolve(t *testing.T) {
	r := plantest.Random(40)
	for range plantest.Rounds(6) {
		var pl Planner
		p := randomProblem(12, 48, 30)
		for step := range 40 {
			edit(r, &p)
			p.Level = r.IntN(2) == 0
			m := []Method{Exact, Exact, Kairos, HeParker, Sia}[r.IntN(5)]
			got, err := pl.Solve(context.Background(), p, m)
			if err != nil {
				t.Fatal(err)
			}
			if want := solve(t, p, m); !reflect.DeepEqual(got, want) {
				t.Fatalf("step %d, %s: %+v\nfresh: %+v", step, m, got, want)
			}
		}
	}
}

// Wherever the search starts, the plan is that of the search from the bottom.
func TestPlanDoesNotDependOnItsStart(t *testing.T) {
	r := plantest.Random(43)
	for round := range plantest.Rounds(60) {
		p := randomProblem(12, 24, 12*6*r.Float64())
		p.Level = round%2 == 0
		for range r.IntN(6) {
			edit(r, &p)
		}
		m := []Method{Exact, Kairos}[r.IntN(2)]
		bottom, anywhere := Planner{granted: map[int64]rung{}}, Planner{granted: map[int64]rung{}}
		for _, f := range p.Feeds {
			bottom.granted[f.ID], anywhere.granted[f.ID] = baseRung, rung(r.IntN(16))
		}
		want, err := bottom.Solve(context.Background(), p, m)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := anywhere.Solve(context.Background(), p, m); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("round %d, from what was granted before: %+v (%v)\nfrom the bottom: %+v", round, got, err, want)
		}
		if got := solve(t, p, m); !reflect.DeepEqual(got, want) {
			t.Fatalf("round %d, from the law: %+v\nfrom the bottom: %+v", round, got, want)
		}
	}
}

// A Planner notices rates that the caller changed in place after a Solve.
func TestPlannerSeesRatesChangedInPlace(t *testing.T) {
	var pl Planner
	p := randomProblem(5, 24, 12)
	if _, err := pl.Solve(context.Background(), p, Exact); err != nil {
		t.Fatal(err)
	}
	p.Feeds[2].Posting[3] += 5
	p.Access[7]++
	got, err := pl.Solve(context.Background(), p, Exact)
	if want := solve(t, p, Exact); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v (%v)\nfresh: %+v", got, err, want)
	}
}

// A Planner is still usable after a canceled Solve.
func TestPlannerSurvivesCancellation(t *testing.T) {
	var pl Planner
	p := randomProblem(40, 96, 200)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := pl.Solve(ctx, p, Exact); err == nil {
		t.Fatal("a canceled Solve succeeds")
	}
	got, err := pl.Solve(context.Background(), p, Exact)
	if want := solve(t, p, Exact); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("after a canceled Solve: %v", err)
	}
}

// benchmarkReplan measures planning 1,000 feeds again after a change.
func benchmarkReplan(b *testing.B, change func(p *Problem, round int)) {
	p := randomProblem(1000, 288, 4000)
	p.Level = true
	var pl Planner
	if _, err := pl.Solve(context.Background(), p, Exact); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	round := 0
	for b.Loop() {
		round++
		change(&p, round)
		if _, err := pl.Solve(context.Background(), p, Exact); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReplanOneFeed(b *testing.B) {
	benchmarkReplan(b, func(p *Problem, round int) {
		x := p.Feeds[round*37%len(p.Feeds)].Posting
		for k := range x {
			x[k] *= 1.01
		}
	})
}

func BenchmarkReplanAccess(b *testing.B) {
	benchmarkReplan(b, func(p *Problem, round int) { p.Access[round*7%len(p.Access)] += 0.01 })
}
