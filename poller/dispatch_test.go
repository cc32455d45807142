package poller

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kairos/poller/plan"
	"kairos/reader"
)

// The dispatcher does at run time what plan.Delayed says.
func TestSpacesAreDelayed(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			const gap = time.Second
			start := time.Now()
			d := newDispatcher(1000, func(string) time.Duration { return gap }, time.Now)
			var requests []plan.Request
			var mu sync.Mutex
			began := map[int]time.Duration{}
			for i := range 40 {
				<-time.After(time.Duration(r.IntN(400)) * time.Millisecond)
				group := fmt.Sprint("host ", r.IntN(3))
				requests = append(requests, plan.Request{Host: group, At: time.Since(start).Hours()})
				d.add(task{ctx: t.Context(), group: group, run: func() bool {
					mu.Lock()
					defer mu.Unlock()
					began[i] = time.Since(start)
					return true
				}})
				synctest.Wait()
			}
			d.wait()
			for i, want := range plan.Delayed(requests, gap.Hours()) {
				if off := began[i] - time.Duration(want*float64(time.Hour)); off < -time.Microsecond || off > time.Microsecond {
					t.Fatalf("seed %d: request %d began after %s, DELAYED says %v h", seed, i, began[i], want)
				}
			}
			if len(d.lines) > 3 {
				t.Errorf("%d groups are remembered", len(d.lines))
			}
		})
	}
}

func TestThoseWaitedForGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDispatcher(1, func(string) time.Duration { return time.Second }, time.Now)
		var began []string
		add := func(group, name string, turn rank, asks bool) {
			d.add(task{ctx: t.Context(), group: group, rank: turn, run: func() bool {
				began = append(began, name)
				<-time.After(time.Millisecond)
				return asks
			}})
		}
		add("a", "a1", usual, true)
		add("a", "idle", idly, true)
		add("a", "a2", usual, true)
		add("b", "b1", usual, false) // asks nothing: no space after it
		add("b", "b2", usual, true)
		add("a", "hand", byHand, true)
		d.wait()
		if got := strings.Join(began, " "); got != "a1 b1 b2 hand a2 idle" {
			t.Errorf("began %s", got)
		}
	})
}

// What nobody wants any more does not keep its group's space when the program ends.
func TestEndWaitsForNoSpace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		d := newDispatcher(4, func(string) time.Duration { return time.Minute }, time.Now)
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		for range 10 {
			d.add(task{ctx: ctx, group: "a", run: func() bool {
				if ctx.Err() != nil {
					return false
				}
				asked++
				return true
			}})
		}
		d.add(task{ctx: ctx, group: "b", run: func() bool { // as one that goes on does
			<-ctx.Done()
			d.add(task{ctx: ctx, group: "b", run: func() bool { return false }})
			return true
		}})
		<-time.After(90 * time.Second)
		cancel()
		d.wait()
		if took := time.Since(start); asked != 2 || took != 90*time.Second {
			t.Errorf("%d asked, ended after %s", asked, took)
		}
	})
}

// What runs idly leaves places to what does not, however long it takes, and does not
// count as being busy.
func TestIdlersLeavePlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDispatcher(idlers+1, func(string) time.Duration { return 0 }, time.Now)
		free := make(chan struct{})
		var idling, usually atomic.Int32
		add := func(group string, turn rank, run func()) {
			d.add(task{ctx: t.Context(), group: group, rank: turn, run: func() bool { run(); return true }})
		}
		for i := range 3 * idlers {
			add(fmt.Sprint("idle ", i), idly, func() { idling.Add(1); <-free })
		}
		synctest.Wait()
		if n := d.load(); n != 0 || idling.Load() != idlers {
			t.Errorf("%d idle tasks run, %d others are said to", idling.Load(), n)
		}
		for i := range 10 {
			add(fmt.Sprint("usual ", i), usual, func() { usually.Add(1) })
		}
		synctest.Wait()
		if usually.Load() != 10 {
			t.Errorf("%d of 10 others have run", usually.Load())
		}
		close(free)
		d.wait()
		if idling.Load() != 3*idlers {
			t.Errorf("%d idle tasks have run in the end", idling.Load())
		}
	})
}

// Nor does what is given up while somebody waits for the end.
func TestEndSeesWhatIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		d := newDispatcher(4, func(string) time.Duration { return time.Hour }, time.Now)
		ctx, cancel := context.WithCancel(t.Context())
		for range 10 {
			d.add(task{ctx: ctx, group: "a", run: func() bool { return ctx.Err() == nil }})
		}
		synctest.Wait()
		time.AfterFunc(time.Second, cancel)
		d.wait()
		if took := time.Since(start); took != time.Second {
			t.Errorf("ended after %s", took)
		}
	})
}

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
func TestSpaceGrowsWithRefusals(t *testing.T) {
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
		w.jobs.wait() // the space begins when the job has ended, not when its outcome is told
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
