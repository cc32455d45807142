package rate

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// signedDays is what happens on some days: openings at a constant rate by day, and signs.
type signedDays struct {
	openings []time.Time
	signs    []time.Time
}

// dealSigns deals openings at perHour from 7 to 23. Each has a sign before it with a probability, by a lead uniform in
// most; others come at random, falsely an hour.
func dealSigns(r *rand.Rand, days int, perHour, foretold, falsely float64, most time.Duration) (d signedDays) {
	for day := range days {
		morning := epoch.AddDate(0, 0, day).Add(7 * time.Hour)
		at := morning
		for {
			at = at.Add(opensAnew + time.Duration(r.ExpFloat64()/perHour*float64(time.Hour)))
			if at.Sub(morning) > 16*time.Hour {
				break
			}
			d.openings = append(d.openings, at)
			if r.Float64() < foretold {
				d.signs = append(d.signs, at.Add(-time.Duration(r.Float64()*float64(most))))
			}
		}
		for range int(falsely*16 + r.Float64()) {
			d.signs = append(d.signs, morning.Add(time.Duration(r.Float64()*16*float64(time.Hour))))
		}
	}
	slices.SortFunc(d.signs, time.Time.Compare)
	return d
}

// opensAnew is how long after an opening none follows.
const opensAnew = 10 * time.Minute

// dayRate is λ of those days, an hour, from a time to another, after an opening.
func dayRate(from, to, opened time.Time, perHour float64) float64 {
	day := from.Truncate(24 * time.Hour)
	begin, end := slices.MaxFunc([]time.Time{from, opened.Add(opensAnew), day.Add(7 * time.Hour)}, time.Time.Compare), day.Add(23*time.Hour)
	if to.Before(end) {
		end = to
	}
	return perHour * max(0, end.Sub(begin).Hours()) / to.Sub(from).Hours()
}

// replay hands signs and openings on in the order of time, and calls look before each of them and every minute,
// with the time up to which it foretells what happens.
func (d *signedDays) replay(perHour float64, p *Presence, look func(now, slot time.Time, opened bool)) {
	now, opened := epoch, epoch
	signs, openings := d.signs, d.openings
	for len(openings) > 0 {
		next := now.Truncate(time.Minute).Add(time.Minute)
		switch {
		case len(signs) > 0 && !signs[0].After(openings[0]) && !signs[0].After(next):
			now = signs[0]
			look(now, now, false)
			p.Sign(Unlock, now, dayRate(now, now.Add(SignHorizon), opened, perHour)*SignHorizon.Hours())
			signs = signs[1:]
		case !openings[0].After(next):
			now = openings[0]
			look(now, next, true)
			p.Access(now)
			opened, openings = now, openings[1:]
		default:
			now = next
			look(now, now, false)
		}
	}
}

// The learned chance is that with which signs are followed by openings beyond those that come anyway, and as many
// openings are expected as happen, by minutes since the sign and without one.
func TestPresenceIsCalibrated(t *testing.T) {
	const perHour = 0.5
	for _, tt := range []struct {
		foretold, falsely float64
		most              time.Duration
	}{{0.8, 0.8, 30 * time.Minute}, {0.4, 0.8, 30 * time.Minute}, {0.8, 0, 10 * time.Minute}, {0, 0.8, 0}} {
		t.Run(fmt.Sprint(tt.foretold, tt.falsely), func(t *testing.T) {
			var observed, expected [6]float64
			for seed := range uint64(4) {
				d := dealSigns(rand.New(rand.NewPCG(1, seed)), 150, perHour, tt.foretold, tt.falsely, tt.most)
				d.score(perHour, epoch.AddDate(0, 0, 50), &observed, &expected)
			}
			all, seen := 0.0, 0.0
			for band := range observed {
				all, seen = all+expected[band], seen+observed[band]
				within := 0.1
				if band == len(observed)-1 {
					within = 0.3 // who has not come in half an hour is rarer here than the rest of the model knows
				}
				if off := math.Abs(expected[band] - observed[band]); off > within*observed[band]+2*math.Sqrt(observed[band]) {
					t.Errorf("band %d: %.0f openings expected, %.0f happened", band, expected[band], observed[band])
				}
			}
			if ratio := all / seen; !(ratio > 0.95 && ratio < 1.05) {
				t.Errorf("%.0f openings expected in all, %.0f happened", all, seen)
			}
			t.Logf("expected %.0f, observed %.0f", expected, observed)
		})
	}
}

// score counts the openings that were expected and those that happened from a time on, by bands of minutes since the
// sign that leads.
func (d *signedDays) score(perHour float64, start time.Time, observed, expected *[6]float64) {
	var p Presence
	last, latest := epoch, epoch
	d.replay(perHour, &p, func(now, slot time.Time, opened bool) {
		if band := bandOf(&p, last); now.After(start) {
			levels := []float64{dayRate(last, slot, latest, perHour)}
			f := p.Foretelling(last)
			f.Adjust(levels, last, slot.Sub(last), last, 0)
			expected[band] += levels[0] * slot.Sub(last).Hours()
			if opened {
				observed[band]++
			}
		}
		if last = now; opened {
			latest = now
		}
	})
}

// bandOf is the band of minutes since the sign that leads: none, 5, 10, 20, 30, 60.
func bandOf(p *Presence, now time.Time) int {
	if p.Leading.Kind == "" {
		return 0
	}
	minutes := now.Sub(p.Leading.At).Minutes()
	for i, end := range []float64{5, 10, 20, 30} {
		if minutes < end {
			return i + 1
		}
	}
	if minutes < 60 {
		return 5
	}
	return 0
}

// Signs that foretell nothing change nothing.
func TestFalseSignsChangeNothing(t *testing.T) {
	const perHour = 0.5
	changed := 0
	for seed := range uint64(40) {
		d := dealSigns(rand.New(rand.NewPCG(3, seed)), 80, perHour, 0, 2, 0)
		var p Presence
		d.replay(perHour, &p, func(time.Time, time.Time, bool) {})
		now := p.At.Add(time.Hour)
		p.Sign(Unlock, now, perHour)
		levels := slices.Repeat([]float64{perHour}, 24)
		f := p.Foretelling(now)
		f.Adjust(levels, now, 5*time.Minute, now, 0)
		exactly := true
		for _, x := range levels {
			exactly = exactly && x == perHour
			if math.Abs(x/perHour-1) > 0.35 {
				t.Errorf("seed %d: %v", seed, levels)
				break
			}
		}
		if !exactly {
			changed++
		}
	}
	if changed > 4 {
		t.Errorf("false signs changed the outlook of %d of 40 people", changed)
	}
}

// The total of what is expected stays: what a sign adds, the time without signs lacks.
func TestForetellingConservesTotals(t *testing.T) {
	f := Foretelling{Share: 0.6, late: delays{0, .1, .2, .3, .4, .5, .6, .8, 1}}
	levels := slices.Repeat([]float64{1}, 48)
	f.Adjust(levels, epoch, 5*time.Minute, epoch, 0)
	for k := 1; k < len(levels); k++ {
		if levels[k] < levels[k-1] || levels[k] > 1 {
			t.Fatalf("not rising to what is usual: %v", levels)
		}
	}
	if !near(levels[0], 1-0.6*(1-f.late.at(2.5)), 1e-9) || levels[13] != 1 {
		t.Errorf("%v", levels)
	}
	for k := range levels {
		levels[k] = 1
	}
	f.Adjust(levels, epoch, 5*time.Minute, epoch, 0.3)
	if !near(levels[0], 1-0.6*(1-f.late.at(2.5)), 1e-9) || !near(levels[47], 1-0.6*0.3, 1e-9) {
		t.Errorf("with a share left out: %v", levels)
	}
	// Of an opening foretold the chance adds up, whenever it is looked at.
	g := lifeTable(5, &[delayBins]float64{1, 2, 3, 4, 5, 6, 7, 8}, &[delayBins]float64{9, 8, 7, 6, 5, 4, 3, 2})
	at := epoch.Add(17 * time.Second)
	o := foretold{at: at, factor: 1.3, hazard: &g}
	for _, minutes := range []int{0, 1, 4, 17, 33, 59} {
		now := at.Add(time.Duration(minutes) * time.Minute)
		f := Foretelling{Chance: o.left(now), foretold: o}
		levels := make([]float64, 24)
		f.Adjust(levels, now.Truncate(5*time.Minute), 5*time.Minute, now, 0)
		sum := 0.0
		for _, x := range levels {
			sum += x / 12
		}
		if !near(sum, o.left(now), 1e-9) {
			t.Errorf("after %d minutes %v expected, not %v", minutes, sum, o.left(now))
		}
	}
}

// Only the sign of the morning foretells an opening, and that is learned by hour.
func TestPresenceLearnsHours(t *testing.T) {
	var p Presence
	r := rand.New(rand.NewPCG(9, 10))
	for day := range 60 {
		for hour := 8; hour < 22; hour += 2 {
			at := epoch.AddDate(0, 0, day).Add(time.Duration(hour)*time.Hour + time.Duration(r.IntN(60))*time.Minute)
			expected := 0.02
			if hour == 8 {
				expected = 0.5
			}
			p.Sign(Unlock, at, expected)
			if hour == 8 {
				p.Access(at.Add(6 * time.Minute))
			}
		}
	}
	m := p.learned()
	if morning, noon := chanceAt(m, 8), chanceAt(m, 12); morning < 0.7 || noon > 0.05 {
		t.Errorf("chance at 8 %v, at 12 %v", morning, noon)
	}
}

// A sign that foretells nothing does not take the place of one that does.
func TestTheSignThatForetellsMoreLeads(t *testing.T) {
	var p Presence
	r := rand.New(rand.NewPCG(5, 6))
	for day := range 60 {
		at := epoch.AddDate(0, 0, day).Add(9 * time.Hour)
		p.Sign(Plugged, at.Add(-3*time.Hour), 0.1)
		p.Sign(Unlock, at, 0.1)
		p.Access(at.Add(10*time.Minute + time.Duration(r.IntN(10))*time.Minute))
	}
	at := epoch.AddDate(0, 0, 60).Add(9 * time.Hour)
	p.Sign(Unlock, at, 0.1)
	p.Sign(Plugged, at.Add(time.Minute), 0.1)
	if f := p.Foretelling(at.Add(2 * time.Minute)); f.Sign.Kind != Unlock || f.Chance < 0.6 {
		t.Errorf("%v leads with %v", f.Sign.Kind, f.Chance)
	}
	p.Access(at.Add(3 * time.Minute))
	if f := p.Foretelling(at.Add(4 * time.Minute)); f.Chance != 0 {
		t.Errorf("after the opening %v is still to come", f.Chance)
	}
}

// A thousand signs a minute are one, and unknown kinds none.
func TestSignsAreDebounced(t *testing.T) {
	var p Presence
	n := 0
	for i := range 3000 {
		if p.Sign(Resume, epoch.Add(time.Duration(i)*60*time.Millisecond), 1) {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d signs counted", n)
	}
	if p.Sign("boo", epoch.Add(time.Hour), 1) {
		t.Error("an unknown kind counts")
	}
}

// Where signs have stopped to come, nothing waits for one, until one comes again.
func TestSignsStop(t *testing.T) {
	var p Presence
	at := epoch
	for range 60 {
		at = at.Add(10 * time.Hour)
		p.Sign(Unlock, at, 0.1)
		p.Access(at.Add(10 * time.Minute))
	}
	if f := p.Foretelling(at); f.Share < 0.8 {
		t.Fatalf("share %v", f.Share)
	}
	for range 6 {
		at = at.Add(10 * time.Hour)
		p.Access(at)
	}
	if f := p.Foretelling(at); f.Share != 0 {
		t.Errorf("share %v after six openings without a sign", f.Share)
	}
	at = at.Add(10 * time.Hour)
	p.Sign(Unlock, at, 0.1)
	if f := p.Foretelling(at); f.Share < 0.6 || f.Chance < 0.6 {
		t.Errorf("share %v, chance %v after a sign", f.Share, f.Chance)
	}
}

// Whatever comes in, rates are finite and not negative, chances below 1, and storing changes nothing.
func TestPresenceOfAnyInput(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		var p Presence
		now := epoch
		scale := math.Exp(r.Float64() * 10)
		for range 200 {
			now = now.Add(time.Duration(r.ExpFloat64() * scale * float64(time.Second)))
			switch r.IntN(40) {
			case 0:
				now = now.AddDate(-r.IntN(3), 0, 0)
			case 1:
				now = now.AddDate(r.IntN(3), 0, 0)
			}
			if r.IntN(2) == 0 {
				p.Access(now)
			} else {
				p.Sign(Signs[r.IntN(len(Signs))], now, []float64{0, 0.3, -1, math.NaN(), math.Inf(1), 1e300, 5}[r.IntN(7)])
			}
		}
		levels := make([]float64, 30)
		for k := range levels {
			levels[k] = r.Float64()
		}
		before := slices.Clone(levels)
		at := now.Add(time.Duration(r.IntN(5000)-1000) * time.Second)
		f := p.Foretelling(at)
		f.Adjust(levels, at.Truncate(5*time.Minute), 5*time.Minute, at, 0)
		for k, x := range levels {
			if !(x >= 0) || math.IsInf(x, 0) {
				t.Fatalf("%v becomes %v", before, levels)
			}
			_ = k
		}
		if !(f.Share >= 0 && f.Share < 1 && f.Chance >= 0 && f.Chance < 1) {
			t.Fatalf("share %v, chance %v", f.Share, f.Chance)
		}
		stored, err := json.Marshal(&p)
		if err != nil {
			t.Fatal(err)
		}
		var again Presence
		if err := json.Unmarshal(stored, &again); err != nil {
			t.Fatal(err)
		}
		if a, b := again.learned(), p.learned(); !near(a.share, b.share, 1e-12) {
			t.Fatalf("share %v after storing, %v before", a.share, b.share)
		}
	}
}

// chanceAt is what a sign in an hour of the day foretells.
func chanceAt(m *presenceModel, hour int) float64 {
	at := epoch.Add(time.Duration(hour) * time.Hour)
	f := m.foretold(Unlock, at)
	return f.left(at)
}

func BenchmarkPresence(b *testing.B) {
	d := dealSigns(rand.New(rand.NewPCG(1, 2)), 180, 0.5, 0.8, 0.8, 30*time.Minute)
	for b.Loop() {
		var p Presence
		signs, openings := d.signs, d.openings
		for len(openings) > 0 {
			if len(signs) > 0 && signs[0].Before(openings[0]) {
				p.Sign(Unlock, signs[0], 0.5)
				signs = signs[1:]
				continue
			}
			p.Access(openings[0])
			openings = openings[1:]
		}
		p.Foretelling(p.At)
	}
}
