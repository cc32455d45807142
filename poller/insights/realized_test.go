package insights

import (
	"math"
	"slices"
	"testing"
	"time"

	"kairos/poller"
)

// One feed, subscribed five days ago, fetched every day since. Of three articles that came between
// visits two were there; the third came half a day late.
func TestRealizedByHand(t *testing.T) {
	l := newLife(t)
	l.feed(1, ago(5))
	l.fetch(1, poller.First, poller.Stored, ago(5))
	l.article(1, ago(90), ago(5))  // was there before
	l.article(1, ago(5.1), ago(5)) // so was this
	l.fetch(1, poller.Planned, poller.Stored, ago(4), ago(3), ago(2))
	l.fetch(1, poller.Planned, poller.Failed, ago(1.5))
	l.fetch(1, poller.Icon, poller.Stored, ago(1.4))
	l.fetch(1, poller.Manual, poller.Unchanged, ago(1))
	l.article(1, ago(4.2), ago(4))
	l.article(1, ago(3.5), ago(3))
	l.article(1, ago(2.5), ago(2))
	l.visit(ago(4.5), ago(3.9), ago(2.9), ago(2.25), ago(0.5))
	r := l.realize(7)
	if !r.Known || r.Visits != 5 || r.Posts != 3 || r.Failed != 1 || r.Asked != 7 {
		t.Errorf("%+v", r)
	}
	if got, want := r.Actual, (Figures{Ready: 200.0 / 3, Late: 12 * time.Hour, MeanLate: 4 * time.Hour, Requests: 4}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if !r.From.Equal(ago(5)) || r.To.Before(ago(0.5)) || r.To.After(noon) {
		t.Errorf("from %s to %s", r.From, r.To)
	}
	// Four requests just before the visits that find something.
	if r.Hindsight.Ready != 100 || r.Hindsight.Late != 0 || r.Hindsight.Requests > 4 {
		t.Errorf("hindsight %+v", r.Hindsight)
	}
	if got := r.RequestsPerDay(); got < 4/4.7 || got > 4/4.3 { // from the first fetch to the last visit
		t.Errorf("%v requests a day", got)
	}
	if r.EqualIntervals.Requests != 4 || r.Multiple <= 0 {
		t.Errorf("equal intervals %+v, multiple %v", r.EqualIntervals, r.Multiple)
	}
	if got := r.Notes; len(got) != 1 || got[0].Code != ShortRecord || !got[0].At.Equal(ago(5)) || !got[0].Until.Equal(ago(-2)) {
		t.Errorf("%+v", got)
	}
	// It is computed again only when something was stored, or the history was changed.
	have := l.Insights.realized[7]
	have.Visits = 99
	l.Insights.realized[7] = have
	if l.realize(7).Visits != 99 {
		t.Errorf("computed again though nothing is new")
	}
	l.visit(ago(0.4))
	if got := l.realize(7).Visits; got != 6 {
		t.Errorf("%d visits after a new one", got)
	}
	l.fetch(1, poller.Planned, poller.Unchanged, ago(0.1))
	if got := l.realize(7).Actual.Requests; got != 5 {
		t.Errorf("%d requests after a new one", got)
	}
	l.Insights.realized[7] = have
	if l.Forget(); l.realize(7).Visits != 6 {
		t.Errorf("not computed again")
	}
}

// What the opened window had fetched was not there at that visit, even if the visit was logged seconds later, but is at the next
// one. What was planned was there.
func TestFetchedForTheVisit(t *testing.T) {
	for _, c := range []struct {
		reason poller.Code
		before time.Duration // the visit
		ready  float64
	}{
		{poller.TopUp, 0, 0}, {poller.TopUp, 3 * time.Second, 0}, {poller.TopUp, 10 * time.Second, 0}, {poller.TopUp, 11 * time.Second, 100},
		{poller.CatchUp, 3 * time.Second, 0}, {poller.CatchUp, time.Minute, 100},
		{poller.Planned, 3 * time.Second, 100}, {poller.Planned, 0, 0}, {poller.Planned, -time.Second, 0},
	} {
		l := newLife(t)
		l.feed(1, ago(5))
		l.fetch(1, poller.First, poller.Stored, ago(5))
		l.visit(ago(4.5))
		for day := 4.0; day > 0.5; day-- {
			at := ago(day).Add(-c.before)
			l.visit(ago(day), ago(day-0.4))
			l.article(1, ago(day+0.1), at)
			l.fetch(1, c.reason, poller.Stored, at)
		}
		l.fetch(1, poller.Planned, poller.Unchanged, ago(0.1))
		r := l.realize(7)
		if late := time.Duration((1 - c.ready/100) * 0.1 * float64(day)); r.Posts != 4 || r.Actual.Ready != c.ready || (r.Actual.Late-late).Abs() > 10*time.Second {
			t.Errorf("%s %s before: %v %% of %d ready, %s late; want %v %%, %s", c.reason, c.before, r.Actual.Ready, r.Posts, r.Actual.Late, c.ready, late)
		}
	}
}

// What a feed posted before a visit is known once it has been fetched after that: until then only what was there would count.
func TestVisitsCountOnceTheirArticlesAreKnown(t *testing.T) {
	l := newLife(t)
	for id := int64(1); id <= 2; id++ {
		l.feed(id, ago(9))
		l.fetch(id, poller.First, poller.Stored, ago(9))
	}
	for d := 8.0; d > 0; d-- {
		l.visit(ago(d))
		for id := int64(1); id <= 2; id++ {
			l.article(id, ago(d+0.2), ago(d+0.1)) // there
			l.fetch(id, poller.Planned, poller.Stored, ago(d+0.1))
			if d > 1 {
				l.article(id, ago(d+0.05), ago(d-0.1)) // late
				l.fetch(id, poller.Planned, poller.Stored, ago(d-0.1))
			}
		}
	}
	ready := func(want float64) {
		t.Helper()
		if r := l.realize(30); !r.Known || r.Actual.Ready != want {
			t.Errorf("%v %% ready, want %v", r.Actual.Ready, want)
		}
	}
	ready(50)
	l.article(1, ago(1.05), ago(0.5))
	l.fetch(1, poller.Planned, poller.Stored, ago(0.5))
	ready(50)
	l.fetch(2, poller.Planned, poller.Unchanged, ago(0.4)) // it posted nothing more
	ready(100 * 14.0 / 27)
}

// Visits before the first fetch, as another reader may have left them, are visits: those after it are awaited.
func TestVisitsBeforeTheFirstFetch(t *testing.T) {
	l := newLife(t)
	l.visit(ago(22), ago(21))
	l.feed(1, ago(20))
	l.fetch(1, poller.First, poller.Stored, ago(20))
	l.fetch(1, poller.Planned, poller.Stored, ago(10), ago(1))
	if got := codes(l.realize(30).Notes); !slices.Equal(got, []Code{ShortRecord, FewVisits}) {
		t.Errorf("%v", got)
	}
}

// On the first day a fetch by hand has more ready than any instants of as few requests: that compares with nothing.
func TestFirstDay(t *testing.T) {
	l := newLife(t)
	l.feed(1, ago(0.5))
	l.fetch(1, poller.First, poller.Stored, ago(0.5))
	for _, at := range []float64{0.4, 0.3, 0.2} {
		l.article(1, ago(at), ago(0.15))
	}
	l.fetch(1, poller.Manual, poller.Stored, ago(0.15), ago(0.04))
	l.visit(ago(0.45), ago(0.1), ago(0.05))
	if r := l.realize(7); r.Known || !slices.Equal(codes(r.Notes), []Code{ShortRecord, FirstDay}) {
		t.Errorf("%+v", r)
	}
	l.now = l.now.Add(day)
	l.Forget()
	l.fetch(1, poller.Planned, poller.Stored, ago(-0.8))
	if r := l.realize(7); !r.Known {
		t.Errorf("a day later: %+v", r)
	}
}

// Where there is no data there is no figure, and a note says why.
func TestNothingKnown(t *testing.T) {
	l := newLife(t)
	want := func(when string, days int, want ...Code) {
		t.Helper()
		l.Forget()
		r := l.realize(days)
		if got := codes(r.Notes); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
		if r.Known || r.Actual != (Figures{}) || r.EqualIntervals != (Figures{}) || r.Multiple != 0 {
			t.Errorf("%s: %+v", when, r)
		}
		if c, err := l.Costs(t.Context(), days); err != nil || slices.ContainsFunc(c.Feeds, func(f Cost) bool { return f.Ready != 0 || f.Offered != 0 }) {
			t.Errorf("%s: %+v (%v)", when, c, err)
		}
		if c, err := l.Calibration(t.Context(), days); err != nil || len(c.Days) > 0 || c.Visits.Code != FitUnknown {
			t.Errorf("%s: %+v (%v)", when, c, err)
		}
	}
	want("nothing", 7, NoFetches)
	l.feed(1, ago(40))
	l.fetch(1, poller.First, poller.Stored, ago(20))
	want("a ledger of one line, long ago", 7, NoFetches)
	if n := l.realize(7).Notes[0]; !n.At.Equal(ago(20)) {
		t.Errorf("the last fetch was at %s", n.At)
	}
	want("a ledger of one line", 30, ShortRecord, NoVisits)
	l.visit(ago(21))
	want("one visit, before the first fetch", 30, ShortRecord, FewVisits)
	l.visit(ago(15), ago(14))
	want("only a first fetch", 30, ShortRecord, OnlyFirst)
	l.fetch(1, poller.Planned, poller.Stored, ago(10), ago(1))
	want("no visits", 7, NoVisits)
	l.visit(ago(3))
	want("one visit", 7, FewVisits)
	l.visit(ago(2))
	want("no articles", 7, NoArticles)
	if err := l.log.SetLearning(t.Context(), false, ago(1)); err != nil {
		t.Fatal(err)
	}
	want("learning off", 7, LearningOff, NoArticles)
	if n := l.realize(7).Notes[0]; !n.At.Equal(ago(1)) || !n.Until.IsZero() {
		t.Errorf("%+v", n)
	}
	// A year later the lines are sums.
	l.write(func(exec func(string, ...any)) {
		exec("INSERT INTO ledger_day VALUES (1, '2025-03-01', 1, 0, 0, 0)")
		exec("DELETE FROM ledger")
	})
	want("a year without the program", 30, NoFetches, LearningOff)
	if n := l.realize(30).Notes[0]; n.At.Format(time.DateOnly) != "2025-03-01" {
		t.Errorf("the last fetch was at %s", n.At)
	}
}

// A clock that leapt, a zone that changed and a time without the program are told, and nothing of the
// future counts.
func TestOddTimes(t *testing.T) {
	l := newLife(t)
	l.steady(20)
	before := l.realize(14)
	if !before.Known || len(before.Notes) != 0 || before.Actual.Ready != 100 {
		t.Fatalf("%+v", before)
	}
	l.fetch(1, poller.Planned, poller.Stored, noon.AddDate(3, 0, 0))
	l.article(1, noon.AddDate(3, 0, 0), noon.AddDate(3, 0, 0))
	l.fetch(1, poller.Planned, poller.Stored, ago(0.1), ago(0.2), ago(0.05))
	l.visit(ago(0.3).In(time.FixedZone("", 9*3600)))
	l.write(func(exec func(string, ...any)) {
		exec("INSERT INTO awake (since, at, until) VALUES (?1, ?1, ?2), (?2, ?3, ?4)", ago(19).Unix(), ago(9).Unix(), ago(5).Unix(), ago(0).Unix())
	})
	l.Forget()
	r := l.realize(14)
	if got, want := codes(r.Notes), []Code{ClockSet, OtherZone, Interrupted}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !r.Known || r.To.After(noon) || r.Posts != before.Posts || r.Visits != before.Visits+1 {
		t.Errorf("%+v, before %+v", r, before)
	}
	for _, n := range r.Notes {
		if n.Code == Interrupted && (n.Until.Sub(n.At) < 3*day || n.Until.Sub(n.At) > 5*day) {
			t.Errorf("%+v", n)
		}
		if n.Code == ClockSet && n.Count != 2 {
			t.Errorf("%+v", n)
		}
	}
}

// What came while visits were not known, or were forgotten, came between no two known visits.
func TestForgottenTime(t *testing.T) {
	l := newLife(t)
	l.steady(20)
	before := l.realize(14)
	if _, err := l.log.Forget(t.Context(), ago(6), ago(3), l.now); err != nil {
		t.Fatal(err)
	}
	r := l.realize(14)
	if r.Posts != before.Posts-14 || r.Visits != before.Visits-6 || r.Actual.Ready != 100 { // half a day more, between the visits around it
		t.Errorf("%d posts and %d visits were %d and %d: %+v", r.Posts, r.Visits, before.Posts, before.Visits, r.Actual)
	}
	// The requests of that time do not count either, so that those a day, and those of a timer, are as they were.
	if lost := before.Actual.Requests - r.Actual.Requests; lost < 6 || r.EqualIntervals.Requests != r.Actual.Requests {
		t.Errorf("%d requests were %d, those of a timer %d", r.Actual.Requests, before.Actual.Requests, r.EqualIntervals.Requests)
	}
	if then, now := before.RequestsPerDay(), r.RequestsPerDay(); math.Abs(now/then-1) > 0.05 || math.Abs(r.Multiple/before.Multiple-1) > 0.1 {
		t.Errorf("%.2f requests a day, %.2f before; a timer needs %.2f times as many, before %.2f", now, then, r.Multiple, before.Multiple)
	}
	if err := l.log.SetLearning(t.Context(), false, ago(1)); err != nil {
		t.Fatal(err)
	}
	if off := l.realize(14); off.Posts >= r.Posts || off.Actual.Ready != 100 {
		t.Errorf("%d posts, %d while learning was on", off.Posts, r.Posts)
	}
}
