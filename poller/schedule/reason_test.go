package schedule

import (
	"math/rand/v2"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// readingAt returns the accesses of somebody who comes at these hours every day, within a few minutes.
func readingAt(days int, hours ...float64) (v rate.Visits) {
	r := rand.New(rand.NewPCG(3, 1))
	midnight := monday.Truncate(day)
	for d := days; d > 0; d-- {
		for _, h := range hours {
			minutes := time.Duration(60*h*float64(time.Minute)) + time.Duration(r.NormFloat64()*4*float64(time.Minute))
			v.Add(midnight.Add(-time.Duration(d) * day).Add(minutes))
		}
	}
	return v
}

// A reason names the usual visit that the fetch is for: the next time at which the user comes.
func TestReasonsNameTheNextUsualVisit(t *testing.T) {
	for name, hours := range map[string][]float64{
		"once a day":        {5.9},
		"three times a day": {7.5, 12 + 40.0/60, 20.25},
	} {
		visits := readingAt(28, hours...)
		in := Inputs{Now: monday.Truncate(day), Budget: 60, Bucket: full(60), Method: plan.Exact, Access: visits.Outlook(monday.Truncate(day))}
		in.Bucket.At = in.Now
		for id := range int64(10) {
			var f Feed
			f.ID, f.Weight, f.Interest, f.Fetched = id, 1, 1, in.Now.Add(-time.Hour)
			in.Feeds = append(in.Feeds, f)
		}
		pl, err := New(Default()).Replan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		named := 0
		for i := range pl.Feeds {
			for _, at := range pl.Feeds[i].Instants {
				var next time.Time
				for d := range 4 {
					for _, h := range hours {
						if usual := in.Now.AddDate(0, 0, d).Add(time.Duration(h * float64(time.Hour))); next.IsZero() && usual.Add(10*time.Minute).After(at.At) {
							next = usual
						}
					}
				}
				if at.Reason.Visit.IsZero() {
					continue
				}
				named++
				if off := at.Reason.Visit.Sub(next).Abs(); off > 15*time.Minute {
					t.Errorf("%s: the fetch at %v is for the visit at %v, the next one is at %v", name, at.At, at.Reason.Visit, next)
				}
			}
		}
		if named < 20 {
			t.Errorf("%s: %d fetches name a visit", name, named)
		}
	}
}

// Nothing stands out of the day of somebody of whom nothing is known, nor of one who comes at any
// time.
func TestReasonsNameNoVisitThatDoesNotStandOut(t *testing.T) {
	p := New(Default()).begin(&Inputs{Now: monday, Access: rate.Visits{}.Outlook(monday)})
	p.sample()
	for s := range horizon {
		if bin, ok := p.nextVisit(s); ok {
			t.Fatalf("a fetch at bin %d is for a visit at bin %d", s, bin)
		}
	}
	if all := visitsOf([]float64{1, 1, 1, 9, 8, 2, 1, 1, 7, 1, 1}, 2); len(all) != 2 || all[0] != (visit{3, 3, 5}) || all[1].peak != 8 {
		t.Errorf("peaks: %v", all)
	}
}
