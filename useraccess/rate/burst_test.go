package rate

import (
	"math"
	"testing"
	"time"
)

// seen is a source watched for ten weeks with an event every four hours, and then with
// so many more in its last hour.
func seen(more int) Tally {
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

func (t Tally) burst() Burst { return t.Burst(t.Posterior(FeedPrior), nil) }

// A third of what has come beyond the usual goes on; the more there was, the more.
func TestBurstGrowsWithTheSurprise(t *testing.T) {
	if b := (Tally{}).burst(); b != (Burst{}) {
		t.Errorf("of nothing: %+v", b)
	}
	for _, more := range []int{0, 1} {
		if b := seen(more).burst(); b.Sudden() {
			t.Errorf("nothing unusual in %d more: %+v", more, b)
		}
	}
	last := 0.0
	for _, more := range []int{3, 6, 12, 48} {
		b := seen(more).burst()
		want := float64(more) / 2 // an hour's worth, each a little faded
		if !b.Sudden() || !(b.Events() > last) || math.Abs(b.Events()-want) > 0.4*want {
			t.Errorf("of %d more: %+v, %v events to come", more, b, b.Events())
		}
		last = b.Events()
	}
}

// A source that is always as busy is in no burst.
func TestBusyIsNoBurst(t *testing.T) {
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

// What is sampled is the usual and the excess e^(−u/ebb), whatever the bins, and after
// half a day the usual alone.
func TestBurstIsSampled(t *testing.T) {
	y := seen(20)
	b, usual := y.burst(), y.Posterior(FeedPrior)
	for _, bin := range []time.Duration{time.Minute, 5 * time.Minute, time.Hour} {
		n := int(24 * time.Hour / bin)
		with := usual.Sampler(nil).During(b).Sample(y.At, bin, n)
		without := usual.Sampler(nil).Sample(y.At, bin, n)
		excess := (sum(with) - sum(without)) * bin.Hours()
		if want := b.Events() * (1 - math.Exp(-12/ebb)); !near(excess, want, 1e-9) {
			t.Errorf("in bins of %v %v events more, want %v", bin, excess, want)
		}
		if k := n/2 + 1; with[k] != without[k] || !(with[0] > with[1]) {
			t.Errorf("in bins of %v it begins with %v and has %v instead of %v after it", bin, with[:2], with[k], without[k])
		}
	}
	// Seen later it is the same burst; before it there is none.
	s := usual.Sampler(nil).During(b)
	all, rest := s.Sample(y.At, time.Minute, 300), s.Sample(y.At.Add(time.Hour), time.Minute, 240)
	for k := range rest {
		if !near(all[60+k], rest[k], 1e-9) {
			t.Fatalf("in minute %d %v, seen an hour later %v", k, all[60+k], rest[k])
		}
	}
	if b := (Tally{At: y.At.Add(13 * time.Hour), Again: y.Again}).burst(); b.Sudden() || b.Excess > 0 {
		t.Errorf("half a day later: %+v", b)
	}
}
