package poller

import (
	"math"
	"testing"
	"time"
)

// The first plan of each day stores what it expects of the rest of that day, once.
func TestExpectations(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/a", 4*time.Hour)
	f := w.subscribePaths("/a")[0]
	w.settled()
	w.live(2 * day)
	w.restart()
	w.live(2 * day)
	all, err := Expectations(t.Context(), w.store, monday.Add(-day))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 5 {
		t.Fatalf("%d expectations in 5 days: %+v", len(all), all)
	}
	for i, e := range all {
		midnight := monday.Truncate(day).Add(time.Duration(i+1) * day)
		if until := midnight.Sub(e.Until); until < 0 || until >= 5*time.Minute || !e.Until.After(e.Since) {
			t.Errorf("%d: from %s until %s", i, e.Since, e.Until)
		}
		if i > 0 && midnight.Add(-day).Add(10*time.Minute).Before(e.Since) {
			t.Errorf("%d: made at %s", i, e.Since)
		}
		if e.Visits <= 0 || e.Articles <= 0 {
			t.Errorf("%d: %+v", i, e)
		}
	}
	state := w.stateOf(f.ID)
	if last, perDay := all[4], 24*postsPerHour(state); math.Abs(last.Articles-perDay) > 1 {
		t.Errorf("%.1f articles are expected, %.1f a day are believed", last.Articles, perDay)
	}
	if later, err := Expectations(t.Context(), w.store, all[3].Since); err != nil || len(later) != 2 {
		t.Errorf("%d since the fourth (%v)", len(later), err)
	}
}

// postsPerHour is how often the plan expects the feed to post, whatever the hour.
func postsPerHour(s State) float64 {
	f := s.scheduleFeed()
	return f.Rate().Mean()
}
