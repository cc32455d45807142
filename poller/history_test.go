package poller

import (
	"fmt"
	"testing"
	"time"
)

// The dates of articles that were imported teach how a feed posts before it is fetched here; what was learned by fetching stays
// where it rests on more.
func TestLearnHistory(t *testing.T) {
	w := newWorld(t)
	feeds := w.subscribePaths("/imported", "/other")
	moved, other := feeds[0], feeds[1]
	now := w.clock.Now()
	for d := range 42 { // each day at 7:00
		at := now.Truncate(day).AddDate(0, 0, -d-1).Add(7 * time.Hour)
		w.exec("INSERT INTO status (feed, key, published, seen) VALUES (?, ?, ?, ?)", moved.ID, fmt.Sprint(d), at.Unix(), now.Unix())
	}
	if err := w.Poller.LearnHistory(t.Context(), []int64{moved.ID, other.ID, 999}, now.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	s := w.stateOf(moved.ID)
	if perDay := 24 * s.posts.PerHour(); perDay < 0.8 || perDay > 1.2 || !s.posts.UpTo.Equal(now.Add(-time.Hour).Truncate(time.Second)) {
		t.Errorf("%.2f posts a day, up to %v", perDay, s.posts.UpTo)
	}
	tomorrow := now.Truncate(day).AddDate(0, 0, 1)
	at := func(hour int) float64 {
		return s.posts.Rate().Sample(tomorrow.Add(time.Duration(hour)*time.Hour), time.Hour, 1, time.UTC)[0]
	}
	if at(7) < 3*at(15) {
		t.Errorf("%.3f posts an hour at 7, %.3f at 15", at(7), at(15))
	}
	if s := w.stateOf(other.ID); !s.posts.UpTo.IsZero() {
		t.Errorf("of a feed without articles %+v was learned", s.posts)
	}
	// A few articles more change nothing of what was learned from many.
	before := s.posts.Tally.Exposure()
	w.exec("DELETE FROM status WHERE key > '5'")
	if err := w.Poller.LearnHistory(t.Context(), []int64{moved.ID}, now); err != nil {
		t.Fatal(err)
	}
	if after := w.stateOf(moved.ID).posts.Tally.Exposure(); after != before {
		t.Errorf("%.1f hours were watched, then %.1f", before, after)
	}
}
