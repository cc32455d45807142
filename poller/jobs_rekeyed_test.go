package poller

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"kairos/useraccess/rate"
)

// A feed whose items get new keys at every request teaches the same, and brings the same, as
// with stable keys.
func TestRekeyedItemsAreNotPosts(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/stable", "/renaming"} {
		asked := 0
		w.web.on(path, func(out http.ResponseWriter, _ *http.Request) {
			if path == "/renaming" {
				asked++
			}
			fmt.Fprint(out, rss(fmt.Sprint("Version ", asked), since(w.clock.Now().Truncate(9*time.Hour), 9*time.Hour, 8)...))
		})
	}
	feeds := w.subscribePaths("/stable", "/renaming")
	w.settled()
	for range 30 {
		w.clock.add(7 * time.Hour)
		w.byHand()
	}
	news := map[int64]int{}
	for _, o := range w.outcomes() {
		news[o.Feed] += o.New
	}
	stable, renaming := feeds[0].ID, feeds[1].ID
	if news[stable] != 8+30*7/9 || news[renaming] != news[stable] {
		t.Errorf("%d articles came, %d of the feed that renames", news[stable], news[renaming])
	}
	a, b := w.stateOf(stable), w.stateOf(renaming)
	if p, q := a.posts.Tally.Posterior(rate.FeedPrior).Mean(), b.posts.Tally.Posterior(rate.FeedPrior).Mean(); p != q {
		t.Errorf("%v posts a day are believed, %v of the feed that renames", p*24, q*24)
	}
	if !a.posts.Newest.Equal(b.posts.Newest) {
		t.Errorf("last posted at %v, at %v", a.posts.Newest, b.posts.Newest)
	}
}
