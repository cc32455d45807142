package hometest

import (
	"testing"

	"kairos/poller/plan"
)

// From a made-up history is learned how often its feeds post, as Kairos learns it from fetches.
func TestLiveIsLearned(t *testing.T) {
	const days = 30
	h := Open(t.Context(), t)
	Live(t.Context(), t, h, History{Feeds: 10, Days: days})
	p, err := h.Poller.Plan(t.Context(), plan.Exact)
	if err != nil || len(p.Feeds) < 10 {
		t.Fatalf("%d feeds: %v", len(p.Feeds), err)
	}
	for _, f := range p.Feeds {
		var articles int
		if err := h.Store.Read().QueryRowContext(t.Context(), "SELECT count(*) FROM status WHERE feed = ?", f.Feed.ID).Scan(&articles); err != nil {
			t.Fatal(err)
		}
		if articles < days/5 {
			continue // was there before
		}
		if came := float64(articles) / days; f.Posting < 0.5*came || f.Posting > 2*came {
			t.Errorf("%s posted %.2f articles a day, %.2f are expected", f.Feed.Title, came, f.Posting)
		}
	}
}
