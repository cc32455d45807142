// Package ticks chooses the values that an axis names: round numbers, times of day, durations and
// instants. Its functions are pure; the lab's pictures and the window's charts use them.
package ticks

import (
	"math"
	"time"
)

// slack is what rounding may add to a multiple of a step.
const slack = 1e-9

// Step returns the least of 1, 2 and 5 times a power of ten that divides span into most parts or
// fewer; 1 if span is not positive.
func Step(span float64, most int) float64 {
	if !(span > 0) || math.IsInf(span, 0) {
		return 1
	}
	least := span / float64(max(1, most))
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, k := range []float64{1, 2, 5} {
		if k*power >= least*(1-slack) {
			return k * power
		}
	}
	return 10 * power
}

// Around returns the multiples of step from the last at or below lo to the first at or above hi, at
// least two.
func Around(lo, hi, step float64) (all []float64) {
	first, last := math.Floor(lo/step+slack), math.Ceil(hi/step-slack)
	for k := first; k <= max(last, first+1); k++ {
		all = append(all, round(k*step))
	}
	return all
}

// within returns the multiples of step from lo to hi.
func within(lo, hi, step float64) (all []float64) {
	for k := math.Ceil(lo/step - slack); k <= math.Floor(hi/step+slack); k++ {
		all = append(all, round(k*step))
	}
	return all
}

// round drops what binary fractions add, and the sign of −0: 3 × 0.1 is 0.3.
func round(x float64) float64 {
	if math.Abs(x) < 1e6 {
		x = math.Round(x*1e9) / 1e9
	}
	if x == 0 {
		return 0
	}
	return x
}

// Log returns 1, 2 and 5 times the powers of ten, from the last one below a range to the first one
// above it. The range is positive.
func Log(lo, hi float64) (all []float64) {
	const slack = 1 + 1e-9
	for e := math.Floor(math.Log10(lo)) - 1; ; e++ {
		for _, m := range []float64{1, 2, 5} {
			t := m * math.Pow(10, e)
			if t <= lo*slack {
				all = all[:0]
			}
			if all = append(all, t); t >= hi/slack {
				return all
			}
		}
	}
}

// hours are the steps of a clock, in hours.
var hours = []float64{0.25, 0.5, 1, 2, 3, 4, 6, 12, 24}

// Clock returns the round times of day from lo to hi, in hours, most or fewer.
func Clock(lo, hi float64, most int) []float64 {
	return within(lo, hi, stepOf(hours, hi-lo, most, 24))
}

// minutes are the steps of durations, in minutes.
var minutes = []float64{1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440}

// MinuteStep returns the round step in minutes that divides a span in minutes into most parts or
// fewer. Below a minute a step is a round number.
func MinuteStep(span float64, most int) float64 {
	if span/float64(max(1, most)) < 1 {
		return min(1, Step(span, most))
	}
	return stepOf(minutes, span, most, 1440)
}

// stepOf returns the first of steps that divides span into most parts or fewer, else a multiple of
// unit.
func stepOf(steps []float64, span float64, most int, unit float64) float64 {
	least := span / float64(max(1, most))
	for _, s := range steps {
		if s >= least*(1-slack) {
			return s
		}
	}
	return unit * math.Ceil(least/unit-slack)
}

// Times returns the round instants from one time to another on the wall clock of from's zone, most
// or fewer. Where the clock jumps they stay round, and an hour that is skipped has none.
func Times(from, to time.Time, most int) (all []time.Time) {
	step := stepOf(hours, to.Sub(from).Hours(), most, 24)
	midnight := time.Date(from.Year(), from.Month(), from.Day(), 0, 0, 0, 0, from.Location())
	for k := 0; ; k++ {
		minute := float64(k) * step * 60
		at := time.Date(midnight.Year(), midnight.Month(), midnight.Day(), 0, int(minute), 0, 0, from.Location())
		switch {
		case at.After(to):
			return all
		case at.Before(from), len(all) > 0 && !at.After(all[len(all)-1]):
		case at.Hour()*60+at.Minute() != int(math.Mod(minute, 1440)): // skipped by the clock
		default:
			all = append(all, at)
		}
	}
}
