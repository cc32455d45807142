package rate

import (
	"math"
	"testing"
	"time"
)

var interestStart = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

func TestInterestFallsWithTheRateWithoutEvidence(t *testing.T) {
	before := 1.0
	for _, perDay := range []float64{0, 0.1, 1, 10, 100, 1e9} {
		q := Interest{}.Chance(interestStart, perDay)
		if !(q < before || q == leastInterest) || q <= 0 {
			t.Errorf("%v posts a day: %v after %v", perDay, q, before)
		}
		before = q
	}
}

func TestInterestFollowsEvidence(t *testing.T) {
	all, none := Interest{}, Interest{}
	for k := range 200 {
		at := interestStart.Add(time.Duration(k) * time.Hour)
		all, none = all.After(at, 1, 0), none.After(at, 0, 1)
	}
	now := interestStart.Add(200 * time.Hour)
	if q := all.Chance(now, 100); q < 0.95 {
		t.Errorf("all read: %v", q)
	}
	if q := none.Chance(now, 0.1); q > 0.05 || q < leastInterest {
		t.Errorf("none read: %v", q)
	}
}

func TestInterestForgets(t *testing.T) {
	i := Interest{}.After(interestStart, 0, 1000)
	prior := Interest{}.Chance(interestStart, 1)
	if q := i.Chance(interestStart.Add(40*InterestHalfLife), 1); math.Abs(q-prior) > 1e-6 {
		t.Errorf("%v after many half-lives, the prior is %v", q, prior)
	}
	half := i.After(interestStart.Add(InterestHalfLife), 0, 0)
	if math.Abs(half.Passed-500) > 1e-9 {
		t.Errorf("%v of 1000 left after a half-life", half.Passed)
	}
}

// Clocks that jump and counts that make no sense leave a chance that can be planned with.
func TestInterestIsAlwaysAChance(t *testing.T) {
	i := Interest{}.After(interestStart, 3, 1)
	if back := i.After(interestStart.Add(-1000*time.Hour), 1, 0); back.Read != 4 || !back.At.Equal(interestStart) {
		t.Errorf("a clock set back: %+v", back)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -5, math.MaxFloat64} {
		for _, i := range []Interest{{Read: x}, {Passed: x}, {Read: x, Passed: x, At: interestStart}, Interest{}.After(interestStart, x, x)} {
			for _, perDay := range []float64{0, 1, x} {
				if q := i.Chance(interestStart.Add(time.Hour), perDay); !(q >= leastInterest && q <= 1) {
					t.Errorf("%+v at %v posts a day: %v", i, perDay, q)
				}
			}
		}
	}
}
