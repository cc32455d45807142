package poller

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sort"
	"sync"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/useraccess"
)

// population is a web of feeds that post at random, most of them rarely (rates are
// log-normal, as of real feeds), and a user who comes in clusters of a few accesses. It
// answers in memory, so that the poller is measured and not the sockets.
type population struct {
	clock *clock
	gate  sync.Mutex // held while the loop works, so that fetches are not counted as its own
	posts [][]int64  // Unix, by feed, ascending
}

func newPopulation(c *clock, feeds int, days int) *population {
	r := rand.New(rand.NewPCG(7, 11))
	p := &population{clock: c, posts: make([][]int64, feeds)}
	from, to := c.Now().Add(-90*day), c.Now().Add(time.Duration(days)*day)
	for i := range p.posts {
		perDay := 0.2 * math.Exp(2*r.NormFloat64())
		perDay = min(perDay, 60)
		for at := from; ; {
			at = at.Add(time.Duration(r.ExpFloat64() / perDay * float64(day)))
			if !at.Before(to) {
				break
			}
			p.posts[i] = append(p.posts[i], at.Unix())
		}
	}
	return p
}

// RoundTrip answers with the last 15 posts, or 304.
func (p *population) RoundTrip(r *http.Request) (*http.Response, error) {
	p.gate.Lock()
	defer p.gate.Unlock()
	out := httptest.NewRecorder()
	var feed int
	if _, err := fmt.Sscanf(r.URL.Host, "site%d.example", &feed); err != nil {
		return nil, err
	}
	posts := p.posts[feed]
	n := sort.Search(len(posts), func(i int) bool { return posts[i] > p.clock.Now().Unix() })
	tag := fmt.Sprintf(`"%d"`, n)
	out.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		out.WriteHeader(http.StatusNotModified)
		return out.Result(), nil
	}
	var dates []time.Time
	for i := n - 1; i >= max(0, n-15); i-- {
		dates = append(dates, time.Unix(posts[i], 0))
	}
	out.WriteString(rss(r.URL.Host, dates...)) //nolint:errcheck // into memory
	return out.Result(), nil
}

// readings are accesses of a month: some three times a day, one to six of them.
func readings(from time.Time, days int) (at []time.Time) {
	r := rand.New(rand.NewPCG(3, 5))
	for d := range days {
		for _, hour := range []float64{8, 12.5, 20} {
			t := from.Truncate(day).Add(time.Duration((float64(d*24) + hour + r.NormFloat64()) * float64(time.Hour)))
			for range 1 + r.IntN(6) {
				at = append(at, t)
				t = t.Add(time.Duration((12 + 40*r.Float64()) * float64(time.Minute)))
			}
		}
	}
	sort.Slice(at, func(i, j int) bool { return at[i].Before(at[j]) })
	return at
}

// BenchmarkMonth1000 runs the loop for a month with 1,000 feeds at 8 fetches a feed a day,
// under a clock that jumps to whatever comes next. loop-cpu-s is the loop's and the planner's
// share, cpu-s all of it, with requests, parsing and storing. The heap and the goroutines are
// those after five days and at the end.
func BenchmarkMonth1000(b *testing.B) { benchmarkLoop(b, 1000, 30) }

// BenchmarkDays1000 is the first three days of BenchmarkMonth1000, to compare two versions by turns.
func BenchmarkDays1000(b *testing.B) { benchmarkLoop(b, 1000, 3) }

func benchmarkLoop(b *testing.B, feeds, days int) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // most fetches begin when the loop is through
	for b.Loop() {
		w := &world{t: b, dir: b.TempDir(), clock: &clock{now: monday}, space: -1}
		web := newPopulation(w.clock, feeds, days+1)
		store, err := reader.Open(b.Context(), w.dir, w.clock.Now(), testRooms...)
		if err != nil {
			b.Fatal(err)
		}
		w.Poller = New(store, useraccess.New(store), Options{Now: w.clock.Now, After: w.timers.after,
			Client: fetch.New(fetch.Options{Now: w.clock.Now, Spacing: -1, Transport: web})})
		w.write(func(tx *sql.Tx) error {
			for i := range feeds {
				if _, err := reader.Subscribe(b.Context(), tx, reader.Feed{URL: fmt.Sprintf("http://site%d.example/", i)}, w.clock.Now()); err != nil {
					return err
				}
			}
			return nil
		})
		if err := store.Settings.Set(b.Context(), settingSeed, "month"); err != nil { // so that every run makes the same fetches
			b.Fatal(err)
		}
		w.Changed()
		month(b, w, web, days)
		w.close()
	}
}

func month(b *testing.B, w *world, web *population, days int) {
	coming := readings(w.clock.Now(), days+1)
	begun, all := w.clock.Now(), cpuTime()
	var loop time.Duration
	var early, late float64
	routines := 0
	for d := range days {
		end := begun.Add(time.Duration(d+1) * day)
		for w.clock.Now().Before(end) {
			for len(coming) > 0 && !coming[0].After(w.clock.Now()) {
				if fresh, err := w.planner.log.Record(b.Context(), coming[0]); err != nil {
					b.Fatal(err)
				} else if fresh {
					w.Accessed()
				}
				coming = coming[1:]
			}
			web.gate.Lock()
			cpu := cpuTime()
			next, err := w.loop.step(b.Context(), w.clock.Now())
			loop += cpuTime() - cpu
			web.gate.Unlock()
			if err != nil {
				b.Fatal(err)
			}
			w.drain()
			if len(w.signals.wake) > 0 {
				<-w.signals.wake
				continue
			}
			next = later(next, w.clock.Now().Add(time.Second))
			if len(coming) > 0 && coming[0].Before(next) {
				next = coming[0]
			}
			if next.After(end) {
				next = end
			}
			w.clock.set(later(next, w.clock.Now()))
		}
		if d == min(4, days-1) {
			early, routines = heapMB(), runtime.NumGoroutine()
		}
	}
	late = heapMB()
	spent := w.number("SELECT count(*) FROM ledger WHERE background = 1") + w.number("SELECT coalesce(sum(fetches), 0) FROM ledger_day")
	b.ReportMetric((cpuTime() - all).Seconds(), "cpu-s")
	b.ReportMetric(loop.Seconds(), "loop-cpu-s")
	b.ReportMetric(float64(spent), "fetches")
	b.ReportMetric(100*float64(spent)/float64(days*len(web.posts)*BalancedPerFeed), "%-of-budget")
	b.ReportMetric(early, "heap-MB-early")
	b.ReportMetric(late, "heap-MB-end")
	b.ReportMetric(float64(runtime.NumGoroutine()-routines), "goroutines-more")
}

// heapMB is what the heap holds after a collection.
func heapMB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}
