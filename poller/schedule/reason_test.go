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

// A reason names the usual visit that the fetch is for: the next time at which the user comes, before which the feed is not fetched
// again. All other fetches of the plan say what else they are for.
func TestReasonsNameTheNextUsualVisit(t *testing.T) {
	for name, hours := range map[string][]float64{
		"once a day":        {5.9},
		"three times a day": {7.5, 12 + 40.0/60, 20.25},
		"late in the day":   {7.5, 12.5, 21.75},
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
		named, others := 0, map[Purpose]int{}
		for i := range pl.Feeds {
			last := time.Time{}
			for k, at := range pl.Feeds[i].Instants {
				if after := k + 1; after < len(pl.Feeds[i].Instants) && pl.Feeds[i].Instants[after].At.Before(at.Reason.Visit) {
					t.Errorf("%s: the fetch at %v names the visit at %v, and the next one, at %v, comes before that", name, at.At, at.Reason.Visit, pl.Feeds[i].Instants[after].At)
				}
				if at.Reason.Purpose == LateOne && at.Reason.Posts == 0 {
					t.Errorf("%s: the fetch at %v is for nothing", name, at.At)
				}
				if v := at.Reason.Visit; v.IsZero() {
					others[at.Reason.Purpose]++
				} else if !v.After(at.At) || v.Equal(last) {
					t.Errorf("%s: the fetch at %v names the visit at %v, the one before %v", name, at.At, v, last)
				} else {
					last = v
				}
				var next time.Time
				for d := range 4 {
					for _, h := range hours {
						if usual := in.Now.AddDate(0, 0, d).Add(time.Duration(h * float64(time.Hour))); next.IsZero() && usual.Add(10*time.Minute).After(at.At) {
							next = usual
						}
					}
				}
				if at.Reason.Visit.IsZero() {
					what, early, late := at.Reason.Purpose, next.Sub(at.At), time.Duration(0)
					for d := range 4 {
						for _, h := range hours {
							if usual := in.Now.AddDate(0, 0, d-1).Add(time.Duration(h * float64(time.Hour))); !usual.After(at.At.Add(10 * time.Minute)) {
								late = at.At.Sub(usual)
							}
						}
					}
					if what == EarlyOne && early > earlyBy+15*time.Minute || what == LateOne && late > lateBy+15*time.Minute {
						t.Errorf("%s: the fetch at %v is for somebody who is %s, the next visit is at %v, the last was %v ago", name, at.At, what, next, late)
					}
					continue
				}
				named++
				if off := at.Reason.Visit.Sub(next).Abs(); off > 15*time.Minute {
					t.Errorf("%s: the fetch at %v is for the visit at %v, the next one is at %v", name, at.At, at.Reason.Visit, next)
				}
			}
		}
		if named < 20 || others[AnyVisit] > 0 {
			t.Errorf("%s: %d fetches name a visit, others are for %v", name, named, others)
		}
	}
}

// What a failing feed would bring is not known, nor is a fetch of it for a visit; what waits because the host asked says so.
func TestReasonsOfFeedsThatWait(t *testing.T) {
	visits := readingAt(28, 7.5, 12.5, 21.75)
	now := monday.Truncate(day).Add(10 * time.Hour)
	in := Inputs{Now: now, Budget: 60, Bucket: full(60), Method: plan.Kairos, Access: visits.Outlook(now)}
	in.Bucket.At = now
	asked := now.Add(35 * time.Minute)
	for id := range int64(3) {
		f := Feed{ID: id, Weight: 1, Interest: 1, Fetched: now.Add(-day), Tried: now.Add(-time.Hour)}
		switch id {
		case 1:
			f.Failures, f.NotBefore = 3, now.Add(time.Hour)
		case 2:
			f.NotBefore = asked
		}
		in.Feeds = append(in.Feeds, f)
	}
	pl, err := New(Default()).Replan(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if at := pl.Feeds[1].Instants; len(at) != 1 || at[0].Reason != (Reason{Code: Retry, Failures: 3}) {
		t.Errorf("a feed that fails: %+v", at)
	}
	planned := []Instant{{Feed: 2, At: now.Add(10 * time.Minute), Reason: Reason{Code: Planned, Visit: now.Add(150 * time.Minute), Posts: 2}}}
	r := Default()
	if at := r.Postpone(&in.Feeds[2], planned, now); !at[0].At.Equal(asked) || at[0].Reason != (Reason{Code: Planned, Purpose: AsAsked, Posts: 2}) {
		t.Errorf("a host that asked to wait: %+v", at)
	}
	fetched := Feed{ID: 2, Tried: now.Add(145 * time.Minute)}
	if at := r.Postpone(&fetched, planned, now.Add(145*time.Minute)); !at[0].Reason.Visit.IsZero() || at[0].Reason.Purpose != LateOne {
		t.Errorf("after the visit that it was for: %+v", at)
	}
	fetched.Tried = now.Add(8 * time.Hour)
	if at := r.Postpone(&fetched, planned, fetched.Tried); !at[0].Reason.Visit.IsZero() || at[0].Reason.Purpose != Between {
		t.Errorf("long after the visit that it was for: %+v", at)
	}
}

// anyHour returns the accesses of somebody who comes four times a day, at any hour.
func anyHour(days int) (v rate.Visits) {
	r := rand.New(rand.NewPCG(5, 1))
	for h := range 4 * days {
		v.Add(monday.Truncate(day).Add(-time.Duration(days)*day + time.Duration(6*h)*time.Hour + time.Duration(r.Int64N(int64(6*time.Hour)))))
	}
	return v
}

// While few visits are known a fetch says that, and how often the feed is fetched. Somebody who comes at any hour is told so.
func TestReasonsWithoutUsualVisits(t *testing.T) {
	now := monday.Truncate(day).Add(10 * time.Hour)
	for want, visits := range map[Purpose]rate.Visits{Unlearned: readingAt(1, 9.5, 11), AnyVisit: anyHour(40)} {
		in := Inputs{Now: now, Budget: 60, Bucket: full(60), Method: plan.Kairos, Access: visits.Outlook(now)}
		in.Bucket.At = now
		for id := range int64(10) {
			in.Feeds = append(in.Feeds, Feed{ID: id, Weight: 1, Interest: 1, Fetched: now.Add(-time.Hour)})
		}
		pl, err := New(Default()).Replan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		for i := range pl.Feeds {
			for _, at := range pl.Feeds[i].Instants {
				if at.Reason.Purpose != want || !at.Reason.Visit.IsZero() {
					continue
				}
				told++
				if every := pl.Feeds[i].Cycle.Every; every == 1 && at.Reason.Times != len(pl.Feeds[i].Cycle.At) || every > 1 && at.Reason.Times != 0 {
					t.Errorf("%s: the reason %+v of a cycle of %d fetches in %d days", want, at.Reason, len(pl.Feeds[i].Cycle.At), every)
				}
			}
		}
		if told < 10 {
			t.Errorf("%s: told of %d fetches", want, told)
		}
	}
}

// Nothing stands out of the day of somebody of whom nothing is known, nor of one who comes at any
// time.
func TestReasonsNameNoVisitThatDoesNotStandOut(t *testing.T) {
	p := New(Default()).begin(&Inputs{Now: monday, Access: rate.Visits{}.Outlook(monday)})
	p.sample()
	for s := range horizon {
		if v, ok := p.usual.Next(p.start.Add(time.Duration(s) * Bin)); ok {
			t.Fatalf("a fetch at bin %d is for a visit at %v", s, v.At)
		}
	}
}
