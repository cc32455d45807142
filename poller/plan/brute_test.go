package plan

import (
	"math"
	"slices"
)

// The reference results of these tests use no prefix sums: they integrate He–Parker (5) by quadrature
// and try every schedule.

// gauss3 integrates f over [a,b] with three Gauss–Legendre points, exact for
// polynomials of degree 5.
func gauss3(a, b float64, f func(float64) float64) float64 {
	x, w := math.Sqrt(0.6), [3]float64{5. / 9, 8. / 9, 5. / 9}
	mid, half, sum := (a+b)/2, (b-a)/2, 0.0
	for i, u := range []float64{-x, 0, x} {
		sum += w[i] * f(mid+half*u)
	}
	return sum * half
}

// quadrature returns He–Parker (5) for one gap from bin a to bin b.
func quadrature(access, posting []float64, h float64, a, b int) float64 {
	n, d := len(access), 0.0
	for k := a; k < b; k++ {
		outer := func(t float64) float64 {
			inner := 0.0
			for j := a; j < k; j++ {
				inner += posting[j%n] * gauss3(float64(j)*h, float64(j+1)*h, func(f float64) float64 { return t - f })
			}
			inner += posting[k%n] * gauss3(float64(k)*h, t, func(f float64) float64 { return t - f })
			return inner
		}
		d += access[k%n] * gauss3(float64(k)*h, float64(k+1)*h, outer)
	}
	return d
}

// countedLoss returns E(N−W)⁺ for N Poisson of mean x, summed from N = 0 on.
func countedLoss(x float64, window int) float64 {
	p, lost := math.Exp(-x), x-float64(window)
	for j := range window {
		lost += float64(window-j) * p
		p *= x / float64(j+1)
	}
	return max(0, lost)
}

// lossCounted is countedLoss, also of uneven posts.
func lossCounted(x float64, of losses) float64 {
	if of.dispersion == 0 {
		return countedLoss(x, of.window)
	}
	lost, _ := summed(x, of)
	return lost
}

// gapTable returns the cost of every gap of a feed by start and length up to one period; infinite
// where a restriction forbids it.
func gapTable(access []float64, f *Feed, period float64) [][]float64 {
	n := len(access)
	h := period / float64(n)
	t := make([][]float64, n)
	for a := range t {
		t[a] = make([]float64, n+1)
		posts := 0.0
		for l := 1; l <= n; l++ {
			posts += f.Posting[(a+l-1)%n] * h
			t[a][l] = quadrature(access, f.Posting, h, a, a+l) + f.Price
			if f.Prices != nil {
				t[a][l] += f.Prices[a]
			}
			if f.Window > 0 {
				t[a][l] += f.LossWeight * lossCounted(posts, f.losses())
			}
			gap := float64(l) * h
			if slices.Contains(f.Forbidden, a) || gap < f.MinGap-1e-9 || f.MaxGap > 0 && gap > f.MaxGap+1e-9 {
				t[a][l] = math.Inf(1)
			}
		}
	}
	return t
}

// bruteCircle returns the least cost of m fetches per period for every m, infinite where they do not
// fit: it tries all 2^n − 1 choices of bins.
func bruteCircle(t [][]float64) (best []float64) {
	n := len(t)
	best = make([]float64, n+1)
	for m := range best {
		best[m] = math.Inf(1)
	}
	var try func(first, last, count int, sum float64)
	try = func(first, last, count int, sum float64) {
		best[count] = min(best[count], sum+t[last][first+n-last])
		for next := last + 1; next < n; next++ {
			if gap := t[last][next-last]; !math.IsInf(gap, 1) {
				try(first, next, count+1, sum+gap)
			}
		}
	}
	for first := range n {
		try(first, first, 1, 0)
	}
	return best
}

// cycleCost returns the cost of ascending bins.
func cycleCost(t [][]float64, at []int) (sum float64) {
	for i, a := range at {
		b := at[0] + len(t)
		if i+1 < len(at) {
			b = at[i+1]
		}
		sum += t[a][b-a]
	}
	return sum
}

func newMissedCosts(access, posting []float64, periodHours float64) *Costs {
	c := new(Costs)
	c.fill(Missed, access, posting, periodHours)
	return c
}

func newWaitingCosts(w Waiting, access, posting []float64, periodHours float64) *Costs {
	c := new(Costs)
	c.fill(Objective{Waiting: w}, access, posting, periodHours)
	return c
}
