package plan

// Residual is by how much each instant misses He–Parker's first-order condition
// (6) with the sign that differentiating (5) gives,
//
//	λc(τi) ∫ (τi − t) λp(t) dt  =  λp(τi) ∫ (t − τi) λc(t) dt,
//
// the left integral over the gap before τi, the right one over the gap after:
// (left − right)/(left + right), between −1 and 1, 0 where both sides are. At a
// step between two bins the rate is their mean. Instants are taken modulo the
// period; Cycle.Residual does cycles of several.
func Residual(access, posting []float64, period float64, at []int) []float64 {
	out := make([]float64, len(at))
	if len(at) == 0 || len(access) == 0 {
		return out
	}
	c, n := NewCosts(access, posting, period), len(access)
	edge := func(rate []float64, k int) float64 { return (rate[k%n] + rate[(k+n-1)%n]) / 2 }
	for i, t := range at {
		before, after := at[(i+len(at)-1)%len(at)]%n, at[(i+1)%len(at)]%n
		t %= n
		late, _ := c.waits(before, t)
		_, wait := c.waits(t, after)
		left, right := edge(access, t)*late, edge(posting, t)*wait
		if left+right > 0 {
			out[i] = (left - right) / (left + right)
		}
	}
	return out
}

// Residual is that of the cycle's instants, for the rates of one period.
func (c Cycle) Residual(access, posting []float64, period float64) []float64 {
	k := max(1, c.Every)
	return Residual(repeat(access, k), repeat(posting, k), period*float64(k), c.At)
}

func repeat(x []float64, k int) (y []float64) {
	for range k {
		y = append(y, x...)
	}
	return y
}

// waits is, for a gap from a to b, ∫(b−t)λp and ∫(t−a)λc.
func (c *Costs) waits(a, b int) (posts, accesses float64) {
	if b <= a {
		b += c.n
	}
	h := c.period / float64(c.n)
	posts = float64(b)*h*(c.p0[b]-c.p0[a]) - (c.p1[b] - c.p1[a])
	accesses = c.b[b] - c.b[a] - float64(a)*h*(c.c[b]-c.c[a])
	return max(0, posts), max(0, accesses)
}
