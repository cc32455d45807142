package sync_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/connect"
)

// maxPeak is what one answer may take of memory, whatever it is.
const maxPeak = 64 << 20

// peak returns how far the heap grows while f runs, beyond what was there before.
func peak(f func()) uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() uint64 { metrics.Read(sample); return sample[0].Value.Uint64() }
	runtime.GC()
	before := read()
	stop, top := make(chan struct{}), make(chan uint64)
	often := time.NewTicker(500 * time.Microsecond) // too large an answer takes longer to read
	defer often.Stop()
	go func() {
		highest := before
		for {
			highest = max(highest, read())
			select {
			case <-stop:
				top <- max(highest, read()) - before
				return
			case <-often.C:
			}
		}
	}()
	f()
	close(stop)
	return <-top
}

// repeated writes a prefix, then part as often as it takes to write size bytes, then a suffix.
func repeated(prefix, part string, size int, suffix string) func(io.Writer) {
	return func(w io.Writer) {
		many := strings.Repeat(part, max(1, 1<<16/len(part)))
		_, err := io.WriteString(w, prefix)
		for left := size; left > 0 && err == nil; left -= len(many) {
			_, err = io.WriteString(w, many)
		}
		if err == nil {
			_, _ = io.WriteString(w, suffix)
		}
	}
}

// ttrssOp returns the operation that a request tells Tiny Tiny RSS, "" if it is of another protocol. The request can be read again.
func ttrssOp(r *http.Request) string {
	if r.URL.Path != "/api/" {
		return ""
	}
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	var sent struct{ Op string }
	_ = json.Unmarshal(body, &sent)
	return sent.Op
}

const ttrssLogin = `{"seq":0,"status":0,"content":{"session_id":"s1"}}`

// hostileServer is a server of any kind that answers one path, or the paths below it, by what write writes.
func hostileServer(t *testing.T, path string, zip bool, write func(io.Writer)) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		op := ttrssOp(r)
		switch {
		case strings.HasSuffix(r.URL.Path+op, path):
			if !zip {
				write(w)
				return
			}
			w.Header().Set("Content-Encoding", "gzip")
			z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
			write(z)
			_ = z.Close()
		case strings.HasSuffix(r.URL.Path, "/ClientLogin"):
			_, _ = io.WriteString(w, "Auth=anna/1\n")
		case strings.HasSuffix(r.URL.Path, "/token"):
			_, _ = io.WriteString(w, "token")
		case op == "login":
			_, _ = io.WriteString(w, ttrssLogin)
		case op != "":
			_, _ = io.WriteString(w, `{"seq":0,"status":0,"content":[]}`)
		case strings.HasSuffix(r.URL.Path, "/subscription/list"):
			_, _ = io.WriteString(w, `{"subscriptions":[]}`)
		case strings.HasSuffix(r.URL.Path, "/ids"):
			_, _ = io.WriteString(w, `{"itemRefs":[{"id":"1"}]}`)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// sizes are those of hostile answers: in bounds, and beyond those of any answer. The race detector makes reading JSON twenty times
// slower; it sees the same paths with less.
func sizes() []int {
	if testing.Short() {
		return []int{64 << 10}
	}
	return []int{6 << 20, huge}
}

const huge = 72 << 20

// readsMegabytes leaves a test out of the short run.
func readsMegabytes(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("reads megabytes of JSON")
	}
}

// Whatever a server answers, memory stays in bounds, and it is an error with a sentence of its own or articles that are in bounds.
func TestHostileAnswersTakeLittleMemory(t *testing.T) {
	ids := []string{"1"}
	calls := map[string]func(context.Context, sync.Service) error{
		"feeds": func(ctx context.Context, s sync.Service) error { _, err := s.Feeds(ctx); return err },
		"page":  func(ctx context.Context, s sync.Service) error { _, err := s.Page(ctx, "", time.Time{}); return err },
		"marks": func(ctx context.Context, s sync.Service) error { _, err := s.Marks(ctx); return err },
		"difference": func(ctx context.Context, s sync.Service) error {
			_, err := s.Difference(ctx, time.Unix(1_790_000_000, 0))
			return err
		},
		"articles": func(ctx context.Context, s sync.Service) error {
			return s.Articles(ctx, ids, func([]sync.Article) error { return nil })
		},
		"folder": func(ctx context.Context, s sync.Service) error {
			return s.(sync.Editor).Edit(ctx, "1", sync.Change{Folder: new("Folder")})
		},
		"send": func(ctx context.Context, s sync.Service) error { return s.SetRead(ctx, ids, true) },
		"subscribe": func(ctx context.Context, s sync.Service) error {
			_, err := s.Subscribe(ctx, "http://feeds.test/", "", "")
			return err
		},
	}
	type hostile struct {
		call, path, prefix, part, suffix string
	}
	of := map[connect.Kind][]hostile{
		connect.Miniflux: {
			{"feeds", "/v1/feeds", `[{}`, `,{}`, `]`},
			{"feeds", "/v1/feeds", `[{"id":1,"title":"`, `x`, `"}]`},
			{"feeds", "/v1/feeds", `[`, ` `, `]`},
			{"page", "/v1/entries", `{"entries":[{}`, `,{}`, `]}`},
			{"page", "/v1/entries", `{"entries":[{"id":1,"title":"`, `x`, `"}]}`},
			{"page", "/v1/entries", `{"entries":[{"id":1,"enclosures":[{}`, `,{}`, `]}]}`},
			{"page", "/v1/entries", `{"total":"`, `x`, `","entries":[]}`},
			{"page", "/v1/entries", `{"total":0`, `,"a":{}`, `,"entries":[]}`},
			{"page", "/v1/entries", `{"entries":[]}`, ` `, ``},
			{"difference", "/v1/entries", `{"entries":[{}`, `,{}`, `]}`},
			{"marks", "/v1/entries", `{"entries":[{}`, `,{}`, `]}`},
			{"marks", "/v1/entries", `{"entries":[{"id":1}`, `,{"id":1}`, `]}`},
			{"articles", "/v1/entries/1", `{"id":1,"title":"`, `x`, `"}`},
			{"articles", "/v1/entries/1", `{"id":1,"enclosures":[{}`, `,{}`, `]}`},
			{"folder", "/v1/categories", `[{}`, `,{}`, `]`},
			{"send", "/v1/entries", ``, `x`, ``},
		},
		connect.GoogleReader: {
			{"feeds", "/subscription/list", `{"subscriptions":[{}`, `,{}`, `]}`},
			{"feeds", "/subscription/list", `{"subscriptions":[{"id":"feed/1","title":"`, `x`, `"}]}`},
			{"feeds", "/subscription/list", `{"subscriptions":[{"id":"feed/1","categories":[{}`, `,{}`, `]}]}`},
			{"page", "/ids", `{"itemRefs":[{}`, `,{}`, `]}`},
			{"page", "/ids", `{"itemRefs":[{"id":"1"}`, `,{"id":"1"}`, `]}`},
			{"page", "/ids", `{"itemRefs":[],"continuation":"`, `x`, `"}`},
			{"page", "/contents", `{"items":[{}`, `,{}`, `]}`},
			{"page", "/contents", `{"items":[{"id":"1","title":"`, `x`, `"}]}`},
			{"page", "/contents", `{"items":[{"id":"1","alternate":[{}`, `,{}`, `]}]}`},
			{"articles", "/contents", `{"items":[{"id":"1","categories":[""`, `,""`, `]}]}`},
			{"difference", "/ids", `{"itemRefs":[{}`, `,{}`, `]}`},
			{"marks", "/ids", `{"itemRefs":[{"id":"`, `x`, `"}]}`},
			{"send", "/edit-tag", ``, `x`, ``},
			{"send", "/token", ``, `x`, ``},
			{"send", "/ClientLogin", `Auth=`, `x`, ``},
			{"subscribe", "/quickadd", `{"streamId":"`, `x`, `"}`},
		},
		connect.TinyTinyRSS: {
			{"feeds", "/getCategories", `{"status":0,"content":[{"id":1}`, `,{"id":1}`, `]}`},
			{"feeds", "/getFeeds", `{"status":0,"content":[{}`, `,{}`, `]}`},
			{"feeds", "/getFeeds", `{"status":0,"content":[{"id":1,"title":"`, `x`, `"}]}`},
			{"feeds", "/getFeeds", `{"status":2,"content":[{}`, `,{}`, `]}`},
			{"page", "/getHeadlines", `{"status":0,"content":[{}`, `,{}`, `]}`},
			{"page", "/getHeadlines", `{"status":0,"content":[{"id":1,"title":"`, `x`, `"}]}`},
			{"page", "/getHeadlines", `{"status":0,"content":[{"id":1,"attachments":[{}`, `,{}`, `]}]}`},
			{"page", "/getHeadlines", `{"status":1,"content":{"error":"`, `x`, `"}}`},
			{"page", "/getHeadlines", `{"status":0`, `,"a":{}`, `,"content":[]}`},
			{"difference", "/getHeadlines", `{"status":0,"content":[{}`, `,{}`, `]}`},
			{"marks", "/getHeadlines", `{"status":0,"content":[{"id":1}`, `,{"id":1}`, `]}`},
			{"articles", "/getArticle", `{"status":0,"content":[{"id":1,"attachments":[{}`, `,{}`, `]}]}`},
			{"send", "/updateArticle", `{"status":0,"content":{"status":"`, `x`, `"}}`},
			{"send", "/login", `{"status":0,"content":{"session_id":"`, `x`, `"}}`},
			{"subscribe", "/subscribeToFeed", `{"status":0,"content":{"status":{"code":5,"message":"`, `x`, `"}}}`},
		},
	}
	for _, kind := range connect.Kinds {
		for _, h := range of[kind] {
			for _, size := range sizes() {
				t.Run(fmt.Sprintf("%s/%s %s%s/%d KB", kind, h.call, h.prefix, h.part, size>>10), func(t *testing.T) {
					server := hostileServer(t, h.path, size == huge && len(h.part) > 1, repeated(h.prefix, h.part, size, h.suffix))
					service, err := connect.Open(kind, server.URL, "anna", "secret", fetch.New(fetch.Options{}))
					if err != nil {
						t.Fatal(err)
					}
					took := peak(func() { err = calls[h.call](t.Context(), service) })
					if took > maxPeak {
						t.Errorf("%d MB were taken", took>>20)
					}
					var fault *sync.Error
					switch {
					case err != nil && !errors.As(err, &fault):
						t.Errorf("no fault of the server: %v", err)
					case size == huge && (fault == nil || fault.Code != sync.TooLarge):
						t.Errorf("%v is not told as too large", err)
					}
				})
			}
		}
	}
}

// A list that never ends, or goes in a circle, ends with a fault of the server.
func TestEndlessListsEnd(t *testing.T) {
	readsMegabytes(t)
	for name, next := range map[string]func(int) (string, sync.Code){
		"always another": func(n int) (string, sync.Code) { return fmt.Sprint(n), sync.TooLarge },
		"in a circle":    func(n int) (string, sync.Code) { return fmt.Sprint("circle ", n%3), sync.Garbled },
	} {
		for _, kind := range connect.Kinds {
			t.Run(fmt.Sprint(name, " ", kind), func(t *testing.T) {
				asked := 0
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if strings.HasSuffix(r.URL.Path, "/ClientLogin") {
						_, _ = io.WriteString(w, "Auth=anna/1\n")
						return
					}
					if ttrssOp(r) == "login" {
						_, _ = io.WriteString(w, ttrssLogin)
						return
					}
					asked++
					continuation, _ := next(asked)
					from := asked
					if name == "in a circle" {
						from = asked % 3
					}
					elements := map[connect.Kind]int{connect.Miniflux: 1000, connect.TinyTinyRSS: 200}[kind]
					list := map[connect.Kind]string{connect.TinyTinyRSS: "content"}[kind]
					_, _ = fmt.Fprintf(w, `{"status":0,"continuation":%q,"itemRefs":[{"id":"%d"}],%q:[`, continuation, asked, cmp.Or(list, "entries"))
					for i := range elements {
						if i > 0 {
							_, _ = io.WriteString(w, ",")
						}
						_, _ = fmt.Fprintf(w, `{"id":%d}`, from*1000+i)
					}
					_, _ = io.WriteString(w, "]}")
				}))
				defer server.Close()
				service, err := connect.Open(kind, server.URL, "anna", "secret", fetch.New(fetch.Options{}))
				if err == nil {
					_, err = service.Marks(t.Context())
				}
				_, want := next(0)
				var fault *sync.Error
				if !errors.As(err, &fault) || fault.Code != want || asked > 20_000 {
					t.Errorf("after %d requests: %v, want %s", asked, err, want)
				}
			})
		}
	}
}

// Articles that are too many bytes for one page come on several, and none is missing.
func TestLongPagesComeInParts(t *testing.T) {
	readsMegabytes(t)
	const articles, size = 60, 512 << 10
	body := strings.Repeat("x", size)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		_ = r.ParseForm()
		limit := func(name string) int { n, _ := strconv.Atoi(query.Get(name)); return n }
		switch {
		case strings.HasSuffix(r.URL.Path, "/ClientLogin"):
			_, _ = io.WriteString(w, "Auth=anna/1\n")
		case strings.HasSuffix(r.URL.Path, "/token"):
			_, _ = io.WriteString(w, "token")
		case ttrssOp(r) == "login":
			_, _ = io.WriteString(w, ttrssLogin)
		case r.URL.Path == "/api/":
			var sent struct {
				Skip, Limit int
				View        string `json:"view_mode"`
			}
			_ = json.NewDecoder(r.Body).Decode(&sent)
			_, _ = io.WriteString(w, `{"seq":0,"status":0,"content":[`)
			for id := sent.Skip + 1; id <= min(sent.Skip+sent.Limit, articles) && sent.View == "unread"; id++ {
				if id > sent.Skip+1 {
					_, _ = io.WriteString(w, ",")
				}
				_, _ = fmt.Fprintf(w, `{"id":%d,"feed_id":"1","content":"%s"}`, id, body)
			}
			_, _ = io.WriteString(w, "]}")
		case strings.HasSuffix(r.URL.Path, "/v1/entries"):
			_, _ = io.WriteString(w, `{"entries":[`)
			before, sep := limit("before_entry_id"), ""
			if before == 0 {
				before = articles + 1
			}
			if query.Get("status") != "unread" {
				before = 0
			}
			for id := before - 1; id > 0 && id >= before-limit("limit"); id-- {
				_, _ = fmt.Fprintf(w, `%s{"id":%d,"content":"%s"}`, sep, id, body)
				sep = ","
			}
			_, _ = io.WriteString(w, "]}")
		case strings.HasSuffix(r.URL.Path, "/ids"):
			_, _ = io.WriteString(w, `{"itemRefs":[`)
			from, sep := limit("c"), ""
			if query.Get("xt") == "" {
				from = articles
			}
			to := min(from+limit("n"), articles)
			for id := from + 1; id <= to; id++ {
				_, _ = fmt.Fprintf(w, `%s{"id":"%d"}`, sep, id)
				sep = ","
			}
			_, _ = io.WriteString(w, "]")
			if to < articles {
				_, _ = fmt.Fprintf(w, `,"continuation":"%d"`, to)
			}
			_, _ = io.WriteString(w, "}")
		case strings.HasSuffix(r.URL.Path, "/contents"):
			_, _ = io.WriteString(w, `{"items":[`)
			for i, id := range r.PostForm["i"] {
				if i > 0 {
					_, _ = io.WriteString(w, ",")
				}
				_, _ = fmt.Fprintf(w, `{"id":%q,"content":{"content":"%s"}}`, id, body)
			}
			_, _ = io.WriteString(w, "]}")
		}
	}))
	defer server.Close()
	for _, kind := range connect.Kinds {
		service, err := connect.Open(kind, server.URL, "anna", "secret", fetch.New(fetch.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		took := peak(func() {
			for cursor, first := "", true; err == nil && (first || cursor != ""); first = false {
				var p sync.Page
				if p, err = service.Page(t.Context(), cursor, time.Time{}); err == nil {
					for _, a := range p.Articles {
						got[a.ID] = len(a.HTML) == size
					}
					cursor = p.Next
				}
			}
		})
		if err != nil || len(got) != articles || took > maxPeak {
			t.Errorf("%s: %d of %d articles with %d MB: %v", kind, len(got), articles, took>>20, err)
		}
		for id, whole := range got {
			if !whole {
				t.Errorf("%s: article %s is not whole", kind, id)
			}
		}
	}
}
