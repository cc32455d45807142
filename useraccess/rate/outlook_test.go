package rate

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestOutlookWithoutHazardIsTheProfile(t *testing.T) {
	var y Tally
	y.Add(nil, FeedHalfLife, epoch, epoch.Add(90*time.Hour), epoch.Add(time.Hour), epoch.Add(80*time.Hour))
	from := epoch.Add(90 * time.Hour)
	o := y.Outlook(FeedPrior)
	want := y.Posterior(FeedPrior).Sample(from, 5*time.Minute, 576, nil)
	if !slices.Equal(o.Sample(from, 5*time.Minute, 576, nil), want) || !slices.Equal(o.Starts(from, 5*time.Minute, 576, nil), want) {
		t.Error("the outlook of a feed differs from its profile")
	}
	// As long as no access is known none makes others likely.
	got := Tally{}.Outlook(AccessPrior).Sample(from, time.Hour, 48, nil)
	want = Tally{}.Posterior(AccessPrior).Sample(from, time.Hour, 48, nil)
	if !slices.Equal(got, want) {
		t.Error("the outlook without accesses differs from the prior")
	}
}

// Who comes by the clock is expected at the same times however long ago they last came.
func TestOutlookOfTheRegularIsTheirRhythm(t *testing.T) {
	var events []time.Time
	for d := range 40 {
		events = append(events, epoch.AddDate(0, 0, d).Add(9*time.Hour+time.Duration(d%5)*time.Minute))
	}
	y := learned(&AccessPrior, nil, 40, events)
	from := epoch.AddDate(0, 0, 40)
	o := y.Outlook(AccessPrior)
	if got := sum(o.Sample(from.Add(8*time.Hour+45*time.Minute), 5*time.Minute, 6, nil)) / 12; got < 0.7 {
		t.Errorf("%.2f accesses are expected in the half hour in which there always is one", got)
	}
	if !slices.Equal(o.Sample(from, 5*time.Minute, 288, nil), o.Usual.Sample(from, 5*time.Minute, 288, nil)) || o.Last.IsZero() {
		t.Error("the outlook of somebody regular differs from their rhythm")
	}
}

// clustering is a hazard of events in clusters.
func clustering() Hazard {
	return Hazard{known: true, fade: 0.3, factor: [hazardBands]float64{20, 14, 10, 8, 5, 5, 6, 5, 4, 5, 5, 4}}
}

// waking is a rate of so many events a day, none at night.
func waking(perDay float64) Rate {
	var p Profile
	for h := range Hours {
		if h >= 7 && h < 23 {
			p.Weekday[h], p.Weekend[h] = perDay/16, perDay/16
		}
	}
	return Rate{Profile: p}
}

// drawn returns the hours at which events come, from an hour since on to an end, of usual rates and a
// hazard after an event at an hour last.
func drawn(r *rand.Rand, usual Rate, h Hazard, last, since, end float64) (events []float64) {
	const step = 1.0 / 60
	rates := usual.Sample(epoch, time.Minute, week*60, nil)
	rateAt := func(at float64) float64 { return rates[int(at*60+0.5)%len(rates)] }
	v := 0.0
	for at := last; at < since-step/2; at += step {
		v += max(0, rateAt(at)) * step
	}
	for at := since; at < end; at += step {
		x := rateAt(at)
		if x == 0 {
			continue
		}
		if r.Float64() < -math.Expm1(-h.expected(at-last, step, v, x*step, &fadedLast{})) {
			events, last, v = append(events, at), at, -x*step
		}
		v += x * step
	}
	return events
}

// The expectation over the coming two days is that of events drawn from the model, from any time after
// the last event, in bins of any length; and no events there are as likely as Starts tells.
func TestOutlookExpectsWhatTheModelDraws(t *testing.T) {
	const runs = 600
	r := rand.New(rand.NewPCG(1, 2))
	for _, since := range []float64{0.05, 0.4, 3, 10, 40} {
		o := Outlook{Usual: waking(6), Hazard: clustering(), Last: epoch.Add(10 * time.Hour)}
		from := 10 + since
		at := epoch.Add(time.Duration(from * float64(time.Hour)))
		var came, squares, some [5]float64
		ends := [5]float64{0.5, 2, 8, 24, 48}
		for range runs {
			events := drawn(r, o.Usual, o.Hazard, 10, from, from+48)
			for k, e := range ends {
				n := 0
				for _, x := range events {
					if x < from+e {
						n++
					}
				}
				came[k] += float64(n) / runs
				squares[k] += float64(n*n) / runs
				some[k] += float64(min(n, 1)) / runs
			}
		}
		for k, e := range ends {
			want := came[k]
			allowed := 0.02 + 0.03*want + 3.5*math.Sqrt((squares[k]-want*want)/runs)
			for _, bin := range []time.Duration{5 * time.Minute, 15 * time.Minute, 30 * time.Minute} {
				n := int(time.Duration(e*float64(time.Hour)) / bin)
				got := sum(o.Sample(at, bin, n, nil)) * bin.Hours()
				if math.Abs(got-want) > allowed {
					t.Errorf("%v h after an event, %v h in bins of %v: %.3f expected, %.3f drawn", since, e, bin, got, want)
				}
				none := math.Exp(-sum(o.Starts(at, bin, n, nil)) * bin.Hours())
				if e <= quietHours && math.Abs(1-none-some[k]) > 0.07 {
					t.Errorf("%v h after an event, %v h in bins of %v: some with %.3f, drawn %.3f", since, e, bin, 1-none, some[k])
				}
			}
		}
	}
}

// Any state and any clock give rates that are finite and not negative, and the bins of a time sum up alike.
func TestOutlookIsNeverOff(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		var y Tally
		at := time.Date(2025, 10, 20, 0, 0, 0, 0, time.UTC)
		for range r.IntN(60) {
			jump := time.Duration(r.NormFloat64() * float64(9*time.Hour))
			if r.IntN(20) == 0 {
				jump *= 1000
			}
			y.Learn(&AccessPrior, berlin, at, at.Add(jump), at.Add(jump/2))
			at = at.Add(jump)
		}
		o := y.Outlook(AccessPrior)
		if r.IntN(4) == 0 {
			o.Last = at.Add(time.Duration(r.Int64N(int64(1e15))))
		}
		for _, bin := range []time.Duration{7 * time.Minute, 5 * time.Minute, 40 * time.Minute, 7 * time.Hour} {
			n := int(56*time.Hour/bin) + 1
			for _, rates := range [][]float64{o.Sample(at, bin, n, berlin), o.Starts(at, bin, n, berlin), o.StartsCircle(n, time.Hour)} {
				if len(rates) != n {
					t.Fatalf("%d rates, want %d", len(rates), n)
				}
				for k, x := range rates {
					if !(x >= 0) || math.IsInf(x, 0) {
						t.Fatalf("bin %d of %v: %v; %+v", k, bin, x, y.Waits)
					}
				}
			}
		}
		fine, wide := sum(o.Sample(at, 5*time.Minute, 576, berlin))/12, sum(o.Sample(at, time.Hour, 48, berlin))
		if !near(fine, wide, 1e-6+5e-3*fine) {
			t.Errorf("two days in bins of 5 minutes: %v, in hours: %v", fine, wide)
		}
	}
}

// From many data the hazard is recovered despite the prior; from few it is the prior's.
func TestHazardIsLearned(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	if got, want := (Tally{}).Outlook(AccessPrior).Hazard.factor[1], AccessPrior.Hazard.of(1, AccessPrior.Alpha/AccessPrior.Beta); !near(got, want, 1e-9) {
		t.Errorf("without accesses %v, prior %v", got, want)
	}
	prior, hazard := AccessPrior, *AccessPrior.Hazard
	hazard.Fade = 0
	prior.HalfLife, prior.Hazard = 0, &hazard
	unfaded := Hazard{known: true, factor: [hazardBands]float64{8, 4, 3, 2, 1.2, 0.8, 0.7, 0.9, 0.6, 0.5, 0.4, 0.3}}
	const days = 700
	var usual Rate
	for h := range Hours {
		usual.Weekday[h], usual.Weekend[h] = 8.0/Hours, 8.0/Hours
	}
	var y Tally
	var events []time.Time
	for _, h := range drawn(r, usual, unfaded, 0, 0, days*Hours) {
		events = append(events, epoch.Add(time.Duration(h*float64(time.Hour))))
	}
	y.Learn(&prior, nil, epoch, epoch.AddDate(0, 0, days), events...)
	o := y.Outlook(prior)
	scale := o.Usual.Mean() / usual.Mean() // usual means how often they come, not the model's factor of 1
	for k, f := range o.Hazard.factor {
		if y.Waits.Came[k] > 100 && math.Abs(f*scale/unfaded.factor[k]-1) > 0.25 {
			t.Errorf("band from %v h: %.2f, want %.2f, of %v", hazardFrom[k], f*scale, unfaded.factor[k], y.Waits.Came[k])
		}
	}
}

// Learned at once or in pieces, as many were waited for.
func TestWaitsAreAdditive(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var events []time.Time
	for _, h := range drawn(r, waking(5), clustering(), 8, 8, 30*Hours) {
		events = append(events, epoch.Add(time.Duration(h*float64(time.Hour))))
	}
	end := epoch.AddDate(0, 0, 31)
	var whole, pieces Tally
	whole.Learn(&AccessPrior, nil, epoch, end, events...)
	for from := epoch; from.Before(end); from = from.Add(31 * time.Hour) {
		to := from.Add(31 * time.Hour)
		if to.After(end) {
			to = end
		}
		pieces.Learn(&AccessPrior, nil, from, to, between(events, from, to)...)
	}
	for k := range hazardBands {
		a, b := whole.Waits, pieces.Waits
		if !near(a.Came[k], b.Came[k], 1e-6) || math.Abs(a.Expected[k]-b.Expected[k]) > 0.05*a.Expected[k]+0.01 {
			t.Errorf("band from %v h: %v of %v, in pieces %v of %v", hazardFrom[k], a.Came[k], a.Expected[k], b.Came[k], b.Expected[k])
		}
	}
	before := whole.Waits
	whole.Learn(&AccessPrior, nil, epoch, epoch.Add(time.Hour), epoch.Add(time.Minute))
	if whole.Waits.Came != before.Came {
		t.Errorf("an event out of order was waited for: %+v, was %+v", whole.Waits, before)
	}
}

// A tally stored before hazards were learned can be read and continued.
func TestTallyWithoutWaitsIsRead(t *testing.T) {
	var y Tally
	old := `{"at":"2026-03-02T00:00:00Z","count":[[1,2],[3]],"watch":[[10,10],[10]],"recent":{"count":1,"watch":5},
		"again":{"count":1,"events":3,"trace":2,"last":"2026-03-01T20:00:00Z"}}`
	if err := json.Unmarshal([]byte(old), &y); err != nil {
		t.Fatal(err)
	}
	o := y.Outlook(AccessPrior)
	if want := AccessPrior.Hazard.of(3, o.LongRun); !near(o.Hazard.factor[3], want, 1e-12) || o.Last.IsZero() {
		t.Fatalf("%+v", o)
	}
	y.Learn(&AccessPrior, nil, epoch, epoch.Add(2*time.Hour), epoch.Add(time.Hour), epoch.Add(90*time.Minute))
	if o := y.Outlook(AccessPrior); !o.Last.Equal(epoch.Add(90*time.Minute)) || y.Waits.Came[2] == 0 {
		t.Fatalf("%+v", y.Waits)
	}
}

func BenchmarkOutlook9Days(b *testing.B) {
	var y Tally
	y.Learn(&AccessPrior, nil, epoch, epoch.Add(1000*time.Hour), epoch.Add(999*time.Hour))
	o := y.Outlook(AccessPrior)
	for b.Loop() {
		o.Sample(epoch.Add(1000*time.Hour), 5*time.Minute, 9*288, time.UTC)
	}
}

// Accesses by chance make none likely and none unlikely: long after the last one the outlook is nearly the
// profile. For accesses in clusters it is much lower, until the next cluster begins.
func TestNoLullsWithoutClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	lull := func(cluster int) float64 {
		var y Tally
		var events []time.Time
		for at := epoch; at.Before(epoch.Add(60 * 24 * time.Hour)); at = at.Add(time.Duration(r.ExpFloat64() * float64(cluster) * 3 * float64(time.Hour))) {
			for k := range cluster {
				events = append(events, at.Add(time.Duration(k)*15*time.Minute))
			}
		}
		slices.SortFunc(events, time.Time.Compare)
		end := events[len(events)-1].Add(time.Hour)
		y.Learn(&AccessPrior, nil, epoch, end, events...)
		o, late := y.Outlook(AccessPrior), end.Add(2*time.Hour)
		return sum(o.Sample(late, 15*time.Minute, 1, nil)) / sum(o.Usual.Sample(late, 15*time.Minute, 1, nil))
	}
	chance, clusters := lull(1), lull(4)
	if chance < 0.6 || clusters > 0.45 {
		t.Errorf("long after the last access the rate is %.2f of the usual by chance, %.2f in clusters", chance, clusters)
	}
}
