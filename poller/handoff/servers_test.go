package handoff_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	gosync "sync"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/handoff"
	"kairos/poller/sync"
	"kairos/reader"
	"kairos/reader/export"
)

// fakeServer answers as a Wallabag or a Linkding does.
type fakeServer struct {
	*httptest.Server
	kind handoff.Kind

	mu       gosync.Mutex // guards what follows
	entries  []url.Values // stored
	requests []string     // method and path
	auth     []string
	fault    http.HandlerFunc // instead of the API, for what matches only
	only     string           // a path, for fault
	token    int              // of the last login
	expired  bool             // the token
	grants   []string
}

func newFakeServer(t *testing.T, kind handoff.Kind) *fakeServer {
	s := &fakeServer{kind: kind}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *fakeServer) setFault(only string, fault http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.only, s.fault = only, fault
}

func (s *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	s.auth = append(s.auth, r.Header.Get("Authorization"))
	fault := s.fault
	if s.only != "" && s.only != r.URL.Path {
		fault = nil
	}
	s.mu.Unlock()
	if fault != nil {
		fault(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if s.kind == handoff.Linkding {
		s.linkding(w, r)
	} else {
		s.wallabag(w, r)
	}
}

func (s *fakeServer) find(address string) int {
	return slices.IndexFunc(s.entries, func(e url.Values) bool { return e.Get("url") == address })
}

func (s *fakeServer) wallabag(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/oauth/v2/token" {
		_ = r.ParseForm()
		s.grants = append(s.grants, r.PostForm.Get("grant_type"))
		byPassword := r.PostForm.Get("username") == "anna" && r.PostForm.Get("password") == "hunter2"
		byToken := r.PostForm.Get("refresh_token") == fmt.Sprintf("refresh%d", s.token)
		if r.PostForm.Get("client_id") != "1_abc" || r.PostForm.Get("client_secret") != "s3cret" || !byPassword && !byToken {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"Invalid username and password combination"}`)
			return
		}
		s.token++
		s.expired = false
		fmt.Fprintf(w, `{"access_token":"access%d","expires_in":3600,"token_type":"bearer","scope":null,"refresh_token":"refresh%d"}`, s.token, s.token)
		return
	}
	if s.expired || r.Header.Get("Authorization") != fmt.Sprintf("Bearer access%d", s.token) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"The access token provided has expired."}`)
		return
	}
	switch r.URL.Path {
	case "/api/entries/exists.json":
		if at := s.find(r.URL.Query().Get("url")); at >= 0 {
			fmt.Fprintf(w, `{"exists":%d}`, at+1)
		} else {
			_, _ = io.WriteString(w, `{"exists":null}`)
		}
	case "/api/entries.json":
		_ = r.ParseForm()
		s.entries = append(s.entries, r.PostForm)
		fmt.Fprintf(w, `{"is_archived":0,"content":%q,"id":%d,"tags":[{"id":1}]}`, strings.Repeat("long ", 500_000), len(s.entries))
	default:
		http.NotFound(w, r)
	}
}

func (s *fakeServer) linkding(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Token hunter2" {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"detail":"Invalid token."}`)
		return
	}
	switch r.URL.Path {
	case "/api/tags/":
		_, _ = io.WriteString(w, `{"count":0,"next":null,"previous":null,"results":[]}`)
	case "/api/bookmarks/check/":
		if at := s.find(r.URL.Query().Get("url")); at >= 0 {
			fmt.Fprintf(w, `{"bookmark":{"id":%d,"tag_names":[]},"metadata":{"url":"x","title":null},"auto_tags":[]}`, at+1)
		} else {
			_, _ = io.WriteString(w, `{"bookmark":null,"metadata":{"url":"x","title":null},"auto_tags":[]}`)
		}
	case "/api/bookmarks/":
		var b struct {
			URL, Title, Description string
			Tags                    []string `json:"tag_names"`
			Unread                  bool
		}
		if json.NewDecoder(r.Body).Decode(&b) != nil || b.URL == "" || len([]rune(b.Title)) > 512 {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"url":["This field is required."]}`)
			return
		}
		s.entries = append(s.entries, url.Values{"url": {b.URL}, "title": {b.Title}, "tags": {strings.Join(b.Tags, ",")}, "content": {b.Description}, "unread": {fmt.Sprint(b.Unread)}})
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"id":%d,"url":%q}`, len(s.entries), b.URL)
	default:
		http.NotFound(w, r)
	}
}

func connect(t *testing.T, kind handoff.Kind, address, password string, o handoff.Options, limits fetch.Limits, now func() time.Time) handoff.Receiver {
	t.Helper()
	o.ClientID = "1_abc"
	r, err := handoff.Connect(reader.Destination{Kind: string(kind), Address: address, User: "anna", Options: o.Encode()}, handoff.Secret{Password: password, ClientSecret: "s3cret"},
		handoff.Surroundings{Client: fetch.New(fetch.Options{Limits: limits}), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var sample = handoff.Article{Article: export.Article{ID: "http://feeds.example/a#1", Title: `A "title" & more, with ümlauts`, Link: "https://example.org/a?b=1&c=ä", Author: "Ann Onymous",
	HTML: "<p>Some <b>text</b>.</p>", Published: time.Date(2026, 11, 27, 8, 30, 0, 0, time.UTC), Feed: "Example", FeedURL: "http://feeds.example/a", Labels: []string{"Long reads", "to do, soon"}}}

var servers = []handoff.Kind{handoff.Wallabag, handoff.Linkding}

func TestServersGetArticlesOnce(t *testing.T) {
	for _, kind := range servers {
		s := newFakeServer(t, kind)
		r := connect(t, kind, s.URL, "hunter2", handoff.Options{Unread: true}, fetch.Limits{}, time.Now)
		if err := r.Check(t.Context()); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		for range 2 {
			if err := r.Deliver(t.Context(), sample); err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
		}
		if len(s.entries) != 1 {
			t.Fatalf("%s has %d entries", kind, len(s.entries))
		}
		got := s.entries[0]
		want := url.Values{"url": {sample.Link}, "title": {sample.Title}}
		if kind == handoff.Wallabag {
			want["tags"], want["authors"], want["published_at"] = []string{"Long reads,to do soon"}, []string{"Ann Onymous"}, []string{"2026-11-27T08:30:00Z"}
		} else {
			want["tags"], want["content"], want["unread"] = []string{"Long-reads,to-do-soon"}, []string{"Some text."}, []string{"true"}
		}
		if got.Encode() != want.Encode() {
			t.Errorf("%s got %v, want %v", kind, got, want)
		}
	}
}

func TestWallabagGetsTheTextOfWhatItCannotReach(t *testing.T) {
	s := newFakeServer(t, handoff.Wallabag)
	r := connect(t, handoff.Wallabag, s.URL, "hunter2", handoff.Options{}, fetch.Limits{}, time.Now)
	local, without := sample, sample
	local.Link, without.Link = "http://192.168.1.7/a", ""
	for _, a := range []handoff.Article{local, without} {
		if err := r.Deliver(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	if s.entries[0].Get("content") != sample.HTML || s.entries[1].Get("content") != sample.HTML || s.entries[1].Get("url") != sample.ID {
		t.Errorf("got %v", s.entries)
	}
	without.ID = "urn:uuid:1"
	var fault *handoff.Error
	if err := r.Deliver(t.Context(), without); !errors.As(err, &fault) || fault.Code != handoff.NoAddress {
		t.Error(err)
	}
	r = connect(t, handoff.Wallabag, s.URL, "hunter2", handoff.Options{Content: true}, fetch.Limits{}, time.Now)
	if err := r.Deliver(t.Context(), sample); err != nil || s.entries[2].Get("content") != sample.HTML {
		t.Error(err, s.entries[2])
	}
}

func TestWallabagRenewsItsToken(t *testing.T) {
	s := newFakeServer(t, handoff.Wallabag)
	now := time.Now()
	r := connect(t, handoff.Wallabag, s.URL, "hunter2", handoff.Options{}, fetch.Limits{}, func() time.Time { return now })
	deliver := func(id int, grants ...string) {
		t.Helper()
		a := sample
		a.Link = fmt.Sprintf("https://example.org/%d", id)
		if err := r.Deliver(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.grants, grants) || len(s.entries) != id {
			t.Fatalf("logged in by %v, %d entries", s.grants, len(s.entries))
		}
	}
	deliver(1, "password")
	deliver(2, "password")
	now = now.Add(2 * time.Hour)
	deliver(3, "password", "refresh_token")
	s.expired = true // before its time
	deliver(4, "password", "refresh_token", "password")
	s.token = 99 // as after the server was installed again: it knows neither token
	now = now.Add(2 * time.Hour)
	deliver(5, "password", "refresh_token", "password", "refresh_token", "password")
}

func TestFaultsOfServers(t *testing.T) {
	answer := func(status int, header, value, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if header != "" {
				w.Header().Set(header, value)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	endless := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"x":"`)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat("x", 64<<10)); err != nil {
				return
			}
		}
	}
	hang := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not notice that nobody waits any more
		<-r.Context().Done()
	}
	stranger := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s went to a stranger with %q", r.Method, r.URL, r.Header.Get("Authorization"))
	}))
	defer stranger.Close()
	elsewhere := strings.Replace(stranger.URL, "127.0.0.1", "localhost", 1)
	for _, kind := range servers {
		for _, test := range []struct {
			name  string
			fault http.HandlerFunc
			code  sync.Code
			after time.Duration
		}{
			{"401", answer(401, "", "", `{"error":"x"}`), sync.Refused, 0},
			{"403", answer(403, "", "", ``), sync.Refused, 0},
			{"429", answer(429, "Retry-After", "120", ``), sync.Busy, 2 * time.Minute},
			{"503", answer(503, "Retry-After", "60", ``), sync.Busy, time.Minute},
			{"500", answer(500, "", "", `oops`), sync.Faulty, 0},
			{"404", answer(404, "", "", `<html>`), sync.NoAPI, 0},
			{"422", answer(422, "", "", `{}`), sync.Rejected, 0},
			{"a page", answer(200, "Content-Type", "text/html", `<!doctype html><title>Log in</title>`), sync.NoAPI, 0},
			{"broken JSON", answer(200, "", "", `{"exists":`), sync.Garbled, 0},
			{"another JSON", answer(200, "", "", `{"hello":1}`), sync.Garbled, 0},
			{"a list", answer(200, "", "", `[]`), sync.Garbled, 0},
			{"moved", answer(308, "Location", elsewhere+"/api", ``), sync.Moved, 0},
			{"sent away", answer(307, "Location", elsewhere+"/api", ``), sync.NoAPI, 0},
			{"another method", answer(302, "Location", "/other", ``), sync.NoAPI, 0},
			{"endless", endless, sync.TooLarge, 0},
			{"no answer", hang, sync.Unreachable, 0},
		} {
			s := newFakeServer(t, kind)
			limits := fetch.Limits{}
			if test.code == sync.Unreachable {
				limits.Total = 50 * time.Millisecond
			}
			r := connect(t, kind, s.URL, "hunter2", handoff.Options{}, limits, time.Now)
			if err := r.Deliver(t.Context(), sample); err != nil && test.code != sync.Unreachable {
				t.Fatalf("%s: %v", kind, err)
			}
			before := len(s.entries)
			a := sample
			a.Link += "&more"
			post := map[handoff.Kind]string{handoff.Wallabag: "/api/entries.json", handoff.Linkding: "/api/bookmarks/"}[kind]
			s.setFault(post, test.fault)
			err := r.Deliver(t.Context(), a)
			var fault *sync.Error
			if !errors.As(err, &fault) || fault.Code != test.code || fault.RetryAfter != test.after {
				t.Errorf("%s, %s: %v", kind, test.name, err)
			}
			if err != nil && (strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "access")) {
				t.Errorf("%s, %s: the error has a password: %v", kind, test.name, err)
			}
			if s.setFault("", nil); test.after > 0 || test.code == sync.Unreachable {
				continue // it is to be left alone, or has too little time
			}
			if err := r.Deliver(t.Context(), a); err != nil || len(s.entries) != before+1 {
				t.Errorf("%s after %s: %v, %d entries", kind, test.name, err, len(s.entries))
			}
		}
	}
}

func TestWrongPasswords(t *testing.T) {
	for _, kind := range servers {
		s := newFakeServer(t, kind)
		r := connect(t, kind, s.URL, "wrong", handoff.Options{}, fetch.Limits{}, time.Now)
		var fault *handoff.Error
		for _, err := range []error{r.Check(t.Context()), r.Deliver(t.Context(), sample)} {
			var server *sync.Error
			if !errors.As(err, &server) || server.Code != sync.Refused {
				t.Errorf("%s: %v %v", kind, err, fault)
			}
		}
		if len(s.entries) > 0 {
			t.Error(s.entries)
		}
	}
}

func TestServerAddress(t *testing.T) {
	for typed, want := range map[string]struct {
		address string
		plain   bool
		bad     bool
	}{
		"bag.example.org":                               {address: "https://bag.example.org"},
		" https://bag.example.org/unread/list ":         {address: "https://bag.example.org"},
		"https://links.example.org/sub/bookmarks?q=1#x": {address: "https://links.example.org/sub"},
		"http://bag.example.org/":                       {address: "http://bag.example.org", plain: true},
		"192.168.0.3:9090":                              {address: "http://192.168.0.3:9090"},
		"localhost:9090/login":                          {address: "http://localhost:9090"},
		"https://u:p@bag.example.org":                   {address: "https://bag.example.org"},
		"":                                              {bad: true},
		"ftp://bag.example.org":                         {bad: true},
		"file:///etc/passwd":                            {bad: true},
		"http://":                                       {bad: true},
		"java script":                                   {bad: true},
	} {
		address, plain, err := handoff.ServerAddress(typed)
		if address != want.address || plain != want.plain || (err != nil) != want.bad {
			t.Errorf("%q is %q, %t, %v", typed, address, plain, err)
		}
	}
}
