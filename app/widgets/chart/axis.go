package chart

import (
	"math"
	"strconv"
	"time"

	"kairos/poller/ticks"
)

// Unit is what the numbers of an axis are.
type Unit int

// The units of axes.
const (
	Number  Unit = iota
	Percent      // 0 to 100
	Minutes      // a duration
	Clock        // hours of the day, 0 to 24
	Instant      // seconds since 1970
)

// Axis is a scale with its ticks.
type Axis struct {
	Unit   Unit
	Name   string // what it shows, "" if that is plain; also the column of a table
	Lo, Hi float64
	Log    bool                   // logarithmic; Lo is positive
	Exact  bool                   // ends at Lo and Hi rather than at the ticks around them
	Format func(v float64) string // words a value; nil: digits
	Zone   *time.Location         // of instants; nil: local
}

// scale is an axis of a certain length, in units of Fyne: where its values are, and its ticks.
type scale struct {
	axis   Axis
	lo, hi float64 // in the axis' own measure: logarithms if it is logarithmic
	length float32
	ticks  []float64
}

// scaled fits an axis to a length, with most ticks or fewer.
func (a Axis) scaled(length float32, most int) scale {
	s := scale{axis: a, length: length}
	if !(a.Hi > a.Lo) {
		a.Hi = a.Lo + 1
	}
	switch {
	case a.Log:
		s.ticks = thin(ticks.Log(a.Lo, a.Hi), most)
	case a.Unit == Clock:
		s.ticks = ticks.Clock(a.Lo, a.Hi, most)
	case a.Unit == Instant:
		for _, t := range ticks.Times(time.Unix(int64(a.Lo), 0).In(a.zone()), time.Unix(int64(a.Hi), 0), most) {
			s.ticks = append(s.ticks, float64(t.Unix()))
		}
	case a.Unit == Minutes:
		s.ticks = ticks.Around(a.Lo, a.Hi, ticks.MinuteStep(a.Hi-a.Lo, most))
	default:
		s.ticks = ticks.Around(a.Lo, a.Hi, ticks.Step(a.Hi-a.Lo, most))
	}
	if n := len(s.ticks); !a.Exact && a.Unit != Clock && a.Unit != Instant && n > 0 {
		a.Lo, a.Hi = min(a.Lo, s.ticks[0]), max(a.Hi, s.ticks[n-1])
	}
	if a.Unit == Percent {
		a.Hi = min(a.Hi, 100)
	}
	s.lo, s.hi = s.measure(a.Lo), s.measure(a.Hi)
	kept := s.ticks[:0]
	for _, t := range s.ticks {
		if at := s.at(t); at >= -0.5 && at <= length+0.5 {
			kept = append(kept, t)
		}
	}
	s.ticks = kept
	return s
}

// thin leaves out ticks between the powers of ten if there are too many.
func thin(all []float64, most int) (kept []float64) {
	if len(all) <= most {
		return all
	}
	for i, t := range all {
		if _, part := math.Modf(math.Abs(math.Log10(t)) + 1e-9); part < 1e-6 || i == 0 || i == len(all)-1 {
			kept = append(kept, t)
		}
	}
	return kept
}

func (a *Axis) zone() *time.Location {
	if a.Zone != nil {
		return a.Zone
	}
	return time.Local
}

func (s *scale) measure(v float64) float64 {
	if s.axis.Log {
		return math.Log10(v)
	}
	return v
}

// at returns how far from the beginning of the axis a value is.
func (s *scale) at(v float64) float32 {
	return float32((s.measure(v) - s.lo) / (s.hi - s.lo) * float64(s.length))
}

// text describes a value of the axis.
func (a *Axis) text(v float64) string {
	if a.Format != nil {
		return a.Format(v)
	}
	switch a.Unit {
	case Clock:
		minute := int(math.Round(v * 60))
		return time.Date(2001, 1, 1, 0, minute%1440, 0, 0, time.UTC).Format("15:04")
	case Instant:
		return time.Unix(int64(v), 0).In(a.zone()).Format("15:04")
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
