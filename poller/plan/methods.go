package plan

import "math"

// methodSpec says how a method values a frequency and where it places the fetches.
type methodSpec struct {
	objective Objective
	law       *Law // its cost of a frequency; nil: the true cost curve of the objective
	place     func(w *workspace, p *Problem, i int, b *bounds, r rung) []int
}

var methodSpecs = map[Method]methodSpec{
	Kairos:   {}, // its objective is the problem's
	Exact:    {objective: Delay},
	HeParker: {law: &HeParkerLaw, place: placeByCondition},
	Sia:      {law: &SiaLaw, place: placeForAge},
	Uniform:  {law: &UniformLaw, place: placeEvenly},
}

// TakesCharges reports whether a method takes into account what fetches cost besides the objective.
func (m Method) TakesCharges() bool { return m == Kairos || m == Exact }

// inputOf returns a feed's curve input without charges.
func inputOf(o Objective, p *Problem, i int, b *bounds) curveInput {
	return curveInput{objective: o, period: p.Period, access: p.Access, posting: p.Feeds[i].Posting, bounds: *b}
}

// placeForAge minimizes the delay from post to fetch; more than one fetch satisfy Sia, Cho &
// Cho's Theorem 3.
func placeForAge(w *workspace, p *Problem, i int, b *bounds, r rung) []int {
	return w.bestSchedule(inputOf(Age, p, i, b), r)
}

// placeByCondition is He–Parker's search, or even spacing if no cycle satisfies the condition and
// the bounds.
func placeByCondition(w *workspace, p *Problem, i int, b *bounds, r rung) []int {
	if r < 2 {
		return w.bestSchedule(inputOf(Delay, p, i, b), r)
	}
	w.costs.fill(Delay, p.Access, p.Feeds[i].Posting, p.Period)
	if at := w.costs.searchByCondition(b, int(r), HeParkerCondition6(&w.costs, p.Access, p.Feeds[i].Posting)); at != nil {
		return at
	}
	return placeEvenly(w, p, i, b, r)
}

// placeEvenly spaces the fetches equally, each feed's with another phase. With forbidden bins or
// bounded gaps it returns the best schedule for constant rates, the most even one.
func placeEvenly(w *workspace, p *Problem, i int, b *bounds, r rung) []int {
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
	return w.bestSchedule(curveInput{objective: Delay, period: p.Period, access: flat, posting: flat, bounds: *b}, r)
}

// equalSteps places m fetches in n bins at equal steps; the phase is a share of a step.
func equalSteps(n, m int, phase float64) []int {
	at := make([]int, m)
	for j := range at {
		at[j] = int((float64(j) + phase) * float64(n) / float64(m))
	}
	return at
}
