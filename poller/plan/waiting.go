package plan

import (
	"fmt"
	"math"
)

// Waiting says what it costs that an article waits for its fetch while its reader comes. The zero
// Waiting is He & Parker's delay (5): each access that comes u hours after the post and does not see it
// costs u.
//
// What a reader minds saturates. With Fade such an access costs θ(1 − e^(−u/θ)) hours: for a large θ
// that is u, and divided by a small one it tends to 1, to what is missed (Sia et al. 2007). With NotReady
// a post costs 1 if any access misses it, and Again for each one that does; accesses are independent
// events of the rate given for them, so that a post at f that is fetched at b costs
// 1 − exp(−∫_f^b λc) + Again ∫_f^b λc.
//
// Each is the mass of a non-negative measure on pairs of a post and a later time, so that the cost of a gap
// is Monge. Costs are in hours, those of NotReady in articles.
type Waiting struct {
	Fade     float64 // θ, h; 0: the delay does not fade
	NotReady bool
	Again    float64 // with NotReady: of each access that misses a post, in articles, ≥ 0
}

const (
	// leastFade and mostFade bound θ, in hours: nobody minds minutes so much, and above the delay does not
	// fade within weeks and the sums would cancel.
	leastFade, mostFade = 0.2, 1e4
	// mostVisits bounds r, the exponent of what has faded at the end of a horizon: e^300 and e^−300 are stored.
	mostVisits = 600
)

func (w Waiting) isFading() bool { return w.NotReady || w.Fade > 0 }

// check reports what is wrong with it for a plan of so many hours.
func (w Waiting) check(hours float64) error {
	switch {
	case w.NotReady && w.Fade != 0:
		return fmt.Errorf("what is not ready does not fade: θ must be 0, not %v", w.Fade)
	case !w.NotReady && w.Again != 0:
		return fmt.Errorf("the cost of missing a post again belongs to what is not ready")
	case w.Fade != 0 && !(w.Fade >= leastFade && w.Fade <= mostFade):
		return fmt.Errorf("θ must be 0 or %v to %v hours, not %v", leastFade, mostFade, w.Fade)
	case w.Fade != 0 && hours > mostVisits*w.Fade:
		return fmt.Errorf("θ must be at least %v hours for a period of %v hours, not %v", hours/mostVisits, hours, w.Fade)
	case !finiteNonNegative(w.Again):
		return fmt.Errorf("the cost of missing a post again must be finite and 0 or more, not %v", w.Again)
	}
	return nil
}

// fadedSums are what the costs of an objective that fades need besides the five sums. A post's weight
// falls from 1 by e^(−r) over time: with θ by the hours since, with NotReady by the accesses since.
//
//	G(t) = ∫^t λp(f) e^(−(r(t)−r(f))) df       posts, faded
//	h(t) = ∫_t λc(s) e^(−(s−t)/θ) ds           accesses to come, faded; only with θ
//
// By recursion over the bins nothing cancels, as it would in sums of e^(f/θ). The cost of a gap is, with
// M = ∫λc P0, L = ∫λc and S = ∫λc G,
//
//	θ:         θ [M(b) − M(a) − P0(a)(L(b) − L(a)) − (S(b) − S(a)) + G(a)(h(a) − e^(−(b−a)/θ) h(b))]
//	NotReady:  P0(b) − P0(a) − G(b) + G(a) e^(−(r(b)−r(a)))  +  Again [M(b) − M(a) − P0(a)(L(b) − L(a))]
//
// which has the form of Costs with Y = G e^(r − r₀) and C = e^(−(r − r₀)), times −θh with θ.
type fadedSums struct {
	y             []float64
	g, r, h       []float64 // at the starts of the bins
	m, l, s       []float64
	middle, atLap float64 // r₀, and r after a period
}

// fillFading fills the sums at bins 0 to last and, as the one after it, at end. Rates that are shorter than
// end repeat themselves once.
func (c *Costs) fillFading(access, posting []float64, bin float64, last, end int) {
	f, n := &c.faded, len(access)
	for _, x := range []*[]float64{&f.g, &f.r, &f.h, &f.m, &f.l, &f.s} {
		*x = resize(*x, len(c.p0))
	}
	step := fadingStep{Waiting: c.objective.Waiting, prefixSums: prefixSums{h: bin}, most: mostVisits / float64(max(1, last)), decay: 1}
	for j := 0; ; j++ {
		if j <= last || j == end {
			at := min(j, len(c.p0)-1)
			c.p0[at], c.p1[at] = step.p0, step.p1
			f.g[at], f.r[at], f.m[at], f.l[at], f.s[at] = step.g, step.r, step.a, step.b, step.s
		}
		if j == end {
			break
		}
		step.add(j, access[j%n], posting[j%n])
	}
	f.sumAhead(c.objective.Waiting, access, bin, last, end)
	c.multiply(last)
}

// fadingStep runs over the bins and holds the sums up to the start of one.
type fadingStep struct {
	Waiting
	prefixSums
	g, r, s float64
	most    float64 // accesses of a bin

	visits, decay float64 // of the bin before, and their meanDecay
}

// add adds bin j, in which both rates are constant.
func (s *fadingStep) add(j int, access, posting float64) {
	if s.NotReady {
		visits := min(access*s.h, s.most)
		if visits != s.visits { // those of neighbors are often the same
			s.visits, s.decay = visits, meanDecay(visits)
		}
		s.g, s.r = s.g*(1-visits*s.decay)+posting*s.h*s.decay, s.r+visits
	} else {
		gone := -math.Expm1(-s.h / s.Fade)
		s.s += access * s.Fade * (s.g*gone + posting*(s.h-s.Fade*gone))
		s.g, s.r = s.g*(1-gone)+posting*s.Fade*gone, s.r+s.h/s.Fade
	}
	s.addBin(Missed, j, access, posting)
}

// meanDecay returns (1 − e^−d)/d.
func meanDecay(d float64) float64 {
	if d < 1e-8 {
		return 1 - d/2
	}
	return -math.Expm1(-d) / d
}

// sumAhead fills h, from the end back.
func (f *fadedSums) sumAhead(w Waiting, access []float64, bin float64, last, end int) {
	clear(f.h)
	if w.NotReady {
		return
	}
	gone, ahead := -math.Expm1(-bin/w.Fade), 0.0
	for j := end - 1; j >= 0; j-- {
		ahead = ahead*(1-gone) + access[j%len(access)]*w.Fade*gone
		if j <= last {
			f.h[j] = ahead
		}
	}
}

// multiply makes A, B, C and Y.
func (c *Costs) multiply(last int) {
	f, w := &c.faded, c.objective.Waiting
	f.middle = f.r[min(last, len(f.r)-1)] / 2
	if f.atLap = 0; c.n > 0 && c.n < len(f.r) {
		f.atLap = f.r[c.n]
	}
	for j, r := range f.r {
		up := math.Exp(min(r-f.middle, mostVisits))
		down := 1 / up
		if w.NotReady {
			c.a[j], c.b[j] = c.p0[j]-f.g[j]+w.Again*f.m[j], w.Again*f.l[j]
			c.y[j], c.c[j] = f.g[j]*up, down
			continue
		}
		c.a[j], c.b[j] = w.Fade*(f.m[j]-f.s[j]), w.Fade*f.l[j]
		c.y[j], c.c[j] = w.Fade*f.g[j]*up, -f.h[j]*down
	}
}

// fadingLaps is laps for an objective that fades.
func (c *Costs) fadingLaps(a, k int) float64 {
	f, w, q := &c.faded, c.objective.Waiting, float64(k)
	keep := math.Exp(-f.atLap)
	left := f.g[a+c.n] - keep*f.g[a] // of a lap's posts, at its end
	missed := q*c.missed(a, a+c.n) + c.p0[c.n]*f.l[c.n]*q*(q-1)/2
	if w.NotReady {
		return q*c.p0[c.n] - left*geometric(keep, k) + w.Again*missed
	}
	pairs, weight := 0.0, 1.0 // Σ (k−d) keep^(d−1) over the distances of two laps
	for d := 1; d < k && weight > 1e-17; d++ {
		pairs += float64(k-d) * weight
		weight *= keep
	}
	return w.Fade * (missed - q*c.fadedPart(a, a+c.n) - left*(f.h[a]-keep*f.h[a+c.n])*pairs)
}

// missed returns ∫λc ∫λp over the pairs within a gap.
func (c *Costs) missed(a, b int) float64 {
	f := &c.faded
	return f.m[b] - f.m[a] - c.p0[a]*(f.l[b]-f.l[a])
}

// fadedPart returns ∫λc(t) ∫λp(f) e^(−(t−f)/θ) over the pairs within a gap.
func (c *Costs) fadedPart(a, b int) float64 {
	f := &c.faded
	return f.s[b] - f.s[a] - f.g[a]*(f.h[a]-math.Exp(f.r[a]-f.r[b])*f.h[b])
}

// geometric returns 1 + q + … + q^(k−1).
func geometric(q float64, k int) float64 {
	if 1-q < 1e-9 {
		return float64(k)
	}
	return (1 - math.Pow(q, float64(k))) / (1 - q)
}

// longFadingGap is Gap for one longer than a period, lap by lap from bin a < n.
func (c *Costs) longFadingGap(a, b int) (cost float64) {
	f, w := &c.faded, c.objective.Waiting
	posts, left := 0.0, 0.0 // since a: all, and faded
	for a < b {
		end := min(b, a+c.n)
		keep := math.Exp(f.r[a] - f.r[end])
		if w.NotReady {
			cost += left*(1-keep) + w.Again*posts*(f.l[end]-f.l[a])
		} else {
			cost += w.Fade * (posts*(f.l[end]-f.l[a]) - left*(f.h[a]-keep*f.h[end]))
		}
		cost += c.at(a, end)
		posts += c.p0[end] - c.p0[a]
		left = left*keep + f.g[end] - keep*f.g[a]
		a, b = end-c.n, b-c.n
		if a < 0 {
			return cost
		}
	}
	return cost
}
