package sync_test

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/connect"
	"kairos/poller/sync/synctest"
	"kairos/reader"
)

// fault is something that goes wrong with a request.
type fault struct {
	name   string
	codes  []sync.Code // what it may be told as; "": it may be got over, or be what the server has to say
	answer func(w http.ResponseWriter, r *http.Request)
	effect bool                       // the request takes effect all the same
	only   func(r *http.Request) bool // nil: any request
}

const page = "<!doctype html><html><title>Log in</title><form><input name=Passwd></form></html>"

func says(status int, kind, text string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Retry-After", "90")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func cutOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "5000")
	_, _ = io.WriteString(w, `{"entries":[{"id":1`)
}

func asks(r *http.Request) bool { return r.Method == http.MethodGet }

// ofOne tells requests for one article or feed: that there is none is an answer.
func ofOne(r *http.Request) bool {
	return strings.Count(r.URL.Path, "/") > 2 && strings.HasPrefix(r.URL.Path, "/v1/")
}

var faults = []fault{
	{name: "401", codes: []sync.Code{sync.Refused, ""}, answer: says(401, "application/json", `{"error_message":"Access Unauthorized"}`)},
	{name: "403", codes: []sync.Code{sync.Refused, ""}, answer: says(403, "text/html", page)},
	{name: "404", codes: []sync.Code{sync.NoAPI}, answer: says(404, "text/html", page), only: func(r *http.Request) bool { return !ofOne(r) }},
	{name: "429", codes: []sync.Code{sync.Busy}, answer: says(429, "text/plain", "slow down")},
	{name: "500", codes: []sync.Code{sync.Faulty}, answer: says(500, "text/html", page)},
	{name: "500, done", codes: []sync.Code{sync.Faulty}, answer: says(500, "text/html", page), effect: true},
	{name: "503", codes: []sync.Code{sync.Busy}, answer: says(503, "text/html", page)},
	{name: "hangs up", codes: []sync.Code{sync.Unreachable, ""}, answer: hangUp},
	{name: "hangs up, done", codes: []sync.Code{sync.Unreachable, ""}, answer: hangUp, effect: true},
	{name: "cut off", codes: []sync.Code{sync.Garbled}, answer: cutOff},
	{name: "cut off, done", codes: []sync.Code{sync.Garbled}, answer: cutOff, effect: true},
	{name: "login page", codes: []sync.Code{sync.NoAPI}, answer: says(200, "text/html; charset=utf-8", page)},
	{name: "login page elsewhere", codes: []sync.Code{sync.NoAPI}, answer: func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/login", http.StatusFound)
	}},
	{name: "nothing", codes: []sync.Code{sync.Garbled}, answer: says(200, "application/json", ""), only: asks},
	{name: "null", codes: []sync.Code{sync.Garbled}, answer: says(200, "application/json", "null")},
	{name: "other JSON", codes: []sync.Code{sync.Garbled, sync.NoAPI, sync.Refused, ""}, answer: says(200, "application/json", `{"status":"maintenance"}`)},
}

// faultScene is a Kairos with an account at a fake server.
type faultScene struct {
	*seat
	server *synctest.Fake
	clock  time.Time
	log    bytes.Buffer
	marks  map[string]bool // titles of articles that somebody has read
	round  int
}

func newFaultScene(t *testing.T, kind connect.Kind) *faultScene {
	s := &faultScene{clock: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC), marks: map[string]bool{}}
	now := func() time.Time { return s.clock }
	s.server = synctest.NewFake(t, now)
	s.server.Subscribe("http://feeds.test/one", "News")
	s.server.Subscribe("http://feeds.test/two", "")
	s.seat = openSeat(t, connect.Server{Kind: kind, Base: s.server.URL}, "anna", synctest.FakePassword, now, slog.New(slog.NewTextHandler(&s.log, nil)))
	return s
}

func (s *faultScene) try() error {
	s.server.Do(func([]*synctest.Entry) { s.clock = s.clock.Add(10 * time.Minute) })
	_, err := s.engine.Sync(s.Context(), s.account, true)
	return err
}

// change does something of each kind, here and there.
func (s *faultScene) change() {
	s.round++
	n := s.round
	title := func(i int) string { return fmt.Sprintf("Article %d.%d", n, i) }
	for i := range 5 {
		s.server.Post("http://feeds.test/one", title(i))
	}
	s.check(s.try())
	s.server.Post("http://feeds.test/two", title(5))
	s.server.Mark(title(0), true, false)
	s.server.Mark(title(1), false, true)
	s.mark(title(2), reader.FlagRead)
	s.mark(title(3), reader.FlagStarred)
	s.marks[title(0)], s.marks[title(2)] = true, true
	feeds, err := s.store.Feeds.List(s.Context())
	s.check(err)
	s.write(func(tx *sql.Tx) error {
		f := feeds[slices.IndexFunc(feeds, func(f reader.Feed) bool { return f.URL == "http://feeds.test/two" })]
		f.OwnTitle, f.Folder = fmt.Sprint("Mine ", n), fmt.Sprint("Folder ", n%3)
		if err := reader.UpdateFeed(s.Context(), tx, f); err != nil {
			return err
		}
		if i := slices.IndexFunc(feeds, func(f reader.Feed) bool { return f.URL == "http://feeds.test/three" }); i >= 0 {
			return reader.Unsubscribe(s.Context(), tx, feeds[i].ID, s.clock)
		}
		_, err := reader.Subscribe(s.Context(), tx, reader.Feed{URL: "http://feeds.test/three", Account: s.account}, s.clock)
		return err
	})
}

func (s *faultScene) mark(title string, flag reader.Flag) {
	s.write(func(tx *sql.Tx) error {
		var id int64
		if err := tx.QueryRow("SELECT id FROM article WHERE title = ?", title).Scan(&id); err != nil {
			return err
		}
		_, err := reader.Mark(s.Context(), tx, []int64{id}, flag, true)
		return err
	})
}

// here lists the unread and starred articles that the server knows, and the feeds.
func (s *faultScene) here() (lines []string) {
	rows, err := s.store.Read().Query(`SELECT a.title, s.read, s.starred FROM status s JOIN article a USING (id) JOIN feed f ON f.id = s.feed WHERE f.removed = 0`)
	s.check(err)
	defer rows.Close()
	for rows.Next() {
		var title string
		var read, starred bool
		s.check(rows.Scan(&title, &read, &starred))
		lines = append(lines, fmt.Sprintf("%s, read %t, starred %t", title, read, starred))
	}
	s.check(rows.Err())
	feeds, err := s.store.Feeds.List(s.Context())
	s.check(err)
	for _, f := range feeds {
		lines = append(lines, f.Title+" in "+f.Folder)
	}
	slices.Sort(lines)
	return lines
}

func (s *faultScene) there() (lines []string) {
	s.server.Do(func(entries []*synctest.Entry) {
		for _, e := range entries {
			lines = append(lines, fmt.Sprintf("%s, read %t, starred %t", e.Title, e.Read, e.Starred))
		}
	})
	for _, f := range s.server.Feeds() {
		lines = append(lines, strings.TrimSuffix(f, "All"))
	}
	slices.Sort(lines)
	return lines
}

// harmless checks that nothing was done that nobody has asked for.
func (s *faultScene) harmless(what string) {
	s.Helper()
	for side, lines := range map[string][]string{"here": s.here(), "there": s.there()} {
		feeds := 0
		for _, line := range lines {
			title, marks, isArticle := strings.Cut(line, ", ")
			if strings.HasPrefix(marks, "read true") && !s.marks[title] {
				s.Errorf("%s: %s %s was not read", what, side, title)
			}
			if !isArticle {
				feeds++
			}
		}
		if feeds < 2 {
			s.Errorf("%s: feeds are missing %s: %v", what, side, lines)
		}
	}
}

// Whatever request of a synchronization goes wrong, once or from then on: it is told as what it is, nothing is lost, read or
// unsubscribed that nobody asked for, and the next synchronization makes it good.
func TestFaultsAtEveryRequest(t *testing.T) {
	for _, kind := range connect.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := newFaultScene(t, kind)
			s.check(s.try())
			step := 4 // a sample
			switch {
			case os.Getenv("KAIROS_SOAK") != "":
				step = 1
			case testing.Short():
				step = 10
			}
			for i, f := range faults {
				for n := i % step; s.inject(f, n/2, n%2 == 1) && !t.Failed(); n += step {
				}
			}
			s.noSecrets(s.log.String())
		})
	}
}

// inject syncs with a fault at the n-th request it can happen to, and reports whether there was one.
func (s *faultScene) inject(f fault, n int, lasting bool) bool {
	s.change()
	seen, fired := 0, ""
	s.server.SetFault(func(w http.ResponseWriter, r *http.Request, handle http.HandlerFunc) bool {
		if r.URL.Path == "/login" {
			says(200, "text/html", page)(w, r)
			return true
		}
		if f.only != nil && !f.only(r) {
			return false
		}
		if seen++; seen <= n || fired != "" && !lasting {
			return false
		}
		fired = r.Method + " " + r.URL.Path
		if f.effect {
			handle(httptest.NewRecorder(), r)
		}
		f.answer(w, r)
		return true
	})
	err := s.try()
	s.server.SetFault(nil)
	if fired == "" {
		return false
	}
	what := fmt.Sprintf("%s, lasting %t, request %d (%s)", f.name, lasting, n, fired)
	s.harmless(what)
	var told *sync.Error
	code := sync.Code("")
	if errors.As(err, &told) {
		code = told.Code
	} else if err != nil {
		s.Errorf("%s: %v", what, err)
	}
	if !slices.Contains(f.codes, code) {
		s.Errorf("%s is told as %q: %v", what, code, err)
	}
	if state, stateErr := s.engine.State(s.Context(), s.account); stateErr != nil || (state.Error == nil) != (err == nil) {
		s.Errorf("%s: the state is %+v, %v", what, state, stateErr)
	}
	s.check(s.try())
	s.check(s.try())
	if here, there := s.here(), s.there(); !slices.Equal(here, there) {
		s.Errorf("%s: in the end\n%s", what, differences(here, there))
	}
	return true
}

func differences(here, there []string) string {
	var lines []string
	for _, line := range here {
		if !slices.Contains(there, line) {
			lines = append(lines, "here:  "+line)
		}
	}
	for _, line := range there {
		if !slices.Contains(here, line) {
			lines = append(lines, "there: "+line)
		}
	}
	return strings.Join(lines, "\n")
}

// noSecrets checks that neither password nor session is in a text, as they are or as they travel.
func (s *faultScene) noSecrets(text string) {
	s.Helper()
	for name, secret := range map[string]string{
		"password": synctest.FakePassword, "password in a form": url.QueryEscape(synctest.FakePassword),
		"password in a header": base64.StdEncoding.EncodeToString([]byte("anna:" + synctest.FakePassword)),
		"session":              s.server.Session(), "token": s.server.Token(),
	} {
		if strings.Contains(text, secret) {
			s.Errorf("the %s is told", name)
		}
	}
}

// An account that is removed during any request is gone; what it would have changed here or there stays as it is.
func TestAccountRemovedDuringAnyRequest(t *testing.T) {
	for _, kind := range connect.Kinds {
		for n, fired := 0, true; fired; n += 2 {
			s := newFaultScene(t, kind)
			s.change()
			keep, seen := n%4 == 0, 0
			fired = false
			s.server.SetFault(func(http.ResponseWriter, *http.Request, http.HandlerFunc) bool {
				if seen++; seen == n+1 {
					fired = true
					s.write(func(tx *sql.Tx) error { return reader.RemoveAccount(t.Context(), tx, s.account, keep, s.clock) })
				}
				return false
			})
			if err := s.try(); fired && !errors.Is(err, reader.ErrUnknown) {
				t.Errorf("%s, request %d: %v", kind, n, err)
			}
			if there := s.server.Feeds(); len(there) < 2 {
				t.Errorf("%s, request %d: the server has %v", kind, n, there)
			}
			feeds, err := s.store.Feeds.List(t.Context())
			s.check(err)
			if want := map[bool]int{true: 3}[keep]; fired && len(feeds) != want {
				t.Errorf("%s, request %d: %d feeds stay, want %d", kind, n, len(feeds), want)
			}
			for _, f := range feeds {
				if fired && f.Account != 0 {
					t.Errorf("%s, request %d: %s is of account %d", kind, n, f.Title, f.Account)
				}
			}
			s.server.SetFault(nil)
		}
	}
}

// A disk that is full at any moment is not the server's fault. Nothing is lost, and with room again all goes on.
func TestFullDisk(t *testing.T) {
	for _, kind := range connect.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := newFaultScene(t, kind)
			s.check(s.try())
			s.change()
			for i := range 300 {
				s.server.Post("http://feeds.test/one", fmt.Sprint("More ", i))
			}
			pages := func(limit string) {
				s.write(func(tx *sql.Tx) error {
					_, err := tx.Exec("PRAGMA max_page_count = " + limit)
					return err
				})
			}
			full := 0
			for room := 0; ; room += 8 {
				var used int
				s.check(s.store.Read().QueryRow("PRAGMA page_count").Scan(&used))
				pages(fmt.Sprint(used + room))
				err := s.try()
				if err == nil {
					break
				}
				full++
				if !errors.Is(err, reader.ErrFull) || full > 100 {
					t.Fatalf("failure %d: %v", full, err)
				}
				s.harmless(fmt.Sprint("room for ", room))
				if state, err := s.engine.State(t.Context(), s.account); err != nil || state.Error != nil || state.Failures > 0 {
					t.Fatalf("%+v, %v", state, err)
				}
			}
			pages("1000000")
			s.check(s.try())
			s.check(s.try())
			if here, there := s.here(), s.there(); full < 2 || !slices.Equal(here, there) {
				t.Errorf("full %d times, then\n%s", full, differences(here, there))
			}
		})
	}
}

// A server whose certificate is not valid gets no password, and one in one's own network is talked to.
func TestCertificates(t *testing.T) {
	for _, kind := range connect.Kinds {
		s := newFaultScene(t, kind)
		asked := s.server.Requests()
		secure := httptest.NewUnstartedServer(s.server.Config.Handler)
		secure.Config.ErrorLog = log.New(io.Discard, "", 0)
		secure.StartTLS()
		t.Cleanup(secure.Close)
		client, err := connect.Open(kind, secure.URL, "anna", synctest.FakePassword, fetch.New(fetch.Options{}))
		s.check(err)
		for _, do := range []func() error{
			func() error { _, err := client.Feeds(t.Context()); return err },
			func() error { return client.SetRead(t.Context(), []string{"1"}, true) },
			func() error {
				_, err := connect.Find(t.Context(), kind, secure.URL, "anna", synctest.FakePassword, fetch.New(fetch.Options{}))
				return err
			},
		} {
			var told *sync.Error
			if err := do(); !errors.As(err, &told) || told.Code != sync.Untrusted {
				t.Errorf("%s: %v", kind, err)
			}
		}
		if s.server.Requests() != asked {
			t.Errorf("%s: it was asked", kind)
		}
		if _, err := connect.Find(t.Context(), kind, s.server.URL, "anna", synctest.FakePassword, fetch.New(fetch.Options{})); err != nil {
			t.Errorf("in one's own network: %v", err)
		}
	}
}
