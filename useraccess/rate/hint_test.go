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
			var p Profile
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
	var p Profile
	h := Hint{Given: given, Hour: 7.5, Days: 0b0111110}
	if h.add(&p, given); p.Weekday[7] != 1 {
		t.Errorf("7:30 is at %v", p.Weekday)
	}
}
