package ticks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestStep(t *testing.T) {
	for _, c := range []struct {
		span float64
		most int
		want float64
	}{
		{10, 5, 2}, {1, 5, 0.2}, {0.9, 4, 0.5}, {100, 4, 50}, {7, 8, 1}, {0, 5, 1}, {-3, 5, 1}, {math.NaN(), 5, 1}, {math.Inf(1), 5, 1}, {3, 0, 5},
	} {
		if got := Step(c.span, c.most); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Step(%v, %d) = %v, want %v", c.span, c.most, got, c.want)
		}
	}
}

func TestAroundAndWithin(t *testing.T) {
	for _, c := range []struct {
		lo, hi, step   float64
		around, within []float64
	}{
		{0, 1, 0.2, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{0.1, 0.5, 0.2, []float64{0, 0.2, 0.4, 0.6}, []float64{0.2, 0.4}},
		{0, 0, 1, []float64{0, 1}, []float64{0}},
		{-3, 4, 5, []float64{-5, 0, 5}, []float64{0}},
		{0, 0.3, 0.1, []float64{0, 0.1, 0.2, 0.3}, []float64{0, 0.1, 0.2, 0.3}},
	} {
		if got := Around(c.lo, c.hi, c.step); !slices.Equal(got, c.around) {
			t.Errorf("Around(%v, %v, %v) = %v, want %v", c.lo, c.hi, c.step, got, c.around)
		}
		if got := within(c.lo, c.hi, c.step); !slices.Equal(got, c.within) {
			t.Errorf("Within(%v, %v, %v) = %v, want %v", c.lo, c.hi, c.step, got, c.within)
		}
	}
}

// Whatever is to be shown, the ticks around it contain it, are evenly spaced and few.
func TestTicksContainTheirRange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		lo := math.Pow(10, r.Float64()*8-4) * float64(r.IntN(3)-1)
		hi := lo + math.Pow(10, r.Float64()*8-4)
		most := 2 + r.IntN(9)
		all := Around(lo, hi, Step(hi-lo, most))
		if all[0] > lo+1e-9 || all[len(all)-1] < hi-1e-6 || len(all) > most+2 {
			t.Fatalf("%v to %v in %d: %v", lo, hi, most, all)
		}
		lo = math.Pow(10, r.Float64()*8-4)
		hi = lo * math.Pow(10, r.Float64()*4)
		if all := Log(lo, hi); all[0] > lo*1.001 || all[len(all)-1] < hi*0.999 {
			t.Fatalf("%v to %v: %v", lo, hi, all)
		}
	}
}

func TestClock(t *testing.T) {
	for _, c := range []struct {
		most int
		want string
	}{{4, "[0 6 12 18 24]"}, {8, "[0 3 6 9 12 15 18 21 24]"}, {2, "[0 12 24]"}, {12, "[0 2 4 6 8 10 12 14 16 18 20 22 24]"}} {
		if got := fmt.Sprint(Clock(0, 24, c.most)); got != c.want {
			t.Errorf("%d: %s", c.most, got)
		}
	}
	if got := fmt.Sprint(Clock(0, 168, 7)); got != "[0 24 48 72 96 120 144 168]" {
		t.Error(got)
	}
	if got := fmt.Sprint(Clock(7.1, 9, 4)); got != "[7.5 8 8.5 9]" {
		t.Error(got)
	}
}

func TestMinuteStep(t *testing.T) {
	for _, c := range []struct{ span, want float64 }{{4, 1}, {20, 5}, {55, 15}, {90, 30}, {300, 120}, {1500, 720}, {6000, 2880}, {12000, 4320}, {1, 0.5}} {
		if got := MinuteStep(c.span, 4); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v min: %v, want %v", c.span, got, c.want)
		}
	}
}

// Instants are round on the wall clock, also across the days on which it jumps.
func TestTimesFollowTheWallClock(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("skipped: no time zones here")
	}
	clock := func(all []time.Time) (out []string) {
		for _, at := range all {
			out = append(out, at.Format("2T15"))
		}
		return out
	}
	for _, c := range []struct {
		from time.Time
		want string
	}{
		{time.Date(2026, 6, 1, 10, 30, 0, 0, berlin), "[1T12 1T18 2T00 2T06]"},
		{time.Date(2026, 3, 28, 20, 0, 0, 0, berlin), "[29T00 29T06 29T12 29T18]"},  // 23 hours
		{time.Date(2026, 10, 24, 20, 0, 0, 0, berlin), "[25T00 25T06 25T12 25T18]"}, // 25 hours
	} {
		if got := fmt.Sprint(clock(Times(c.from, c.from.Add(24*time.Hour), 4))); got != c.want {
			t.Errorf("from %v: %s, want %s", c.from, got, c.want)
		}
	}
	from := time.Date(2026, 3, 29, 0, 0, 0, 0, berlin)
	if got := fmt.Sprint(clock(Times(from, from.Add(5*time.Hour), 6))); got != "[29T00 29T01 29T03 29T04 29T05 29T06]" {
		t.Error(got)
	}
}
