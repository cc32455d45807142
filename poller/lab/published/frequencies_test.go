package published

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kairos/poller/plan"
	"kairos/poller/plan/plantest"
)

func gauss3(a, b float64, f func(float64) float64) float64 {
	x, w := math.Sqrt(0.6), [3]float64{5. / 9, 8. / 9, 5. / 9}
	mid, half, sum := (a+b)/2, (b-a)/2, 0.0
	for i, u := range []float64{-x, 0, x} {
		sum += w[i] * f(mid+half*u)
	}
	return sum * half
}

// laws are all of them, by name.
var laws = map[string]*plan.Law{"uniform": &plan.UniformLaw, "sia": &plan.SiaLaw, "he-parker": &plan.HeParkerLaw, "freshness": &FreshnessLaw, "age": &AgeLaw}

func someSources(r *rand.Rand, count, hosts int) []Source {
	s := make([]Source, count)
	for i := range s {
		s[i] = Source{Weight: 0.3 + 2*r.Float64(), Posting: math.Exp(2*r.NormFloat64() - 3), Access: 0.05 + r.Float64(),
			Host: fmt.Sprint(r.IntN(hosts))}
	}
	return s
}

func frequencies(t *testing.T, l *plan.Law, s []Source, budget float64) []float64 {
	t.Helper()
	f, err := Frequencies(l, s, budget)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func total(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

// The laws with a root give the closed forms of the papers.
func TestRootLawsEqualClosedForms(t *testing.T) {
	r := plantest.Random(60)
	for range plantest.Rounds(50) {
		s := someSources(r, 1+r.IntN(20), 3)
		budget := math.Exp(3 * r.NormFloat64())
		for name, share := range map[string]func(Source) float64{
			"uniform":   func(Source) float64 { return 1 },
			"sia":       func(s Source) float64 { return math.Sqrt(s.Weight * s.Posting) },
			"he-parker": func(s Source) float64 { return math.Cbrt(s.Weight * s.Posting * s.Access) },
		} {
			sum := 0.0
			for _, x := range s {
				sum += share(x)
			}
			for i, f := range frequencies(t, laws[name], s, budget) {
				if want := budget * share(s[i]) / sum; !plantest.Near(f, want, 1e-9) {
					t.Fatalf("%s: source %d gets %v of %v, want %v", name, i, f, budget, want)
				}
			}
		}
	}
}

// checkNoShiftIsBetter fails if shifting frequency between two sources, within the limits of their
// hosts, costs less. As laws are convex, frequencies that pass are the optimum.
func checkNoShiftIsBetter(t *testing.T, name string, s []Source, f []float64, perHost float64) {
	t.Helper()
	l := laws[name]
	hosts := map[string]float64{}
	for i := range s {
		hosts[s[i].Host] += f[i]
	}
	before := value(l, s, f)
	for i := range s {
		for j := range s {
			by := f[i] * 1e-3
			if i == j || by == 0 || s[i].Host != s[j].Host && hosts[s[j].Host]+by > perHost {
				continue
			}
			f[i], f[j] = f[i]-by, f[j]+by
			if after := value(l, s, f); after < before*(1-1e-9) {
				t.Fatalf("%s: shifting %v from source %d to %d costs %v instead of %v", name, by, i, j, after, before)
			}
			f[i], f[j] = f[i]+by, f[j]-by
		}
	}
}

func TestLawsAreOptimal(t *testing.T) {
	r := plantest.Random(61)
	for range plantest.Rounds(30) {
		s := someSources(r, 2+r.IntN(8), 3)
		budget := math.Exp(2 * r.NormFloat64())
		for name, l := range laws {
			f := frequencies(t, l, s, budget)
			if !plantest.Near(total(f), budget, 1e-9) {
				t.Fatalf("%s spends %v of %v", name, total(f), budget)
			}
			checkNoShiftIsBetter(t, name, s, f, math.Inf(1))
		}
	}
}

// Freshness spends nothing on a source that changes too fast for the budget, age spends most on it
// (Cho & Garcia-Molina's example).
func TestFreshnessSkipsFastSources(t *testing.T) {
	s := []Source{{Weight: 1, Posting: 0.02}, {Weight: 1, Posting: 0.05}, {Weight: 1, Posting: 20}}
	if f := frequencies(t, &FreshnessLaw, s, 0.1); f[2] != 0 || f[0] <= 0 {
		t.Errorf("frequencies for freshness: %v", f)
	}
	if f := frequencies(t, &AgeLaw, s, 0.1); f[2] <= f[1] || f[1] <= f[0] {
		t.Errorf("frequencies for age: %v", f)
	}
}

// The closed forms of the costs equal their integrals.
func TestFreshnessAndAgeEqualQuadrature(t *testing.T) {
	for _, x := range []float64{1e-5, 0.01, 0.3, 1, 2.5, 9} {
		const f = 0.25 // 1/h
		posting := x * f
		stale := gauss(0, 1/f, func(t float64) float64 { return -math.Expm1(-posting * t) }) * f
		// A copy fetched at 0 and first changed at u is t−u old at t.
		old := gauss(0, 1/f, func(t float64) float64 {
			return gauss(0, t, func(u float64) float64 { return posting * math.Exp(-posting*u) * (t - u) })
		}) * f
		if got := FreshnessLaw.Cost(f, posting, 0); !plantest.Near(got, stale, 1e-9) {
			t.Errorf("x=%v: stale %v of the time, want %v", x, got, stale)
		}
		if got := AgeLaw.Cost(f, posting, 0); math.Abs(got-old) > 1e-7*old {
			t.Errorf("x=%v: age %v h, want %v", x, got, old)
		}
	}
}

// gauss integrates piecewise with gauss3.
func gauss(a, b float64, f func(float64) float64) (sum float64) {
	const pieces = 60
	for k := range pieces {
		h := (b - a) / pieces
		sum += gauss3(a+float64(k)*h, a+float64(k+1)*h, f)
	}
	return sum
}

// The price at which a law grants a frequency is what one more fetch saves there.
func TestLawsInvertTheirMargin(t *testing.T) {
	for name, l := range laws {
		for _, posting := range []float64{1e-4, 0.03, 1, 40} {
			for _, f := range []float64{0.01, 0.1, 1, 5} {
				const access, by = 0.4, 1e-4
				price := (l.Cost(f*(1-by), posting, access) - l.Cost(f*(1+by), posting, access)) / (2 * by * f)
				if price < 1e-6*l.Cost(f, posting, access) || name == "freshness" && price*posting > 0.999 {
					continue // the difference is rounding
				}
				if got := l.FrequencyAt(price, posting, access); math.Abs(got-f) > 1e-3*f {
					t.Errorf("%s: λ=%v: at the price of f=%v the frequency is %v", name, posting, f, got)
				}
			}
		}
	}
}

// Solve's ladder rounds each law to within a fetch per period.
func TestLadderKeepsTheLaws(t *testing.T) {
	r := plantest.Random(62)
	const n = 240
	flat := func(x float64) []float64 {
		y := make([]float64, n)
		for k := range y {
			y[k] = x
		}
		return y
	}
	for range 10 {
		p := plan.Problem{Period: 24, Access: flat(0.3)}
		var s []Source
		for i := range 12 {
			f := plan.Feed{ID: int64(i), Weight: 0.5 + r.Float64(), Posting: flat(math.Exp(r.NormFloat64() - 3)), Day: -1}
			p.Feeds = append(p.Feeds, f)
			s = append(s, Source{Weight: f.Weight, Posting: f.Posting[0], Access: 0.3})
		}
		for _, each := range []float64{0.4, 1, 4} {
			p.Budget = 12 * each
			for _, name := range []string{"he-parker", "sia", "uniform", "age"} {
				want := frequencies(t, laws[name], s, p.Budget/24)
				if slices.Min(want)*24 < 1.0/7 {
					continue // the ladder gives at least 1/7
				}
				r, err := new(plan.Planner).SolveByLaw(t.Context(), p, laws[name])
				if err != nil {
					t.Fatal(err)
				}
				for i, c := range r.Feeds {
					got := float64(len(c.At)) / float64(c.Every)
					if ideal := want[i] * 24; math.Abs(got-ideal) > 1 {
						t.Errorf("%s, budget %v per feed: feed %d gets %v fetches per period, the law %v", name, each, i, got, ideal)
					}
				}
			}
		}
	}
}

func TestFrequenciesRejectBadInput(t *testing.T) {
	good := []Source{{Weight: 1, Posting: 1, Access: 1}}
	for name, c := range map[string]struct {
		s      []Source
		budget float64
	}{
		"budget": {good, math.NaN()},
		"rate":   {[]Source{{Weight: 1, Posting: -1}}, 1},
		"weight": {[]Source{{Weight: math.Inf(1)}}, 1},
	} {
		if _, err := Frequencies(&plan.SiaLaw, c.s, c.budget); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := OptPolite(&plan.SiaLaw, c.s, c.budget, 1); err == nil {
			t.Errorf("%s: no error of OptPolite", name)
		}
	}
	if _, err := OptPolite(&plan.SiaLaw, good, 1, math.NaN()); err == nil {
		t.Error("OptPolite accepts the gap NaN")
	}
	for name, l := range laws {
		if f := frequencies(t, l, good, 0); f[0] != 0 {
			t.Errorf("%s: a budget of 0 gives %v", name, f)
		}
		if f := frequencies(t, l, []Source{{}, {}}, 1); name != "uniform" && total(f) != 0 {
			t.Errorf("%s: sources without rates get %v", name, f)
		}
	}
}
