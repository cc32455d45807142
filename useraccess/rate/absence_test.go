package rate

import (
	"math"
	"math/rand/v2"
	"testing"
)

const absenceBins = 96

// With independent accesses the chance that nobody comes is e^−∫λ.
func TestAbsenceOfIndependentAccesses(t *testing.T) {
	rates := make([]float64, absenceBins)
	for k := range rates {
		rates[k] = 0.4 * (1 + math.Sin(float64(k)/10))
	}
	a := Hazard{}.Absence(rates)
	for _, span := range [][2]int{{0, 0}, {3, 4}, {10, 90}, {95, 97}, {50, 50 + 2*absenceBins}, {7, 7 + 5*absenceBins}} {
		sum := 0.0
		for k := span[0]; k < span[1]; k++ {
			sum += rates[k%absenceBins] * 0.25
		}
		if got := a.Chance(span[0], span[1]); math.Abs(got-math.Exp(-sum)) > 1e-3 {
			t.Errorf("%v: %v, want %v", span, got, math.Exp(-sum))
		}
	}
}

// The chances are those of accesses drawn from the model, as many as the rates tell.
func TestAbsenceOfClusters(t *testing.T) {
	const days = 8000
	rates := make([]float64, absenceBins)
	for k := range rates {
		rates[k] = 0.5
		if k < 28 {
			rates[k] = 0.02
		}
	}
	h := clustering()
	a := h.Absence(rates)
	r := rand.New(rand.NewPCG(1, 2))
	came := make([]int, days*absenceBins)
	last, total, since := -1000, 0.0, 0.0
	for k := range came {
		usual := a.usual[k%absenceBins+1] - a.usual[k%absenceBins]
		next := since + usual
		if r.Float64() < -math.Expm1(-(h.faded(next)-h.faded(since))*h.around(max(1, k-last), 0.25)) {
			came[k], last = 1, k
			next = usual / 2
			total++
		}
		since = next
	}
	want := 0.0
	for _, x := range rates {
		want += x * 0.25
	}
	if math.Abs(total/days/want-1) > 0.06 {
		t.Errorf("%v a day are drawn, want %v", total/days, want)
	}
	for _, span := range [][2]int{{30, 31}, {30, 36}, {40, 60}, {60, 95}, {10, 40}, {20, 20 + 4*absenceBins}} {
		none := 0
		for d := range days - 5 {
			quiet := true
			for k := span[0]; k < span[1]; k++ {
				quiet = quiet && came[d*absenceBins+k] == 0
			}
			if quiet {
				none++
			}
		}
		drawn := float64(none) / (days - 5)
		if got := a.Chance(span[0], span[1]); math.Abs(got-drawn) > 0.03 {
			t.Errorf("%v: %.3f, drawn %.3f", span, got, drawn)
		}
	}
}

// Nobody who never comes is a person, too.
func TestAbsenceOfNobody(t *testing.T) {
	if got := clustering().Absence(make([]float64, absenceBins)).Chance(3, 3000); got != 1 {
		t.Errorf("nobody comes with a chance of %v", got)
	}
}
