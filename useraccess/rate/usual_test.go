package rate

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// comer is somebody who came at minutes of so many days from 14 October on.
func comer(days int, minutes ...int) (v Visits, midnight time.Time) {
	day := time.Date(2026, 10, 14, 0, 0, 0, 0, time.UTC)
	for range days {
		for _, m := range minutes {
			v.Add(day.Add(time.Duration(m) * time.Minute))
		}
		day = day.AddDate(0, 0, 1)
	}
	return v, day
}

// Whoever comes at half past seven, twenty to one and five past seven is expected then, by all that tells when the next visit is,
// also after days away, and whether they are there now or not.
func TestOneNextVisit(t *testing.T) {
	v, day := comer(36, 7*60+30, 12*60+40, 19*60+5)
	for _, away := range []int{0, 1, 5, 12} {
		for _, c := range []struct{ now, next string }{
			{"06:50", "07:30"}, {"07:31", "12:40"}, {"09:00", "12:40"}, {"12:12", "12:40"}, {"12:27", "12:40"}, {"12:36", "19:05"},
			{"12:44", "19:05"}, {"19:02", "07:30"}, {"23:40", "07:30"},
		} {
			at, _ := time.Parse("15:04", c.now)
			now := day.AddDate(0, 0, away).Add(time.Duration(at.Hour()*60+at.Minute()) * time.Minute)
			for _, there := range []bool{false, true} {
				v := v
				if there {
					v.Add(now.Add(-2 * time.Minute))
				}
				o := v.Outlook(now)
				if got := o.Next(now, time.UTC).Format("15:04"); got != c.next {
					t.Errorf("%d days later at %s (there: %v) the next visit is at %s, want %s", away, c.now, there, got, c.next)
				}
				if all := o.ExpectedEvents(now, 24*time.Hour, time.UTC); len(all) < 2 || all[0].At.Format("15:04") != c.next {
					t.Errorf("%d days later at %s (there: %v) expected: %v, want %s first", away, c.now, there, all, c.next)
				}
				if p, ok := o.UsualFrom(now, 24*time.Hour, time.UTC).Next(now); ok && p.ahead(now) && p.At.Format("15:04") != c.next {
					t.Errorf("%d days later at %s (there: %v) the usual time is %v, want %s", away, c.now, there, p, c.next)
				}
			}
		}
	}
}

// Of somebody unknown, or under any clock, something within the next days is expected.
func TestNextOfNobody(t *testing.T) {
	for _, now := range []time.Time{time.Date(2026, 1, 5, 7, 30, 0, 0, time.UTC), {}, time.Date(2226, 1, 5, 7, 30, 0, 0, time.UTC)} {
		if got := (Visits{}).Outlook(now).Next(now, time.UTC); !got.After(now) || got.Sub(now) > farthest+time.Hour {
			t.Errorf("at %v: %v", now, got)
		}
	}
}

func TestPeaks(t *testing.T) {
	if all := peaksOf([]float64{1, 1, 1, 9, 8, 2, 1, 1, 7, 1, 1}, 2); len(all) != 2 || all[0] != (peakBins{3, 3, 5}) || all[1].top != 8 {
		t.Errorf("peaks: %v", all)
	}
}

// hillsOf is a rate over a day in bins of five minutes with hills of so many events at hours.
func hillsOf(ground float64, hills map[float64]float64) []float64 {
	levels := make([]float64, 288)
	for k := range levels {
		levels[k] = ground
		for hour, events := range hills {
			x := (float64(k)/12 - hour) / 0.4
			levels[k] += events * math.Exp(-x*x/2) / (0.4 * math.Sqrt(2*math.Pi))
		}
	}
	return levels
}

func TestExpectedOnHills(t *testing.T) {
	midnight := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		levels []float64
		want   string // rounded to half an hour
	}{
		{"two hills", hillsOf(0, map[float64]float64{7.5: 0.9, 20: 0.6}), "[07:30 20:00]"},
		{"an unlikely one", hillsOf(0, map[float64]float64{7.5: 0.9, 20: 0.1}), "[07:30]"},
		{"three on one hill", hillsOf(0, map[float64]float64{12: 3}), "[11:30 12:00 12:30]"},
		{"a flat day", hillsOf(4.0/24, nil), "[03:00 09:00 15:00 21:00]"},
		{"hardly any", hillsOf(0.005, nil), "[]"},
		{"nothing", make([]float64, 288), "[]"},
	} {
		got := []string{}
		for _, e := range expected(midnight, midnight, c.levels, nil, 1) {
			if e.Chance < leastLikely || e.Chance > 1 {
				t.Errorf("%s: chance %v", c.name, e.Chance)
			}
			got = append(got, e.At.Round(30*time.Minute).Format("15:04"))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}
