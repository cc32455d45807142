package plan

import "math"

// law is what a policy believes about frequencies under constant rates: what one
// costs, and which one a price buys.
type law struct {
	// cost is the cost per hour at f fetches an hour, convex and falling in f.
	cost func(f, posting, access float64) float64
	// buys is the frequency (1/h) at which another fetch would save the price:
	// −∂cost/∂f = price; 0 if none does.
	buys func(price, posting, access float64) float64
	// blind says that all feeds get the same, whatever their weights.
	blind bool
}

// He–Parker (4): D = λc λp T³/(6n²) a period, so n ∝ ∛(w λc λp).
var cubeRoot = law{
	cost: func(f, posting, access float64) float64 { return access * posting / (6 * f * f) },
	buys: func(price, posting, access float64) float64 { return math.Cbrt(access * posting / (3 * price)) },
}

// Sia, Cho & Cho, Theorem 1: delay to the fetch λ/(2f), so n ∝ √(wλ).
var squareRoot = law{
	cost: func(f, posting, _ float64) float64 { return posting / (2 * f) },
	buys: func(price, posting, _ float64) float64 { return math.Sqrt(posting / (2 * price)) },
}

var equal = law{
	cost:  func(f, _, _ float64) float64 { return 1 / f },
	buys:  func(price, _, _ float64) float64 { return 1 / math.Sqrt(price) },
	blind: true,
}

// Cho & Garcia-Molina, Effective Page Refresh Policies for Web Crawlers, TODS
// 2003: copies that change as a Poisson process of rate λ, fetched every 1/f; with
// x = λ/f the share of the time a copy is fresh is (1−e^{−x})/x. The cost is the
// share it is stale; the last fetch saves (1−(1+x)e^{−x})/λ, never more than 1/λ:
// what changes too fast for the price is not fetched at all.
var freshness = law{
	cost: func(f, posting, _ float64) float64 { return 1 - fresh(posting/f) },
	buys: func(price, posting, _ float64) float64 {
		if posting <= 0 || price*posting >= 1 {
			return 0
		}
		return posting / invert(func(x float64) float64 { return late(x, 2) }, price*posting)
	},
}

// The same authors' age of a copy, the time since its first change not fetched,
// (1/f)(1/2 − 1/x + (1−e^{−x})/x²). The last fetch saves
// (x²/2 − 1 + (1+x)e^{−x})/λ².
var age = law{
	cost: func(f, posting, _ float64) float64 { return aging(posting/f) / f },
	buys: func(price, posting, _ float64) float64 {
		if posting <= 0 {
			return 0
		}
		return posting / invert(func(x float64) float64 { return -late(x, 3) }, price*posting*posting)
	},
}

// fresh is (1−e^{−x})/x.
func fresh(x float64) float64 {
	if x < 1e-8 {
		return 1 - x/2
	}
	return -math.Expm1(-x) / x
}

// aging is 1/2 − 1/x + (1−e^{−x})/x² = x/6 − x²/24 + x³/120 …
func aging(x float64) (sum float64) {
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

// late is 1 − (1+x)e^{−x} = x²/2 − x³/3 + x⁴/8 …, from its term in x² on, or
// from that in x³ on.
func late(x float64, from int) (sum float64) {
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

// invert finds x > 0 with rising(x) = y by halving.
func invert(rising func(float64) float64, y float64) float64 {
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
