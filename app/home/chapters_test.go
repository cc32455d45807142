package home

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/parse"
)

// The chapters of an episode are fetched once from their address, also where there are none; another address in the feed is another
// document, and what cannot be fetched is tried again.
func TestChaptersAreFetchedOnceAndKept(t *testing.T) {
	var asked, fails atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch {
		case fails.Load() > 0:
			w.WriteHeader(http.StatusInternalServerError)
		case r.URL.Path == "/none.json":
			fmt.Fprint(w, "<html>nothing")
		default:
			fmt.Fprintf(w, `{"version":"1.2.0","chapters":[{"startTime":61,"title":"Of %s"}]}`, r.URL.Path)
		}
	}))
	defer server.Close()
	now := func() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) }
	h, err := Open(t.Context(), t.TempDir(), Options{Now: now, Client: fetch.New(fetch.Options{Now: now, Spacing: -1})})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	var feed int64
	store := func(path string) reader.Article {
		t.Helper()
		err := h.Store.Write(t.Context(), func(tx *sql.Tx) (err error) {
			if feed == 0 {
				if feed, err = reader.Subscribe(t.Context(), tx, reader.Feed{URL: server.URL + "/feed"}, now()); err != nil {
					return err
				}
			}
			_, err = reader.StoreArticles(t.Context(), tx, feed, []parse.Article{{Key: "a", Title: "Episode", Published: now(), Chapters: server.URL + path}}, now(), time.Time{})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{})
		if err != nil || len(ids) != 1 {
			t.Fatal(ids, err)
		}
		rows, err := h.Store.Articles.Load(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		return rows[0]
	}
	for _, step := range []struct {
		path, want string
		fails      int32
		asks       int32
	}{{"/one.json", "", 1, 1}, {"/one.json", "1:01 Of /one.json", 0, 1}, {"/one.json", "1:01 Of /one.json", 1, 0}, {"/two.json", "1:01 Of /two.json", 0, 1},
		{"/none.json", "", 0, 1}, {"/none.json", "", 0, 0}} {
		a := store(step.path)
		asked.Store(0)
		fails.Store(step.fails)
		if chapters, err := h.Store.Articles.Chapters(t.Context(), a.ID); err != nil {
			t.Fatal(err)
		} else if !chapters.Fetched {
			if _, err := h.Chapters.Get(t.Context(), a, chapters.Address); (err != nil) != (step.fails > 0) {
				t.Errorf("%s: %v", step.path, err)
			}
		}
		chapters, err := h.Store.Articles.Chapters(t.Context(), a.ID)
		if err != nil || (chapters.HTML == "") != (step.want == "") || !strings.Contains(chapters.HTML, step.want) || asked.Load() != step.asks {
			t.Errorf("%s: %q after %d requests (%v)", step.path, chapters.HTML, asked.Load(), err)
		}
	}
}
