package plan

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kairos/poller/plan/plantest"
)

func TestFlatRatesGiveEvenSpacingAndCubeRoot(t *testing.T) {
	const n = 288
	for m := 1; m <= 12; m++ {
		at, d := bestOfOne(flat(n, 0.5), flat(n, 0.2), m)
		for i, a := range at {
			gap := (at[(i+1)%m]-a+n-1)%n + 1
			if gap < n/m || gap > (n+m-1)/m {
				t.Fatalf("m=%d: %v is not even", m, at)
			}
		}
		if want := 0.5 * 0.2 * math.Pow(24, 3) / 6 / float64(m*m); !plantest.Near(d, want, 2e-3) || n%m == 0 && !plantest.Near(d, want, 1e-9) {
			t.Fatalf("m=%d: D = %v, He–Parker (4) gives %v", m, d, want)
		}
	}
	p := Problem{Period: 24, Access: flat(n, 0.4), Budget: 60}
	sum := 0.0
	for i, rate := range []float64{0.01, 0.08, 0.27, 0.64, 1.25} {
		p.Feeds = append(p.Feeds, Feed{ID: int64(i), Weight: float64(1 + i%2), Posting: flat(n, rate), Day: -1})
		sum += math.Cbrt(float64(1+i%2) * rate)
	}
	for _, m := range []Method{Exact, HeParker} {
		for i, c := range solve(t, p, m).Feeds {
			f := p.Feeds[i]
			want := 60 * math.Cbrt(f.Weight*f.Posting[0]) / sum
			if got := float64(len(c.At)) / float64(c.Every); math.Abs(got-want) > 1 {
				t.Errorf("%s: feed %d gets %v fetches, the cube root gives %v", m, i, got, want)
			}
		}
	}
}

// Under constant rates Exact's split is within one fetch of the cube root.
func TestExactSplitUnderConstantRates(t *testing.T) {
	r := plantest.Random(17)
	const n = 288
	for range plantest.Rounds(15) {
		p := Problem{Period: 24, Access: flat(n, 0.1+r.Float64()), Budget: 0}
		roots := 0.0
		for i := range 2 + r.IntN(10) {
			f := Feed{ID: int64(i), Weight: 0.5 + 1.5*r.Float64(), Posting: flat(n, math.Exp(r.NormFloat64())), Day: -1}
			p.Feeds = append(p.Feeds, f)
			roots += math.Cbrt(f.Weight * f.Posting[0])
		}
		p.Budget = float64(len(p.Feeds) * (2 + r.IntN(8)))
		for i, c := range solve(t, p, Exact).Feeds {
			want := p.Budget * math.Cbrt(p.Feeds[i].Weight*p.Feeds[i].Posting[0]) / roots
			if got := float64(len(c.At)) / float64(c.Every); math.Abs(got-want) > 1 {
				t.Errorf("budget %v: feed %d of %d gets %v fetches, the cube root gives %v", p.Budget, i, len(p.Feeds), got, want)
			}
		}
	}
}

func flat(n int, level float64) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = level
	}
	return x
}

// Every method keeps the gaps and the forbidden bins of feeds.
func TestGapsAndForbiddenBinsAreKept(t *testing.T) {
	r := plantest.Random(10)
	for range plantest.Rounds(60) {
		n := 48 + r.IntN(100)
		p := randomProblem(4, n, 40*r.Float64()+4)
		h := 24 / float64(n)
		for i := range p.Feeds {
			f := &p.Feeds[i]
			f.Posting = plantest.Bumpy(r, n)
			f.MinGap = float64(r.IntN(3)) * 5 * r.Float64()
			if r.IntN(2) == 0 {
				f.MaxGap = f.MinGap + 4*h + 60*r.Float64()
			}
			for range r.IntN(4) {
				f.Forbidden = append(f.Forbidden, r.IntN(n))
			}
		}
		for _, m := range []Method{Exact, HeParker, Sia, Uniform} {
			got := solve(t, p, m)
			starved := len(got.Warnings) > 0
			for i, c := range got.Feeds {
				f, last := p.Feeds[i], c.Every*n
				for j, a := range c.At {
					gap := float64((c.At[(j+1)%len(c.At)]-a+last-1)%last+1) * h
					if slices.Contains(f.Forbidden, a%n) || gap < f.MinGap-1e-9 || f.MaxGap > 0 && !starved && gap > f.MaxGap+1e-9 {
						t.Fatalf("%s: feed %d, %v every %d periods: gap %v h, allowed %v to %v, forbidden bins %v", m, i, c.At, c.Every, gap, f.MinGap, f.MaxGap, f.Forbidden)
					}
				}
			}
		}
	}
}

// Under smooth rates the delay of He–Parker's search is within 5 % of the least.
func TestHeParkerIsNearTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 1))
	for range plantest.Rounds(6) {
		p := randomProblem(1, 96, 0)
		a, b := r.Float64()*6, r.Float64()*6
		for k := range p.Access {
			x := 2 * math.Pi * float64(k) / 96
			p.Access[k], p.Feeds[0].Posting[k] = 1+0.8*math.Sin(x+a), 1+0.8*math.Sin(x+b)
		}
		for m := 1; m <= 6; m++ {
			p.Budget = float64(m)
			best, got := solve(t, p, Exact), solve(t, p, HeParker)
			if len(got.Feeds[0].At) != m || got.Delay < best.Delay*(1-1e-9) || got.Delay > best.Delay*1.05 {
				t.Errorf("m=%d: %v costs %v, the least is %v", m, got.Feeds[0].At, got.Delay, best.Delay)
			}
		}
	}
}

// Sia's single fetch is where the posting rate falls through its mean (Theorem 2).
func TestSiaMeetsTheorem2(t *testing.T) {
	n := 288
	posting := make([]float64, n)
	for k := range posting {
		posting[k] = 1 + 0.9*math.Sin(2*math.Pi*(float64(k)+0.5)/float64(n))
	}
	p := Problem{Period: 24, Access: posting, Budget: 1, Feeds: []Feed{{Weight: 1, Posting: posting, Day: -1}}}
	at := solve(t, p, Sia).Feeds[0].At
	if len(at) != 1 || at[0] < 142 || at[0] > 146 {
		t.Fatalf("one fetch at %v, the rate falls through its mean at 144", at)
	}
}

// The exact split has no more delay from post to fetch than the square root with the same
// schedules. A budget seldom ends with a step of the ladder, so the exact split gets one fetch more.
func TestSiaExactBeatsTheSquareRoot(t *testing.T) {
	r := plantest.Random(17)
	total := func(p Problem, r Result, err error) (sum float64) {
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range r.Feeds {
			sum += p.Feeds[i].Weight * NewAgeCosts(p.Feeds[i].Posting, p.Period).Cycle(c.Every, c.At)
		}
		return sum
	}
	less := 0
	for range plantest.Rounds(40) {
		n := 24 + r.IntN(60)
		p := randomProblem(2+r.IntN(8), n, 1+30*r.Float64())
		for i := range p.Feeds {
			p.Feeds[i].Posting, p.Feeds[i].Weight = plantest.Bumpy(r, n), 0.5+r.Float64()
		}
		exactly := func() float64 {
			r, err := new(Planner).SolveFor(t.Context(), p, Age)
			return total(p, r, err)
		}
		square, same := total(p, solve(t, p, Sia), nil), exactly()
		p.Budget++
		exact := exactly()
		if exact > square*(1+1e-9) {
			t.Fatalf("%d feeds, budget %v: delay %v h, with the square root %v h", len(p.Feeds), p.Budget, exact, square)
		}
		if same < square*(1-1e-6) {
			less++
		}
	}
	if less == 0 {
		t.Error("the exact split never differs from the square root")
	}
}
