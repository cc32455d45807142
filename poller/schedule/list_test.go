package schedule

import (
	"slices"
	"testing"
	"time"

	"kairos/poller/plan"
)

// A list is looked at about once a day, whatever was learned of its notes. Its user may want it more often, its server less often.
func TestGapsOfLists(t *testing.T) {
	r := Default()
	for name, tt := range map[string]struct {
		feed       Feed
		gap, every time.Duration
		cause      GapCause
	}{
		"a list":                   {Feed{}, 23 * time.Hour, day, GapList},
		"with notes":               {Feed{Posts: often()}, 23 * time.Hour, day, GapList},
		"without any for a year":   {Feed{Posts: rare(monday.Add(-366 * day))}, 23 * time.Hour, day, GapList},
		"fresh for an hour":        {Feed{Limits: Limits{MaxAge: time.Hour}}, 23 * time.Hour, day, GapList},
		"fresh for three days":     {Feed{Limits: Limits{MaxAge: 60 * time.Hour}}, 60 * time.Hour, 3 * day, GapRequested},
		"fresh for years":          {Feed{Limits: Limits{MaxAge: 1000 * day}}, 7 * day, 7 * day, GapRequested},
		"wanted every six hours":   {Feed{Every: 6 * time.Hour}, 345 * time.Minute, 6 * time.Hour, GapWanted},
		"wanted at least weekly":   {Feed{Every: 7 * day}, 23 * time.Hour, day, GapList},
		"failing":                  {Feed{Failures: 2}, r.CalmGap, day, GapList},
		"wanted at every occasion": {Feed{Every: time.Minute}, MinEvery - MinEvery/24, MinEvery, GapWanted},
	} {
		tt.feed.List, tt.feed.Tried, tt.feed.Fetched = true, monday, monday
		if gap, cause := r.GapOf(&tt.feed); gap != tt.gap || cause != tt.cause || r.every(&tt.feed) != tt.every {
			t.Errorf("%s: %s, %s, every %s, want %s, %s, %s", name, gap, cause, r.every(&tt.feed), tt.gap, tt.cause, tt.every)
		}
	}
}

// looks replans every hour, and serves what is due of a feed; it returns when that was.
func looks(t *testing.T, in Inputs, feed int64, days int) (at []time.Time) {
	t.Helper()
	s := New(Default())
	k := slices.IndexFunc(in.Feeds, func(f Feed) bool { return f.ID == feed })
	for h := range days * 24 {
		in.Now = monday.Add(time.Duration(h) * time.Hour)
		in.Bucket = plan.Bucket{PerDay: in.Budget, Days: 1, At: in.Now}
		pl := replan(t, s, in)
		in.Instants = pl.Feeds[k].Instants
		for len(in.Instants) > 0 && in.Instants[0].At.Before(in.Now.Add(time.Hour)) {
			f, due := &in.Feeds[k], in.Instants[0]
			if due.Reason.Purpose != ListDue || due.Reason.Every != 0 || !due.Reason.Visit.IsZero() {
				t.Errorf("%+v", due.Reason)
			}
			f.Tried, f.Fetched, in.Instants = due.At, due.At, in.Instants[1:]
			at = append(at, due.At)
		}
	}
	return at
}

// A list beside feeds is looked at once a day by every method, also where the budget is small, and the feeds get what they would get
// without it.
func TestListIsLookedAtOnceADay(t *testing.T) {
	for _, m := range []plan.Method{plan.Kairos, plan.Exact, plan.HeParker, plan.Uniform} {
		for _, perFeed := range []float64{2, 8, 24} {
			in := steady(0.5, 0.2, 0.1)
			in.Method, in.Budget = m, 3*perFeed
			in.Bucket = full(in.Budget)
			without := replan(t, New(Default()), in)
			in.Feeds = append(in.Feeds, Feed{ID: 9, List: true, Weight: 1, Interest: 0.5, Posts: often()})
			in.Budget++
			in.Bucket = full(in.Budget)
			with := replan(t, New(Default()), in)
			if c := with.Feeds[3].Cycle; c.Every != 1 || len(c.At) != 1 {
				t.Errorf("%s, %g: the cycle of the list is %+v", m, perFeed, c)
			}
			for i := range without.Feeds {
				if a, b := without.Feeds[i].Cycle, with.Feeds[i].Cycle; m != plan.Uniform && (a.Every != b.Every || !slices.Equal(a.At, b.At)) {
					t.Errorf("%s, %g: feed %d has %+v beside the list, %+v without it", m, perFeed, i, b, a)
				}
			}
			if with.MeanWeight() != without.MeanWeight() {
				t.Errorf("%s: articles count %g on average, %g without the list", m, with.MeanWeight(), without.MeanWeight())
			}
			at := looks(t, in, 9, 15)
			if len(at) < 14 || len(at) > 16 {
				t.Errorf("%s, %g: %d looks in 15 days", m, perFeed, len(at))
			}
			for i := range at[1:] {
				if gap := at[i+1].Sub(at[i]); gap < 23*time.Hour || gap > 26*time.Hour {
					t.Errorf("%s, %g: %s between two looks", m, perFeed, gap)
				}
			}
		}
	}
}

// Where only lists are followed, or a list is to be looked at less often, there is a plan all the same.
func TestListAlone(t *testing.T) {
	in := steady()
	in.Method, in.Budget = plan.Kairos, 8
	in.Feeds = []Feed{{ID: 9, List: true, Weight: 1, Interest: 0.5}}
	if at := looks(t, in, 9, 7); len(at) < 7 || len(at) > 8 {
		t.Errorf("%v", at)
	}
	in.Feeds[0].Limits.MaxAge = 60 * time.Hour
	in.Feeds[0].Tried, in.Feeds[0].Fetched = time.Time{}, time.Time{}
	if at := looks(t, in, 9, 15); len(at) < 4 || len(at) > 6 {
		t.Errorf("%v", at)
	}
}

// An opened window is no reason to look at a list, and no budget looks at it more often.
func TestListIsNotToppedUp(t *testing.T) {
	in := steady(0.5)
	in.Method, in.Budget, in.Occasion = plan.Kairos, 100, TopUp
	in.Bucket = full(100)
	in.Feeds = append(in.Feeds, Feed{ID: 9, List: true, Weight: 2, Interest: 1, Tried: monday.Add(-30 * time.Hour), Fetched: monday.Add(-30 * time.Hour),
		Posts: often(), Mentioned: Mentioned{}})
	pl := replan(t, New(Default()), in)
	if slices.ContainsFunc(pl.Now, func(i Instant) bool { return i.Feed == 9 }) {
		t.Errorf("%+v", pl.Now)
	}
}
