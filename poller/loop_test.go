package poller

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/plan"
	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/reader/parse"
)

// cable is a network that can be cut.
type cable struct {
	cut  bool              // nothing gets through
	here bool              // but to this machine
	dead map[string]bool   // names nobody knows
	err  error             // with which they fail; nil: nobody knows them
	real http.RoundTripper // where it does get through
	to   string            // the address every name stands for
}

func (c *cable) RoundTrip(r *http.Request) (*http.Response, error) {
	if c.cut && !(c.here && r.URL.Hostname() == "localhost") || c.dead[r.URL.Hostname()] {
		if c.err != nil {
			return nil, &net.OpError{Op: "dial", Err: c.err}
		}
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: r.URL.Hostname(), IsNotFound: true}}
	}
	r = r.Clone(r.Context())
	r.URL.Host = c.to
	return c.real.RoundTrip(r)
}

// wire makes every host name lead to the web.
func (w *world) wire() *cable {
	c := &cable{dead: map[string]bool{}, real: http.DefaultTransport, to: strings.TrimPrefix(w.web.URL, "http://")}
	w.client = fetch.New(fetch.Options{Now: w.clock.Now, Transport: c, Spacing: w.space})
	return c
}

// wired is a world whose feeds each have a host name of their own.
func wired(t *testing.T, names ...string) (*world, *cable, []reader.Feed) {
	w := newWorld(t)
	c := w.wire()
	var feeds []reader.Feed
	for _, name := range names {
		w.web.posting("/"+name, time.Hour)
		feeds = append(feeds, w.subscribe(reader.Feed{URL: "http://" + name + ".example/" + name}))
	}
	w.settled()
	w.web.requests()
	w.outcomes()
	return w, c, feeds
}

func TestOfflineBlamesNoFeed(t *testing.T) {
	w, c, feeds := wired(t, "a", "b", "c")
	w.live(time.Hour)
	w.web.requests()
	c.cut = true
	w.live(9 * time.Hour)
	for _, f := range feeds {
		if s := w.stateOf(f.ID); s.Failures != 0 || !s.Message.IsZero() {
			t.Errorf("feed %d is blamed: %+v", f.ID, s)
		}
	}
	if s, err := w.Status(t.Context()); err != nil || !s.Offline {
		t.Errorf("status: %+v, %v", s, err)
	}
	tried := 0
	for _, o := range w.outcomes() {
		if o.Result == Offline && o.Reason != Probe {
			tried++
		}
	}
	if tried == 0 || tried > 3 {
		t.Errorf("%d fetches but for probes were tried offline", tried)
	}
	spent := w.number("SELECT count(*) FROM ledger WHERE background = 1 AND at > ?", monday.Add(time.Hour+time.Minute).Unix())
	if spent != 0 {
		t.Errorf("%d fetches were charged that never left", spent)
	}
	c.cut = false
	w.live(15 * time.Minute)
	got := map[string]int{}
	for _, a := range w.web.requests() {
		got[a.path]++
	}
	if len(got) != 3 {
		t.Errorf("when the network is back: %v", got)
	}
	for path, n := range got {
		if n > 1 {
			t.Errorf("%d fetches of %s at once", n, path)
		}
	}
	reasons := map[Code]int{}
	for _, o := range w.outcomes() {
		if o.Result != Offline {
			reasons[o.Reason]++
		}
	}
	if reasons[Probe] != 1 || reasons[CatchUp] != 2 {
		t.Errorf("reasons: %v", reasons)
	}
	if s, _ := w.Status(t.Context()); s.Offline {
		t.Error("still offline")
	}
}

func TestOneUnknownNameStopsNoFeed(t *testing.T) {
	w, c, feeds := wired(t, "dead", "a", "b")
	c.dead["dead.example"] = true
	w.live(2 * day)
	if s := w.stateOf(feeds[0].ID); s.Failures == 0 || s.Message.Fetch == nil || s.Message.Fetch.Host != "dead.example" {
		t.Errorf("the dead feed: %+v", s)
	}
	count := map[string]int{}
	for _, a := range w.web.requests() {
		count[a.path]++
	}
	if count["/a"] < 12 || count["/b"] < 12 {
		t.Errorf("fetches in two days: %v", count)
	}
	for _, f := range feeds[1:] {
		if s := w.stateOf(f.ID); s.Failures > 0 {
			t.Errorf("%+v", s)
		}
	}
}

// A dead domain, or one to which there is no route, never makes Kairos offline: other hosts tell. Where it is the only one,
// only the system's own word does.
func TestOneDeadHostIsNotOffline(t *testing.T) {
	for name, tt := range map[string]struct {
		feeds   []string
		err     error
		offline bool
	}{
		"unknown name":               {[]string{"dead", "a", "b"}, nil, false},
		"no route":                   {[]string{"dead", "a", "b"}, syscall.EHOSTUNREACH, false},
		"no network of its kind":     {[]string{"dead", "a", "b"}, syscall.ENETUNREACH, false},
		"the only one, unknown":      {[]string{"dead"}, nil, false},
		"the only one, out of reach": {[]string{"dead"}, syscall.ENETUNREACH, true},
	} {
		t.Run(name, func(t *testing.T) {
			w, c, feeds := wired(t, tt.feeds...)
			c.dead["dead.example"], c.err = true, tt.err
			gone := 0
			w.OnActivity(func(a Activity) {
				if a.Code == NetworkGone {
					gone++
				}
			})
			w.clock.add(time.Hour) // no server has answered for long
			if o := w.byHand(feeds[0].ID)[0]; o.Result == Stored {
				t.Fatalf("%+v", o)
			}
			w.live(30 * time.Hour)
			if (gone > 0) != tt.offline {
				t.Errorf("the network was said to be gone %d times", gone)
			}
			if s, err := w.Status(t.Context()); err != nil || s.Offline != tt.offline {
				t.Errorf("status: %+v, %v", s, err)
			}
			if s := w.stateOf(feeds[0].ID); (s.Failures == 0) != tt.offline {
				t.Errorf("the dead feed: %+v", s)
			}
			for _, f := range feeds[1:] {
				if s := w.stateOf(f.ID); s.Failures > 0 || w.clock.Now().Sub(s.Fetched) > 12*time.Hour {
					t.Errorf("%+v", s)
				}
			}
			if n := w.number("SELECT count(*) FROM ledger WHERE reason = 'probe'"); !tt.offline && n > 10 {
				t.Errorf("%d probes", n)
			}
			if n := w.number("SELECT count(*) FROM ledger WHERE result = 'offline'"); !tt.offline && n > 8 {
				t.Errorf("%d fetches whose fault was not known", n)
			}
		})
	}
}

func TestFilesNeedNoNetwork(t *testing.T) {
	w, c, _ := wired(t, "a")
	c.cut = true
	w.live(4 * time.Hour)
	f := w.subscribe(reader.Feed{URL: "file:" + t.TempDir() + "/none.xml"})
	w.exec("INSERT INTO poll (subject, address, tried) VALUES (?, ?, 1)", f.ID, f.URL)
	w.live(4 * time.Hour)
	if s := w.stateOf(f.ID); s.Failures == 0 {
		t.Error("a file waits for the network")
	}
}

func TestCatchUpAfterSleep(t *testing.T) {
	w := newWorld(t)
	for i := range 20 {
		w.web.posting(fmt.Sprint("/", i), time.Duration(1+i*i)*time.Hour)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	w.settled()
	w.live(day)
	for _, long := range []time.Duration{7 * time.Hour, 3 * day, 365 * day} {
		w.web.requests()
		w.outcomes()
		w.clock.add(long)
		w.turn()
		asked := map[string]int{}
		for _, a := range w.web.requests() {
			asked[a.path]++
		}
		for path, n := range asked {
			if n > 1 {
				t.Errorf("after %s: %d fetches of %s", long, n, path)
			}
		}
		if len(asked) < 5 {
			t.Errorf("after %s only %d feeds are fetched", long, len(asked))
		}
		caught := 0
		for _, o := range w.outcomes() {
			if o.Reason == CatchUp && o.Cause.Ago > 0 {
				caught++
			} else if o.Reason != Planned { // one that has only just come stands
				t.Errorf("after %s: %s, %+v", long, o.Reason, o.Cause)
			}
		}
		if caught == 0 {
			t.Errorf("after %s: nothing is caught up", long)
		}
		w.live(time.Hour)
	}
}

func TestCatchUpStaysInTheBudget(t *testing.T) {
	w := newWorld(t)
	for i := range 60 {
		w.web.posting(fmt.Sprint("/", i), time.Duration(1+i*i)*time.Hour)
		f := w.subscribePaths(fmt.Sprint("/", i))[0]
		if i == 0 {
			f.Weight = 50
			w.update(f)
		}
	}
	if err := w.SetMethod(t.Context(), plan.Exact); err != nil { // it has no floors, which count for more
		t.Fatal(err)
	}
	w.setBudget("20")
	w.settled()
	w.live(12 * time.Hour)
	const full = 14 + 20*23/24 // a bucket begins with 0.7 days' worth, and earns for 23 hours
	left := full - w.number("SELECT count(*) FROM ledger WHERE background = 1 AND at > ?", w.clock.Now().Add(-13*time.Hour).Unix())
	w.web.requests()
	w.clock.add(11 * time.Hour) // what was spent is spent still
	w.turn()
	asked := w.web.requests()
	if len(asked) == 0 || len(asked) > left {
		t.Fatalf("%d fetches, %d were left", len(asked), left)
	}
	if asked[0].path != "/0" {
		t.Errorf("the most valuable comes first, not %s", asked[0].path)
	}
}

func TestOpenedWindowTopsUp(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/news", 5*time.Minute)
	w.web.posting("/blog", 50*day)
	w.subscribePaths("/news", "/blog")
	if err := w.SetMethod(t.Context(), plan.Exact); err != nil { // which tops up for a little delay
		t.Fatal(err)
	}
	w.settled()
	w.live(5 * time.Hour)
	next := w.instants()[0]
	w.clock.set(next.At.Add(30 * time.Minute)) // the machine was busy: much waits
	w.web.requests()
	w.outcomes()
	w.Opened()
	w.settled()
	out := w.outcomes()
	if len(out) != 1 || out[0].Reason != TopUp || out[0].Title != "/news" || out[0].Cause.Code != schedule.TopUp {
		t.Errorf("%+v", out)
	}
	w.Opened()
	w.settled()
	if out := w.outcomes(); len(out) != 0 {
		t.Errorf("opened again at once: %+v", out)
	}
}

func TestClockSetBack(t *testing.T) {
	slowWithRace(t)
	for _, back := range []time.Duration{3 * time.Hour, 365 * day} {
		w := newWorld(t)
		for i := range 4 {
			w.web.posting(fmt.Sprint("/", i), time.Hour)
			w.subscribePaths(fmt.Sprint("/", i))
		}
		w.settled()
		w.live(day)
		spent := w.number("SELECT count(*) FROM ledger WHERE background = 1 AND at >= ?", w.clock.Now().Add(-day).Unix())
		w.web.requests()
		w.clock.add(-back)
		w.settled()
		if n := len(w.web.requests()); n != 0 {
			t.Errorf("%s back: %d fetches at once", back, n)
		}
		w.live(day - time.Minute)
		if n := len(w.web.requests()); n > 32*5/4 || n < 16 { // a little may have been kept
			t.Errorf("%s back: %d fetches within a day of %d", back, n, spent)
		}
		w.live(day)
		got := map[string]int{}
		for _, a := range w.web.requests() {
			got[a.path]++
		}
		if len(got) != 4 {
			t.Errorf("%s back: the day after are fetched %v", back, got)
		}
		// Learning goes on, too.
		if s := w.stateOf(1); s.posts.UpTo.After(w.clock.Now()) || s.posts.Tally.At.After(w.clock.Now()) {
			t.Errorf("%s back: observed up to %s, the tally is of %s, it is %s", back, s.posts.UpTo, s.posts.Tally.At, w.clock.Now())
		}
	}
}

func TestDifferentTriggersReplan(t *testing.T) {
	w, f := one(t)
	made := func() bool {
		w.planner.mu.Lock()
		defer w.planner.mu.Unlock()
		return w.planner.madeAt.Equal(w.clock.Now())
	}
	w.clock.add(20 * time.Second)
	w.settled()
	if made() {
		t.Error("remade for nothing")
	}
	for name, change := range map[string]func(){
		"feed":   func() { f.Weight = 2; w.update(f) },
		"budget": func() { w.setBudget("7") },
		"day":    func() { w.clock.add(day) },
		"zone":   func() { w.clock.set(w.clock.Now().In(time.FixedZone("", 3600))) },
	} {
		w.clock.add(20 * time.Second)
		w.settled()
		w.clock.add(20 * time.Second)
		change()
		w.settled()
		if !made() {
			t.Errorf("not remade when the %s changes", name)
		}
	}
}

func TestManualFetchPostponesThePlan(t *testing.T) {
	w, f := one(t)
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Cache-Control", "max-age=14400")
		fmt.Fprint(out, rss("A", since(w.clock.Now(), time.Minute, 3)...))
	})
	w.clock.set(w.instants()[0].At.Add(-2 * time.Minute))
	w.byHand(f.ID)
	by := w.clock.Now()
	w.live(6 * time.Hour)
	asks := w.web.requests()
	if len(asks) < 2 || asks[1].at.Sub(by) < 4*time.Hour {
		t.Errorf("fetched at %v after %s; the server wants 4 h", asks, by)
	}
}

func TestRunEnds(t *testing.T) {
	w, _ := one(t)
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	w.Changed()
	w.Opened()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for started := time.Now(); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Since(started) > time.Minute {
			t.Fatalf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
	}
}

// Ending the program waits neither for a long document nor for a server, and interrupted
// fetches leave no trace.
func TestRunEndsDuringFetches(t *testing.T) {
	w, _, feeds := wired(t, "a", "b")
	lines := w.number("SELECT count(*) FROM ledger")
	before := []State{w.stateOf(feeds[0].ID), w.stateOf(feeds[1].ID)}
	begun, release := make(chan struct{}), make(chan struct{})
	w.documents.parse = func(context.Context, []byte, parse.Options) (*parse.Feed, error) {
		close(begun)
		<-release
		return nil, parse.ErrBroken
	}
	defer close(release)
	asked, _ := w.gate("/b")
	w.clock.add(3 * time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	go w.Fetch(ctx, nil, nil) //nolint:errcheck // it is given up
	<-begun
	<-asked
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if n := w.number("SELECT count(*) FROM ledger"); n != lines {
		t.Errorf("%d lines more in the ledger", n-lines)
	}
	for i, f := range feeds {
		if s := w.stateOf(f.ID); !s.Tried.Equal(before[i].Tried) {
			t.Errorf("%+v", s)
		}
	}
}

// An interrupted Settle does not plan first.
func TestSettleInterrupted(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/a", time.Hour)
	w.subscribePaths("/a")
	w.byHand()
	if err := w.Settle(canceled(t)); err != nil || len(w.instants()) != 0 {
		t.Errorf("%v, planned: %v", err, w.instants())
	}
}

func TestSettleAfterAVerb(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/a", time.Hour)
	w.subscribePaths("/a")
	w.byHand()
	if err := w.Settle(t.Context()); err != nil || len(w.instants()) == 0 {
		t.Errorf("%v, planned: %v", err, w.instants())
	}
	if w.signals.changed {
		t.Error("settled and still changed")
	}
}

func TestReadOnlyPlan(t *testing.T) {
	w, _ := one(t)
	store, err := reader.OpenReadOnly(t.Context(), w.dir, testRooms...)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	p := New(store, w.planner.log, Options{Now: w.clock.Now})
	pl, err := p.Plan(t.Context(), plan.Exact)
	if err != nil || len(pl.Feeds) != 1 || len(pl.Feeds[0].Instants) == 0 {
		t.Error(pl, err)
	}
	if s, err := p.Status(t.Context()); err != nil || s.Planned == 0 || s.NextReason.Code == "" || s.NextFeed != "/a" {
		t.Errorf("%+v, %v", s, err)
	}
	if err := p.SetBudget(t.Context(), "3"); !errors.Is(err, reader.ErrReadOnly) {
		t.Errorf("a budget set read-only: %v", err)
	}
}
