package plan

import "math"

// dispersed is the number of posts N of a feed that posts unevenly: Poisson of the mean xΓ, Γ gamma of mean 1 and
// variance dispersion = 1/shape, so that N is negative binomial of the variance x + x²·dispersion (Greenwood & Yule 1920). Of a function
// f of the Poisson mean E f(xΓ) is a mixture, hence convex where f is; and as x moves Γ only, its k-th derivative is
//
//	E Γ^k f^(k)(xΓ) = (shape)_k / shape^k · E f^(k)(xΓ′),   Γ′ gamma of the shape shape + k and the same rate,
//
// negative binomial again, of the same odds shape/(shape + x).
type dispersed struct{ shape, x float64 }

// leastDispersion is the least that is told from none.
const leastDispersion = 1e-6

// factor returns (shape)_k / shape^k.
func (d dispersed) factor(k int) float64 {
	f := 1.0
	for i := range k {
		f *= 1 + float64(i)/d.shape
	}
	return f
}

// pmf returns the chance of n events of the distribution whose shape is k more.
func (d dispersed) pmf(k, n int) float64 {
	if n < 0 {
		return 0
	}
	r, m := d.shape+float64(k), float64(n)
	if d.x <= 0 {
		return math.Max(0, 1-m)
	}
	a, _ := math.Lgamma(r + m)
	b, _ := math.Lgamma(r)
	c, _ := math.Lgamma(m + 1)
	return math.Exp(a - b - c - r*math.Log1p(d.x/d.shape) - m*math.Log1p(d.shape/d.x))
}

// reach returns the chance of at least n events of the distribution whose shape is k more.
func (d dispersed) reach(k, n int) float64 {
	switch {
	case n <= 0:
		return 1
	case d.x <= 0:
		return 0
	}
	return incompleteBeta(float64(n), d.shape+float64(k), d.x/(d.shape+d.x), d.shape/(d.shape+d.x))
}

// beyond returns E(N−W)⁺ and its derivative, P(N′ ≥ W):
//
//	E(N−W)⁺ = x P(N′ ≥ W) − W P(N ≥ W+1).
func (d dispersed) beyond(w int) (lost, reach float64) {
	reach = d.reach(1, w)
	return max(0, d.x*reach-float64(w)*d.reach(0, w+1)), min(1, reach)
}

// incompleteBeta returns the regularized incomplete beta function I_x(a, b), y being 1 − x: by its continued fraction on the side on
// which that converges fast (Press et al., Numerical Recipes, 3rd ed., §6.4), after Lentz.
func incompleteBeta(a, b, x, y float64) float64 {
	if x <= 0 {
		return 0
	}
	if y <= 0 {
		return 1
	}
	if x > (a+1)/(a+b+2) {
		return 1 - incompleteBeta(b, a, y, x)
	}
	const tiny = 1e-300
	clear := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	ab, _ := math.Lgamma(a + b)
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	front := math.Exp(ab-la-lb+a*math.Log(x)+b*math.Log(y)) / a
	if front == 0 {
		return 0
	}
	c, d := 1.0, 1/clear(1-(a+b)*x/(a+1))
	f := d
	for m := 1.0; m < 1e5; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / clear(1+even*d)
		c = clear(1 + even/c)
		f *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / clear(1+odd*d)
		c = clear(1 + odd/c)
		f *= d * c
		if math.Abs(d*c-1) < 1e-16 {
			break
		}
	}
	return min(1, front*f)
}
