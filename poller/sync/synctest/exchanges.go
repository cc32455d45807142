// Package synctest has what the tests of the protocols share: exchanges with real servers, written down and played back,
// and the real servers themselves.
package synctest

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var record = flag.Bool("record", false, "record the exchanges with the real servers of KAIROS_SERVERS again")

// exchange is one request and its answer.
type exchange struct {
	Request string            `json:"request"` // method and path
	Body    string            `json:"body,omitempty"`
	Status  int               `json:"status"`
	Header  map[string]string `json:"header"`
	Answer  string            `json:"answer"`
}

// Exchanges returns the address of a server that plays testdata/NAME.json back: each request must be the next that is
// written down. With -record it hands the requests on to the real server of that kind, with feeds to subscribe to, and
// writes them down.
func Exchanges(t *testing.T, name string, kind Kind) (base string, feeds *Feeds) {
	t.Helper()
	file, path := filepath.Join("testdata", name+".json"), ""
	if kind == FreshRSS {
		path = "/api/greader.php"
	}
	if *record {
		feeds = ServeFeeds(t)
		server := Start(t, kind)
		return recorder(t, server.URL, file) + path, feeds
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []exchange
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return player(t, list) + path, &Feeds{Address: writtenFeeds}
}

// writtenFeeds stands for the address of the feeds in what is written down.
const writtenFeeds = "http://127.0.0.1:8000"

// secrets are what servers give for a session and what clients show: none of it is written down.
var (
	secrets     = regexp.MustCompile(`(reader/)?[0-9a-f]{40,64}Z*`)
	secretsJSON = regexp.MustCompile(`"(session_id|sid|password)":"[^"]*"`)
)

var loopback = regexp.MustCompile(`http(://|:\\/\\/|%3A%2F%2F)127\.0\.0\.1(:|%3A)\d+`)

// neutral takes out of a text what differs between two runs.
func neutral(s string) string {
	s = secrets.ReplaceAllString(s, "${1}SESSION")
	s = secretsJSON.ReplaceAllString(s, `"$1":"SECRET"`)
	return loopback.ReplaceAllString(s, "http${1}127.0.0.1${2}8000")
}

// body is a form without its secrets, its fields in order.
func body(data []byte) string {
	form, err := url.ParseQuery(string(data))
	if err != nil || bytes.HasPrefix(data, []byte("{")) {
		return neutral(string(data))
	}
	for _, key := range []string{"T", "Passwd"} {
		if form.Has(key) {
			form.Set(key, "SECRET")
		}
	}
	return neutral(form.Encode())
}

func recorder(t *testing.T, real, file string) string {
	var mu sync.Mutex
	var list []exchange
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		sent, _ := io.ReadAll(r.Body)
		request, err := http.NewRequestWithContext(r.Context(), r.Method, real+r.URL.RequestURI(), bytes.NewReader(sent))
		if err != nil {
			t.Error(err)
			return
		}
		for _, key := range []string{"Authorization", "Content-Type"} {
			request.Header.Set(key, r.Header.Get(key))
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			return
		}
		defer response.Body.Close()
		got, _ := io.ReadAll(response.Body)
		header := map[string]string{}
		for _, key := range []string{"Content-Type", "Date"} {
			header[key] = response.Header.Get(key)
		}
		list = append(list, exchange{r.Method + " " + neutral(r.URL.RequestURI()), body(sent), response.StatusCode, header, neutral(string(got))})
		write(w, response.StatusCode, header, got)
	}))
	t.Cleanup(func() {
		server.Close()
		if t.Failed() {
			return
		}
		data, err := json.MarshalIndent(list, "", "\t")
		if err == nil {
			err = os.MkdirAll(filepath.Dir(file), 0o755)
		}
		if err == nil {
			err = os.WriteFile(file, append(data, '\n'), 0o644)
		}
		if err != nil {
			t.Error(err)
		}
	})
	return server.URL
}

func player(t *testing.T, list []exchange) string {
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		sent, _ := io.ReadAll(r.Body)
		got := r.Method + " " + neutral(r.URL.RequestURI()) + "\n" + body(sent)
		if len(list) == 0 {
			t.Errorf("a request too many: %s", got)
			w.WriteHeader(http.StatusTeapot)
			return
		}
		next := list[0]
		list = list[1:]
		if want := next.Request + "\n" + next.Body; got != want {
			t.Errorf("asked\n%s\nwhere this is written down:\n%s", got, want)
		}
		write(w, next.Status, next.Header, []byte(next.Answer))
	}))
	t.Cleanup(func() {
		server.Close()
		if len(list) > 0 && !t.Failed() {
			t.Errorf("%d requests were not sent, first %s", len(list), list[0].Request)
		}
	})
	return server.URL
}

func write(w http.ResponseWriter, status int, header map[string]string, data []byte) {
	for _, key := range slices.Sorted(maps.Keys(header)) {
		w.Header().Set(key, header[key])
	}
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

// Feeds are feeds on this machine to subscribe to.
type Feeds struct {
	Address string
	Since   time.Time // the day before the first article of each
	mu      sync.Mutex
	more    int
	missing map[string]bool
}

// URL returns the address of a feed, of any name.
func (f *Feeds) URL(name string) string { return f.Address + "/" + name + ".xml" }

// Post adds an article to every feed.
func (f *Feeds) Post() { f.mu.Lock(); f.more++; f.mu.Unlock() }

// SetMissing takes a feed away, or brings it back.
func (f *Feeds) SetMissing(name string, missing bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.missing[name] = missing
}

// ServeFeeds serves feeds of three articles.
func ServeFeeds(t *testing.T) *Feeds {
	f := &Feeds{Since: firstDay, missing: map[string]bool{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		name := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), ".xml")
		if f.missing[name] {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/rss+xml")
		_, _ = io.WriteString(w, document(name, f.Address, f.Since, 3+f.more))
	}))
	t.Cleanup(server.Close)
	f.Address = server.URL
	return f
}
