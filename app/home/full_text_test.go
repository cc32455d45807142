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
}
