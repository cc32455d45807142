package rate

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

var epoch = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC) // a Monday

func near(a, b, rel float64) bool { return math.Abs(a-b) <= rel*max(math.Abs(a), math.Abs(b)) }

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

// randomProfile returns a profile of random levels.
func randomProfile(seed uint64) (p Profile) {
	r := rand.New(rand.NewPCG(seed, 2))
	for h := range Hours {
		p.Weekday[h], p.Weekend[h] = r.Float64(), 2*r.Float64()
	}
	return p
}

func loadZone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	return loc
}

func TestCircleAndSampleConserveMass(t *testing.T) {
	for seed := range uint64(20) {
		p := randomProfile(seed)
		for _, n := range []int{1, 7, 24, 96, 288, 1440} {
			for _, offset := range []time.Duration{0, 90 * time.Minute, -11 * time.Hour, 14 * time.Hour} {
				if got := sum(p.Circle(n, offset)) / float64(n); !near(got, p.Mean(), 1e-12) {
					t.Fatalf("mean of %d bins at offset %v: %v, of the profile %v", n, offset, got, p.Mean())
				}
			}
		}
		for _, bin := range []time.Duration{5 * time.Minute, time.Hour, 7 * time.Hour} {
			n := int(7 * 24 * time.Hour / bin)
			from := epoch.Add(time.Duration(seed) * 97 * time.Minute)
			if got := sum(p.Sample(from, bin, n, time.UTC)) / float64(n); !near(got, p.Mean(), 1e-9) {
				t.Fatalf("mean of a week in bins of %v: %v, of the profile %v", bin, got, p.Mean())
			}
		}
	}
}

func TestSampleIsLinearBetweenCenters(t *testing.T) {
	var p Profile
	p.Weekday[8], p.Weekday[9] = 2, 6
	at := func(clock time.Duration) float64 {
		return p.Sample(epoch.Add(clock), time.Microsecond, 1, nil)[0]
	}
	for _, c := range []struct {
		clock time.Duration
		want  float64
	}{{8*time.Hour + 30*time.Minute, 2}, {9 * time.Hour, 4}, {9*time.Hour + 30*time.Minute, 6}, {8 * time.Hour, 1}, {12 * time.Hour, 0}} {
		if got := at(c.clock); math.Abs(got-c.want) > 1e-3 {
			t.Errorf("at %v: %v, want %v", c.clock, got, c.want)
		}
	}
}

func TestCircleShiftsByOffset(t *testing.T) {
	var p Profile
	p.Weekday[8], p.Weekend[8] = 1, 1
	c := p.Circle(24, 2*time.Hour)
	best := 0
	for k := range c {
		if c[k] > c[best] {
			best = k
		}
	}
	if best != 6 {
		t.Fatalf("08:30 on a wall clock of UTC+2 is in bin %d, want 6", best)
	}
}

// Weekdays and hours are those of the wall clock, on days on which the clocks change, too.
func TestSampleFollowsTheWallClock(t *testing.T) {
	loc := loadZone(t, "Europe/Berlin")
	var p Profile
	for h := range Hours {
		p.Weekday[h], p.Weekend[h] = float64(h), 100+float64(h)
	}
	days := map[string]struct {
		day   time.Time
		hours int
	}{
		"plain":  {time.Date(2026, 3, 24, 0, 0, 0, 0, loc), 24},
		"spring": {time.Date(2026, 3, 29, 0, 0, 0, 0, loc), 23},
		"autumn": {time.Date(2026, 10, 25, 0, 0, 0, 0, loc), 25},
	}
	for name, d := range days {
		half := 2 * d.hours
		for k, got := range p.Sample(d.day, 30*time.Minute, half, loc) {
			mid := d.day.Add(time.Duration(k)*30*time.Minute + 15*time.Minute).In(loc)
			want := float64(mid.Hour()) + float64(mid.Minute())/60 - 0.5
			if wd := mid.Weekday(); wd == time.Saturday || wd == time.Sunday {
				want += 100
			}
			if mid.Hour() == 0 || mid.Hour() == 23 {
				continue // joined to the level beyond midnight
			}
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: bin at %v is %v, want %v", name, mid, got, want)
			}
		}
	}
	// The mean of a whole day that has no hour 2 leaves that hour out.
	var two Profile
	two.Weekend[2] = 1
	spring := days["spring"].day
	whole := two.Sample(spring, 23*time.Hour, 1, loc)[0] * 23
	if math.Abs(whole-0.25) > 1e-9 {
		t.Errorf("a day without the third hour has %v events, want the 0.25 beside it", whole)
	}
	if autumn := two.Sample(days["autumn"].day, 25*time.Hour, 1, loc)[0] * 25; math.Abs(autumn-1.75) > 1e-9 {
		t.Errorf("a day with two third hours has %v events, want 1.75", autumn)
	}
}

func TestTallyCountsAndFades(t *testing.T) {
	half := 10 * 24 * time.Hour
	var y Tally
	from, to := epoch, epoch.Add(48*time.Hour)
	y.Add(nil, 0, from, to, from, from.Add(30*time.Hour), to, from.Add(-time.Second))
	if y.Events() != 2 || !near(y.Exposure(), 48, 1e-12) {
		t.Fatalf("%v events in %v h, want 2 in 48 (events at the end and before the start do not count)", y.Events(), y.Exposure())
	}
	if y.Count[0][0] != 1 || y.Count[0][6] != 1 || !near(y.Watch[0][5], 2, 1e-12) || y.Watch[1][5] != 0 {
		t.Fatalf("wrong hours: %v", y)
	}
	y.Add(nil, half, to.Add(half), to.Add(half+time.Nanosecond))
	if !near(y.Events(), 1, 1e-9) || !near(y.Exposure(), 24, 1e-9) {
		t.Fatalf("after a half-life %v events in %v h, want 1 in 24", y.Events(), y.Exposure())
	}
}

// Adding data in one go, in pieces or out of order gives the same tally.
func TestTallyIsAdditive(t *testing.T) {
	loc := loadZone(t, "America/New_York")
	half := 20 * 24 * time.Hour
	r := rand.New(rand.NewPCG(3, 4))
	end := epoch.Add(30 * 24 * time.Hour) // across the change of 8 March
	var events []time.Time
	for range 200 {
		events = append(events, epoch.Add(time.Duration(r.Int64N(int64(30*24*time.Hour)))))
	}
	var whole, pieces Tally
	whole.Add(loc, half, epoch, end, events...)
	for from := epoch; from.Before(end); {
		to := from.Add(time.Duration(1 + r.Int64N(int64(40*time.Hour))))
		if to.After(end) {
			to = end
		}
		pieces.Add(loc, half, from, to, events...)
		from = to
	}
	if !near(whole.Events(), pieces.Events(), 1e-9) || !near(whole.Recent.Count, pieces.Recent.Count, 1e-9) {
		t.Fatalf("%v and %v events", whole.Events(), pieces.Events())
	}
	for d := range whole.Watch {
		for h := range Hours {
			if !near(whole.Watch[d][h], pieces.Watch[d][h], 2e-4) || !near(whole.Count[d][h], pieces.Count[d][h], 1e-9) {
				t.Fatalf("day kind %d hour %d: %v and %v hours, %v and %v events", d, h, whole.Watch[d][h], pieces.Watch[d][h], whole.Count[d][h], pieces.Count[d][h])
			}
		}
	}
	var late Tally
	late.Add(loc, half, epoch.Add(10*24*time.Hour), end, events...)
	late.Add(loc, half, epoch, epoch.Add(10*24*time.Hour), events...)
	if !late.At.Equal(end) || !near(late.Events(), whole.Events(), 1e-9) {
		t.Fatalf("out of order: %v events at %v, want %v at %v", late.Events(), late.At, whole.Events(), end)
	}
}

func TestTallyIsStoredAsJSON(t *testing.T) {
	var y, z Tally
	y.Learn(&FeedPrior, nil, epoch, epoch.Add(50*time.Hour), epoch.Add(time.Hour))
	b, err := json.Marshal(y)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &z); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(y, z) {
		t.Fatalf("stored %v, read %v", y, z)
	}
}

func TestPosteriorWithoutDataIsThePrior(t *testing.T) {
	for _, p := range []Prior{FeedPrior, AccessPrior} {
		level, all := 0.0, 0.0
		for k := range p.Busier + 1 { // a tenth as many are ten times as busy
			level += p.Alpha / p.Beta
			all += math.Pow10(-k)
		}
		got, want := Tally{}.Posterior(p), p.Shape.scaled(level/all)
		for h := range Hours {
			if !near(got.Weekday[h], want.Weekday[h], 1e-12) || !near(got.Weekend[h], want.Weekend[h], 1e-12) {
				t.Fatalf("hour %d: %v %v, want %v %v", h, got.Weekday[h], got.Weekend[h], want.Weekday[h], want.Weekend[h])
			}
		}
	}
}

func TestPosteriorWithManyDataIsEmpirical(t *testing.T) {
	truth := randomProfile(8)
	var y Tally
	for d, n := range [2]float64{weekdays, weekends} {
		for h := range Hours {
			watched := n * 1e6
			y.Watch[d][h], y.Count[d][h] = watched, watched*[2]float64{truth.Weekday[h], truth.Weekend[h]}[d]
		}
	}
	y.Recent.Count, y.Recent.Watch = y.Events()/recentSpeed, y.Exposure()/recentSpeed
	for _, p := range []Prior{FeedPrior, AccessPrior} {
		got := y.Posterior(p)
		for h := range Hours {
			if !near(got.Weekday[h], truth.Weekday[h], 1e-3) || !near(got.Weekend[h], truth.Weekend[h], 1e-3) {
				t.Fatalf("hour %d: %v %v, want %v %v", h, got.Weekday[h], got.Weekend[h], truth.Weekday[h], truth.Weekend[h])
			}
		}
	}
}

// A source that was silent, but watched only at night, may post by day.
func TestPosteriorUsesTheTimeWatched(t *testing.T) {
	var y Tally
	for day := range 60 {
		from := epoch.AddDate(0, 0, day)
		y.Add(nil, 0, from, from.Add(6*time.Hour))
	}
	q := y.Posterior(FeedPrior)
	prior := FeedPrior.Shape.scaled(FeedPrior.Alpha / FeedPrior.Beta)
	night, day := q.Weekday[3]/prior.Weekday[3], q.Weekday[15]/prior.Weekday[15]
	if night > day+1e-12 || night > 0.2 {
		t.Fatalf("after silent nights: %v of the prior by night, %v by day", night, day)
	}
	if slow, want := y.Events(), 0.0; slow != want {
		t.Fatalf("%v events", slow)
	}
}

func TestPosteriorIsNowhereZero(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var y Tally
		end := epoch.Add(time.Duration(1+r.IntN(3000)) * time.Hour)
		var events []time.Time
		for range r.IntN(1 << r.IntN(12)) {
			// All in one hour of the day: the hardest case.
			events = append(events, epoch.AddDate(0, 0, r.IntN(125)).Add(8*time.Hour+time.Duration(r.IntN(3600))*time.Second))
		}
		y.Add(nil, FeedHalfLife, epoch, end, events...)
		for _, p := range []Prior{FeedPrior, AccessPrior} {
			q := y.Posterior(p)
			for h := range Hours {
				if !(q.Weekday[h] > 0) || !(q.Weekend[h] > 0) || math.IsInf(q.Weekday[h]+q.Weekend[h], 0) {
					t.Fatalf("hour %d is %v, %v after %d events", h, q.Weekday[h], q.Weekend[h], len(events))
				}
			}
		}
	}
}

// One event raises the hours around it, nearer ones more, and leaves none below a half.
func TestOneEventRaisesItsHours(t *testing.T) {
	var y Tally
	y.Add(nil, 0, epoch, epoch.Add(7*24*time.Hour), epoch.Add(9*time.Hour))
	q := y.Posterior(FeedPrior)
	ratio := func(h int) float64 {
		return q.Weekday[h] / q.Mean() / FeedPrior.Shape.Weekday[h]
	}
	if !(ratio(9) > ratio(11) && ratio(11) > ratio(14) && ratio(14) > ratio(21)) || ratio(9) < 1.05 || ratio(21) < 0.5 {
		t.Fatalf("at 9, 11, 14, 21: %.3f %.3f %.3f %.3f", ratio(9), ratio(11), ratio(14), ratio(21))
	}
}

func TestLevelFollowsTheRecentPast(t *testing.T) {
	var y Tally
	post := func(from, days, perDay int) {
		for d := from; d < from+days; d++ {
			day := epoch.AddDate(0, 0, d)
			var events []time.Time
			for k := range perDay {
				events = append(events, day.Add(time.Duration(k+1)*24*time.Hour/time.Duration(perDay+1)))
			}
			y.Add(nil, FeedHalfLife, day, day.AddDate(0, 0, 1), events...)
		}
	}
	post(0, 120, 8)
	busy := y.Posterior(FeedPrior).Mean() * Hours
	post(120, 30, 1)
	quiet := y.Posterior(FeedPrior).Mean() * Hours
	if math.Abs(busy-8) > 0.3 || quiet > 2.2 || quiet < 0.9 {
		t.Fatalf("posts a day: %v at 8 a day, %v after a month at 1", busy, quiet)
	}
}

func TestPriors(t *testing.T) {
	if m := (Tally{}).Posterior(AccessPrior).Mean() * Hours; !near(m, 9, 1e-9) {
		t.Errorf("%v accesses a day, want 9", m)
	}
	waking := 0.0
	for h := 7; h < 23; h++ {
		waking += 5*AccessPrior.Shape.Weekday[h] + 2*AccessPrior.Shape.Weekend[h]
	}
	if share := waking / week; share < 0.85 {
		t.Errorf("a share %v of the accesses is between 7 and 23, want at least 0.85", share)
	}
	for _, p := range []Prior{FeedPrior, AccessPrior} {
		if !near(p.Shape.Mean(), 1, 1e-12) {
			t.Errorf("the shape's mean is %v", p.Shape.Mean())
		}
	}
}

// Add takes the same time however many events there were before.
func BenchmarkAdd(b *testing.B) {
	for _, before := range []int{10, 100_000} {
		b.Run(fmt.Sprintf("after %d", before), func(b *testing.B) {
			var y Tally
			at := epoch
			for range before {
				y.Add(time.UTC, FeedHalfLife, at, at.Add(time.Hour), at)
				at = at.Add(time.Hour)
			}
			b.ReportAllocs()
			for b.Loop() {
				y.Add(time.UTC, FeedHalfLife, at, at.Add(4*time.Hour), at.Add(time.Hour))
				at = at.Add(4 * time.Hour)
			}
		})
	}
}

// The level is the posterior mean under the mixture, integrated by brute force.
func TestLevel(t *testing.T) {
	for _, busier := range []int{0, 3} {
		p := Prior{Alpha: 0.5, Beta: 24, Busier: busier}
		for _, c := range []struct{ events, hours float64 }{{0, 0}, {0, 5}, {0, 500}, {2, 0.5}, {14, 0.25}, {30, 30}, {3.7, 1000}, {400, 7}} {
			sum, all := 0.0, 0.0
			for x := -25.0; x < 9; x += 0.001 { // the logarithm of the rate
				density := 0.0
				for k := range busier + 1 {
					beta := p.Beta * math.Pow10(-k)
					density += math.Pow10(-k) * math.Exp(p.Alpha*(x+math.Log(beta))-beta*math.Exp(x))
				}
				// The likelihood is scaled by that of the most likely rate.
				likelihood := math.Exp(c.events*x - c.hours*math.Exp(x))
				if c.events > 0 {
					most := math.Log(c.events / c.hours)
					likelihood = math.Exp(c.events*(x-most) - c.hours*math.Exp(x) + c.events)
				}
				sum += math.Exp(x) * density * likelihood
				all += density * likelihood
			}
			if got, want := p.Level(c.events, c.hours), sum/all; !near(got, want, 1e-4) {
				t.Errorf("%d busier kinds, %v events in %v hours: %.5f an hour, want %.5f", busier, c.events, c.hours, got, want)
			}
		}
	}
	if got := FeedPrior.Level(5, 0); !(got > 0) || math.IsInf(got, 0) { // a damaged tally
		t.Errorf("events in no time: %v an hour", got)
	}
	if got := FeedPrior.Level(1e6, 1e4); !near(got, 100, 0.3) {
		t.Errorf("a million events in ten thousand hours: %v an hour", got)
	}
}

func BenchmarkPosterior(b *testing.B) {
	var y Tally
	y.Add(nil, FeedHalfLife, epoch, epoch.Add(1000*time.Hour), epoch.Add(time.Hour))
	for b.Loop() {
		y.Posterior(FeedPrior)
	}
}

func BenchmarkSample48h(b *testing.B) {
	for b.Loop() {
		FeedPrior.Shape.Sample(epoch, 5*time.Minute, 864, time.UTC)
	}
}

// Sample is that of a rate that repeats the profile every week.
func (p Profile) Sample(from time.Time, bin time.Duration, n int, loc *time.Location) []float64 {
	return Rate{Profile: p}.Sample(from, bin, n, loc)
}
