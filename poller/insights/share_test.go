package insights

import (
	"math"
	"testing"
	"time"

	"kairos/poller"
	"kairos/useraccess"
)

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
