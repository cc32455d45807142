package insights

import (
	"math"
	"slices"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/schedule"
)

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
