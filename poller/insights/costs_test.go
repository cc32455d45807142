package insights

import (
	"math"
	"slices"
	"testing"
	"time"

	"kairos/poller"
	"kairos/useraccess"
)

// Costs add up to the realized requests, and what was opened and saved is told by feed.
func TestCosts(t *testing.T) {
	l := newLife(t)
	l.steady(10)
	l.write(func(exec func(string, ...any)) { exec("UPDATE ledger SET new = 3 WHERE reason = 'first'") })
	l.feed(2, ago(10))
	l.fetch(2, poller.First, poller.Stored, ago(10))
	l.fetch(2, poller.Planned, poller.Failed, ago(9), ago(8))
	read := func(at time.Time, article int64) {
		t.Helper()
		if _, err := l.log.NoteReadings(t.Context(), at, useraccess.Reading{At: at, Feed: 1, Article: article, Evidence: useraccess.Read}); err != nil {
			t.Fatal(err)
		}
	}
	read(ago(3), 1)
	read(ago(3), 1)
	read(ago(2), 2)
	c, err := l.Costs(t.Context(), 30)
	if err != nil || !c.Ready || len(c.Feeds) != 2 {
		t.Fatalf("%+v (%v)", c, err)
	}
	r := l.realize(30)
	a, b := c.Feeds[0], c.Feeds[1]
	if a.Held != 3 {
		t.Errorf("%d articles of the first fetch", a.Held)
	}
	if a.Requests != r.Actual.Requests+1 || a.Opened != 2 || a.Bytes != int64(100*a.Requests) || a.Failed != 0 || a.Title != "Feed 1" {
		t.Errorf("%+v, %d requests realized", a, r.Actual.Requests)
	}
	if a.NotModified != 0 || a.Spared != 0 {
		t.Errorf("documents have spared %+v", a)
	}
	if b.Requests != 3 || b.Failed != 2 || b.Opened != 0 || b.Offered != 0 || r.Failed != 2 {
		t.Errorf("%+v", b)
	}
	if math.Abs(a.Ready-r.Actual.Ready) > 1e-9 || a.Offered == 0 {
		t.Errorf("%v %% of %d ready, %v %% of all feeds", a.Ready, a.Offered, r.Actual.Ready)
	}
}

// Of ten answers without a document each spared as much as the feed's documents have on average; what failed spares nothing.
func TestCostsTellWhat304sSpared(t *testing.T) {
	l := newLife(t)
	l.steady(10)
	l.write(func(exec func(string, ...any)) {
		exec("UPDATE ledger SET status = 304, bytes = 0, result = 'unchanged' WHERE id IN (SELECT id FROM ledger WHERE reason <> 'first' ORDER BY id LIMIT 10)")
	})
	l.feed(2, ago(10))
	l.fetch(2, poller.First, poller.Stored, ago(10))
	l.fetch(2, poller.Planned, poller.Failed, ago(9))
	l.write(func(exec func(string, ...any)) { exec("UPDATE ledger SET status = 500 WHERE result = 'fault'") })
	c, err := l.Costs(t.Context(), 30)
	if err != nil || len(c.Feeds) != 2 {
		t.Fatalf("%+v (%v)", c, err)
	}
	if a, b := c.Feeds[0], c.Feeds[1]; a.NotModified != 10 || a.Spared != 1000 || b.NotModified != 0 || b.Spared != 0 {
		t.Errorf("%+v, %+v", a, b)
	}
	if all := c.Total(); all.NotModified != 10 || all.Spared != 1000 || all.Requests != c.Feeds[0].Requests+2 || all.Failed != 1 {
		t.Errorf("in all %+v", all)
	}
}

// What accounts cost is told beside the feeds, which their servers fetch.
func TestCostsOfAccounts(t *testing.T) {
	l := newLife(t)
	l.write(func(exec func(string, ...any)) {
		exec("INSERT INTO account (id, kind, name, url, user, added) VALUES (5, 'test', 'Mine', 'https://a.test/', 'ann', 1)")
		exec("INSERT INTO subject (id, account) VALUES (77, 5) ON CONFLICT DO UPDATE SET id = 77")
		exec("DELETE FROM subject WHERE account = 5 AND id <> 77")
		for d := range 3 {
			exec(`INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said, requests)
				VALUES (77, ?, 'planned', '', 1, 'stored', 200, 4, 100, 5, '', 3)`, ago(float64(d)+0.5).Unix())
		}
	})
	c, err := l.Costs(t.Context(), MostDays)
	if err != nil || len(c.Feeds) != 0 || !slices.Equal(c.Accounts, []AccountCost{{Name: "Mine", Syncs: 3, Requests: 9, Bytes: 300, Articles: 12}}) {
		t.Errorf("%+v, %v", c, err)
	}
}
