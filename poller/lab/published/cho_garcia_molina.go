package published

import (
	"math"

	"kairos/poller/plan"
)

// FreshnessLaw is the freshness of Cho & Garcia-Molina, Effective Page Refresh Policies for
// Web Crawlers, TODS 2003: a copy that changes as a Poisson process of rate λ and is fetched
// every 1/f is fresh for a share (1−e^{−x})/x of the time, x = λ/f. The cost is the share in
// which it is stale. The last fetch saves (1−(1+x)e^{−x})/λ, never more than 1/λ, so that
// a source that changes too fast for the price is not fetched at all.
var FreshnessLaw = plan.Law{
	Cost: func(f, posting, _ float64) float64 { return 1 - freshShare(posting/f) },
	FrequencyAt: func(price, posting, _ float64) float64 {
		if posting <= 0 || price*posting >= 1 {
			return 0
		}
		return posting / solveRising(func(x float64) float64 { return tailSum(x, 2) }, price*posting)
	},
}

// AgeLaw is the same authors' age of a copy, the time since its first change not fetched:
// (1/f)(1/2 − 1/x + (1−e^{−x})/x²). The last fetch saves (x²/2 − 1 + (1+x)e^{−x})/λ².
var AgeLaw = plan.Law{
	Cost: func(f, posting, _ float64) float64 { return ageShare(posting/f) / f },
	FrequencyAt: func(price, posting, _ float64) float64 {
		if posting <= 0 {
			return 0
		}
		return posting / solveRising(func(x float64) float64 { return -tailSum(x, 3) }, price*posting*posting)
	},
}

// freshShare returns (1−e^{−x})/x.
func freshShare(x float64) float64 {
	if x < 1e-8 {
		return 1 - x/2
	}
	return -math.Expm1(-x) / x
}

// ageShare returns 1/2 − 1/x + (1−e^{−x})/x² = x/6 − x²/24 + x³/120 …
func ageShare(x float64) (sum float64) {
	if x >= 1 {
		return 0.5 - 1/x + (1-math.Exp(-x))/(x*x)
	}
	term := 0.5
	for k := 3; k <= 20; k++ {
		term *= -x / float64(k)
		sum -= term
	}
	return sum
}

// tailSum returns 1 − (1+x)e^{−x} = x²/2 − x³/3 + x⁴/8 …, from its term in x² on (from = 2) or
// from that in x³ on (from = 3).
func tailSum(x float64, from int) (sum float64) {
	if x >= 1 {
		sum = 1 - (1+x)*math.Exp(-x)
		if from == 3 {
			sum -= x * x / 2
		}
		return sum
	}
	power := x // x^k/k!, its sign alternating
	for k := 2; k <= 20; k++ {
		power *= -x / float64(k)
		if k >= from {
			sum -= power * float64(k-1)
		}
	}
	return sum
}

// solveRising returns x > 0 with rising(x) = y, found by bisection.
func solveRising(rising func(float64) float64, y float64) float64 {
	lo, hi := 0.0, 1.0
	for rising(hi) < y && hi < 1e150 {
		lo, hi = hi, 2*hi
	}
	for {
		mid := lo + (hi-lo)/2
		switch {
		case mid <= lo || mid >= hi:
			return hi
		case rising(mid) < y:
			lo = mid
		default:
			hi = mid
		}
	}
}
