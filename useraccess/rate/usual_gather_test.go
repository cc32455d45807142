package rate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// visitor comes on days from a Monday on around some minutes of the day, give or take spread minutes, and not each time.
type visitor struct {
	Visits
	now  time.Time
	made [][]float64 // minutes of the day, by habit, ascending
}

func newVisitor(r *rand.Rand, days int, spread float64, habits []int) visitor {
	monday := time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
	v := visitor{now: monday.AddDate(0, 0, days).Add(3 * time.Hour), made: make([][]float64, len(habits))}
	for d := range days {
		for i, minute := range habits {
			if r.Float64() < 0.15 {
				continue
			}
			at := float64(minute) + r.NormFloat64()*spread
			v.Add(monday.AddDate(0, 0, d).Add(time.Duration(at * float64(time.Minute))))
			v.made[i] = append(v.made[i], at)
		}
	}
	for _, made := range v.made {
		slices.Sort(made)
	}
	return v
}

// beside returns how many minutes beside the middle of the visits of each habit the nearest peak is, of those within an hour and a
// half, and how many peaks belong to no habit.
func (v *visitor) beside(peaks []Peak) (minutes []float64, extra int) {
	nearest := map[int]bool{}
	for _, made := range v.made {
		if len(made) < 2 {
			continue
		}
		middle := (made[(len(made)-1)/2] + made[len(made)/2]) / 2
		best, at := 90.0, -1
		for i, p := range peaks {
			apart := math.Abs(float64(p.At.Hour()*60+p.At.Minute()) - middle)
			if apart = min(apart, dayMinutes-apart); apart < best {
				best, at = apart, i
			}
		}
		if at >= 0 {
			nearest[at] = true
			minutes = append(minutes, best)
		}
	}
	return minutes, len(peaks) - len(nearest)
}

// Usual times are told where the visits were, from two days on and however loosely somebody keeps to an hour.
func TestUsualTimesOfFewDays(t *testing.T) {
	habits := [][]int{{450, 750, 1305}, {450, 1260}, {425, 725, 1085, 1320}, {480}, {555, 1410}, {430, 780, 1200}, {1290}, {440, 1130}}
	for _, spread := range []float64{3, 12, 25, 45} {
		for _, days := range []int{2, 3, 4, 8} {
			r := rand.New(rand.NewPCG(uint64(days), uint64(spread)))
			var beside []float64
			extra := 0
			for k := range 6 * len(habits) {
				v := newVisitor(r, days, spread, habits[k%len(habits)])
				minutes, more := v.beside(v.Outlook(v.now).UsualFrom(v.now, 24*time.Hour, time.UTC).Peaks)
				beside, extra = append(beside, minutes...), extra+more
			}
			within, sum := 0, 0.0
			for _, m := range beside {
				sum += m
				if m <= 10 {
					within++
				}
			}
			share := float64(within) / float64(len(beside))
			t.Logf("%d days, ±%v minutes: %d told, %.1f minutes beside the log on average, %.2f within 10; %d are none", days, spread, len(beside), sum/float64(len(beside)), share, extra)
			if len(beside) < 25 || days < 8 && (share < 0.85 || extra > len(beside)/10) {
				t.Errorf("%d days, ±%v minutes: %.2f of %d are within 10 minutes, %d are none", days, spread, share, len(beside), extra)
			}
		}
	}
}

// Of somebody who comes around midnight, on weekends at other times, or at no time, peaks are in order and around their middles.
func TestUsualTimesAreInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for k := range 300 {
		var habits []int
		for range 1 + r.IntN(6) {
			habits = append(habits, r.IntN(dayMinutes))
		}
		v := newVisitor(r, 1+r.IntN(20), []float64{2, 20, 60, 300}[k%4], habits)
		last := time.Time{}
		for _, p := range v.Outlook(v.now).UsualFrom(v.now, farthest, time.UTC).Peaks {
			if p.From.Before(last) || p.At.Before(p.From) || p.At.After(p.To) || !p.From.Before(p.To) {
				t.Fatalf("of %v: %v to %v around %v, after %v", habits, p.From, p.To, p.At, last)
			}
			last = p.To
		}
	}
}

func TestGather(t *testing.T) {
	midnight := time.Date(2026, 2, 4, 0, 0, 0, 0, time.UTC)
	latest := func(minutes ...int) (all []int32) { // one list a day before
		for _, m := range minutes {
			all = append(all, int32(midnight.Unix()/60)+int32(m))
		}
		return all
	}
	const day = -dayMinutes
	for _, c := range []struct {
		name     string
		from, to int // of the peak, minutes of the day
		latest   []int32
		want     string
	}{
		{"two times on one peak", 400, 1300, latest(2*day+455, 2*day+1265, day+445, day+1255), "[07:30 21:00]"},
		{"a time just beside the peak", 500, 700, latest(2*day+450, day+450), "[07:30]"},
		{"around midnight", 1380, 1480, latest(2*day+1435, 1*day+1445), "[00:00]"},
		{"once", 400, 1300, latest(day + 450), "[14:10]"},
		{"never", 400, 1300, nil, "[14:10]"},
		{"a narrow peak", 440, 470, latest(2*day+470, day+470), "[07:35]"},
		{"two of five days", 400, 1300, latest(7*day+450, 6*day+700, 5*day+920, 2*day+1150, day+450), "[14:10]"},
		{"many days", 400, 1300, latest(8*day+450, 7*day+450, 6*day+450, 5*day+450, 4*day+450, 3*day+450, 2*day+450, day+450), "[14:10]"},
	} {
		at := func(minute int) time.Time { return midnight.Add(time.Duration(minute) * time.Minute) }
		p := Peak{At: at((c.from + c.to) / 2).Round(usualBin), From: at(c.from), To: at(c.to)}
		var got []string
		for _, p := range p.gather(c.latest, time.UTC) {
			got = append(got, p.At.Format("15:04"))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}
