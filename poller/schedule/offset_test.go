package schedule

import (
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// A fetch comes 20 to 140 s after the clock mark, the same for a feed every time, and
// by seconds only after the start of the five minutes in which the reading it is for is expected:
// for somebody who comes a few times a day as for one who comes all the time.
func TestOffsetStaysBeforeTheVisit(t *testing.T) {
	apart := map[time.Duration]bool{}
	atOnce := 0
	for _, perHour := range []float64{0.4, 3, 40} {
		var access rate.Profile
		for h := 7; h < 23; h++ {
			access.Weekday[h], access.Weekend[h] = perHour, perHour
		}
		in := Inputs{Now: monday, Budget: 160, Bucket: full(160), Method: plan.Exact, Access: rate.Outlook{Usual: rate.Rate{Profile: access}}}
		for id := range int64(20) {
			in.Feeds = append(in.Feeds, Feed{ID: id, Weight: 1, Interest: 1, Offset: Offset("some installation", id), Fetched: monday.Add(-time.Hour)})
		}
		pl, err := New(Default()).Replan(t.Context(), in)
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
				offset := f.Feed.Offset
				// At 40 an hour the next access is always expected within five minutes.
				switch {
				case perHour == 40 && after == (offset/8).Truncate(time.Second):
					atOnce++
				case after < MinOffset || after >= MaxOffset || after != offset:
					t.Errorf("%v after the mark, the offset is %v", after, offset)
				default:
					apart[after] = true
				}
			}
		}
	}
	if len(apart) < 15 || atOnce == 0 {
		t.Errorf("%d offsets of 20 feeds; %d visits in the bin of their fetch", len(apart), atOnce)
	}
	if Offset("a", 1) == Offset("b", 1) {
		t.Error("two installations think alike")
	}
}

// full is a bucket that holds all it can.
func full(perDay float64) plan.Bucket { return plan.Bucket{PerDay: perDay, Days: 2, At: monday} }
