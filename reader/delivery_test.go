package reader

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"kairos/reader/parse"
	"kairos/reader/rule"
)

// waitingDeliveries returns how many articles wait for a destination.
func waitingDeliveries(t *testing.T, s *Store, destination int64) int {
	t.Helper()
	c, err := s.Destinations.Counts(t.Context(), destination)
	if err != nil {
		t.Fatal(err)
	}
	return c.Waiting
}

// What happens with a few articles, in transactions that others wait for, reads no others.
func TestFewArticlesAreFoundByIndexes(t *testing.T) {
	s := open(t, t.TempDir())
	for _, query := range []string{
		"DELETE FROM delivery WHERE destination = 1 AND article = 2 AND " + isTakenBack,
		"DELETE FROM delivery WHERE " + isTakenBack,
		"SELECT article FROM snooze WHERE " + awayWith("(1, 2)"),
		forgetRead,
	} {
		if plan := queryPlan(t, s, query); strings.Contains(plan, "SCAN status") {
			t.Errorf("%s\n%s", query, plan)
		}
	}
}

// Every way of starring an article puts it into the outbox, in the same transaction.
func TestStarsEnterTheOutbox(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	s, err := Open(t.Context(), t.TempDir(), now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var on, off, feed, synced, account int64
	write := func(f func(tx *sql.Tx) error) {
		t.Helper()
		if err := s.Write(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	server := func(key string, starred bool, published time.Time) ServerArticle {
		return ServerArticle{Article: parse.Article{Key: key, Title: key, Link: "http://b.test/" + key, Published: published}, Starred: starred}
	}
	write(func(tx *sql.Tx) (err error) {
		if on, err = AddDestination(t.Context(), tx, Destination{Kind: "folder", Name: "On", Address: "/a", Starred: true}, now); err != nil {
			return err
		}
		if off, err = AddDestination(t.Context(), tx, Destination{Kind: "folder", Name: "Off", Address: "/b"}, now); err != nil {
			return err
		}
		if account, err = AddAccount(t.Context(), tx, Account{Kind: "miniflux", URL: "http://b.test", User: "u"}, now); err != nil {
			return err
		}
		if feed, err = Subscribe(t.Context(), tx, Feed{URL: "http://a.test/feed"}, now); err != nil {
			return err
		}
		synced, err = Subscribe(t.Context(), tx, Feed{URL: "http://b.test/feed", Account: account}, now)
		return err
	})
	expect := func(what string, want int) {
		t.Helper()
		if got := waitingDeliveries(t, s, on); got != want {
			t.Errorf("%s: %d wait, want %d", what, got, want)
		}
		if got := waitingDeliveries(t, s, off); got != 0 {
			t.Errorf("%s: %d wait for a destination that starred articles do not go to", what, got)
		}
	}
	write(func(tx *sql.Tx) error {
		_, err := SaveRule(t.Context(), tx, rule.Rule{Name: "r", Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "wanted"}}, Actions: rule.Actions{Star: true}})
		return err
	})
	write(func(tx *sql.Tx) error {
		_, err := StoreArticles(t.Context(), tx, feed, []parse.Article{{Key: "1", Title: "wanted"}, {Key: "2", Title: "other"}}, now, time.Time{})
		return err
	})
	expect("starred by a rule", 1)
	write(func(tx *sql.Tx) error {
		_, err := StoreServerArticles(t.Context(), tx, account, synced, []ServerArticle{server("a", true, now.Add(-time.Hour)), server("b", true, now.Add(time.Hour)), server("c", false, now)}, now)
		return err
	})
	expect("starred at the server, before and after the destination was added", 2)
	write(func(tx *sql.Tx) error {
		_, err := TakeServerMarks(t.Context(), tx, account, []string{"c"}, FlagStarred, true)
		return err
	})
	expect("starred elsewhere", 3)
	write(func(tx *sql.Tx) error {
		_, err := StoreServerArticles(t.Context(), tx, account, synced, []ServerArticle{server("c", false, now)}, now)
		return err
	})
	expect("star taken back elsewhere", 2)
	ids, err := s.Articles.IDs(t.Context(), Query{})
	if err != nil {
		t.Fatal(err)
	}
	write(func(tx *sql.Tx) error { _, err := Mark(t.Context(), tx, ids, FlagStarred, true); return err })
	expect("starred here", len(ids)-1) // all but the one that was starred before
	write(func(tx *sql.Tx) error { _, err := Mark(t.Context(), tx, ids, FlagStarred, false); return err })
	expect("star taken back", 0)

	// Merged feeds: what arrived is not sent again.
	var twin int64
	write(func(tx *sql.Tx) (err error) {
		if twin, err = Subscribe(t.Context(), tx, Feed{URL: "http://a.test/feed2"}, now); err != nil {
			return err
		}
		if _, err = StoreArticles(t.Context(), tx, twin, []parse.Article{{Key: "1", Title: "wanted"}}, now, time.Time{}); err != nil {
			return err
		}
		next, err := scanDeliveries(tx.QueryContext(t.Context(), "SELECT "+deliveryColumns+" FROM delivery"))
		if err != nil || len(next) != 1 {
			t.Fatal(next, err)
		}
		return Delivered(t.Context(), tx, next[0], now)
	})
	write(func(tx *sql.Tx) error { return MergeFeeds(t.Context(), tx, twin, feed) })
	expect("merged", 0)
	if c, err := s.Destinations.Counts(t.Context(), on); err != nil || c.Delivered != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}
