package insights

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/schedule"
	"kairos/useraccess"
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

// Articles without a date of their own, or with one from before the last fetch, came at some time since.
func TestUndatedArticles(t *testing.T) {
	f := &feed{since: 1000, fetches: []int64{1000, 2000, 3000, 4000, 2_000_000}, first: []int64{4000}}
	f.place([]article{
		{1500, 2000, false},                    // as it says
		{500, 2000, true}, {2000, 2000, false}, // undated
		{900, 1000, false},                      // of the first document
		{500, 4000, false}, {3500, 4000, false}, // of the first document of a new address, and new in it
		{1700, 2500, false},                                         // the line of its fetch is lost
		{-700_000, 2_000_000, false}, {1_900_000, 2_000_000, false}, // shown again, and new
	})
	if want := []post{{at: 1334, opened: true}, {at: 1500}, {at: 1667}, {at: 3500}, {at: 1_900_000}}; !slices.Equal(f.posts, want) {
		t.Errorf("%v, want %v", f.posts, want)
	}
}

// A document of nothing but new articles hints at others that came and went: as many as came in the
// time that it shows would have come in the time before. Dates of the document itself tell nothing.
func TestLostArticles(t *testing.T) {
	f := &feed{since: 1000, shows: 3, fetches: []int64{1000, 2000, 3000, 4000, 5000}}
	f.place([]article{
		{1500, 2000, false}, {1600, 2000, false}, {1700, 2000, false}, // half of the time was not seen
		{2100, 3000, false}, {2200, 3000, false}, // it still showed an old one
		{4000, 4000, false}, {4000, 4000, false}, {4000, 4000, false}, // no dates
		{1500, 5000, false}, {4600, 5000, false}, {4700, 5000, false}, // an old one is new
	})
	lost := slices.DeleteFunc(slices.Clone(f.posts), func(p post) bool { return !p.lost })
	if want := []post{{1166, true, false}, {1333, true, false}}; !slices.Equal(lost, want) || math.Abs(f.owed-((1.5+500*11/3500.0)/2-2)) > 1e-9 {
		t.Errorf("%v lost, %v owed; want 1.54 lost in the first half of the time, rounded", lost, f.owed)
	}
	everything := &feed{}
	if everything.noteLost(1000, 2000, []article{{1500, 2000, false}}); everything.posts != nil {
		t.Errorf("a feed that shows everything lost %v", everything.posts)
	}
}

// What was lost was not there, and counts: a fetch a day brings the six articles of the last 13 hours, so 3.5 of the eleven
// hours before are estimated. A timer loses as many, and hindsight cannot help it.
func TestLostArticlesAreNotReady(t *testing.T) {
	l := newLife(t)
	l.feed(1, ago(10))
	l.write(func(exec func(string, ...any)) {
		exec("INSERT INTO poll (subject, shown, keeps, turnover) VALUES (1, 6, 6, ?)", schedule.Turning)
	})
	l.fetch(1, poller.First, poller.Stored, ago(9))
	l.visit(ago(9))
	for d := 8.0; d > 0; d-- {
		at := ago(d)
		l.fetch(1, poller.Planned, poller.Stored, at)
		for i := range 6 {
			l.article(1, at.Add(-time.Hour-time.Duration(i)*144*time.Minute), at)
		}
		l.visit(at.Add(time.Hour))
	}
	l.fetch(1, poller.Planned, poller.Unchanged, ago(0.1))
	r := l.realize(30)
	if !r.Known || r.Posts != 48 || r.Lost != 28 || r.LostFeeds != 1 {
		t.Fatalf("%+v", r)
	}
	if want := 100 * 48.0 / 76; math.Abs(r.Actual.Ready-want) > 1e-9 || r.Hindsight.Ready > want+1e-9 || r.EqualIntervals.Ready >= want {
		t.Errorf("%v %% ready, want %v; in hindsight %v, by a timer %v", r.Actual.Ready, want, r.Hindsight.Ready, r.EqualIntervals.Ready)
	}
}

// Of what was opened, of feeds alike, and of slow feeds other shares are ready than of all, and a timer's stand beside them. What
// was read elsewhere or passed over was not opened here.
func TestShares(t *testing.T) {
	l := newLife(t)
	l.visit(ago(20))
	for id := int64(1); id <= 6; id++ { // 1 and 2 post every day, the others every ten days
		l.feed(id, ago(20))
		l.fetch(id, poller.First, poller.Stored, ago(20))
	}
	var readings []useraccess.Reading
	read := func(feed int64, e useraccess.Evidence) {
		var article int64
		if err := l.store.Read().QueryRow("SELECT max(id) FROM status").Scan(&article); err != nil {
			t.Fatal(err)
		}
		readings = append(readings, useraccess.Reading{At: noon.Add(-time.Duration(len(readings)) * time.Minute), Feed: feed, Article: article, Evidence: e})
	}
	for d := 19.0; d > 0; d-- {
		fetched, late := ago(d+0.1), ago(d-0.1) // before and after the visit
		l.article(1, ago(d+0.3), fetched)       // always there
		if int(d)%2 == 0 {
			read(1, useraccess.Read)
		} else {
			read(1, useraccess.Passed)
		}
		l.article(2, ago(d+0.3), late) // never there
		if int(d)%5 == 0 {
			read(2, useraccess.Read)
		} else {
			read(2, useraccess.ReadElsewhere)
		}
		l.fetch(1, poller.Planned, poller.Stored, fetched)
		l.fetch(2, poller.Planned, poller.Stored, late)
		for id := int64(3); id <= 6; id++ {
			if int(d)%6 == 2 {
				l.article(id, ago(d+0.3), fetched)
			}
			l.fetch(id, poller.Planned, poller.Stored, fetched)
		}
		l.visit(ago(d))
	}
	for id := int64(1); id <= 6; id++ {
		l.fetch(id, poller.Planned, poller.Unchanged, ago(0.1))
	}
	if _, err := l.log.NoteReadings(t.Context(), noon, readings...); err != nil {
		t.Fatal(err)
	}
	r := l.realize(30)
	check := func(what string, s Share, articles, feeds int, ready float64) {
		t.Helper()
		if s.Articles != articles || s.Feeds != feeds || math.Abs(s.Ready-ready) > 1e-9 || s.Timer <= 0 || s.Timer > 100 || s.Known() != (articles >= 10) {
			t.Errorf("%s: %+v, want %v %% of %d articles of %d feeds", what, s, ready, articles, feeds)
		}
	}
	check("opened", r.Opened, 9+3, 0, 100*9.0/12)
	check("by feed", r.ByFeed, 19+19+4*3, 6, 100*5.0/6)
	check("slow", r.Slow, 4*3, 4, 100)
	if want := 100 * 31.0 / 50; math.Abs(r.Actual.Ready-want) > 1e-9 {
		t.Errorf("%v %% of all, want %v", r.Actual.Ready, want)
	}
	// What was passed over and is opened later counts at once.
	if _, err := l.log.NoteReadings(t.Context(), noon, useraccess.Reading{At: noon, Feed: 1, Article: readings[0].Article, Evidence: useraccess.Read}); err != nil {
		t.Fatal(err)
	}
	if got := l.realize(30).Opened.Articles; got != 13 {
		t.Errorf("%d opened, want 13", got)
	}
	// Nobody opened anything: no figure.
	if err := l.log.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.Forget()
	if got := l.realize(30).Opened; got.Known() {
		t.Errorf("%+v", got)
	}
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

// Visits are counted by the hour on the clock they were made on.
func TestVisits(t *testing.T) {
	l := newLife(t)
	tokyo := time.FixedZone("", 9*3600)
	l.visit(ago(100), ago(7), ago(1), ago(1).Add(time.Hour).In(tokyo))
	v, err := l.Visits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Visits) != 3 || v.ByHour[1][12] != 1 || v.ByHour[0][12] != 1 || v.ByHour[0][22] != 1 || v.Most != 1 {
		t.Errorf("%+v", v)
	}
	if !v.From.Equal(ago(7)) || !slices.Equal(codes(v.Notes), []Code{OtherZone}) {
		t.Errorf("from %s, %+v", v.From, v.Notes)
	}
}

// When the machine is awake is told after three days.
func TestAwakeIsToldLate(t *testing.T) {
	l := newLife(t)
	for _, c := range []struct {
		since float64
		known bool
	}{{0.001, false}, {2, false}, {4, true}} {
		l.write(func(exec func(string, ...any)) {
			exec("DELETE FROM awake")
			exec("INSERT INTO awake (since, at, until) VALUES (?1, ?1, ?2)", ago(c.since).Unix(), noon.Unix())
		})
		if h, err := l.Habits(t.Context()); err != nil || (h.Awake[0] != nil) != c.known {
			t.Errorf("%v days: %v (%v)", c.since, h.Awake, err)
		}
	}
}

// Costs add up to the realized requests, and what was opened and saved is told by feed.
func TestCosts(t *testing.T) {
	l := newLife(t)
	l.steady(10)
	l.write(func(exec func(string, ...any)) { exec("UPDATE ledger SET new = 3 WHERE reason = 'first'") })
	l.feed(2, ago(10))
	l.fetch(2, poller.First, poller.Stored, ago(10))
	l.fetch(2, poller.Planned, poller.Failed, ago(9), ago(8))
	read := func(at time.Time, article int64) {
		t.Helper()
		if _, err := l.log.NoteReadings(t.Context(), at, useraccess.Reading{At: at, Feed: 1, Article: article, Evidence: useraccess.Read}); err != nil {
			t.Fatal(err)
		}
	}
	read(ago(3), 1)
	read(ago(3), 1)
	read(ago(2), 2)
	c, err := l.Costs(t.Context(), 30)
	if err != nil || !c.Ready || len(c.Feeds) != 2 {
		t.Fatalf("%+v (%v)", c, err)
	}
	r := l.realize(30)
	a, b := c.Feeds[0], c.Feeds[1]
	if a.Held != 3 {
		t.Errorf("%d articles of the first fetch", a.Held)
	}
	if a.Requests != r.Actual.Requests+1 || a.Opened != 2 || a.Bytes != int64(100*a.Requests) || a.Failed != 0 || a.Title != "Feed 1" {
		t.Errorf("%+v, %d requests realized", a, r.Actual.Requests)
	}
	if a.NotModified != 0 || a.Spared != 0 {
		t.Errorf("documents have spared %+v", a)
	}
	if b.Requests != 3 || b.Failed != 2 || b.Opened != 0 || b.Offered != 0 || r.Failed != 2 {
		t.Errorf("%+v", b)
	}
	if math.Abs(a.Ready-r.Actual.Ready) > 1e-9 || a.Offered == 0 {
		t.Errorf("%v %% of %d ready, %v %% of all feeds", a.Ready, a.Offered, r.Actual.Ready)
	}
}

// Of ten answers without a document each spared as much as the feed's documents have on average; what failed spares nothing.
func TestCostsTellWhat304sSpared(t *testing.T) {
	l := newLife(t)
	l.steady(10)
	l.write(func(exec func(string, ...any)) {
		exec("UPDATE ledger SET status = 304, bytes = 0, result = 'unchanged' WHERE id IN (SELECT id FROM ledger WHERE reason <> 'first' ORDER BY id LIMIT 10)")
	})
	l.feed(2, ago(10))
	l.fetch(2, poller.First, poller.Stored, ago(10))
	l.fetch(2, poller.Planned, poller.Failed, ago(9))
	l.write(func(exec func(string, ...any)) { exec("UPDATE ledger SET status = 500 WHERE result = 'fault'") })
	c, err := l.Costs(t.Context(), 30)
	if err != nil || len(c.Feeds) != 2 {
		t.Fatalf("%+v (%v)", c, err)
	}
	if a, b := c.Feeds[0], c.Feeds[1]; a.NotModified != 10 || a.Spared != 1000 || b.NotModified != 0 || b.Spared != 0 {
		t.Errorf("%+v, %+v", a, b)
	}
	if all := c.Total(); all.NotModified != 10 || all.Spared != 1000 || all.Requests != c.Feeds[0].Requests+2 || all.Failed != 1 {
		t.Errorf("in all %+v", all)
	}
}

// Expectations stored day by day are compared with what came, and it is told where they are off.
func TestCalibration(t *testing.T) {
	l := newLife(t)
	l.steady(20)
	expect := func(visits, articles float64) {
		l.write(func(exec func(string, ...any)) {
			exec("DELETE FROM expectation")
			for d := 15; d >= 0; d-- {
				from := ago(float64(d)).Add(-12 * time.Hour)
				exec("INSERT INTO expectation VALUES (?, ?, ?, ?, ?)", from.Format(time.DateOnly), from.Unix(), from.Add(day).Unix(), visits, articles)
			}
		})
	}
	expect(2, 8)
	c, err := l.Calibration(t.Context(), 14)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Days) != 14 { // the last ones: that of today is not over
		t.Fatalf("%d days", len(c.Days))
	}
	for _, d := range c.Days {
		if d.Visits != 2 || d.Articles != 4 {
			t.Errorf("%+v", d)
		}
	}
	if c.Visits.Code != FitClose || c.Visits.Came != 28 || c.Visits.Miss != 0 || c.Articles.Code != FewerCame || int(c.Articles.Miss+0.5) != 4 {
		t.Errorf("%+v %+v", c.Visits, c.Articles)
	}
	expect(0.1, 4)
	if c, err = l.Calibration(t.Context(), 14); err != nil || c.Visits.Code != MoreCame || c.Articles.Code != FitClose {
		t.Errorf("%+v %+v (%v)", c.Visits, c.Articles, err)
	}
	if c, err = l.Calibration(t.Context(), 5); err != nil || c.Visits.Code != FitUnknown {
		t.Errorf("%+v (%v)", c.Visits, err)
	}
	expect(2, 4)
	if c, err = l.Calibration(t.Context(), 7); err != nil || len(c.Days) != 7 || c.Visits.Code != FitClose {
		t.Errorf("%+v (%v)", c.Visits, err)
	}
	// Days of which not all visits are known tell nothing of predictions.
	if _, err := l.log.Forget(t.Context(), ago(6), ago(4), l.now); err != nil {
		t.Fatal(err)
	}
	if c, err = l.Calibration(t.Context(), 30); err != nil || len(c.Days) != 12 || c.Visits.Miss != 0 {
		t.Errorf("%d days, %+v (%v)", len(c.Days), c.Visits, err)
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

// Visits that plans foresaw are compared with those that came by parts of the day and by the time since the last one. Plans whose
// day is not over, or of which not all visits are known, tell nothing.
func TestBands(t *testing.T) {
	l := newLife(t)
	l.steady(20) // visits at 00:30 and 12:30
	bins := poller.ForeseenBins()
	l.write(func(exec func(string, ...any)) {
		for d := 15; d >= 0; d-- {
			at := ago(float64(d)).Add(-2 * time.Hour) // 10:00, after the visit of 00:30
			visits := make([]float64, len(bins))
			visits[10], visits[16+10] = 1, 0.5 // from 12:30 on, and between midnight and one
			stored, err := json.Marshal(visits)
			if err != nil {
				t.Fatal(err)
			}
			exec("INSERT INTO foreseen VALUES (?, ?, ?)", at.Unix(), at.Add(-9*time.Hour-30*time.Minute).Unix(), string(stored))
		}
		exec("INSERT INTO foreseen VALUES (?, 0, '[1]')", ago(3).Unix()) // of another version
	})
	check := func(what string, bands []Band, want ...Band) {
		t.Helper()
		if len(bands) != len(want) {
			t.Fatalf("%s: %v", what, bands)
		}
		for i, b := range bands {
			if b.Came != want[i].Came || math.Abs(b.Expected-want[i].Expected) > 1e-9 {
				t.Errorf("%s, %g to %g h: %+v, want %+v", what, b.From, b.To, b, want[i])
			}
		}
	}
	c, err := l.Calibration(t.Context(), 30)
	if err != nil {
		t.Fatal(err)
	}
	check("by day", c.ByDay, Band{Expected: 7, Came: 14}, Band{}, Band{Expected: 14, Came: 14}, Band{})
	check("since the last", c.BySince, Band{}, Band{}, Band{}, Band{}, Band{Expected: 14, Came: 14}, Band{Expected: 7, Came: 14})
	if b := (Band{Expected: 100, Came: 50}); !b.Known() || b.Off() != 0.5 || (&Band{Came: 100}).Known() || (&Band{Expected: 5, Came: 5}).Known() {
		t.Errorf("%+v", b)
	}
	if _, err := l.log.Forget(t.Context(), ago(6), ago(4), l.now); err != nil {
		t.Fatal(err)
	}
	if c, err = l.Calibration(t.Context(), 30); err != nil || c.ByDay[2].Came != 11 {
		t.Errorf("%+v (%v)", c.ByDay, err)
	}
}

// What accounts cost is told beside the feeds, which their servers fetch.
func TestCostsOfAccounts(t *testing.T) {
	l := newLife(t)
	l.write(func(exec func(string, ...any)) {
		exec("INSERT INTO account (id, kind, name, url, user, added) VALUES (5, 'test', 'Mine', 'https://a.test/', 'ann', 1)")
		exec("INSERT INTO subject (id, account) VALUES (77, 5) ON CONFLICT DO UPDATE SET id = 77")
		exec("DELETE FROM subject WHERE account = 5 AND id <> 77")
		for d := range 3 {
			exec(`INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said, requests)
				VALUES (77, ?, 'planned', '', 1, 'stored', 200, 4, 100, 5, '', 3)`, ago(float64(d)+0.5).Unix())
		}
	})
	c, err := l.Costs(t.Context(), MostDays)
	if err != nil || len(c.Feeds) != 0 || !slices.Equal(c.Accounts, []AccountCost{{Name: "Mine", Syncs: 3, Requests: 9, Bytes: 300, Articles: 12}}) {
		t.Errorf("%+v, %v", c, err)
	}
}
