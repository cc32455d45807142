package rate

import (
	"math"
	"testing"
	"time"
)

// A hint adds one visit on each of its days, around its time, and half of one after as many such days as two weeks have.
func TestHint(t *testing.T) {
	given := time.Date(2026, 3, 6, 20, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		days             uint8
		hour             float64
		weekday, weekend float64
	}{
		{0b0111110, 7.5, 1, 0}, {0b1000001, 0.25, 0, 1}, {0b1111111, 23.9, 1, 1}, {0b0000010, 12, 0.2, 0}, {0, 12, 0, 0},
	} {
		h := Hint{Given: given, Hour: c.hour, Days: c.days}
		for days, share := range map[int]float64{0: 1, 14: 0.5, 42: 0.25} {
			var p Rate
			h.add(&p, given.AddDate(0, 0, days))
			var sums [2]float64
			for k := range Hours {
				sums[0], sums[1] = sums[0]+p.Weekday[k], sums[1]+p.Weekend[k]
			}
			if math.Abs(sums[0]-share*c.weekday) > 1e-9 || math.Abs(sums[1]-share*c.weekend) > 1e-9 {
				t.Errorf("%+v after %d days: %v", c, days, sums)
			}
		}
	}
	var p Rate
	h := Hint{Given: given, Hour: 7.5, Days: 0b0111110}
	if h.add(&p, given); p.Weekday[7] != 1 {
		t.Errorf("7:30 is at %v", p.Weekday)
	}
}

// A hint raises what a regular user's rate lacks around its time, on its days, and nothing else; where the rate expects a visit
// anyway, it changes nothing, however often it is given.
func TestHintLeavesTheRest(t *testing.T) {
	var v Visits
	start := time.Date(2026, 10, 5, 0, 0, 0, 0, time.UTC) // a Monday
	for d := range 28 {
		hours := []float64{7.6, 12.5, 20.2}
		if kindOf(int32(start.AddDate(0, 0, d).Unix()/60)) == 1 {
			hours = []float64{9.8, 19}
		}
		for i, h := range hours {
			if i > 0 && d%4 == i {
				continue
			}
			v.Add(start.AddDate(0, 0, d).Add(time.Duration((h + float64(d*7%11-5)/30) * float64(time.Hour))))
		}
	}
	now := start.AddDate(0, 0, 28)
	known := v.Outlook(now)
	const bin = 10 * time.Minute
	before := known.Usual.Sample(now, bin, week*6, nil)
	for _, hour := range []float64{7.5, 16} {
		hint := Hint{Given: now, Hour: hour, Days: 0b0111110}
		v.Hints = nil
		last := 0.0
		for n := range 4 {
			v.Hints = append(v.Hints, hint)
			o := v.Outlook(now)
			most, near := known.Usual.Mean()*Hours+float64(weekdays)/(weekdays+weekends), 0.0
			for k, x := range o.Usual.Sample(now, bin, week*6, nil) {
				at := now.Add(time.Duration(k)*bin + bin/2)
				apart := math.Abs(float64(at.Hour()) + float64(at.Minute())/60 - hour)
				if apart < 1.6 && kindOf(int32(at.Unix()/60)) == 0 {
					near += x * bin.Hours() / weekdays
				} else if math.Abs(x-before[k]) > 0.02*before[k] {
					t.Fatalf("%d hints at %v: %.3f on %v, %.3f without", n+1, hour, x, at, before[k])
				}
			}
			perDay := o.Usual.Mean() * Hours
			if perDay > most+0.12 || near > 1.3 || n > 0 && math.Abs(perDay-last) > 0.1 {
				t.Errorf("%d hints at %v: %.2f visits a day, %.2f around it, before %.2f", n+1, hour, perDay, near, known.Usual.Mean()*Hours)
			}
			if hour == 7.5 && perDay > 1.03*known.Usual.Mean()*Hours {
				t.Errorf("a hint of what is known makes %.2f visits a day of %.2f", perDay, known.Usual.Mean()*Hours)
			}
			if hour == 16 && near < 0.9 {
				t.Errorf("after a hint at 16:00 %.2f visits are expected around it", near)
			}
			last = perDay
		}
	}
}
