package poller

import (
	"math"
	"slices"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/reader"
	"kairos/useraccess"
)

// interests returns what the planner takes for the interest in each feed.
func (w *world) interests() map[int64]float64 {
	w.t.Helper()
	in, err := w.planner.inputs(w.t.Context(), w.now())
	if err != nil {
		w.t.Fatal(err)
	}
	q := map[int64]float64{}
	for _, f := range in.Feeds {
		if q[f.ID] = f.Interest; !(f.Interest > 0 && f.Interest <= 1) {
			w.t.Errorf("the interest in feed %d is %v", f.ID, f.Interest)
		}
	}
	return q
}

// note notes what was done with so many articles of a feed, one a minute.
func (w *world) note(feed int64, evidence useraccess.Evidence, articles int, until time.Time) {
	w.t.Helper()
	var all []useraccess.Reading
	for k := range articles {
		all = append(all, useraccess.Reading{At: until.Add(time.Duration(-k) * time.Minute), Feed: feed, Article: int64(1000 + k), Evidence: evidence})
	}
	if _, err := w.planner.log.NoteReadings(w.t.Context(), until, all...); err != nil {
		w.t.Fatal(err)
	}
}

// The interest is the prior's, which falls with the rate, until something is read or passed over; what the user says wins.
func TestPlannerReadsInterests(t *testing.T) {
	w := worldWithFeeds(t, 3) // the first posts most often
	feeds := must(w.store.Feeds.List(t.Context()))(t)
	slices.SortFunc(feeds, func(a, b reader.Feed) int { return int(a.ID - b.ID) })
	fast, middle, slow := feeds[0], feeds[1], feeds[2]
	before := w.interests()
	if !(before[fast.ID] < before[middle.ID] && before[middle.ID] < before[slow.ID]) {
		t.Errorf("before anything is read: %v", before)
	}
	w.note(fast.ID, useraccess.Read, 30, w.now())
	w.note(slow.ID, useraccess.Passed, 30, w.now())
	after := w.interests()
	if after[fast.ID] < 0.85 || after[slow.ID] > 0.15 || after[middle.ID] != before[middle.ID] {
		t.Errorf("after: %v, before: %v", after, before)
	}
	f, err := w.FeedForecast(t.Context(), fast.ID)
	if err != nil || f.Interest.Own || math.Abs(f.Interest.Read-30) > 0.1 || f.Interest.Passed != 0 || f.Interest.Chance != after[fast.ID] || f.Counts < 1.3 {
		t.Errorf("%+v, counts %v (%v)", f.Interest, f.Counts, err)
	}
	fast.Interest = 0.25
	w.update(fast)
	if got := w.interests()[fast.ID]; got != 0.25 {
		t.Errorf("the user says a quarter: %v", got)
	}
	s, err := w.Snapshot(t.Context(), fast.ID)
	if i := s.Interests[fast.ID]; err != nil || !i.Own || i.Chance != 0.25 || math.Abs(i.Read-30) > 0.1 {
		t.Errorf("%+v (%v)", i, err)
	}
	fast.Interest = 0
	w.update(fast)
	if got := w.interests()[fast.ID]; got != after[fast.ID] {
		t.Errorf("learned again: %v, before %v", got, after[fast.ID])
	}
	if err := w.planner.log.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.interests(); got[fast.ID] != before[fast.ID] || got[slow.ID] != before[slow.ID] {
		t.Errorf("cleared: %v, before %v", got, before)
	}
}

// Whatever is logged, the interest is a chance, and a feed that is never read is fetched all the same.
func TestInterestSurvivesNonsense(t *testing.T) {
	w := worldWithFeeds(t, 3)
	w.setBudget("6")
	feeds := must(w.store.Feeds.List(t.Context()))(t)
	before := w.interests()
	imported := []time.Time{}
	for d := range 60 {
		imported = append(imported, w.now().AddDate(0, 0, -d-1))
	}
	if _, err := w.planner.log.Import(t.Context(), imported, w.now()); err != nil {
		t.Fatal(err)
	}
	if got := w.interests(); got[feeds[0].ID] != before[feeds[0].ID] {
		t.Errorf("visits without readings tell about interest: %v, before %v", got, before)
	}
	bulk := []useraccess.Reading{}
	for k := range 10_000 {
		bulk = append(bulk, useraccess.Reading{At: w.now(), Feed: feeds[0].ID, Article: int64(k), Evidence: useraccess.Passed})
	}
	if _, err := w.planner.log.NoteReadings(t.Context(), w.now(), bulk...); err != nil {
		t.Fatal(err)
	}
	if got := w.interests(); got[feeds[0].ID] != before[feeds[0].ID] {
		t.Errorf("ten thousand at once tell about interest: %v, before %v", got, before)
	}
	w.note(999, useraccess.Read, 10, w.now())                          // a feed that is not there
	w.note(feeds[1].ID, useraccess.Read, 10, w.now().AddDate(9, 0, 0)) // a clock that was set back since
	w.note(feeds[0].ID, useraccess.Passed, 5000, w.now())
	got := w.interests()
	if len(got) != 3 || got[feeds[1].ID] <= before[feeds[1].ID] || got[feeds[0].ID] >= 0.05 {
		t.Errorf("%v, before %v", got, before)
	}
	pl, err := w.planner.preview(t.Context(), plan.Exact)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range pl.Feeds {
		if len(f.Cycle.At) == 0 || f.Cycle.Every > 7 || math.IsNaN(f.Cycle.Delay) {
			t.Errorf("feed %d is never fetched: %+v", f.FeedPlan.Feed.ID, f.Cycle)
		}
	}
}

// An account stands for its feeds: what was read of them counts, and each posts its part.
func TestInterestInAccount(t *testing.T) {
	w := newAccountWorld(t, time.Hour)
	if _, err := w.byHandAccount(); err != nil {
		t.Fatal(err)
	}
	w.settled()
	before := w.interests()[w.subject]
	w.note(w.feed, useraccess.Read, 40, w.now())
	if after := w.interests()[w.subject]; before <= 0 || after < 0.85 || after <= before {
		t.Errorf("%v, before %v", after, before)
	}
}
