package home

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/parse"
	"kairos/reader/readertest"
)

// takerOf is the environment variable that makes the test binary the process that takes articles along and is killed: its folder.
const takerOf = "KAIROS_TEST_TAKER"

const (
	takenArticles = 60
	takerKills    = 8
)

// takeUntilKilled takes all articles along, and says so when it is done.
func takeUntilKilled(dir string) error {
	ctx := context.Background()
	h, err := Open(ctx, dir, Options{Client: fetch.New(fetch.Options{Spacing: -1})})
	if err != nil {
		return err
	}
	ids, err := h.Store.Articles.IDs(ctx, reader.Query{})
	if err != nil {
		return err
	}
	say("begins")
	if err := h.Preparer.Take(ctx, ids, false, &preparer.Trip{}); err != nil {
		return err
	}
	say("done")
	return h.Close()
}

// pagesAndPictures serves pages with two pictures each, which it writes in two pieces, and counts the requests.
type pagesAndPictures struct {
	mu    sync.Mutex
	asked map[string]int
}

func pictureOf(path string) []byte { return bytes.Repeat([]byte(path), 4000) }

func (p *pagesAndPictures) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked[r.URL.Path]++
	p.mu.Unlock()
	body := []byte(fmt.Sprintf("<article><img src='%s-1.png'><img src='%[1]s-2.png'>%s</article>", r.URL.Path,
		strings.Repeat("<p>The lamplighter walked along the quay and counted the lamps one by one.</p>", 9)))
	if strings.HasSuffix(r.URL.Path, ".png") {
		body = pictureOf(r.URL.Path)
	}
	out.Write(body[:len(body)/2]) //nolint:errcheck // it may be killed
	out.(http.Flusher).Flush()
	out.Write(body[len(body)/2:]) //nolint:errcheck // it may be killed
}

// A process that is killed while it takes articles along loses what was in flight: nothing half is shown, and what is there is not
// asked for again.
func TestKilledWhileTakingAlong(t *testing.T) {
	readertest.SkipWithRace(t)
	web := &pagesAndPictures{asked: map[string]int{}}
	server := httptest.NewServer(web)
	defer server.Close()
	dir := t.TempDir()
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
		for i := range takenArticles {
			articles = append(articles, parse.Article{Key: fmt.Sprint(i), Link: fmt.Sprintf("%s/%d", server.URL, i), HTML: "<p>A line…</p>", Published: h.Now()})
		}
		_, err = reader.StoreArticles(t.Context(), tx, feed, articles, h.Now(), time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	random, kills := rand.New(rand.NewPCG(7, 8)), 0
	for done := false; !done; {
		limit := time.Duration(20+random.IntN(120)) * time.Millisecond
		if kills >= takerKills {
			limit = time.Hour
		}
		if done = strings.Contains(runVictim(t, takerOf, dir, limit), "done"); !done {
			kills++
		}
		checkTaken(t, dir, done)
	}
	twice := 0
	for path, n := range web.asked {
		if n > 1+kills {
			t.Errorf("%s was asked for %d times", path, n)
		}
		twice += n - 1
	}
	if most := kills * 4 * 3; twice > most { // four articles at once, a page or two pictures each
		t.Errorf("%d requests were made again after %d kills", twice, kills)
	}
	t.Logf("%d kills, %d requests made again", kills, twice)
}

// checkTaken checks that whatever is there is whole.
func checkTaken(t *testing.T, dir string, all bool) {
	t.Helper()
	h, err := Open(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for _, id := range ids {
		html, _, err := h.Store.Articles.ShownFullText(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if html == "" {
			continue
		}
		there := 0
		for _, address := range preparer.PicturesOf(content.Parse(html)) {
			body, ok := h.Album.Cache().Read(address)
			if !ok {
				continue
			}
			path := address[strings.LastIndex(address, "/"):]
			if there++; !bytes.Equal(body, pictureOf(path)) {
				t.Errorf("%s is there in part: %d bytes", path, len(body))
			}
		}
		if there == 2 && strings.Count(html, "lamplighter") == 9 {
			whole++
		}
	}
	if all && whole != takenArticles {
		t.Errorf("%d of %d articles are whole", whole, takenArticles)
	}
	if parts, _ := filepath.Glob(filepath.Join(dir, "pictures", ".part-*")); len(parts) > 0 && all {
		t.Errorf("left over: %v", parts)
	}
}
