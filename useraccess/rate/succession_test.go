package rate

import (
	"math"
	"math/rand/v2"
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

// succession returns what the tally's last events tell.
func succession(t *Tally) (usual *Sampler, s Succession) {
	usual = t.RateAfter(FeedPrior, t.At.Sub(t.Followers.Last)).Sampler(nil)
	return usual, t.Succession(&FeedPrior, usual, t.Followers.Last)
}

// expectedFor returns how many events are expected in so many hours from a time on.
func expectedFor(usual *Sampler, s Succession, from time.Time, hours int) float64 {
	return sum(usual.without().Given(s).Sample(from, 5*time.Minute, 12*hours)) / 12
}

// A source of which nothing is known, or no event, is as the prior says.
func TestNoSuccession(t *testing.T) {
	var silent Tally
	silent.Learn(&FeedPrior, nil, epoch, epoch.AddDate(0, 0, 9))
	for _, y := range []Tally{{}, silent} {
		usual := y.Rate(FeedPrior).Sampler(nil)
		s := y.Succession(&FeedPrior, usual, time.Time{})
		if s != (Succession{}) || s.Sudden(usual) || y.MayBurst() {
			t.Errorf("%+v", s)
		}
		a, b := usual.Sample(epoch, time.Hour, 48), usual.without().Given(s).Sample(epoch, time.Hour, 48)
		for k := range a {
			if a[k] != b[k] {
				t.Fatalf("hour %d: %v, usual %v", k, b[k], a[k])
			}
		}
	}
}

// More events than usual are a burst, and the more there are, the more follow.
func TestSuccessionOfABurst(t *testing.T) {
	for _, more := range []int{0, 1} {
		y := tallyWithBurst(more)
		if usual, s := succession(&y); s.Sudden(usual) {
			t.Errorf("%d more events are a burst: %+v", more, s)
		}
	}
	last := 0.0
	for _, more := range []int{3, 6, 12, 48} {
		y := tallyWithBurst(more)
		usual, s := succession(&y)
		got := expectedFor(usual, s, y.At, 6)
		if !s.Sudden(usual) || got <= last || got > 6+float64(more) {
			t.Errorf("%d more events: %v expected in six hours, sudden is %v", more, got, s.Sudden(usual))
		}
		last = got
	}
	y := tallyWithBurst(12)
	y.Add(nil, FeedHalfLife, y.At, y.At.Add(13*time.Hour))
	if usual, s := succession(&y); s.Sudden(usual) {
		t.Errorf("it is still one half a day later: %+v", s)
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
	if usual, s := succession(&y); s.Sudden(usual) {
		t.Errorf("%+v", s)
	}
}

// watched returns the tally of a source that somebody looks at every so often, and how many events were expected and came
// between two looks, and in the day after each, from a day on.
func watched(events []time.Time, days, after int, every time.Duration) (y Tally, expected, came, ahead, follow float64) {
	end := epoch.AddDate(0, 0, days)
	for at := epoch; at.Before(end); at = at.Add(every) {
		if at.Sub(epoch) > time.Duration(after)*24*time.Hour && !y.Followers.Last.IsZero() {
			usual, s := succession(&y)
			expected += sum(usual.without().Given(s).Sample(at, 5*time.Minute, int(every/(5*time.Minute)))) / 12
			came += float64(len(between(events, at, at.Add(every))))
			ahead += expectedFor(usual, s, at, 24)
			follow += float64(len(between(events, at, at.AddDate(0, 0, 1))))
		}
		y.Learn(&FeedPrior, nil, at, at.Add(every), between(events, at, at.Add(every))...)
	}
	return y, expected, came, ahead, follow
}

// However a source posts, about as many events are expected as come: of independent ones and of a timer that drifts. What a timer
// of one a day does after the next event is told least well: no class of real feeds is like that.
func TestSuccessionKeepsTotals(t *testing.T) {
	const days = 200
	r := rand.New(rand.NewPCG(28, 5))
	independent := func(perDay float64) (events []time.Time) {
		for at := 0.0; at < days; at += r.ExpFloat64() / perDay {
			events = append(events, epoch.Add(time.Duration(at*24*float64(time.Hour))))
		}
		return events
	}
	regular := func(perDay float64) (events []time.Time) {
		for at := 0.0; at < days; at += (0.9 + 0.2*r.Float64()) / perDay {
			events = append(events, epoch.Add(time.Duration(at*24*float64(time.Hour))))
		}
		return events
	}
	for name, events := range map[string][]time.Time{
		"independent, 1 a day": independent(1), "independent, 6": independent(6), "independent, 40": independent(40),
		"regular, 1 a day": regular(1), "regular, 6": regular(6), "regular, 40": regular(40),
	} {
		_, expected, came, ahead, follow := watched(events, days, 60, 4*time.Hour)
		t.Logf("%s: observed over expected %.3f until the next look, %.3f a day ahead", name, came/expected, follow/ahead)
		if x := came / expected; x < 0.88 || x > 1.12 {
			t.Errorf("%s: %v expected, %v came", name, expected, came)
		}
		least := 0.88
		if name == "regular, 1 a day" {
			least = 0.7
		}
		if x := follow / ahead; x < least || x > 1.12 {
			t.Errorf("%s: %v expected a day ahead, %v came", name, ahead, follow)
		}
	}
}

// Who posts once a day and has posted today posts no more today; who is late is awaited.
func TestOnceADay(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 6))
	for _, spread := range []float64{0.25, 1, 4} { // hours
		events := datesOf(r, 62, func(r *rand.Rand, _ int) []float64 { return []float64{9 + spread*(r.Float64()-0.5)} })
		end := epoch.AddDate(0, 0, 61)
		y, _, _, _, _ := watched(between(events, epoch, end), 61, 99, 4*time.Hour)
		usual, s := succession(&y)
		nextDay := expectedFor(usual, s, end, 24)
		// The next post comes, and is seen at noon.
		y.Learn(&FeedPrior, nil, end, end.Add(12*time.Hour), between(events, end, end.Add(12*time.Hour))...)
		usual, s = succession(&y)
		today, tomorrow := expectedFor(usual, s, y.At, 16), expectedFor(usual, s, y.At.Add(16*time.Hour), 12)
		t.Logf("within %v hours: %.2f in the next day; seen at noon: %.2f until 4 o'clock, then %.2f", spread, nextDay, today, tomorrow)
		if today > 0.15 || tomorrow < 0.5 || nextDay < 0.7 || nextDay > 1.4 {
			t.Errorf("within %v hours: %v expected in the next day, %v until 4 o'clock after today's, then %v", spread, nextDay, today, tomorrow)
		}
	}
}

// Whatever the clock does, rates are numbers, and never negative.
func TestSuccessionOfWrongClocks(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 7))
	anyTime := func() time.Time { return epoch.Add(time.Duration((r.Float64() - 0.3) * 400 * 24 * float64(time.Hour))) }
	for range 300 {
		var y Tally
		for range r.IntN(12) {
			from := anyTime()
			to := from.Add(time.Duration(r.ExpFloat64() * 9 * float64(time.Hour)))
			var events []time.Time
			for range r.IntN(9) * r.IntN(9) {
				events = append(events, from.Add(time.Duration(r.Float64()*float64(to.Sub(from)))))
			}
			y.Learn(&FeedPrior, nil, from, to, append(events, anyTime())...)
		}
		for b := range y.Own.Count {
			if c, e := y.Own.Count[b], y.Own.Expected[b]; !(c >= 0) || !(e >= 0) || math.IsInf(c+e, 0) {
				t.Fatalf("%+v", y.Own)
			}
		}
		usual := y.RateAfter(FeedPrior, time.Duration(r.Float64()*float64(60*24*time.Hour))).Sampler(nil)
		s := y.Succession(&FeedPrior, usual, anyTime())
		s.Sudden(usual)
		from := anyTime()
		for _, bin := range []time.Duration{time.Second, 5 * time.Minute, 3 * time.Hour, 40 * time.Hour} {
			for k, x := range usual.Given(s).Sample(from, bin, 600) {
				if !(x >= 0) || x > 1e5 {
					t.Fatalf("bin %d of %v from %v: %v under %+v", k, bin, from, x, s)
				}
			}
		}
	}
}

// What is expected of bins does not depend on how wide they are, but for the width of the first.
func TestSuccessionOfBins(t *testing.T) {
	y := tallyWithBurst(2)
	usual, s := succession(&y)
	usual.Given(s)
	fine, coarse := usual.Sample(y.At.Add(time.Hour), 5*time.Minute, 48*12), usual.Sample(y.At.Add(time.Hour), 30*time.Minute, 48*2)
	if a, b := sum(fine)/12, sum(coarse)/2; !near(a, b, 0.02) {
		t.Errorf("%v expected in bins of 5 minutes, %v of 30", a, b)
	}
}

// A bin costs little beside the usual rate.
func BenchmarkSuccession(b *testing.B) {
	y := tallyWithBurst(2)
	usual := y.Rate(FeedPrior).Sampler(nil)
	out := make([]float64, 0, 9*288)
	for b.Loop() {
		s := y.Succession(&FeedPrior, usual, y.Followers.Last)
		out = usual.Given(s).SampleInto(out, y.At, 5*time.Minute, 3*288)
	}
}

func BenchmarkUsual(b *testing.B) {
	y := tallyWithBurst(2)
	usual := y.Rate(FeedPrior).Sampler(nil)
	out := make([]float64, 0, 9*288)
	for b.Loop() {
		out = usual.SampleInto(out, y.At, 5*time.Minute, 3*288)
	}
}

func BenchmarkLearnSilence(b *testing.B) {
	y := tallyWithBurst(2)
	for b.Loop() {
		z := y
		z.Learn(&FeedPrior, nil, y.At, y.At.Add(6*time.Hour))
	}
}
