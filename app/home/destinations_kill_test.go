package home

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/handoff"
	"kairos/reader"
	"kairos/reader/parse"
	"kairos/reader/readertest"
)

// starrerOf is the environment variable that makes the test binary the process that stars articles, sends them and is killed: its
// folder, and the address of the server.
const starrerOf = "KAIROS_TEST_STARRER"

const (
	starredArticles = 80
	starrerKills    = 10
)

// serverKeyring has the token of one server.
type serverKeyring struct{ url string }

func (k serverKeyring) Get(string, string) (string, error) {
	return fmt.Sprintf(`{"user":"","password":"{\"password\":\"t\"}","url":%q}`, k.url), nil
}
func (serverKeyring) Set(string, string, string) error { return nil }
func (serverKeyring) Delete(string, string) error      { return nil }

// starUntilKilled stars all articles that are not, one after the other, while they are sent. It says which are starred, and when all
// has arrived.
func starUntilKilled(what string) error {
	ctx := context.Background()
	var dir, server string
	if _, err := fmt.Sscan(what, &dir, &server); err != nil {
		return err
	}
	h, err := Open(ctx, dir, Options{Client: fetch.New(fetch.Options{Spacing: -1}), Keyring: serverKeyring{server}})
	if err != nil {
		return err
	}
	ids, err := h.Store.Articles.IDs(ctx, reader.Query{})
	if err != nil {
		return err
	}
	starred, err := h.Store.Articles.IDs(ctx, reader.Query{View: reader.Starred})
	if err != nil {
		return err
	}
	done := map[int64]bool{}
	for _, id := range starred {
		done[id] = true
	}
	say("begins")
	send := func() error {
		for _, d := range []int64{1, 2} {
			if _, err := h.Destinations.Engine.Send(ctx, d, true); err != nil {
				return err
			}
		}
		return nil
	}
	ended := make(chan error, 1)
	go func() {
		for range 3 * starredArticles {
			if err := send(); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	for _, id := range ids {
		if done[id] {
			continue
		}
		if _, err := h.Marks.Set(ctx, []int64{id}, reader.FlagStarred, true); err != nil {
			return err
		}
		say("starred %d", id)
	}
	if err := <-ended; err != nil {
		return err
	}
	if err := send(); err != nil {
		return err
	}
	say("done")
	return h.Close()
}

// bookmarks is a Linkding that counts what it stores, by address.
type bookmarks struct {
	mu     sync.Mutex
	stored map[string]int
}

func (b *bookmarks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Method == http.MethodGet {
		if b.stored[r.URL.Query().Get("url")] > 0 {
			fmt.Fprint(w, `{"bookmark":{"id":1}}`)
		} else {
			fmt.Fprint(w, `{"bookmark":null}`)
		}
		return
	}
	_, rest, _ := strings.Cut(string(body), `"url":"`)
	address, _, _ := strings.Cut(rest, `"`)
	b.stored[address]++
	fmt.Fprint(w, `{"id":`)
	w.(http.Flusher).Flush()
	fmt.Fprint(w, `1}`)
}

// A process that is killed while it sends starred articles sends each of them once, and forgets none that was shown as starred.
func TestKilledWhileSending(t *testing.T) {
	readertest.SkipWithRace(t)
	web := &bookmarks{stored: map[string]int{}}
	server := httptest.NewServer(web)
	defer server.Close()
	dir, notes := t.TempDir(), t.TempDir()
	h, err := Open(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		feed, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: server.URL + "/feed"}, h.Now())
		if err != nil {
			return err
		}
		var articles []parse.Article
		for i := range starredArticles {
			articles = append(articles, parse.Article{Key: fmt.Sprint(i), Title: fmt.Sprintf("Article %d", i/2), Link: fmt.Sprintf("http://a.test/%d", i), HTML: "<p>Text</p>", Published: h.Now()})
		}
		if _, err := reader.StoreArticles(t.Context(), tx, feed, articles, h.Now(), time.Time{}); err != nil {
			return err
		}
		for _, d := range []reader.Destination{{Kind: string(handoff.Linkding), Name: "Links", Address: server.URL, Starred: true}, {Kind: string(handoff.Folder), Name: "Notes", Address: notes, Starred: true}} {
			if _, err := reader.AddDestination(t.Context(), tx, d, h.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	random, kills, shown := rand.New(rand.NewPCG(3, 4)), 0, ""
	for done := false; !done; {
		limit := time.Duration(10+random.IntN(150)) * time.Millisecond
		if kills >= starrerKills {
			limit = time.Hour
		}
		said := runVictim(t, starrerOf, dir+" "+server.URL, limit)
		if shown += said; !strings.Contains(said, "done") {
			kills++
		} else {
			done = true
		}
	}
	if n := strings.Count(shown, "starred "); n < starredArticles-kills || n > starredArticles {
		t.Errorf("%d were shown as starred", n)
	}
	for address, n := range web.stored {
		if n != 1 {
			t.Errorf("%s was stored %d times", address, n)
		}
	}
	files, err := filepath.Glob(filepath.Join(notes, "*"))
	parts, _ := filepath.Glob(filepath.Join(notes, ".*"))
	if err != nil || len(web.stored) != starredArticles || len(files) != starredArticles || len(parts) != 0 {
		t.Errorf("%d bookmarks, %d files, %q, %v", len(web.stored), len(files), parts, err)
	}
	t.Logf("%d kills", kills)
}
