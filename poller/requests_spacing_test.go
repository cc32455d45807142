package poller

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kairos/reader"
)

// Requests to one group of hosts come one at a time and a second apart, those to
// others at once.
func TestRequestsToOneHostAreSpaced(t *testing.T) {
	w := newSpacedWorld(t, time.Second)
	w.wire()
	var inside, most atomic.Int32
	names := []string{"a.blogspot.com", "b.blogspot.com", "c.blogspot.com", "one.example", "two.example"}
	for _, name := range names {
		w.web.on("/"+name, func(out http.ResponseWriter, _ *http.Request) {
			if strings.HasSuffix(name, "blogspot.com") {
				n := inside.Add(1)
				defer inside.Add(-1)
				for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
				}
			}
			fmt.Fprint(out, rss(name, since(w.clock.Now(), time.Hour, 3)...))
		})
		w.subscribe(reader.Feed{URL: "http://" + name + "/" + name})
	}
	for _, fetch := range []func(){func() { w.settled() }, w.byHandDrained, func() { w.turn() }} {
		w.clock.add(3 * day)
		start := w.clock.Now()
		fetch()
		var last time.Time
		asks := w.web.requests()
		if len(asks) != len(names) {
			t.Errorf("%d requests", len(asks))
		}
		for _, a := range asks {
			switch {
			case !strings.HasSuffix(a.path, "blogspot.com"):
				if !a.at.Equal(start) {
					t.Errorf("%s waits for %s", a.path, a.at.Sub(start))
				}
			case last.IsZero():
				last = a.at
			case a.at.Sub(last) < time.Second:
				t.Errorf("%s after the one before it", a.at.Sub(last))
			default:
				last = a.at
			}
		}
	}
	if most.Load() != 1 {
		t.Errorf("%d requests at once", most.Load())
	}
}

// byHandDrained fetches everything by hand while the clock runs on.
func (w *world) byHandDrained() {
	done := make(chan struct{})
	go func() { defer close(done); w.byHand() }()
	for {
		select {
		case <-done:
			return
		default:
			w.drain()
		}
	}
}

// Each 429 makes the space longer, also across a restart.
func TestSpacingGrowsWithRefusals(t *testing.T) {
	w := newSpacedWorld(t, time.Second)
	for i := range 4 {
		w.web.posting(fmt.Sprint("/", i), time.Hour)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	w.settled()
	page := w.web.page["/0"]
	w.web.on("/0", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Retry-After", "60")
		out.WriteHeader(http.StatusTooManyRequests)
	})
	for range 2 {
		w.clock.add(2 * time.Minute)
		w.byHand(1)
		w.queue.Wait() // the space begins when the job has ended, not when its outcome is told
	}
	w.web.on("/0", page)
	w.restart()
	w.web.requests()
	w.clock.add(2 * time.Hour)
	w.byHandDrained()
	asks := w.web.requests()
	if got := closest(asks); len(asks) != 4 || got < 16*time.Second {
		t.Errorf("%d requests %s apart after two refusals", len(asks), got)
	}
}

// The plan knows the space: what it plans for the feeds of one host is that far apart, so no request has to wait for another.
func TestPlansLeaveSpaceBetweenRequests(t *testing.T) {
	w := newSpacedWorld(t, time.Minute)
	w.wire()
	shared := map[int64]bool{}
	for i := range 16 {
		name := fmt.Sprintf("%c.blogspot.com", 'a'+i)
		if i >= 12 {
			name = fmt.Sprintf("%d.example", i)
		}
		w.web.on("/"+name, func(out http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(out, rss(name, since(w.clock.Now(), time.Hour, 30)...))
		})
		f := w.subscribe(reader.Feed{URL: "http://" + name + "/" + name})
		shared[f.ID] = i < 12
	}
	w.settled()
	var last time.Time
	planned := 0
	for _, at := range w.instants() {
		if !shared[at.Feed] {
			continue
		}
		if d := at.At.Sub(last); !last.IsZero() && d < time.Minute+transit {
			t.Errorf("%v and %v are planned for one host", last, at.At)
		}
		last = at.At
		planned++
	}
	if planned < 24 {
		t.Errorf("%d instants of the host", planned)
	}
}

// A server whose RateLimit leaves one request an hour gets one an hour, whatever feeds it has, and after a restart, too.
func TestRateLimitIsPlanned(t *testing.T) {
	w := newSpacedWorld(t, time.Second)
	for i := range 4 {
		path := fmt.Sprint("/", i)
		w.web.posting(path, time.Hour)
		page := w.web.page[path]
		w.web.on(path, func(out http.ResponseWriter, r *http.Request) {
			out.Header().Set("RateLimit-Policy", `"readers";q=1;w=3600`)
			page(out, r)
		})
		w.subscribePaths(path)
	}
	w.settled()
	for range 2 {
		w.web.requests()
		w.clock.add(time.Hour)
		w.live(12 * time.Hour)
		asks := w.web.requests()
		if got := closest(asks); len(asks) < 6 || got < 59*time.Minute {
			t.Errorf("%d requests in twelve hours, the closest %s apart", len(asks), got)
		}
		w.restart()
	}
}
