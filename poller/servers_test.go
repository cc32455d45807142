package poller

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"kairos/poller/sync"
	"kairos/reader"
	"kairos/reader/parse"
)

// newRefreshWorld is a world with an account of more feeds on several hosts, each of which posts every two hours, and whose server is told
// when to fetch them.
func newRefreshWorld(t *testing.T, perDay int) *accountWorld {
	t.Helper()
	w := newAccountWorld(t, 2*time.Hour)
	w.write(func(tx *sql.Tx) error {
		for n := range 6 {
			id, err := reader.AddServerFeed(t.Context(), tx, w.account, fmt.Sprint(n+2), reader.Feed{URL: fmt.Sprintf("https://host%d.test/%d", n/2, n), Title: "F"}, monday)
			if err != nil {
				return err
			}
			var articles []reader.ServerArticle
			for k := range 14 * 12 {
				at := monday.Truncate(2 * time.Hour).Add(-time.Duration(k) * 2 * time.Hour)
				articles = append(articles, reader.ServerArticle{Article: parse.Article{Key: fmt.Sprint(n, " ", k), Title: fmt.Sprint(n, k), Published: at}})
			}
			if _, err := reader.StoreServerArticles(t.Context(), tx, w.account, id, articles, monday); err != nil {
				return err
			}
		}
		return nil
	})
	w.reads(28, 8, 20)
	if err := w.SetRefresh(t.Context(), w.account, perDay); err != nil {
		t.Fatal(err)
	}
	return w
}

// serve lets the poller run for a while, and returns the refreshes of it.
func (w *accountWorld) serve(d time.Duration) map[string][]time.Time {
	w.t.Helper()
	w.refreshed = nil
	w.live(d)
	return w.refreshed
}

func total(refreshed map[string][]time.Time) (n int) {
	for _, at := range refreshed {
		n += len(at)
	}
	return n
}

// A server that Kairos plans for fetches each feed before its reader comes, within a budget of its own and with our manners.
func TestServerIsToldWhenToFetch(t *testing.T) {
	const perDay, days = 28, 3 // four a feed
	w := newRefreshWorld(t, perDay)
	w.serve(2 * day)
	got := w.serve(days * day)
	if n := total(got); n > perDay*(days+2) || n < perDay*days/2 {
		t.Errorf("%d refreshes in %d days", n, days)
	}
	if len(got) != 7 {
		t.Errorf("%d feeds are refreshed", len(got))
	}
	before, byMinute := 0, map[int64]map[string]bool{}
	for feed, all := range got {
		last := time.Time{}
		for _, at := range all {
			if gap := at.Sub(last); gap < rules.MinGap {
				t.Errorf("feed %s twice within %s", feed, gap)
			}
			last = at
			if h := at.Add(refreshLead); h.Hour() == 7 || h.Hour() == 19 || h.Hour() == 20 && h.Minute() == 0 || h.Hour() == 8 && h.Minute() == 0 {
				before++
			}
			if byMinute[at.Unix()] == nil {
				byMinute[at.Unix()] = map[string]bool{}
			}
			byMinute[at.Unix()][feed] = true
		}
	}
	if before < total(got)/3 {
		t.Errorf("%d of %d refreshes are in the hour before somebody comes", before, total(got))
	}
	for _, feeds := range byMinute {
		if w.spacing("host0.test") > 0 && feeds["2"] && feeds["3"] {
			t.Error("two feeds of a host at once")
		}
	}
	if n, last, err := w.Poller.Refresh(t.Context(), w.account); err != nil || n != perDay || last == 0 {
		t.Errorf("%d a day, %d in the last, %v", n, last, err)
	}
	if n := w.number("SELECT count(*) FROM ledger WHERE reason = 'refresh' AND background = 1"); n != 0 {
		t.Errorf("%d refreshes are paid for by the feeds' budget", n)
	}
	// It goes on after a restart where it was, and ends when it is switched off, or the account is paused.
	w.restart()
	if n := total(w.serve(day)); n == 0 || n > 3*perDay {
		t.Errorf("%d after a restart", n)
	}
	w.write(func(tx *sql.Tx) error {
		return reader.UpdateAccount(t.Context(), tx, reader.Account{ID: w.account, Name: "Mine", Paused: true})
	})
	if n := total(w.serve(day)); n != 0 {
		t.Errorf("%d while it is paused", n)
	}
	w.write(func(tx *sql.Tx) error {
		return reader.UpdateAccount(t.Context(), tx, reader.Account{ID: w.account, Name: "Mine"})
	})
	if err := w.SetRefresh(t.Context(), w.account, 0); err != nil {
		t.Fatal(err)
	}
	if n := total(w.serve(day)); n != 0 {
		t.Errorf("%d once it is off", n)
	}
}

// A feed that fails there is asked less and less, a server that fails is left alone.
func TestServerToldWhenToFetchFails(t *testing.T) {
	w := newRefreshWorld(t, RefreshUsual)
	w.refuse = func(feed string) error {
		if feed == "3" {
			return &sync.Error{Code: sync.Faulty, Status: 500}
		}
		return nil
	}
	got := w.serve(2 * day)
	if n := len(got["3"]); n == 0 || n > 8 || n >= len(got["2"]) {
		t.Errorf("the feed that fails is refreshed %d times, its neighbor %d", n, len(got["2"]))
	}
	w.refuse = func(string) error { return &sync.Error{Code: sync.Busy, Status: 429, RetryAfter: 5 * time.Hour} }
	if n := total(w.serve(5 * time.Hour)); n > 2 {
		t.Errorf("a server that wants to be left alone is asked %d times", n)
	}
	w.refuse = nil
	if n := total(w.serve(day)); n == 0 {
		t.Error("it is never asked again")
	}
}

// A feed that moves from a server here is fetched as one that is new here: what it has shown before is not unread.
func TestFeedOfServerMovesHere(t *testing.T) {
	w := newRefreshWorld(t, RefreshUsual)
	if got := w.serve(day); len(got["1"]) == 0 {
		t.Fatalf("refreshed: %v", got)
	}
	w.web.posting("/there", day)
	w.outcomes()
	w.write(func(tx *sql.Tx) error {
		_, err := reader.MoveFeed(t.Context(), tx, w.feed, 0)
		return err
	})
	w.Changed()
	w.settled()
	i := slices.IndexFunc(w.outcomes(), func(o Outcome) bool { return o.Feed == w.feed && o.Reason == First && o.New == 15 && o.Unread <= 8 })
	if i < 0 {
		t.Error("it is not fetched as a new feed")
	}
	if got := w.serve(day); len(got["1"]) > 0 || len(got["2"]) == 0 {
		t.Errorf("refreshed: %v", got)
	}
}
