package poller

import (
	"errors"
	"slices"
	"testing"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

// What is forecast of a feed has its posts, its fetches, what changes would do, and both sides of (6).
func TestFeedForecast(t *testing.T) {
	slowWithRace(t)
	w := worldWithFeeds(t, 5)
	w.live(3 * day)
	feeds, err := w.store.Feeds.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.FeedForecast(t.Context(), feeds[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Posts) < 20 || len(f.Day.Posting) != 288 || len(f.Day.Access) != 288 || len(f.Week.Posting) != 168 || len(f.Week.Access) != 168 || len(f.Fetched) == 0 || f.Weight != 1 || len(f.Instants) == 0 {
		t.Errorf("%d posts, %d and %d bins, weight %v, %d instants", len(f.Posts), len(f.Day.Posting), len(f.Day.Access), f.Weight, len(f.Instants))
	}
	if f.Balance == nil {
		t.Fatal("no balance")
	}
	next := slices.DeleteFunc(w.instants(), func(i Instant) bool { return i.Feed != feeds[0].ID || !i.At.After(w.now()) })[0]
	if !f.Balance.At.Equal(next.At) {
		t.Errorf("%v is explained, %v comes next", f.Balance.At, next.At)
	}
	if before, after := f.Balance.Areas(); !(before > 0 && after > 0) { // this feed posts by the clock, so the sides jump there
		t.Errorf("the sides of (6) weigh %v and %v", before, after)
	}
	now := f.Effects[0]
	for _, e := range f.Effects[1:] {
		more := e.Weight > 1 || e.Budget > 5*BalancedPerFeed || e.Every > 0
		if more && e.Fetches < now.Fetches-1e-9 || e.Weight == 0.5 && e.Fetches > now.Fetches+1e-9 || e.Ready < 0 || e.Ready > 1 || e.FeedForecast.Late < 0 {
			t.Errorf("%+v, as it is %+v", e, now)
		}
	}
	if n := len(f.Effects); n < 6 || n > 8 {
		t.Errorf("%d effects", len(f.Effects))
	}
	paused := feeds[1]
	paused.Paused = true
	w.update(paused)
	if _, err := w.FeedForecast(t.Context(), paused.ID); !errors.Is(err, schedule.ErrNotPlanned) {
		t.Errorf("a paused feed: %v", err)
	}
	if _, err := w.FeedForecast(t.Context(), 999); !errors.Is(err, schedule.ErrNotPlanned) && !errors.Is(err, reader.ErrUnknown) {
		t.Errorf("no feed: %v", err)
	}
}

// Both sides of (6) are those of constant rates: λc λp (τ−a)²/2 and λp λc (b−τ)²/2.
func TestBalance(t *testing.T) {
	n := int(12 * time.Hour / schedule.Bin)
	access, posting := make([]float64, n), make([]float64, n)
	for k := range access {
		access[k], posting[k] = 2, 3
	}
	b := schedule.NewBalance(access, posting, monday, monday, monday.Add(4*time.Hour), monday.Add(10*time.Hour))
	if before, after := b.Areas(); before < 47.9 || before > 48.1 || after < 107.9 || after > 108.1 {
		t.Errorf("%v and %v, want 48 and 108", before, after)
	}
}
