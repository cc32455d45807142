package poller

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"kairos/poller/schedule"
)

// A feed that suddenly posts much is fetched sooner than it was planned, for the reason burst,
// while a similar feed is fetched as planned; when the burst is over, these fetches end.
func TestBurst(t *testing.T) {
	w := newWorld(t)
	var burst atomic.Int64 // since when there is a post every five minutes, Unix; 0: there is none
	w.web.on("/news", func(out http.ResponseWriter, _ *http.Request) {
		now := w.clock.Now()
		dates := since(now.Truncate(8*time.Hour), 8*time.Hour, 10)
		if at := burst.Load(); at > 0 {
			for d := time.Unix(at, 0); d.Before(now) && d.Before(time.Unix(at, 0).Add(3*time.Hour)); d = d.Add(5 * time.Minute) {
				dates = append(dates, d)
			}
		}
		fmt.Fprint(out, rss("News", dates...))
	})
	w.web.posting("/calm", 8*time.Hour)
	feeds := w.subscribePaths("/news", "/calm")
	accessesDaily(w)
	w.live(10 * day)
	w.outcomes()
	burst.Store(w.clock.Now().Unix())
	w.live(day)
	news, calm, bursts := 0, 0, 0
	for _, o := range w.outcomes() {
		switch {
		case o.Feed == feeds[1].ID:
			calm++
		case o.Reason == Burst:
			bursts++
			if o.Cause.Code != schedule.Burst {
				t.Errorf("%+v", o.Cause)
			}
			fallthrough
		default:
			news++
		}
		if o.Feed == feeds[1].ID && o.Reason == Burst {
			t.Errorf("%+v", o)
		}
	}
	if bursts == 0 || news <= calm {
		t.Errorf("%d fetches of the feed in a burst (%d for it), %d of the other", news, bursts, calm)
	}
	w.live(3 * day)
	for _, at := range w.instants() {
		if at.Reason.Code == schedule.Burst {
			t.Errorf("three days later: %+v", at)
		}
	}
}

// accessesDaily logs a fortnight of readings, every two hours from 8 to 20.
func accessesDaily(w *world) {
	w.t.Helper()
	for d := -14; d < 0; d++ {
		for h := 8; h <= 20; h += 2 {
			at := time.Date(2026, 3, 2+d, h, 7, 0, 0, time.UTC)
			if _, err := w.planner.log.Record(w.t.Context(), at); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	w.Changed()
}
