package poller

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"kairos/poller/schedule"
)

func TestParseGoal(t *testing.T) {
	for text, want := range map[string]Goal{
		"95%": {Ready: 0.95}, "99.5 %": {Ready: 0.995}, "1%": {Ready: 0.01}, "97,5%": {Ready: 0.975},
		"10min": {Late: 10 * time.Minute}, "10 min": {Late: 10 * time.Minute}, "2h": {Late: 2 * time.Hour}, "90m": {Late: 90 * time.Minute},
	} {
		got, err := ParseGoal(text)
		if err != nil || math.Abs(got.Ready-want.Ready) > 1e-12 || got.Late != want.Late {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if again, err := ParseGoal(got.String()); err != nil || again != got {
			t.Errorf("%q becomes %q: %+v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"", "95", "0%", "100%", "200%", "-5%", "NaN%", "most", "ninety%", "10", "0min", "-10min", "10s", "400h", "%"} {
		if g, err := ParseGoal(text); !errors.Is(err, ErrGoal) {
			t.Errorf("%q: %+v, %v", text, g, err)
		}
	}
}

// worldWithFeeds has feeds that post every few hours.
func worldWithFeeds(t *testing.T, n int) *world {
	t.Helper()
	w := newWorld(t)
	for i := range n {
		path := fmt.Sprint("/", i)
		w.web.posting(path, time.Duration(2+i)*time.Hour)
		w.subscribePaths(path)
	}
	w.settled()
	return w
}

func budgetOf(t *testing.T, w *world) Budget {
	t.Helper()
	b, err := w.Budget(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A goal sets the least budget that is expected to keep it; any other budget unsets it, battery saver wins.
func TestGoal(t *testing.T) {
	w := worldWithFeeds(t, 6)
	if err := w.SetGoal(t.Context(), Goal{Ready: 0.8}); err != nil {
		t.Fatal(err)
	}
	b := budgetOf(t, w)
	low := b.PerDay(6)
	if g, ok := b.Goal(); !ok || g != (Goal{Ready: 0.8}) || !b.Promise.Kept || b.Promise.Expected < 0.8 || low <= 0 || low >= 6*FreshPerFeed {
		t.Fatalf("%+v: %d a day", b, low)
	}
	f, err := w.Forecast(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if at := f.Curve.At(float64(low)); at.Ready < 0.795 || f.Curve.At(float64(low)-2).Ready > 0.8 {
		t.Errorf("with %d a day %+v, with two fewer %+v", low, at, f.Curve.At(float64(low)-2))
	}
	if err := w.SetGoal(t.Context(), Goal{Ready: 0.9}); err != nil {
		t.Fatal(err)
	}
	if more := budgetOf(t, w).PerDay(6); more <= low {
		t.Errorf("90 %% ready costs %d a day, 80 %% %d", more, low)
	}
	if err := w.SetGoal(t.Context(), Goal{Late: 30 * time.Minute}); err != nil {
		t.Fatal(err)
	}
	if b := budgetOf(t, w); b.Promise.Late <= 0 || !b.Promise.Kept {
		t.Errorf("%+v", b.Promise)
	}
	if err := w.SetSaver(t.Context(), SaverOn); err != nil {
		t.Fatal(err)
	}
	if b := budgetOf(t, w); b.PerDay(6) > 6*SaverPerFeed {
		t.Errorf("battery saver allows %d a day", b.PerDay(6))
	}
	if err := w.SetBudget(t.Context(), Balanced); err != nil {
		t.Fatal(err)
	}
	b = budgetOf(t, w)
	if _, ok := b.Goal(); ok || b.Promise.PerFeed != 0 {
		t.Errorf("%+v", b)
	}
	for _, g := range []Goal{{}, {Ready: 1}, {Ready: 1.5}, {Ready: math.NaN()}, {Late: time.Second}, {Ready: 0.9, Ceiling: -1}} {
		if err := w.SetGoal(t.Context(), g); !errors.Is(err, ErrGoal) {
			t.Errorf("%+v: %v", g, err)
		}
	}
}

// A goal out of reach takes the ceiling and says what that brings.
func TestGoalOutOfReach(t *testing.T) {
	w := worldWithFeeds(t, 6)
	if err := w.SetGoal(t.Context(), Goal{Ready: 0.999, Ceiling: 12}); err != nil {
		t.Fatal(err)
	}
	b := budgetOf(t, w)
	if b.Promise.Kept || b.PerDay(6) != 12 || b.Promise.Expected >= 0.999 || b.Promise.Expected <= 0 {
		t.Errorf("%d a day, %+v", b.PerDay(6), b.Promise)
	}
	if b.PerDay(12) != 12 {
		t.Errorf("with more feeds the ceiling is %d a day", b.PerDay(12))
	}
}

// Of a feed that is gone the forecast counts as much as the budget does: both tell the same most.
func TestForecastCountsTheFeedsOfTheBudget(t *testing.T) {
	w := worldWithFeeds(t, 6)
	w.web.on("/0", func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusGone) })
	w.live(3 * day)
	if !w.stateOf(1).Gone {
		t.Fatal("the feed is not gone")
	}
	if err := w.SetGoal(t.Context(), Goal{Ready: 0.999}); err != nil {
		t.Fatal(err)
	}
	f, err := w.Forecast(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if told := s.Budget.NormalPerDay(f.Feeds); told != s.PerDay || s.PerDay != 6*FreshPerFeed {
		t.Errorf("the forecast tells of %d fetches a day, the budget has %d", told, s.PerDay)
	}
}

// Without feeds there is nothing to find; the loop finds the budget once there are some.
func TestGoalBeforeFeeds(t *testing.T) {
	w := newWorld(t)
	if err := w.SetGoal(t.Context(), Goal{Ready: 0.8}); err != nil {
		t.Fatal(err)
	}
	w.settled()
	w.web.posting("/a", time.Hour)
	w.subscribePaths("/a")
	w.settled()
	w.live(2 * time.Hour)
	if b := budgetOf(t, w); b.Promise.PerFeed <= 0 {
		t.Errorf("%+v", b)
	}
}

// What a week brought moves the budget in its direction, half way, and not beyond bounds.
func TestGoalFollowsWhatWasRealized(t *testing.T) {
	var c schedule.Curve
	for _, n := range []float64{1, 2, 4, 8, 16} {
		c = append(c, schedule.Point{Budget: 10 * n, Fetches: 10 * n, Ready: 1 - 0.4/n, Late: time.Duration(2.5 * float64(time.Hour) / n)})
	}
	g := Goal{Ready: 0.95}
	for _, x := range []struct {
		w    Realized
		want float64
	}{
		{Realized{Visits: 7, Posts: 100, Ready: 0.9, Fetches: 40}, 1},
		{Realized{Visits: 7, Posts: 100, Ready: 0.8, Fetches: 40}, math.Sqrt(0.5)},
		{Realized{Visits: 7, Posts: 100, Ready: 0.95, Fetches: 40}, math.Sqrt2},
		{Realized{Visits: 0, Posts: 100, Ready: 0.8, Fetches: 40}, 1},
		{Realized{Visits: 63, Posts: 100, Ready: 0.8, Fetches: 40}, math.Pow(0.5, 0.9)},
		{Realized{Visits: 7, Posts: 10, Ready: 0.1, Fetches: 40}, 1},
	} {
		if got := x.w.worth(c, g); math.Abs(got-x.want) > 1e-3 {
			t.Errorf("%+v: %v, want %v", x.w, got, x.want)
		}
	}
	late := &Realized{Visits: 7, Posts: 100, Late: 15 * time.Minute, Fetches: 40}
	if got := late.worth(c, Goal{Late: time.Minute}); math.Abs(got-math.Sqrt(0.5)) > 1e-3 {
		t.Errorf("four times as late as forecast: %v", got)
	}
}

// The budget is found again after a week.
func TestGoalIsAdjustedWeekly(t *testing.T) {
	w := worldWithFeeds(t, 3)
	if err := w.SetGoal(t.Context(), Goal{Ready: 0.8}); err != nil {
		t.Fatal(err)
	}
	first := budgetOf(t, w).Promise.At
	w.live(8 * day)
	if at := budgetOf(t, w).Promise.At; at.Sub(first) < adjustEvery || at.Sub(first) > adjustEvery+day {
		t.Errorf("found at %v, then at %v", first, at)
	}
}

// What the last weeks realized moves the curve and the budget of a goal alike; few articles tell nothing.
func TestForecastFollowsWhatWasRealized(t *testing.T) {
	w := worldWithFeeds(t, 6)
	at := func() (f Forecast, ready float64) {
		f, err := w.Forecast(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return f, f.PerFeed(BalancedPerFeed).Ready
	}
	alone, before := at()
	if !alone.Guess() || alone.Visits != 0 {
		t.Errorf("without a visit it rests on %d", alone.Visits)
	}
	made := alone.PerFeed(BalancedPerFeed)
	seen := Realized{Days: 20, Visits: 180, Posts: leastJudged - 1, Ready: made.Ready - 0.2, Fetches: made.Fetches}
	w.goal.realized = func(context.Context, int) (Realized, error) { return seen, nil }
	if _, ready := at(); ready != before {
		t.Errorf("%d articles moved the forecast from %v to %v", seen.Posts, before, ready)
	}
	seen.Posts = leastJudged
	moved, ready := at()
	if math.Abs(ready-(before-0.18)) > 0.02 {
		t.Errorf("%v ready, before %v, realized %v", ready, before, seen.Ready)
	}
	if err := w.SetGoal(t.Context(), Goal{Ready: 0.7}); err != nil {
		t.Fatal(err)
	}
	b := budgetOf(t, w)
	if got := moved.PerFeed(b.Promise.PerFeed).Ready; math.Abs(got-b.Promise.Expected) > 1e-6 {
		t.Errorf("the goal expects %v, the curve %v", b.Promise.Expected, got)
	}
	for range fewVisits {
		w.clock.add(time.Hour)
		if _, err := w.planner.log.Record(t.Context(), w.clock.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if f, _ := at(); f.Guess() || f.Visits != fewVisits {
		t.Errorf("after %d visits it is a guess, which rests on %d", fewVisits, f.Visits)
	}
}
