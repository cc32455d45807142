package home

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/fulltext"
	"kairos/reader/parse"
)

func TestFullTextIsFetchedOnceAndKept(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path == "/none" {
			fmt.Fprint(w, "<p>Sign in.</p>")
			return
		}
		fmt.Fprintf(w, "<html><body><nav>Menu</nav><article>%s</article></body></html>",
			strings.Repeat("<p>The lamplighter walked along the quay, counted the lamps one by one, and wrote the number into the book.</p>", 9))
	}))
	defer server.Close()
	now := func() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) }
	h, err := Open(t.Context(), t.TempDir(), Options{Now: now, Client: fetch.New(fetch.Options{Now: now, Spacing: -1})})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	var feed int64
	err = h.Store.Write(t.Context(), func(tx *sql.Tx) (err error) {
		if feed, err = reader.Subscribe(t.Context(), tx, reader.Feed{URL: server.URL + "/feed"}, now()); err != nil {
			return err
		}
		_, err = reader.StoreArticles(t.Context(), tx, feed, []parse.Article{
			{Key: "a", Link: server.URL + "/a", Published: now()}, {Key: "b", Link: server.URL + "/none", Published: now().Add(-time.Hour)},
			{Key: "c", Published: now().Add(-2 * time.Hour)}}, now(), time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := h.Store.Articles.Load(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		html, err := h.FullText.Get(t.Context(), rows[0])
		if err != nil || !strings.Contains(html, "counted the lamps") || strings.Contains(html, "Menu") {
			t.Fatalf("%v: %s", err, html)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
	if _, err := h.FullText.Get(t.Context(), rows[1]); !errors.Is(err, fulltext.ErrNoArticle) {
		t.Errorf("a page to sign in: %v", err)
	}
	if _, err := h.FullText.Get(t.Context(), rows[2]); !errors.Is(err, ErrNoLink) {
		t.Errorf("no page: %v", err)
	}
	left, err := h.Store.Articles.WithoutFullText(t.Context(), feed, 10)
	if err != nil || len(left) != 1 || left[0] != rows[1].ID {
		t.Errorf("left are %v, %v", left, err)
	}
	// A feed whose articles are always wanted whole gets them without being asked.
	f, err := h.Store.Feeds.Get(t.Context(), feed)
	if err != nil {
		t.Fatal(err)
	}
	asked.Store(0)
	if err := h.FullText.fetchPages(t.Context(), feed); err != nil || asked.Load() != 0 {
		t.Errorf("one that is not: %v, asked %d times", err, asked.Load())
	}
	f.FullText = true
	if err := h.Subscriptions.Update(t.Context(), f, nil); err != nil {
		t.Fatal(err)
	}
	pagePause = 0
	if err := h.FullText.fetchPages(t.Context(), feed); err != nil || asked.Load() != 1 {
		t.Errorf("one that is: %v, asked %d times", err, asked.Load())
	}
}

// A synchronization does not tell which feeds have new articles: all feeds of the account with full text are looked at.
func TestFullTextFeedsOfAnAccount(t *testing.T) {
	h, err := Open(t.Context(), t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	var account, wanted int64
	err = h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		now := h.Now()
		if _, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: "https://a.test/here", FullText: true}, now); err != nil {
			return err
		}
		if account, err = reader.AddAccount(t.Context(), tx, reader.Account{Kind: "miniflux", URL: "https://rss.test", User: "ann"}, now); err != nil {
			return err
		}
		if _, err := reader.AddServerFeed(t.Context(), tx, account, "1", reader.Feed{URL: "https://a.test/1"}, now); err != nil {
			return err
		}
		if wanted, err = reader.AddServerFeed(t.Context(), tx, account, "2", reader.Feed{URL: "https://a.test/2"}, now); err != nil {
			return err
		}
		f, err := reader.GetFeed(t.Context(), tx, wanted)
		if err == nil {
			f.FullText = true
			err = reader.UpdateFeed(t.Context(), tx, f)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if ids, err := h.FullText.feedsOf(t.Context(), account); err != nil || len(ids) != 1 || ids[0] != wanted {
		t.Errorf("%v, %v", ids, err)
	}
}
