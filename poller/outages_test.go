package poller

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"kairos/poller/fetch"
)

// When a platform fails, one request at a time finds out that it is over, more seldom the longer it lasts. Then all of its feeds are
// fetched at once, as far apart as any two requests to the host.
func TestOneCanaryAHost(t *testing.T) {
	slowWithRace(t)
	for name, failing := range map[string]http.HandlerFunc{
		"503":    func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusServiceUnavailable) },
		"500":    func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusInternalServerError) },
		"broken": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			const feeds, outage = 8, 30 * time.Hour
			w := newSpacedWorld(t, time.Second)
			// A request whose kept connection turns out to be closed is sent again.
			w.web.Config.SetKeepAlivesEnabled(false)
			working := map[string]http.HandlerFunc{}
			for i := range feeds {
				path := fmt.Sprint("/", i)
				w.web.posting(path, time.Hour)
				working[path] = w.web.page[path]
				w.subscribePaths(path)
			}
			w.live(day)
			w.web.requests()
			down := w.clock.Now()
			for path := range working {
				w.web.on(path, failing)
			}
			w.live(4 * time.Hour)
			found := w.clock.Now()
			w.web.requests()
			w.restart()
			snapshot, err := w.Snapshot(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			w.live(outage - 4*time.Hour)
			asks := w.web.requests()
			for _, f := range snapshot.Feeds {
				if at := snapshot.Awaited[f.ID]; asks[0].at.Before(at) || asks[0].at.After(at.Add(tick)) {
					t.Errorf("%s: the host is asked again at %s, at %s by the snapshot", f.URL, asks[0].at, at)
				}
			}
			for i, a := range asks {
				if i > 0 && a.at.Sub(asks[i-1].at) < firstCanary {
					t.Errorf("%s: asked %s and %s after it went down", a.path, asks[i-1].at.Sub(down), a.at.Sub(down))
				}
			}
			if n := len(asks); n < 4 || n > 12 {
				t.Errorf("%d requests from %s to %s after it went down", n, found.Sub(down), outage)
			}
			if n := w.number("SELECT count(*) FROM ledger WHERE reason = 'probe'"); n < len(asks) {
				t.Errorf("%d canaries, %d requests", n, len(asks))
			}

			for path, page := range working {
				w.web.on(path, page)
			}
			w.live(slowestCanary + 15*time.Minute)
			first := map[string]time.Time{}
			asks = w.web.requests()
			for i, a := range asks {
				if first[a.path].IsZero() {
					first[a.path] = a.at
				}
				if i > 0 && a.at.Sub(asks[i-1].at) < time.Second {
					t.Errorf("%s after another request", a.at.Sub(asks[i-1].at))
				}
			}
			canary := asks[0].at
			for i := range feeds {
				if at := first[fmt.Sprint("/", i)]; at.IsZero() || at.Sub(canary) > 15*time.Minute {
					t.Errorf("feed %d is fetched %s after the canary", i, at.Sub(canary))
				}
			}
			if n := w.number("SELECT count(*) FROM poll WHERE failures > 0 OR not_before > 0"); n > 0 {
				t.Errorf("%d feeds have failures left", n)
			}
		})
	}
}

func TestFindOutages(t *testing.T) {
	at := func(minutes int) time.Time { return monday.Add(time.Duration(minutes) * time.Minute) }
	server, refused, missing := FailureKind(fetch.ServerError), FailureKind(fetch.Refused), KindMissing
	ok := func(id int64, fetched int) fetchState {
		return fetchState{subject: id, url: fmt.Sprintf("https://%d.example.com/feed", id), tried: at(fetched), fetched: at(fetched)}
	}
	fails := func(id int64, kind FailureKind, since, tried int) fetchState {
		f := ok(id, -600)
		f.failures, f.kind, f.since, f.tried = 1, kind, at(since), at(tried)
		return f
	}
	elsewhere := func(f fetchState, host string) fetchState {
		f.url = "https://" + host + "/feed"
		return f
	}
	for name, c := range map[string]struct {
		feeds  []fetchState
		canary int64 // 0: no outage
		held   int
	}{
		"nothing":                      {nil, 0, 0},
		"two":                          {[]fetchState{fails(1, server, 0, 0), fails(2, server, 5, 5), ok(3, -20)}, 0, 0},
		"three":                        {[]fetchState{fails(1, server, 0, 30), fails(2, server, 5, 5), fails(3, server, 50, 50)}, 2, 3},
		"not within the hour":          {[]fetchState{fails(1, server, 0, 0), fails(2, server, 50, 50), fails(3, server, 70, 70)}, 0, 0},
		"and a fourth, later":          {[]fetchState{fails(1, server, 0, 30), fails(2, server, 5, 40), fails(3, server, 50, 50), fails(4, server, 300, 300)}, 1, 4},
		"with one that was not tried":  {[]fetchState{fails(1, server, 0, 30), fails(2, server, 5, 40), fails(3, server, 50, 50), ok(4, -20)}, 1, 4},
		"one came since":               {[]fetchState{fails(1, server, 0, 0), fails(2, server, 5, 5), fails(3, server, 50, 50), ok(4, 30)}, 0, 0},
		"it was back, and fails again": {[]fetchState{fails(1, server, 0, 0), fails(2, server, 45, 45), fails(3, server, 46, 46), fails(5, server, 47, 47), ok(4, 30)}, 2, 4},
		"unlike":                       {[]fetchState{fails(1, server, 0, 0), fails(2, refused, 5, 5), fails(3, server, 50, 50)}, 0, 0},
		"no platform's failure":        {[]fetchState{fails(1, missing, 0, 0), fails(2, missing, 5, 5), fails(3, missing, 50, 50)}, 0, 0},
		"on another host":              {[]fetchState{fails(1, server, 0, 0), fails(2, server, 5, 5), elsewhere(fails(3, server, 50, 50), "example.org")}, 0, 0},
	} {
		down := findOutages(c.feeds)
		if d := down["example.com"]; d.canary != c.canary || len(d.feeds) != c.held || len(down) > 1 {
			t.Errorf("%s: canary %d for %d feeds, want %d for %d", name, d.canary, len(d.feeds), c.canary, c.held)
		}
	}
	d := outage{since: at(0), tried: at(0)}
	for _, want := range []struct{ tried, next int }{{0, 15}, {15, 30}, {45, 60}, {60, 80}, {24 * 60, 24*60 + 6*60}, {240, 320}} {
		if d.tried = at(want.tried); !d.next().Equal(at(want.next)) {
			t.Errorf("down for %d minutes, asked again at %v, want %d", want.tried, d.next().Sub(monday), want.next)
		}
	}
}
