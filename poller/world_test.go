package poller

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/useraccess"
)

// monday is where the tests' clocks begin.
var monday = time.Date(2026, 3, 2, 9, 0, 30, 0, time.UTC)

// clock is a wall clock the tests drive.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

func (c *clock) add(d time.Duration) { c.set(c.Now().Add(d)) }

// world is a poller over a database of its own, with a clock and a web to fetch
// from.
type world struct {
	*Poller
	t     testing.TB
	dir   string
	clock *clock
	web   *web
	space time.Duration    // between requests to a host; < 0 none
	icons bool             // are fetched, too
	syncs Accounts         // syncs accounts
	reads *dealtReader     // articles are prepared for; nil: none are
	place func(dir string) // is called with the empty data folder; may be nil
	seen  []Outcome
	lived time.Duration
	mu    sync.Mutex

	timers timers
}

// timers hold what the poller asked to be called later, until the test calls it.
type timers struct {
	mu      sync.Mutex
	pending []func()
}

func (a *timers) after(_ time.Duration, f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending = append(a.pending, f)
}

func (a *timers) ring() {
	a.mu.Lock()
	due := a.pending
	a.pending = nil
	a.mu.Unlock()
	for _, f := range due {
		f()
	}
}

var testRooms = []reader.Room{{Name: "useraccess", Steps: useraccess.Steps}, {Name: "poller", Steps: Steps}}

func newWorld(t testing.TB) *world {
	t.Helper()
	return (&world{t: t, space: -1}).begin()
}

// newSpacedWorld is a world whose poller leaves a space between requests to its web.
func newSpacedWorld(t testing.TB, space time.Duration) *world {
	t.Helper()
	return (&world{t: t, space: space}).begin()
}

// newIconWorld is a world that fetches icons.
func newIconWorld(t testing.TB) *world {
	t.Helper()
	return (&world{t: t, space: -1, icons: true}).begin()
}

// emptyDatabase is the file in which every world begins: to make its tables takes ten times as long as to copy them.
var emptyDatabase = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "kairos-test-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left of it disturbs nothing
	store, err := reader.Open(context.Background(), dir, monday, testRooms...)
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, reader.FileName))
})

// begin opens a world for the length of a test.
func (w *world) begin() *world {
	w.t.Helper()
	w.dir, w.clock = w.t.TempDir(), &clock{now: monday}
	if w.place != nil {
		w.place(w.dir)
	}
	file, err := emptyDatabase()
	if err == nil {
		err = os.WriteFile(filepath.Join(w.dir, reader.FileName), file, 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.web = newWeb(w.t, w.clock)
	w.open()
	w.t.Cleanup(func() { w.close() })
	return w
}

func (w *world) open() {
	w.t.Helper()
	store, err := reader.Open(w.t.Context(), w.dir, w.clock.Now(), testRooms...)
	if err != nil {
		w.t.Fatal(err)
	}
	o := Options{Now: w.clock.Now, After: w.timers.after, Icons: w.icons, Accounts: w.syncs,
		Client: fetch.New(fetch.Options{Version: "test", Now: w.clock.Now, Spacing: w.space})}
	if w.reads != nil {
		o.Prepare = w.reads.preparing(w.dir, w.clock.Now)
	}
	w.Poller = New(store, useraccess.New(store), o)
	w.jobs.outcomes.add(func(o Outcome) { // those that were not sent, too
		w.mu.Lock()
		defer w.mu.Unlock()
		w.seen = append(w.seen, o)
	})
}

func (w *world) close() {
	w.t.Helper()
	w.drain()
	w.client.CloseIdle()
	if err := w.store.Close(); err != nil {
		w.t.Error(err)
	}
}

// restart ends the process and begins another one.
func (w *world) restart() {
	w.t.Helper()
	w.close()
	w.open()
}

// outcomes returns the outcomes since the last call.
func (w *world) outcomes() []Outcome {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := w.seen
	w.seen = nil
	return seen
}

// subscribe adds a feed without fetching it.
func (w *world) subscribe(f reader.Feed) reader.Feed {
	w.t.Helper()
	var id int64
	err := w.store.Write(w.t.Context(), func(tx *sql.Tx) (err error) {
		id, err = reader.Subscribe(w.t.Context(), tx, f, w.clock.Now())
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.Changed()
	return w.feed(id)
}

// subscribePaths subscribes to paths of the web.
func (w *world) subscribePaths(paths ...string) (feeds []reader.Feed) {
	w.t.Helper()
	for _, path := range paths {
		feeds = append(feeds, w.subscribe(reader.Feed{URL: w.web.address(path)}))
	}
	return feeds
}

func (w *world) feed(id int64) reader.Feed {
	w.t.Helper()
	f, err := w.store.Feeds.Get(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

func (w *world) update(f reader.Feed) {
	w.t.Helper()
	w.write(func(tx *sql.Tx) error { return reader.UpdateFeed(w.t.Context(), tx, f) })
	w.Changed()
}

func (w *world) write(f func(tx *sql.Tx) error) {
	w.t.Helper()
	if err := w.store.Write(w.t.Context(), f); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) exec(query string, args ...any) {
	w.t.Helper()
	w.write(func(tx *sql.Tx) error { _, err := tx.Exec(query, args...); return err })
}

func (w *world) number(query string, args ...any) (n int) {
	w.t.Helper()
	if err := w.store.Read().QueryRow(query, args...).Scan(&n); err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// turn lets the loop look once and waits for what it started.
func (w *world) turn() time.Time {
	w.t.Helper()
	next, err := w.loop.step(w.t.Context(), w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	w.drain()
	return next
}

// drain waits for what was started, and lets the time pass that spacing takes.
func (w *world) drain() {
	for {
		at := w.queue.Pause()
		if at.IsZero() {
			return
		}
		w.clock.set(later(w.clock.Now(), at))
		w.timers.ring()
	}
}

// settled turns until nothing wakes the loop any more.
func (w *world) settled() time.Time {
	w.t.Helper()
	for range 20 {
		next := w.turn()
		select {
		case <-w.signals.wake:
		default:
			return next
		}
	}
	w.t.Fatal("the loop keeps waking itself")
	return time.Time{}
}

// live runs the loop for a while, as Run would, but for timers that last four
// minutes instead of one. Under -race it is not to last longer than three days.
func (w *world) live(d time.Duration) {
	w.t.Helper()
	if w.lived += d; w.lived > 3*day {
		slowWithRace(w.t)
	}
	for end := w.clock.Now().Add(d); w.clock.Now().Before(end); {
		now := w.clock.Now()
		next := w.settled()
		next = later(next, now.Add(time.Second))
		if most := now.Add(4 * time.Minute); next.After(most) {
			next = most
		}
		if next.After(end) {
			next = end
		}
		w.clock.set(next)
	}
}

func (w *world) instants() []Instant {
	w.t.Helper()
	at, err := w.Instants(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return at
}

func (w *world) stateOf(feed int64) State {
	w.t.Helper()
	s, err := w.state(w.t.Context(), w.subjectOf(feed))
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// subjectOf is a feed as what is polled.
func (w *world) subjectOf(feed int64) int64 {
	w.t.Helper()
	return int64(w.number("SELECT coalesce((SELECT id FROM subject WHERE feed = ?), 0)", feed))
}

func (w *world) plan() *Plan {
	w.t.Helper()
	method, err := w.Method(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	pl, err := w.Plan(w.t.Context(), method)
	if err != nil {
		w.t.Fatal(err)
	}
	return pl
}

func (w *world) setBudget(normal string) {
	w.t.Helper()
	if err := w.SetBudget(w.t.Context(), normal); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) byHand(ids ...int64) []Outcome {
	w.t.Helper()
	var out []Outcome
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		out, err = w.Fetch(w.t.Context(), ids, nil)
	}()
	for {
		select {
		case <-done:
			if err != nil {
				w.t.Fatal(err)
			}
			return out
		default:
			w.drain() // the request may have to wait for one just made to that host
			runtime.Gosched()
		}
	}
}

// web is a server of feeds on loopback.
type web struct {
	*httptest.Server
	clock *clock

	mu   sync.Mutex
	page map[string]http.HandlerFunc
	asks []ask
}

// ask is one request to the web.
type ask struct {
	path   string
	at     time.Time
	header http.Header
}

func newWeb(t testing.TB, c *clock) *web {
	w := &web{clock: c, page: map[string]http.HandlerFunc{}}
	w.Server = httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(w.Close)
	return w
}

func (w *web) serve(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.asks = append(w.asks, ask{r.URL.Path, w.clock.Now(), r.Header.Clone()})
	page := w.page[r.URL.Path]
	w.mu.Unlock()
	if page == nil {
		http.NotFound(out, r)
		return
	}
	page(out, r)
}

// on sets what a path answers.
func (w *web) on(path string, page http.HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.page[path] = page
}

func (w *web) address(path string) string { return w.URL + path }

// requests returns the requests since the last call.
func (w *web) requests() []ask {
	w.mu.Lock()
	defer w.mu.Unlock()
	asks := w.asks
	w.asks = nil
	return asks
}

// posting answers with the posts of a source that posts once in every interval, and
// with 304 where nothing is new.
func (w *web) posting(path string, every time.Duration) {
	w.on(path, func(out http.ResponseWriter, r *http.Request) {
		last := w.clock.Now().Truncate(every)
		tag := fmt.Sprintf(`"%d"`, last.Unix())
		out.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			out.WriteHeader(http.StatusNotModified)
			return
		}
		var dates []time.Time
		for i := range 15 {
			dates = append(dates, last.Add(-time.Duration(i)*every))
		}
		fmt.Fprint(out, rss(path, dates...))
	})
}

// says makes a path always answer the same.
func (w *web) says(path, body string) {
	w.on(path, func(out http.ResponseWriter, _ *http.Request) { fmt.Fprint(out, body) })
}

// rss returns a feed with one item for each date, the newest first; a zero date is left out.
func rss(title string, dates ...time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0"?><rss version="2.0"><channel><title>%s</title>`, title)
	for i, d := range dates {
		if d.IsZero() {
			fmt.Fprintf(&b, `<item><guid isPermaLink="false">undated %d</guid><title>Item %d</title></item>`, len(dates)-i, i)
			continue
		}
		fmt.Fprintf(&b, `<item><guid isPermaLink="false">%s %d</guid><title>Post of %s</title><pubDate>%s</pubDate></item>`,
			title, d.Unix(), d.Format(time.DateTime), d.UTC().Format(time.RFC1123Z))
	}
	b.WriteString(`</channel></rss>`)
	return b.String()
}

// since returns n dates, every so often, that end at t.
func since(t time.Time, every time.Duration, n int) (dates []time.Time) {
	for i := range n {
		dates = append(dates, t.Add(-time.Duration(i)*every))
	}
	return dates
}

// canceled is a context that has ended.
func canceled(t testing.TB) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
