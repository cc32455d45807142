package rate

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// The limits hold the share that they promise of Gamma variates: of sums of exponential ones.
func TestIntervalHoldsItsShare(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 3, 10, 100} {
		lo, hi := interval(float64(n), float64(n))
		below, above := 0, 0
		const trials = 20000
		for range trials {
			x := 0.0
			for range n {
				x += r.ExpFloat64()
			}
			if x < lo {
				below++
			} else if x > hi {
				above++
			}
		}
		if b, a := float64(below)/trials, float64(above)/trials; math.Abs(b-0.1) > 0.02 || math.Abs(a-0.1) > 0.02 {
			t.Errorf("%d events: %.3f below, %.3f above", n, b, a)
		}
	}
}

// The levels follow the visits, and are the better known the longer was watched.
func TestLevels(t *testing.T) {
	at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC) // a Monday
	var v Visits
	width := math.Inf(1)
	for d := range 56 {
		hour := 7*time.Hour + 30*time.Minute
		if d%7 >= weekdays {
			hour = 10 * time.Hour
		}
		v.Add(at.AddDate(0, 0, d).Add(hour).Add(time.Duration(d*7%20) * time.Minute))
		if d%28 != 27 {
			continue
		}
		work, weekend := v.Levels(at.AddDate(0, 0, d+1))
		peak := func(l Levels) (best int) {
			for k := range l.Mean {
				if l.Mean[k] > l.Mean[best] {
					best = k
				}
				if !(0 <= l.Lo[k] && l.Lo[k] <= l.Mean[k] && l.Mean[k] <= l.Hi[k]) {
					t.Fatalf("bin %d: %v is not within %v to %v", k, l.Mean[k], l.Lo[k], l.Hi[k])
				}
			}
			return best
		}
		if k := peak(work); k < 44 || k > 48 {
			t.Errorf("day %d: most visits on workdays in bin %d", d, k)
		}
		if k := peak(weekend); d > 30 && (k < 58 || k > 63) {
			t.Errorf("day %d: most visits on weekends in bin %d", d, k)
		}
		k := 90 // a quiet hour
		if w := (work.Hi[k] - work.Lo[k]); w < width {
			width = w
		} else {
			t.Errorf("day %d: the level is known to %v, before to %v", d, w, width)
		}
	}
	if w, _ := (Visits{}).Levels(at); len(w.Mean) != LevelBins || w.Hi[40] <= w.Lo[40] {
		t.Error("without visits there is the prior")
	}
}

// What the user says of their visits is in the levels as it is in the outlook.
func TestLevelsHaveHints(t *testing.T) {
	now := time.Date(2026, 3, 6, 12, 0, 0, 0, time.UTC)
	at := 7*levelBinsAnHour + levelBinsAnHour/2
	before, weekend := Visits{}.Levels(now)
	after, same := Visits{Hints: []Hint{{Given: now, Hour: 7.5, Days: 0b0111110}}}.Levels(now)
	if got := after.Mean[at] - before.Mean[at]; got < 0.4 || got > 1 {
		t.Errorf("a hint of a visit at 7:30 adds %v an hour", got)
	}
	if same.Mean[at] != weekend.Mean[at] {
		t.Error("a hint of workdays is in the weekend")
	}
}
