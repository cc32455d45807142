package rate

import (
	"math"
	"time"
)

// Burst is the excess of events that soon follow when more have come than the hour
// tells:
//
//	λ(t) = Usual(t) + Excess · e^(−(t − At)/ebb)   from At on
//
// In 26 weeks of 800 feeds, of those posts that come beyond the expected ones within
// an hour or two, whatever the feed and the size of the burst, a third is the excess of
// the next such time. It has gone after half a day.
type Burst struct {
	Excess float64 // events per hour at At
	Came   float64 // events of late, older ones counting for less
	Times  float64 // as many as were expected
	At     time.Time
}

const (
	follows = 1.0 / 3 // of the excess goes on
	ebb     = 2.5     // h
	// ebbed is when nothing is left of a burst.
	ebbed = 12 * time.Hour
)

// Burst is the burst a source is in as of t.At, under its usual hours in loc.
func (t Tally) Burst(usual Profile, loc *time.Location) Burst {
	const long = time.Duration(again * float64(time.Hour)) // the memory the trace has
	quiet := t.At.Sub(t.Again.Last)
	if t.Again.Last.IsZero() || quiet < 0 || quiet > ebbed {
		return Burst{}
	}
	came := t.Again.Trace * math.Exp(-quiet.Hours()/again)
	expected := again * usual.Sample(t.At.Add(-2*long), 2*long, 1, loc)[0]
	return Burst{Excess: follows * max(0, came-expected) / again, Came: came, Times: came / expected, At: t.At}
}

// Events is how many events are expected to follow beyond the usual ones.
func (b Burst) Events() float64 { return b.Excess * ebb }

// Sudden reports whether a burst is worth planning for at once: more than one event and
// more than chance would bring, and something of it still to come.
func (b Burst) Sudden() bool { return b.Came >= 1.5 && b.Events() >= 0.5 && b.Times >= 2 }

// End is when nothing is left of it.
func (b Burst) End() time.Time { return b.At.Add(ebbed) }

// add adds the burst to the levels of bins from `from` on.
func (b Burst) add(levels []float64, from time.Time, bin time.Duration) {
	end := b.End()
	if b.Excess <= 0 || !from.Before(end) {
		return
	}
	left := func(k int) float64 { // what has ebbed by the beginning of bin k
		return math.Exp(-max(0, from.Add(time.Duration(k)*bin).Sub(b.At).Hours()) / ebb)
	}
	here := left(0)
	for k := range levels {
		next := left(k + 1)
		levels[k] += b.Excess * (here - next) * ebb / bin.Hours()
		here = next
		if !from.Add(time.Duration(k+1) * bin).Before(end) {
			return
		}
	}
}
