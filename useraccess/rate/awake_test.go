package rate

import (
	"math/rand/v2"
	"testing"
	"time"
)

// monday0 is a Monday midnight.
var monday0 = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// nights are wakings of a machine that is awake from one hour to another each day.
func nights(from time.Time, days, begins, ends int) (wakings []Waking) {
	since := from.Add(time.Duration(begins) * time.Hour)
	for d := range days {
		day := from.AddDate(0, 0, d)
		w := Waking{Since: since, From: day.Add(time.Duration(begins) * time.Hour), To: day.Add(time.Duration(ends) * time.Hour)}
		wakings, since = append(wakings, w), w.To
	}
	return wakings
}

// A machine that never sleeps is awake with probability 1, to the bit, however long it was watched
// and in how many pieces.
func TestAlwaysOn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		at := monday0
		var wakings []Waking
		for range r.IntN(60) {
			to := at.Add(time.Duration(r.ExpFloat64() * float64(50*time.Hour)))
			wakings, at = append(wakings, Waking{Since: at, From: at, To: to}), to
		}
		if q := NewAwake(wakings, time.UTC).Chances(); q != AlwaysOn {
			t.Fatalf("%v after %v", q, wakings)
		}
	}
	for _, q := range AlwaysOn {
		if q != 1 {
			t.Fatal(AlwaysOn)
		}
	}
}

// Five nights tell that a machine sleeps at night, two weeks that it does so on workdays only, and
// six weeks of another life that it no longer does.
func TestSleepIsLearned(t *testing.T) {
	q := NewAwake(nights(monday0, 5, 8, 23), time.UTC).Chances()
	if q.At(monday0.Add(3*time.Hour)) >= 0.5 || q.At(monday0.Add(10*time.Hour)) < 0.99 {
		t.Errorf("after five nights %.2f at night, %.2f by day", q.At(monday0.Add(3*time.Hour)), q.At(monday0.Add(10*time.Hour)))
	}
	var workdays []Waking
	since := monday0.Add(9 * time.Hour)
	for d := range 28 {
		from, to := monday0.AddDate(0, 0, d), monday0.AddDate(0, 0, d+1)
		if d%7 < 5 {
			from, to = from.Add(9*time.Hour), from.Add(17*time.Hour)
		}
		workdays, since = append(workdays, Waking{Since: since, From: from, To: to}), to
	}
	q = NewAwake(workdays, time.UTC).Chances()
	if day, night := q.At(monday0.AddDate(0, 0, 5).Add(3*time.Hour)), q.At(monday0.Add(3*time.Hour)); day < 0.8 || night > 0.4 {
		t.Errorf("awake at weekends only: %.2f on Saturday, %.2f on Monday night", day, night)
	}
	life := append(nights(monday0, 60, 8, 23), Waking{Since: monday0.AddDate(0, 0, 60), From: monday0.AddDate(0, 0, 60), To: monday0.AddDate(0, 0, 102)})
	q = NewAwake(life, time.UTC).Chances()
	if night := q.At(monday0.Add(3 * time.Hour)); night < 0.8 {
		t.Errorf("%.2f at night after six weeks without sleep", night)
	}
}

// The hours are those of the wall clock.
func TestSleepIsOnTheWallClock(t *testing.T) {
	zone := time.FixedZone("", 5*3600)
	q := NewAwake(nights(monday0.Add(-5*time.Hour), 14, 8, 23), zone).Chances()
	if q[3] > 0.5 || q[12] < 0.99 || q.At(monday0.Add(-time.Hour).In(zone)) > 0.5 {
		t.Errorf("%v", q[:24])
	}
}

// Whatever the log says, chances are probabilities and a quarter of the hours counts as awake.
func TestChancesAreProbabilities(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		at := monday0
		var wakings []Waking
		for range r.IntN(40) {
			span := func() time.Duration { return time.Duration((r.Float64() - 0.1) * r.ExpFloat64() * 3e14) }
			w := Waking{Since: at, From: at.Add(span())}
			w.To = w.From.Add(span())
			wakings, at = append(wakings, w), w.To
		}
		q := NewAwake(wakings, time.UTC).Chances()
		for h, x := range q {
			if !(x > 0 && x <= 1) {
				t.Fatalf("%v in hour %d after %v", x, h, wakings)
			}
		}
		least, left := AwakeThreshold(q[:]), 0
		for _, x := range q {
			if x >= least {
				left++
			}
		}
		if least > probablyAsleep || left < week/4 {
			t.Fatalf("threshold %v leaves %d hours", least, left)
		}
	}
}
