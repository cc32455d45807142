package plan

import "math"

// policy is what a method does: how it values a frequency and where it puts the
// instants. All climb the same ladder and so spend the same.
type policy struct {
	objective objective
	law       *law // what it believes a frequency to cost; nil: the true curve of the objective
	schedule  func(w *bench, p *Problem, i int, b *bounds, r rung) []int
}

var policies = map[Method]policy{
	Exact:     {objective: delayed},
	Missing:   {objective: missed},
	SiaExact:  {objective: aged},
	HeParker:  {law: &cubeRoot, schedule: byCondition},
	Sia:       {law: &squareRoot, schedule: byAge},
	Uniform:   {law: &equal, schedule: evenly},
	Freshness: {law: &freshness, schedule: evenly},
	Age:       {law: &age, schedule: evenly},
}

// demandOf is a feed's without what only the exact method weighs.
func demandOf(o objective, p *Problem, i int, b *bounds) demand {
	return demand{objective: o, period: p.Period, access: p.Access, posting: p.Feeds[i].Posting, bounds: *b}
}

// byAge minimises the delay from post to fetch exactly; where it has more than
// one instant they satisfy λ(τj)(τj+1−τj) = ∫λ over the gap before (Sia, Cho & Cho,
// Theorem 3).
func byAge(w *bench, p *Problem, i int, b *bounds, r rung) []int {
	return w.schedule(demandOf(aged, p, i, b), r)
}

// byCondition is He–Parker's search, or where no cycle satisfies the condition and
// the bounds, an even one.
func byCondition(w *bench, p *Problem, i int, b *bounds, r rung) []int {
	if r < 2 {
		return w.schedule(demandOf(delayed, p, i, b), r)
	}
	w.costs.fill(delayed, p.Access, p.Feeds[i].Posting, p.Period)
	if at := w.costs.chase(b, int(r), readingCondition(&w.costs, p.Access, p.Feeds[i].Posting)); at != nil {
		return at
	}
	return evenly(w, p, i, b, r)
}

// evenly spaces the instants equally, each feed with another phase. Where bins
// are forbidden or gaps bounded it takes the most even schedule there is: the best
// one for constant rates.
func evenly(w *bench, p *Problem, i int, b *bounds, r rung) []int {
	n, m := len(p.Access), r.fetches()
	_, phase := math.Modf(float64(i) * math.Phi)
	if len(b.allowed) == n && b.min <= 1 && b.max == 0 {
		return equalSteps(n, m, phase)
	}
	if m == 1 {
		return []int{b.allowed[int(phase*float64(len(b.allowed)))]}
	}
	flat := make([]float64, n)
	for k := range flat {
		flat[k] = 1
	}
	return w.schedule(demand{objective: delayed, period: p.Period, access: flat, posting: flat, bounds: *b}, r)
}

// equalSteps divides n bins by m instants; the phase is a share of a step.
func equalSteps(n, m int, phase float64) []int {
	at := make([]int, m)
	for j := range at {
		at[j] = int((float64(j) + phase) * float64(n) / float64(m))
	}
	return at
}
