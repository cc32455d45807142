package useraccess

import (
	"context"
	"slices"
	"time"
)

// Absence is the time since the last visit.
type Absence struct {
	Since time.Time     // end of the last visit, here or elsewhere; zero if none is known
	Usual time.Duration // up to here it is usual for this user
	Long  bool          // it is longer than usual
}

// Absence returns the time up to now since the last visit before that of now.
func (l *Log) Absence(ctx context.Context, now time.Time) (Absence, error) {
	log, err := l.List(ctx)
	if err != nil {
		return Absence{}, err
	}
	pauses, err := listPauses(ctx, l.file.Read())
	return absence(log, pauses, now), err
}

const (
	minAbsence  = 24 * time.Hour     // what is shorter is no absence
	someAbsence = 3 * 24 * time.Hour // is one for somebody of whom little is known
	fewGaps     = 8                  // tell little
	manyGaps    = 100                // the last ones are counted, so that new habits count
	usualShare  = 0.95               // of the gaps are usual
	beyondUsual = 1.25               // an absence is longer by so much
)

// absence returns the time up to now since the last visit that ended at least a pause ago. A time in which nobody watched is neither
// an absence nor a usual gap, and what was logged under a clock that was ahead counts for nothing.
func absence(log []Access, pauses []pause, now time.Time) Absence {
	var ends, gaps = time.Time{}, []time.Duration(nil)
	a := Absence{}
	for _, visit := range log {
		if visit.At.After(now) {
			break
		}
		if gap := visit.At.Sub(ends); !ends.IsZero() && gap >= minPause && watched(pauses, ends, visit.At) {
			gaps = append(gaps, gap)
		}
		ends = later(ends, later(visit.At, visit.Until))
		if now.Sub(ends) >= minPause {
			a.Since = ends
		}
	}
	if !a.Since.IsZero() && a.Since.Before(ends) && len(gaps) > 0 {
		gaps = gaps[:len(gaps)-1] // the one before the visit of now is the absence itself
	}
	a.Usual = usualGap(gaps)
	a.Long = !a.Since.IsZero() && now.Sub(a.Since) > a.Usual && watched(pauses, a.Since, now)
	return a
}

// usualGap is the longest time between two visits that is usual.
func usualGap(gaps []time.Duration) time.Duration {
	gaps = slices.Clone(gaps[max(0, len(gaps)-manyGaps):])
	if len(gaps) == 0 {
		return someAbsence
	}
	slices.Sort(gaps)
	usual := time.Duration(beyondUsual * float64(gaps[int(usualShare*float64(len(gaps)-1)+0.5)]))
	if len(gaps) < fewGaps {
		return max(someAbsence, usual)
	}
	return max(minAbsence, usual)
}

// watched reports whether learning was on all the time between two instants.
func watched(pauses []pause, from, to time.Time) bool {
	return !slices.ContainsFunc(pauses, func(p pause) bool {
		lasts := p.Until.Equal(p.Since)
		return p.Since.Before(to) && (lasts || p.Until.After(from))
	})
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
