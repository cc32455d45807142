package plan

import (
	"context"
	"fmt"
	"math"
	"testing"

	"kairos/poller/plan/plantest"
)

func solve(t testing.TB, p Problem, m Method) Result {
	t.Helper()
	r, err := Solve(context.Background(), p, m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestGapEqualsQuadrature(t *testing.T) {
	r := plantest.Random(1)
	for range plantest.Rounds(40) {
		n := 2 + r.IntN(14)
		access, posting := plantest.Bumpy(r, n), plantest.Bumpy(r, n)
		c := NewCosts(access, posting, 24)
		for range 20 {
			a := r.IntN(2 * n)
			b := a + r.IntN(4*n)
			want := quadrature(access, posting, 24/float64(n), a, b)
			if got := c.Gap(a, b); !plantest.Near(got, want, 1e-9) {
				t.Fatalf("n=%d gap(%d,%d) = %v, want %v", n, a, b, got, want)
			}
		}
	}
}

func TestObjectivesAreMonge(t *testing.T) {
	r := plantest.Random(2)
	for range plantest.Rounds(100) {
		n := 4 + r.IntN(40)
		for _, o := range append(waitings(r), Delay, Missed, Age) {
			var c Costs
			c.fill(o, plantest.Bumpy(r, n), plantest.Bumpy(r, n), 24)
			for range 50 {
				q := []int{r.IntN(n), r.IntN(n), r.IntN(n), r.IntN(n)}
				a, a2, b, b2 := min(q[0], q[1]), max(q[0], q[1]), n+min(q[2], q[3]), n+max(q[2], q[3])
				b, b2 = min(b, a+n), min(b2, a+n)
				if b < a2 {
					continue
				}
				if x, y := c.at(a, b)+c.at(a2, b2), c.at(a, b2)+c.at(a2, b); x > y+1e-9*(1+y) {
					t.Fatalf("objective %+v: c(%d,%d)+c(%d,%d) = %v > %v", o, a, b, a2, b2, x, y)
				}
			}
		}
	}
}

// With the restrictions and charges of a feed the costs of gaps stay Monge.
func TestChargedGapsAreMonge(t *testing.T) {
	r := plantest.Random(42)
	charged := 0
	for range plantest.Rounds(200) {
		n := 4 + r.IntN(30)
		f := Feed{Posting: plantest.Bumpy(r, n)}
		restrict(r, &f, n)
		d := curveInput{objective: Delay, period: 24, access: plantest.Bumpy(r, n), posting: f.Posting,
			bounds: newBounds(&f, allBins(n), 24), charges: chargesOf(&f)}
		var c Costs
		c.fill(Delay, d.access, d.posting, 24)
		var g graph
		g.load(&c, &d)
		if !g.charged || g.lap < 2 {
			continue
		}
		charged++
		for range 100 {
			q := []int{r.IntN(g.lap), r.IntN(g.lap), g.lap + r.IntN(g.lap), g.lap + r.IntN(g.lap)}
			a, a2, b, b2 := min(q[0], q[1]), max(q[0], q[1]), min(q[2], q[3]), max(q[2], q[3])
			if b2 > a+g.lap { // gaps longer than a period do not occur
				continue
			}
			if x, y := g.gap(a, b)+g.gap(a2, b2), g.gap(a, b2)+g.gap(a2, b); x > y*(1+1e-12)+1e-9 {
				t.Fatalf("c(%d,%d)+c(%d,%d) = %v > %v for %+v", a, b, a2, b2, x, y, f)
			}
		}
	}
	if charged < 50 {
		t.Errorf("only %d feeds have restrictions or charges", charged)
	}
}

func BenchmarkSolve(b *testing.B) {
	p := randomProblem(1000, 288, 4000)
	b.ReportAllocs()
	for b.Loop() {
		solve(b, p, Exact)
	}
}

// Every feed has a shortest gap, so that the search uses penalties.
func BenchmarkSolveWithGaps(b *testing.B) {
	p := randomProblem(1000, 288, 4000)
	for i := range p.Feeds {
		p.Feeds[i].MinGap = 1
	}
	for b.Loop() {
		solve(b, p, Exact)
	}
}

// Every feed has a shortest gap and shows 15 posts, as real ones do.
func BenchmarkSolveWithLosses(b *testing.B) {
	p := randomProblem(1000, 288, 4000)
	for i := range p.Feeds {
		p.Feeds[i].MinGap, p.Feeds[i].Window, p.Feeds[i].LossWeight = 1, 15, 0.5
	}
	for b.Loop() {
		solve(b, p, Exact)
	}
}

// Exact beside He–Parker's Figure 2 and cube root on the same bins.
func BenchmarkAgainstHeParker(b *testing.B) {
	p := randomProblem(1000, 288, 4000)
	delay := map[Method]float64{}
	for _, m := range []Method{Exact, HeParker} {
		b.Run(string(m), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				delay[m] = solve(b, p, m).Delay
			}
			b.ReportMetric(delay[m], "h-delay")
		})
	}
	if delay[HeParker] < delay[Exact] {
		b.Errorf("He–Parker has delay %v h, less than exact's %v h", delay[HeParker], delay[Exact])
	}
}

func BenchmarkMethods(b *testing.B) {
	p := randomProblem(80, 96, 320)
	for _, m := range []Method{Exact, HeParker, Sia, Uniform} {
		b.Run(string(m), func(b *testing.B) {
			for b.Loop() {
				solve(b, p, m)
			}
		})
	}
}

func BenchmarkSolveLargeBudget(b *testing.B) {
	p := randomProblem(80, 96, 80*24)
	for b.Loop() {
		solve(b, p, Exact)
	}
}

// randomProblem returns a problem with heavy-tailed posting rates and a waking day.
func randomProblem(feeds, n int, budget float64) Problem {
	r := plantest.Random(9)
	p := Problem{Period: 24, Access: make([]float64, n), Budget: budget}
	for k := range p.Access {
		h := 24 * float64(k) / float64(n)
		if h > 7 && h < 23 {
			p.Access[k] = 0.4 + 0.3*math.Sin(h)
		}
	}
	for i := range feeds {
		mean := math.Exp(r.NormFloat64()*2) / 24
		phase := r.Float64() * 2 * math.Pi
		f := Feed{ID: int64(i + 1), Weight: 1, Posting: make([]float64, n), Day: -1}
		for k := range f.Posting {
			f.Posting[k] = mean * (1 + 0.8*math.Sin(2*math.Pi*float64(k)/float64(n)+phase))
		}
		p.Feeds = append(p.Feeds, f)
	}
	return p
}

func ExampleSolve() {
	access := make([]float64, 24)
	access[8], access[18] = 1, 1
	posting := make([]float64, 24)
	for k := range posting {
		posting[k] = 0.1
	}
	p := Problem{Period: 24, Access: access, Budget: 2, Feeds: []Feed{{ID: 1, Weight: 1, Posting: posting, Day: -1}}}
	r, _ := Solve(context.Background(), p, Exact)
	fmt.Println(r.Feeds[0].At)
	// Output: [8 18]
}
