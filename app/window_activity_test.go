package app

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/shell/shelltest"
	"kairos/poller"
	"kairos/reader"
)

// hourlyFeed is a server of a feed that posts every hour, on a clock.
func hourlyFeed(t *testing.T, now func() time.Time) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(out, `<?xml version="1.0"?><rss version="2.0"><channel><title>Hourly</title>`)
		last := now().Truncate(time.Hour).Add(-5 * time.Minute)
		for i := range 20 {
			at := last.Add(-time.Duration(i) * time.Hour)
			fmt.Fprintf(out, `<item><guid>%d</guid><title>At %s</title><pubDate>%s</pubDate></item>`, at.Unix(), at, at.Format(time.RFC1123Z))
		}
		fmt.Fprint(out, `</channel></rss>`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// What is fetched because the window was opened was not there when its reader came: the access is at the moment of focus, though
// it is known to be one only later.
func TestArticlesFetchedForTheOpenedWindowWereNotThere(t *testing.T) {
	var clock atomic.Int64
	now := func() time.Time { return time.Unix(clock.Load(), 0).UTC() }
	clock.Store(noon.Add(3 * time.Minute).Unix()) // the planned instant of these five minutes is over
	room := shelltest.New(t, home.Options{Now: now})
	q, h := room.Queue, room.Home
	a := newActivity(room.Jobs, h)
	err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: hourlyFeed(t, now)}, now())
		return errors.Join(err, reader.Unsubscribe(t.Context(), tx, 1, now()), reader.Unsubscribe(t.Context(), tx, 2, now()))
	})
	if err := errors.Join(err, h.Poller.SetBudget(t.Context(), "500")); err != nil {
		t.Fatal(err)
	}
	defer h.Poller.OnOutcome(func(poller.Outcome) { q.Add(func() {}) })()
	ctx, stop := context.WithCancel(t.Context())
	room.Go(func() { _ = h.Poller.Run(ctx) })
	defer stop()
	fetched := func() bool { // now, and stored
		lines, err := h.Poller.LedgerSince(t.Context(), 0, now())
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(lines, func(o poller.Outcome) bool { return o.Result == poller.Stored && o.New > 0 })
	}
	q.Until("the feed is there", fetched)
	const visits = 5
	for n := range visits {
		clock.Add(int64(7 * time.Hour / time.Second))
		a.focusGained()
		q.Until("what is new is fetched", fetched)
		clock.Add(2)
		a.used()
		q.Until("the access is logged", func() bool { known, err := h.Log.Known(t.Context()); return err == nil && known == n+1 })
		a.focusLost()
	}
	r, err := h.Insights.Realized(t.Context(), 7)
	if err != nil || !r.Known || r.Visits != visits || r.Posts < 20 {
		t.Fatalf("%+v (%v)", r, err)
	}
	if r.Actual.Ready != 0 || r.Actual.Late == 0 {
		t.Errorf("%v %% were ready, the others %s late: all of them were fetched while the window was open", r.Actual.Ready, r.Actual.Late)
	}
}
