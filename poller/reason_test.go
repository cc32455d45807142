package poller

import (
	"fmt"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/reader"
	"kairos/useraccess/rate"
)

// A fetch comes 20 to 140 s after the clock mark, the same for a feed every time, and
// by seconds only after the start of the five minutes in which the reading it is for is expected:
// for somebody who comes a few times a day as for one who comes all the time.
func TestOffsetStaysBeforeTheReading(t *testing.T) {
	apart := map[time.Duration]bool{}
	atOnce := 0
	for _, perHour := range []float64{0.4, 3, 40} {
		var access rate.Profile
		for h := 7; h < 23; h++ {
			access.Weekday[h], access.Weekend[h] = perHour, perHour
		}
		in := &inputs{now: monday, start: monday.Truncate(Bin), budget: 160, access: rate.Outlook{Usual: access, Quiet: 1}, seed: "some installation"}
		for id := range int64(20) {
			in.add(reader.Feed{ID: id, Weight: 1}, State{Fetched: monday.Add(-time.Hour)}, 1)
		}
		split, err := plan.Solve(t.Context(), in.problem(), plan.Exact)
		if err != nil {
			t.Fatal(err)
		}
		pl, err := in.plan(t.Context(), plan.Exact, split)
		if err != nil {
			t.Fatal(err)
		}
		for i := range pl.Feeds {
			f := &pl.Feeds[i]
			if len(f.Instants) == 0 {
				t.Fatalf("nothing is planned for feed %d", f.Feed.ID)
			}
			for _, at := range f.Instants {
				after := at.At.Sub(at.At.Truncate(Bin))
				var hour, minute int
				if _, err := fmt.Sscanf(at.Why, "before your %d:%d reading", &hour, &minute); err != nil {
					t.Fatalf("%q: %v", at.Why, err)
				}
				reading := at.At.Truncate(day).Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
				if reading.Before(at.At.Truncate(Bin)) {
					reading = reading.Add(day)
				}
				if at.At.After(reading.Add(maxOffset / 8)) {
					t.Errorf("%.1f accesses an hour: a fetch at %v for the reading at %v", perHour, at.At, reading)
				}
				switch {
				case reading.Equal(at.At.Truncate(Bin)) && after == offset(in.seed, f.Feed.ID)/8:
					atOnce++
				case after < minOffset || after >= maxOffset || after != offset(in.seed, f.Feed.ID):
					t.Errorf("%v after the mark, the offset is %v", after, offset(in.seed, f.Feed.ID))
				default:
					apart[after] = true
				}
			}
		}
	}
	if len(apart) < 15 || atOnce == 0 {
		t.Errorf("%d offsets of 20 feeds; %d readings in the bin of their fetch", len(apart), atOnce)
	}
	if offset("a", 1) == offset("b", 1) {
		t.Error("two installations think alike")
	}
}
