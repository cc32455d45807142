package sync_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
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

// fakeSeat is a seat at a fake server with one feed, "a", synced once.
type fakeSeat struct {
	*seat
	server *synctest.Fake
	kind   connect.Kind
	feed   string // its address
	clock  *time.Time
}

// eachProtocol runs a test at a fake server by both protocols.
func eachProtocol(t *testing.T, test func(t *testing.T, s *fakeSeat)) { eachProtocolWith(t, 0, test) }

// eachProtocolWith does so with more articles in the feed, which the server got ten seconds before the first synchronization.
func eachProtocolWith(t *testing.T, articles int, test func(t *testing.T, s *fakeSeat)) {
	for _, kind := range connect.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			clock := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
			now := func() time.Time { return clock }
			s := &fakeSeat{kind: kind, server: synctest.NewFake(t, now), feed: "http://feeds.test/a.xml", clock: &clock}
			s.server.Subscribe(s.feed, "")
			for n := range articles {
				s.server.Post(s.feed, fmt.Sprint("crowd ", n))
			}
			clock = clock.Add(10 * time.Second)
			s.seat = openSeat(t, connect.Server{Kind: kind, Base: s.server.URL}, "anna", synctest.FakePassword, now, slog.New(slog.DiscardHandler))
			s.sync()
			test(t, s)
		})
	}
}

// later syncs again after a while, by itself.
func (s *fakeSeat) later() {
	s.Helper()
	*s.clock = s.clock.Add(10 * time.Minute)
	if _, err := s.engine.Sync(s.Context(), s.account, false); err != nil {
		s.Fatal(err)
	}
}

func (s *fakeSeat) count(query string, args ...any) (n int) {
	s.Helper()
	s.check(s.store.Read().QueryRow(query, args...).Scan(&n))
	return n
}

// An article that is dated before the last synchronization, and was read elsewhere before the next one, arrives.
func TestReadElsewhereBeforeItArrives(t *testing.T) {
	eachProtocol(t, func(t *testing.T, s *fakeSeat) {
		*s.clock = s.clock.Add(5 * time.Minute)
		s.server.Post(s.feed, "AT&T <b>")
		s.server.Do(func(entries []*synctest.Entry) { entries[len(entries)-1].Published = s.clock.AddDate(0, 0, -9) })
		s.server.Mark("AT&T <b>", true, false)
		s.later()
		if n := s.count("SELECT count(*) FROM article a JOIN status s USING (id) WHERE a.title = 'AT&T <b>' AND s.read = 1"); n != 1 {
			t.Errorf("%d of it", n)
		}
	})
}

// An empty answer with the wrong status is somebody else's, and confirms nothing.
func TestEmptyAnswerConfirmsNothing(t *testing.T) {
	eachProtocol(t, func(t *testing.T, s *fakeSeat) {
		_, ids := s.unread()
		s.write(func(tx *sql.Tx) error {
			_, err := reader.Mark(t.Context(), tx, ids[:1], reader.FlagRead, true)
			return err
		})
		s.server.SetFault(func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) bool {
			return r.Method == http.MethodPut || strings.HasSuffix(r.URL.Path, "/edit-tag") || ttrssOp(r) == "updateArticle"
		})
		var fault *sync.Error
		if _, err := s.engine.Send(t.Context(), s.account); !errors.As(err, &fault) || fault.Code != sync.Garbled {
			t.Errorf("%v", err)
		}
		s.server.SetFault(nil)
		if r := s.sync(); r.Sent != 1 {
			t.Errorf("%+v", r)
		}
	})
}

// A server that has moved to another host is not followed with the password; the error says where it is.
func TestMovedServer(t *testing.T) {
	eachProtocol(t, func(t *testing.T, s *fakeSeat) {
		s.server.SetFault(func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) bool {
			http.Redirect(w, r, "https://new.test"+r.URL.RequestURI(), http.StatusMovedPermanently)
			return true
		})
		var fault *sync.Error
		if _, err := s.engine.Sync(t.Context(), s.account, true); !errors.As(err, &fault) || fault.Code != sync.Moved || fault.To != "https://new.test" {
			t.Errorf("%v", err)
		}
	})
}

// FreshRSS has a password for its API alone: that of its web page is what people try first.
func TestFreshRSSRefusesThePasswordOfItsPage(t *testing.T) {
	for path, own := range map[string]bool{"/api/greader.php": true, "": false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
		defer server.Close()
		service, err := connect.Open(connect.GoogleReader, server.URL+path, "anna", "of the page", fetch.New(fetch.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		var fault *sync.Error
		if _, err := service.Feeds(t.Context()); !errors.As(err, &fault) || fault.Code != sync.Refused || fault.OwnAPI != own {
			t.Errorf("at %q: %+v", path, err)
		}
	}
}

// An article too long to be kept comes without its text. It keeps no other from coming.
func TestArticleTooLong(t *testing.T) {
	fillers := []string{"x", `\"`, "\u00e9", "\x01"}
	if testing.Short() {
		fillers = fillers[:1]
	}
	for _, filler := range fillers {
		eachProtocol(t, func(t *testing.T, s *fakeSeat) {
			for _, title := range []string{"before", "long", "after"} {
				s.server.Post(s.feed, title)
			}
			s.server.Do(func(entries []*synctest.Entry) {
				entries[len(entries)-2].HTML = "<p>" + strings.Repeat(filler, 9<<20/len(filler)) + "</p>"
				for _, e := range entries[len(entries)-3:] {
					e.Published = s.clock.Add(time.Minute)
				}
			})
			*s.clock = s.clock.Add(5 * time.Minute)
			if r := s.sync(); r.New != 3 || r.Shortened != 1 {
				t.Errorf("%+v", r)
			}
			if n := s.count("SELECT count(*) FROM article a LEFT JOIN body b USING (id) WHERE a.title = 'long' AND coalesce(b.html, '') = ''"); n != 1 {
				t.Error("it has a part of its text, or is not there")
			}
			if n := s.count("SELECT count(*) FROM article a JOIN body b USING (id) WHERE a.title IN ('before', 'after') AND b.html <> ''"); n != 2 {
				t.Errorf("%d of the others", n)
			}
		})
	}
}

// requestsAfter syncs after a while and returns how many requests that takes.
func (s *fakeSeat) requestsAfter(d time.Duration) int {
	s.Helper()
	*s.clock = s.clock.Add(d)
	r, err := s.engine.Sync(s.Context(), s.account, false)
	s.check(err)
	return r.Requests
}

// What was just read, or marked from here, does not come again with the next differences; what others did meanwhile does, at the
// same instants too.
func TestDifferenceDoesNotBringAgainWhatIsKnown(t *testing.T) {
	const articles = 1600
	eachProtocolWith(t, articles, func(t *testing.T, s *fakeSeat) {
		most := 5
		if s.kind == connect.TinyTinyRSS { // which lists all that is starred, 200 in a part
			most = 5 + articles/200
		}
		few := func(what string, after time.Duration) {
			t.Helper()
			if n := s.requestsAfter(after); n > most {
				t.Errorf("%s: %d requests", what, n)
			}
		}
		isRead := func(n int, what string) {
			t.Helper()
			if got := s.count("SELECT count(*) FROM article a JOIN status s USING (id) WHERE a.title = ? AND s.read = 1", fmt.Sprint("crowd ", n)); got != 1 {
				t.Errorf("%s: article %d is not read", what, n)
			}
		}
		few("right after the first synchronization", 20*time.Second)
		few("a minute later", time.Minute)
		s.server.Mark("crowd 7", true, false)
		few("after a mark elsewhere", 5*time.Second)
		isRead(7, "of the minutes that are gone over again")

		_, ids := s.unread()
		star := func(ids []int64) {
			t.Helper()
			s.write(func(tx *sql.Tx) error {
				_, err := reader.Mark(t.Context(), tx, ids, reader.FlagStarred, true)
				return err
			})
			_, err := s.engine.Send(t.Context(), s.account)
			s.check(err)
		}
		star(ids[:700])
		few("after many marks from here", 5*time.Second)
		few("again", time.Minute)
		*s.clock = s.clock.Add(time.Minute)
		star(ids[700:1400])
		s.server.Mark("crowd 100", true, false) // at the very instant of ours
		*s.clock = s.clock.Add(time.Second)
		s.server.Mark("crowd 1550", true, true) // which we have just marked
		s.later()
		isRead(100, "in the second of many marks")
		isRead(1550, "right after our mark")
		few("when all is past", time.Hour)
	})
}

// Miniflux and Tiny Tiny RSS tell which feeds fail there; Google Reader never did.
func TestServersTellWhatFails(t *testing.T) {
	eachProtocol(t, func(t *testing.T, s *fakeSeat) {
		s.server.Fail(s.feed, 2, "Nothing there.")
		s.sync()
		all, err := s.engine.FeedHealth(t.Context())
		s.check(err)
		if !s.kind.TellsHealth() {
			if len(all) != 0 {
				t.Errorf("%+v", all)
			}
			return
		}
		failures := map[connect.Kind]int{connect.Miniflux: 2, connect.TinyTinyRSS: 1}[s.kind] // the latter does not count them
		for _, h := range all {
			if h.Failures != failures || h.Message != "Nothing there." || !h.Articles || h.Since.IsZero() {
				t.Errorf("%+v", h)
			}
		}
		if len(all) != 1 {
			t.Errorf("%d feeds", len(all))
		}
	})
}

// A feed that the server cannot fetch, to which Miniflux says that it has failed itself, holds up nothing else.
func TestDeadFeedHoldsUpNothing(t *testing.T) {
	eachProtocol(t, func(t *testing.T, s *fakeSeat) {
		for _, address := range []string{"http://feeds.test/dead.xml", "http://feeds.test/good.xml"} {
			s.write(func(tx *sql.Tx) error {
				_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: address, Title: "Mine", Account: s.account}, *s.clock)
				return err
			})
		}
		s.server.SetFault(func(w http.ResponseWriter, r *http.Request, handle http.HandlerFunc) bool {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			switch {
			case r.Method != http.MethodPost || !strings.Contains(string(body), "dead.xml"):
				return false
			case s.kind == connect.TinyTinyRSS:
				fmt.Fprint(w, `{"seq":0,"status":0,"content":{"status":{"code":5,"message":"fetcher: resource\n not found (404 status code)"}}}`)
			default:
				w.WriteHeader(http.StatusInternalServerError)
				fmt.Fprint(w, `{"error_message":"fetcher: resource\n not found (404 status code)"}`)
			}
			return true
		})
		s.server.Post(s.feed, "later")
		r := s.sync()
		if len(r.Refused) != 1 || r.Refused[0].Title != "Mine" || r.Refused[0].Err.Code != sync.NotAdded || r.Refused[0].Err.Words != "fetcher: resource not found (404 status code)" {
			t.Errorf("%+v", r.Refused)
		}
		if r.New == 0 || len(s.server.Feeds()) != 2 {
			t.Errorf("%+v, %v", r, s.server.Feeds())
		}
		s.later()
	})
}

// A feed that its server cannot rename or move has the title and folder that it has there. What the user changed is reported once, what a
// feed called itself is not.
func TestServerThatEditsNoFeeds(t *testing.T) {
	eachProtocol(t, func(t *testing.T, s *fakeSeat) {
		if s.kind.Edits() {
			t.Skip("it does")
		}
		s.server.AddFolder("Papers")
		s.write(func(tx *sql.Tx) error {
			_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: "http://feeds.test/new.xml", Title: "New!", Folder: "Papers", Account: s.account}, *s.clock)
			return err
		})
		if r := s.sync(); len(r.Refused) != 0 {
			t.Errorf("a new feed: %+v", r.Refused)
		}
		feeds, err := s.store.Feeds.List(t.Context())
		s.check(err)
		s.write(func(tx *sql.Tx) error {
			feeds[0].OwnTitle, feeds[0].Folder = "Mine", "Nowhere"
			return reader.UpdateFeed(t.Context(), tx, feeds[0])
		})
		if r := s.sync(); len(r.Refused) != 1 || r.Refused[0].Err.Code != sync.NoEdit {
			t.Errorf("a change: %+v", r.Refused)
		}
		if r := s.sync(); len(r.Refused) != 0 {
			t.Errorf("afterwards: %+v", r.Refused)
		}
		feeds, err = s.store.Feeds.List(t.Context())
		s.check(err)
		var here []string
		for _, f := range feeds {
			here = append(here, f.Title+" in "+f.Folder)
		}
		slices.Sort(here)
		if there := []string{"a in ", "new in Papers"}; !slices.Equal(here, there) {
			t.Errorf("feeds are %q, want %q", here, there)
		}
	})
}

// A server that fails without a word has failed itself: what it was asked is asked again soon.
func TestFailureOfTheServerIsNoDeadFeed(t *testing.T) {
	eachProtocol(t, func(t *testing.T, s *fakeSeat) {
		s.write(func(tx *sql.Tx) error {
			_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: "http://feeds.test/new.xml", Account: s.account}, *s.clock)
			return err
		})
		s.server.SetFault(func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) bool {
			if r.Method != http.MethodPost || strings.Contains(r.URL.Path, "ClientLogin") || r.URL.Path == "/api/" && ttrssOp(r) != "subscribeToFeed" {
				return false
			}
			http.Error(w, "<html>oops", http.StatusInternalServerError)
			return true
		})
		var fault *sync.Error
		if _, err := s.engine.Sync(t.Context(), s.account, true); !errors.As(err, &fault) || fault.Code != sync.Faulty {
			t.Errorf("%v", err)
		}
		s.server.SetFault(nil)
		if s.sync(); len(s.server.Feeds()) != 2 {
			t.Errorf("%v", s.server.Feeds())
		}
	})
}
