package plan

import "iter"

// Costs returns in O(1) the cost of one gap between two fetches: He–Parker (5), one term of the
// sum, which is the delay in hours summed over the accesses within the gap and the posts that
// they do not see; or one of the other objectives. It is exact for rates that are constant
// within a bin.
//
// With P0 = ∫λp, P1 = ∫fλp, A = ∫λc(tP0−P1), B = ∫tλc and C = ∫λc from 0,
//
//	c(a,b) = A(b) − A(a) − P0(a)(B(b)−B(a)) + P1(a)(C(b)−C(a)).
//
// Other objectives over pairs of a post and a later time have the same form and differ only in
// A, B, C and, in the place of P1, Y.
type Costs struct {
	n                  int
	period             float64
	objective          Objective
	p0, p1, y, a, b, c []float64 // P0, P1, Y, A, B and C at the starts of the bins of two periods, 2n+1
	faded              fadedSums // of an objective that fades
}

// Objective is what a gap costs.
type Objective struct {
	kind objectiveKind
	Waiting
}

type objectiveKind int

const (
	waitingKind objectiveKind = iota // what Waiting says
	missedKind
	ageKind
)

// The papers' objectives.
var (
	Delay  = Objective{}                 // hours from post to access: He–Parker (5)
	Missed = Objective{kind: missedKind} // posts not seen by an access: Sia et al. 2007
	Age    = Objective{kind: ageKind}    // hours from post to fetch, whatever the accesses: Sia, Cho & Cho
)

// NewCosts returns the costs in delay, He–Parker (5), for rates in 1/h in equal bins of one
// period.
func NewCosts(access, posting []float64, periodHours float64) *Costs {
	c := new(Costs)
	c.fill(Delay, access, posting, periodHours)
	return c
}

// NewAgeCosts returns the costs in hours from post to fetch (Sia, Cho & Cho): ∫λ(t)(τ−t) dt over
// the gap that ends at τ.
func NewAgeCosts(posting []float64, periodHours float64) *Costs {
	c := new(Costs)
	c.fill(Age, posting, posting, periodHours)
	return c
}

// Bins returns the number of bins of the period.
func (c *Costs) Bins() int { return c.n }

func (c *Costs) fill(o Objective, access, posting []float64, period float64) {
	n := len(posting)
	c.n, c.period, c.objective = n, period, o
	c.grow(2*n + 1)
	h := period / float64(n)
	if o.isFading() {
		c.fillFading(access, posting, h, 2*n, 2*n)
		return
	}
	sums := prefixSums{h: h}
	for j := 0; ; j++ {
		sums.store(c, o, j)
		if j == 2*n {
			return
		}
		k := j
		if k >= n {
			k -= n
		}
		sums.addBin(o, j, access[k], posting[k])
	}
}

// line prepares the sums of what waits over bins that do not repeat: at the bins up to last and, as
// the one after it, at end.
func (c *Costs) line(w Waiting, access, posting []float64, h float64, last, end int) {
	c.objective = Objective{Waiting: w}
	c.grow(last + 2)
	if w.isFading() {
		c.fillFading(access[:end], posting[:end], h, last, end)
		return
	}
	sums := prefixSums{h: h}
	access, posting = access[:end], posting[:end]
	for j, x := range access {
		if j <= last {
			c.p0[j], c.p1[j], c.a[j], c.b[j], c.c[j] = sums.p0, sums.p1, sums.a, sums.b, sums.c
		}
		sums.addDelay(float64(j)*h, x, posting[j])
	}
	sums.store(c, Delay, last+1)
}

func (c *Costs) grow(size int) {
	for _, sums := range []*[]float64{&c.p0, &c.p1, &c.a, &c.b, &c.c} {
		*sums = resize(*sums, size)
	}
	if c.y = c.p1; c.objective.isFading() {
		c.faded.y = resize(c.faded.y, size)
		c.y = c.faded.y
	}
}

// prefixSums runs over the bins and holds the sums up to the start of one.
type prefixSums struct{ h, p0, p1, a, b, c float64 }

func (s *prefixSums) store(c *Costs, o Objective, j int) {
	c.p0[j], c.p1[j] = s.p0, s.p1
	if o.kind == ageKind {
		t := float64(j) * s.h
		c.a[j], c.b[j], c.c[j] = t*s.p0-s.p1, t, 0
		return
	}
	c.a[j], c.b[j], c.c[j] = s.a, s.b, s.c
}

// addBin adds bin j. Within it P0 is linear and P1 quadratic, so the integrals are those of
// polynomials.
func (s *prefixSums) addBin(o Objective, j int, access, posting float64) {
	h, t := s.h, float64(j)*s.h
	switch o.kind {
	case waitingKind:
		s.addDelay(t, access, posting)
		return
	case missedKind:
		s.a += access * h * (s.p0 + posting*h/2)
		s.b += access * h
	}
	s.p0 += posting * h
	s.p1 += posting * h * (t + h/2)
}

// addDelay is addBin for the delay, for the bin that starts at t hours.
func (s *prefixSums) addDelay(t, access, posting float64) {
	h := s.h
	s.a += access * h * (t*s.p0 - s.p1 + h*s.p0/2 + posting*h*h/6)
	s.b += access * h * (t + h/2)
	s.c += access * h
	s.p0 += posting * h
	s.p1 += posting * h * (t + h/2)
}

// Gap returns the cost of the gap between consecutive fetches at the starts of bins a and b,
// 0 ≤ a ≤ b. Bins are counted on over the periods; the gap may be longer than a period.
func (c *Costs) Gap(a, b int) float64 {
	if q := a / c.n; q > 0 {
		a, b = a-q*c.n, b-q*c.n
	}
	if b <= a+c.n {
		return c.at(a, b)
	}
	if c.objective.isFading() {
		return c.longFadingGap(a, b)
	}
	q := (b - a) / c.n
	rest := b - q*c.n
	// The accesses of the rest see the posts of q whole periods late.
	n, k := c.p0[c.n], float64(q)
	late := n*c.period*k*(k+1)/2 - k*(c.p1[a+c.n]-c.p1[a])
	return c.laps(a, q) + c.at(a, rest) + k*n*(c.b[rest]-c.b[a]) + late*(c.c[rest]-c.c[a])
}

// at is Gap for 0 ≤ a ≤ b ≤ 2n.
func (c *Costs) at(a, b int) float64 {
	return (c.a[b] - c.a[a]) - c.p0[a]*(c.b[b]-c.b[a]) + c.y[a]*(c.c[b]-c.c[a])
}

// laps returns the cost of one gap of k whole periods from bin a, 0 ≤ a < n.
func (c *Costs) laps(a, k int) float64 {
	if c.objective.isFading() {
		return c.fadingLaps(a, k)
	}
	n, seen, q := c.p0[c.n], c.c[c.n], float64(k)
	return q*c.at(a, a+c.n) + q*(q-1)/2*c.drift(a) + c.period*n*seen*(q*q*q-q)/6
}

// drift returns how much more a period from bin a costs than the period before, without the part
// that does not depend on the bin.
func (c *Costs) drift(a int) float64 {
	return c.p0[c.n]*(c.b[a+c.n]-c.b[a]) - c.c[c.n]*(c.p1[a+c.n]-c.p1[a])
}

// Cycle returns the cost per period of fetches at the given ascending bins of a cycle of every
// periods.
func (c *Costs) Cycle(every int, at []int) float64 {
	if len(at) == 0 || every < 1 {
		return 0
	}
	d := 0.0
	for a, b := range gaps(at, every*c.n) {
		d += c.Gap(a, b)
	}
	return d / float64(every)
}

// gaps yields the pairs of consecutive fetches of a cycle, the last one closed by the first.
func gaps(at []int, length int) iter.Seq2[int, int] {
	return func(yield func(a, b int) bool) {
		for i, a := range at {
			b := at[0] + length
			if i+1 < len(at) {
				b = at[i+1]
			}
			if !yield(a, b) {
				return
			}
		}
	}
}

// longest returns the cost of the most expensive gap of one period.
func (c *Costs) longest(allowed []int) float64 {
	most := 0.0
	for _, a := range allowed {
		most = max(most, c.at(a, a+c.n))
	}
	return most
}
