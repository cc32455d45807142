package rate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// dates returns the events of a rule that, for each day from epoch on, says at which hours of the wall
// clock there are any.
func datesOf(r *rand.Rand, days int, rule func(r *rand.Rand, day int) []float64) (events []time.Time) {
	for d := range days {
		for _, h := range rule(r, d) {
			events = append(events, epoch.AddDate(0, 0, d).Add(time.Duration(h*float64(time.Hour))))
		}
	}
	slices.SortFunc(events, time.Time.Compare)
	return events
}

// learned returns the tally of a source watched for days from epoch on.
func learned(p *Prior, loc *time.Location, days int, events []time.Time) (t Tally) {
	for d := range days {
		day := epoch.AddDate(0, 0, d)
		t.Learn(p, loc, day, day.AddDate(0, 0, 1), between(events, day, day.AddDate(0, 0, 1))...)
	}
	return t
}

// expectedIn returns how many events a rate expects between two hours after a time, per day or week.
func expectedIn(r Rate, from time.Time, a, b float64) float64 {
	return r.Sample(from.Add(time.Duration(a*float64(time.Hour))), time.Duration((b-a)*float64(time.Hour)), 1, nil)[0] * (b - a)
}

// What regular sources do is expected of them, after as many events as a person would need.
func TestRhythmsAreLearned(t *testing.T) {
	weekday := func(d int) bool { return d%7 < 5 }
	for name, c := range map[string]struct {
		prior      *Prior
		days       int
		rule       func(r *rand.Rand, day int) []float64
		from, a, b float64 // the day from epoch on, and the hours in which it is expected
		least      float64 // share of what is expected in the whole week there, or per day
		days7      bool    // the hours are those of every day
	}{
		"daily at 9, two weeks":   {&FeedPrior, 14, func(r *rand.Rand, _ int) []float64 { return []float64{9 + r.Float64()/2} }, 0, 8.75, 9.75, 0.75, true},
		"daily at 9, half a year": {&FeedPrior, 180, func(r *rand.Rand, _ int) []float64 { return []float64{9 + r.Float64()/2} }, 0, 8.75, 9.75, 0.85, true},
		"weekly, six weeks": {&FeedPrior, 42, func(r *rand.Rand, d int) []float64 {
			if d%7 != 4 {
				return nil
			}
			return []float64{16 + r.Float64()/4}
		}, 4, 15.5, 16.75, 0.5, false},
		"changed two weeks ago": {&AccessPrior, 74, func(r *rand.Rand, d int) []float64 {
			if d < 60 {
				return []float64{6 + r.Float64()/4}
			}
			return []float64{14 + r.Float64()/4}
		}, 0, 13.75, 14.5, 0.6, true},
		"workdays early, weekends late": {&AccessPrior, 28, func(r *rand.Rand, d int) []float64 {
			if weekday(d) {
				return []float64{8.6 + r.Float64()/4}
			}
			return []float64{11 + r.Float64()/4}
		}, 5, 10.75, 11.5, 0.6 / 7, false},
		"hourly at :05": {&FeedPrior, 14, func(r *rand.Rand, _ int) (all []float64) {
			for h := range 24 {
				all = append(all, float64(h)+5.0/60+r.Float64()/60)
			}
			return all
		}, 0, 12, 12.25, 0.6 / 24, true},
	} {
		events := datesOf(rand.New(rand.NewPCG(1, 2)), c.days, c.rule)
		tally := learned(c.prior, nil, c.days, events)
		rate := tally.Rate(*c.prior)
		share := 0.0
		for d := range 7 {
			if c.days7 || d == int(c.from) {
				share += expectedIn(rate, epoch.AddDate(0, 0, 7*100+d), c.a, c.b)
			}
		}
		share /= rate.Mean() * week
		before := tally.Posterior(*c.prior)
		t.Logf("%s: %.2f (of the profile %.2f)", name, share, before.Mean())
		if share < c.least {
			t.Errorf("%s: %.3f of the events are expected when they come, want %.3f; %v", name, share, c.least, tally.Rhythm.Weight)
		}
	}
}

// Whatever happens, the mixture foretells the times of events no worse than a constant rate by more
// than the stated bound; every rate is positive, and its mean is that of the profile.
func TestRhythmIsNeverMuchWorseThanAConstantRate(t *testing.T) {
	histories := 10_000
	if testing.Short() {
		histories = 1000
	}
	perEvent := -math.Log(1 - rhythmShare)
	for seed := range uint64(histories) {
		r := rand.New(rand.NewPCG(seed, 3))
		var rhythm Rhythm
		smooth := AccessPrior.Shape
		if r.IntN(2) == 0 {
			smooth = randomProfile(seed).normalized()
		}
		score, n := 0.0, 0
		at := int32(29_000_000 + r.IntN(weekMinutes))
		adversary := r.IntN(3) == 0
		habit, sd := r.IntN(dayMinutes), 1+r.IntN(90)
		for range 5 + r.IntN(40) {
			next := at
			switch {
			case adversary: // where the mixture believes least
				least := math.Inf(1)
				for range 4 {
					m := at + int32(clusterMinutes) + int32(r.IntN(2*dayMinutes))
					weight := slices.Clone(rhythm.weights())
					if x := rhythm.update(weight, m, smooth.at(float64(weekMinute(m))/60)); x < least {
						least, next = x, m
					}
				}
			case r.IntN(4) == 0: // by chance
				next = at + int32(clusterMinutes) + int32(r.IntN(4*dayMinutes))
			default: // by habit, which changes now and then
				if r.IntN(20) == 0 {
					habit = r.IntN(dayMinutes)
				}
				next = at - at%dayMinutes + dayMinutes*int32(1+r.IntN(2)) + int32(habit) + int32(r.NormFloat64()*float64(sd))
				next = max(next, at+clusterMinutes)
			}
			x := smooth.at(float64(weekMinute(next)) / 60)
			weight := slices.Clone(rhythm.weights())
			likely := rhythm.update(weight, next, x)
			if !(likely > 0) || math.IsInf(likely, 0) {
				t.Fatalf("history %d: a time is %v times as likely as any", seed, likely)
			}
			score, n = score+math.Log(likely), n+1
			rhythm = rhythm.after(next, x)
			at = next
			if bound := (-math.Log(flatWeight) + float64(n)*perEvent) / rhythmStep; score < -bound {
				t.Fatalf("history %d: after %d events the mixture is %.2f nats worse than a constant rate, the bound is %.2f", seed, n, -score, bound)
			}
		}
	}
}

// A rate sharpened by a rhythm has the profile's mean and is nowhere 0, whatever the history.
func TestSharpRatesConserveMass(t *testing.T) {
	loc := loadZone(t, "Europe/Berlin")
	sharp := 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 4))
		habit, sd, every := r.Float64()*24, r.Float64(), 1+r.IntN(7)
		days := 1 + r.IntN(60)
		events := datesOf(r, days, func(r *rand.Rand, d int) []float64 {
			if d%every != 0 {
				return nil
			}
			return []float64{habit + sd*r.NormFloat64()}
		})
		tally := learned(&AccessPrior, loc, days, events)
		rate := tally.Rate(AccessPrior)
		if len(rate.sharp) > 0 {
			sharp++
		}
		from := epoch.AddDate(0, 0, days).Add(time.Duration(r.IntN(1000)) * time.Minute)
		levels := rate.Sample(from, 5*time.Minute, weekBins, nil)
		if !near(sum(levels)/weekBins, rate.Mean(), 1e-9) || slices.Min(levels) <= 0 {
			t.Fatalf("history %d: mean %v of a week, %v of the profile; the least is %v", seed, sum(levels)/weekBins, rate.Mean(), slices.Min(levels))
		}
		for _, n := range []int{24, 288, 96} {
			if circle := rate.Circle(n, 90*time.Minute); !near(sum(circle)/float64(n), rate.Mean(), 1e-9) {
				t.Fatalf("history %d: mean %v of the circle, %v of the profile", seed, sum(circle)/float64(n), rate.Mean())
			}
		}
	}
	if sharp < 10 {
		t.Errorf("%d of 100 histories have a sharp rate", sharp)
	}
}

// Hours are those of the wall clock: when it changes, the habit moves with it.
func TestRhythmFollowsTheWallClock(t *testing.T) {
	loc := loadZone(t, "Europe/Berlin")
	var y Tally
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, loc)
	for d := range 40 { // the clocks change on day 28
		day := start.AddDate(0, 0, d)
		y.Learn(&AccessPrior, loc, day, start.AddDate(0, 0, d+1), time.Date(2026, 3, 1+d, 7, 40, 0, 0, loc))
	}
	for _, day := range []time.Time{time.Date(2026, 4, 14, 7, 30, 0, 0, loc), time.Date(2026, 11, 3, 7, 30, 0, 0, loc)} {
		if got := y.Rate(AccessPrior).Sample(day, 20*time.Minute, 1, loc)[0] / 3; got < 0.6 {
			t.Errorf("%.2f accesses are expected between 7:30 and 7:50 on %v", got, day)
		}
	}
}

// Sources without a rhythm cost what the profile costs.
func TestIrregularSourcesKeepTheirProfile(t *testing.T) {
	kept := 0
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 5))
		var events []time.Time
		for at := epoch; at.Before(epoch.AddDate(0, 0, 60)); at = at.Add(time.Duration(r.ExpFloat64() * 8 * float64(time.Hour))) {
			events = append(events, at)
		}
		if rate := learned(&FeedPrior, nil, 60, events).Rate(FeedPrior); len(rate.sharp) == 0 {
			kept++
		}
	}
	t.Logf("%d of 50 keep their profile", kept)
	if kept < 25 {
		t.Errorf("%d of 50 sources that post by chance keep their profile", kept)
	}
}

func BenchmarkLearn(b *testing.B) {
	var y Tally
	at := epoch
	for b.Loop() {
		y.Learn(&FeedPrior, time.UTC, at, at.Add(time.Hour), at.Add(time.Minute))
		at = at.Add(time.Hour)
	}
}

func BenchmarkSharpSample48h(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	tally := learned(&FeedPrior, nil, 120, datesOf(r, 120, func(r *rand.Rand, _ int) []float64 { return []float64{9 + r.Float64()/2} }))
	for b.Loop() {
		tally.Rate(FeedPrior).Sampler(time.UTC).Sample(epoch, 5*time.Minute, 864)
	}
}
