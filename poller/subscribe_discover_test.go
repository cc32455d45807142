package poller

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/discover/discovertest"
)

// TestDiscoverySites discovers each of the made-up sites of discover, through the client that
// feeds are fetched with, and subscribes to the first feed it finds.
func TestDiscoverySites(t *testing.T) {
	for _, site := range discovertest.Sites(t, "../reader/discover/testdata/sites") {
		t.Run(site.Name, func(t *testing.T) {
			w, web := newWorld(t), site.Serve(t)
			w.client = fetch.New(fetch.Options{Now: w.clock.Now, Transport: web, Spacing: -1})
			found, err := w.discover(site.Find)
			var got []string
			for _, c := range found {
				got = append(got, c.URL+" "+c.Title)
			}
			if d := cmp.Diff(site.Feeds, got); d != "" {
				t.Fatalf("%v %s", err, d)
			}
			asked := web.Requests()
			if len(asked) != site.Requests {
				t.Errorf("%d requests:\n%s", len(asked), strings.Join(asked, "\n"))
			}
			if site.None != "" {
				if !errors.Is(err, discover.ErrNoFeed) || !strings.Contains(err.Error(), site.None) {
					t.Errorf("%v, want %q", err, site.None)
				}
				return
			}
			if found[0].answer == nil {
				return
			}
			if f, o, err := w.Subscribe(t.Context(), found[0], reader.Feed{}, nil); err != nil || o.Result != Stored || f.Title != found[0].Title {
				t.Errorf("%+v %+v %v", f, o, err)
			}
			if again := len(web.Requests()) - len(asked); again != 0 {
				t.Errorf("%d more requests to subscribe to what is there already", again)
			}
		})
	}
}

// Discovery of a site makes at most six requests, a second apart.
func TestDiscoveryIsSpaced(t *testing.T) {
	w := newSpacedWorld(t, time.Second)
	w.web.says("/", "<html><title>a page</title>")
	if _, err := w.discover(w.web.address("/")); !errors.Is(err, discover.ErrNoFeed) {
		t.Error(err)
	}
	asks := w.web.requests()
	if got := closest(asks); len(asks) != 6 || got < time.Second {
		t.Errorf("%d requests %s apart", len(asks), got)
	}
}

// discover looks for feeds while the clock runs on.
func (w *world) discover(typed string) (found []Candidate, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		found, err = w.Discover(w.t.Context(), typed, Login{})
	}()
	for {
		select {
		case <-done:
			return found, err
		default:
			w.drain()
		}
	}
}

// A login is for the host it was typed for.
func TestDiscoveryKeepsTheLogin(t *testing.T) {
	w := newWorld(t)
	w.wire()
	logins := map[string]bool{}
	w.web.on("/", func(out http.ResponseWriter, r *http.Request) {
		_, _, logins["/"] = r.BasicAuth()
		fmt.Fprint(out, `<html><link rel=feed href="http://other.example/feed">`)
	})
	w.web.on("/feed", func(out http.ResponseWriter, r *http.Request) {
		_, _, logins[r.Host] = r.BasicAuth()
		http.NotFound(out, r)
	})
	_, err := w.Discover(t.Context(), "http://own.example/", Login{User: "ann", Password: "tulip"})
	if d := cmp.Diff(map[string]bool{"/": true, "other.example": false, "own.example": true}, logins); d != "" {
		t.Error(err, d)
	}
}
