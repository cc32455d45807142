package rate

import (
	"math"
	"testing"
	"time"
)

// tallyWithBurst returns the tally of a source watched for ten weeks with an event every four hours,
// and with more events in its last hour.
func tallyWithBurst(more int) Tally {
	end := epoch.AddDate(0, 0, 70)
	var events []time.Time
	for at := epoch; at.Before(end.Add(-time.Hour)); at = at.Add(4 * time.Hour) {
		events = append(events, at)
	}
	for k := range more {
		events = append(events, end.Add(-time.Hour+time.Duration(k)*time.Hour/time.Duration(more)))
	}
	var y Tally
	y.Add(nil, FeedHalfLife, epoch, end, events...)
	return y
}

func (t Tally) burst() Burst { return t.Burst(t.Rate(FeedPrior).Sampler(nil)) }

// A third of the excess goes on, so a larger excess makes a larger burst.
func TestBurstGrowsWithTheExcess(t *testing.T) {
	if b := (Tally{}).burst(); b != (Burst{}) {
		t.Errorf("burst of an empty tally: %+v", b)
	}
	for _, more := range []int{0, 1} {
		if b := tallyWithBurst(more).burst(); b.Sudden() {
			t.Errorf("%d more events are a burst: %+v", more, b)
		}
	}
	last := 0.0
	for _, more := range []int{3, 6, 12, 48} {
		b := tallyWithBurst(more).burst()
		want := float64(more) / 2 // those of one hour, slightly decayed
		if !b.Sudden() || !(b.Expected() > last) || math.Abs(b.Expected()-want) > 0.4*want {
			t.Errorf("%d more events: %+v, %v events expected", more, b, b.Expected())
		}
		last = b.Expected()
	}
}

// A source that is always busy is in no burst.
func TestBusySourceIsInNoBurst(t *testing.T) {
	var y Tally
	var events []time.Time
	end := epoch.AddDate(0, 0, 30)
	for at := epoch; at.Before(end); at = at.Add(5 * time.Minute) {
		events = append(events, at)
	}
	y.Add(nil, FeedHalfLife, epoch, end, events...)
	if b := y.burst(); b.Sudden() {
		t.Errorf("%+v", b)
	}
}

// Samples are the usual rate plus the excess e^(−u/burstDecay), for bins of any length, and after
// half a day the usual rate alone.
func TestSampleWithBurst(t *testing.T) {
	y := tallyWithBurst(20)
	b, usual := y.burst(), y.Rate(FeedPrior)
	for _, bin := range []time.Duration{time.Minute, 5 * time.Minute, time.Hour} {
		n := int(24 * time.Hour / bin)
		with := usual.Sampler(nil).WithBurst(b).Sample(y.At, bin, n)
		without := usual.Sampler(nil).Sample(y.At, bin, n)
		excess := (sum(with) - sum(without)) * bin.Hours()
		if want := b.Expected() * (1 - math.Exp(-12/burstDecay)); !near(excess, want, 1e-9) {
			t.Errorf("bins of %v: an excess of %v events, want %v", bin, excess, want)
		}
		if k := n/2 + 1; with[k] != without[k] || !(with[0] > with[1]) {
			t.Errorf("bins of %v: starts with %v, and has %v instead of %v after the burst", bin, with[:2], with[k], without[k])
		}
	}
	// Sampling from a later time gives the same rates.
	s := usual.Sampler(nil).WithBurst(b)
	all, rest := s.Sample(y.At, time.Minute, 300), s.Sample(y.At.Add(time.Hour), time.Minute, 240)
	for k := range rest {
		if !near(all[60+k], rest[k], 1e-9) {
			t.Fatalf("minute %d: %v, sampled an hour later %v", k, all[60+k], rest[k])
		}
	}
	if b := (Tally{At: y.At.Add(13 * time.Hour), Followers: y.Followers}).burst(); b.Sudden() || b.Excess > 0 {
		t.Errorf("burst half a day later: %+v", b)
	}
}
