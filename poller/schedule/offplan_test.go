package schedule

import (
	"testing"
	"time"

	"kairos/poller/plan"
)

// A fetch for the window that was just opened does not take what the next visit needs: with a fetch a
// day for a feed that posts every hour, one now would leave none for tomorrow morning, and then the
// window would be out of date again.
func TestTopUpsLeaveTheNextVisitItsFetch(t *testing.T) {
	visits := readingAt(40, 8.75)
	var posts Posts
	for h := range 24 * 40 {
		at := monday.Truncate(day).Add(time.Duration(h-24*40)*time.Hour + 5*time.Minute)
		posts.Document(at.Add(10*time.Minute), dates(at), 1)
	}
	opened := monday.Truncate(day).Add(8*time.Hour + 45*time.Minute)
	visits.Add(opened)
	for level, want := range map[float64]int{1: 0, 2: 1} {
		in := Inputs{Now: opened, Budget: 1, Bucket: plan.Bucket{PerDay: 1, Days: level, At: opened}, Method: plan.Exact,
			Access: visits.Outlook(opened), Occasion: TopUp,
			Feeds: []Feed{{ID: 1, Weight: 1, Interest: 1, Fetched: opened.Add(-22 * time.Hour), Tried: opened.Add(-22 * time.Hour), Posts: posts}}}
		pl, err := New(Default()).Replan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if len(pl.Now) != want {
			t.Errorf("with %v fetches left: %d top-ups, want %d; planned %v", level, len(pl.Now), want, pl.Feeds[0].Instants)
		}
	}
}
