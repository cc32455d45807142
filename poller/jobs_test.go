package poller

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/poller/fetch"
	"kairos/poller/schedule"
	"kairos/reader"
)

// one returns a world with one feed that has been fetched once.
func one(t *testing.T) (*world, reader.Feed) {
	w := newWorld(t)
	w.web.posting("/a", time.Hour)
	f := w.subscribePaths("/a")[0]
	w.settled()
	if o := w.outcomes(); len(o) != 1 || o[0].Result != Stored || o[0].Reason != First || o[0].New != 15 || o[0].Title != "/a" {
		t.Fatalf("first fetch: %+v", o)
	}
	w.web.requests()
	return w, f
}

func TestConditionalRequests(t *testing.T) {
	w, f := one(t)
	w.clock.add(10 * time.Minute)
	o := w.byHand(f.ID)[0]
	asked := w.web.requests()[0]
	if o.Result != Unchanged || o.Status != 304 || asked.header.Get("If-None-Match") == "" {
		t.Errorf("%+v, asked with %v", o, asked.header)
	}
	if s := w.stateOf(f.ID); !s.Fetched.Equal(w.clock.Now().Truncate(time.Second)) || s.validators.ETag != asked.header.Get("If-None-Match") {
		t.Errorf("a 304 renews the freshness clock and keeps the validators: %+v", s)
	}
	w.clock.add(time.Hour)
	if o = w.byHand(f.ID)[0]; o.Result != Stored || o.New != 1 || o.Unread != 1 {
		t.Errorf("after a post: %+v", o)
	}
}

func TestSameBytesAreUnchanged(t *testing.T) {
	w := newWorld(t)
	body := rss("Same", since(monday, time.Hour, 3)...)
	n := 0
	w.web.on("/s", func(out http.ResponseWriter, _ *http.Request) {
		if n++; n == 1 {
			out.Header().Set("ETag", `"old"`)
		}
		fmt.Fprint(out, body)
	})
	f := w.subscribePaths("/s")[0]
	w.settled()
	if tag := w.stateOf(f.ID).validators.ETag; tag != `"old"` {
		t.Errorf("ETag kept: %q", tag)
	}
	w.clock.add(time.Hour)
	if o := w.byHand(f.ID)[0]; o.Result != Unchanged || o.Status != 200 {
		t.Errorf("%+v", o)
	}
	if tag := w.stateOf(f.ID).validators.ETag; tag != "" {
		t.Errorf("a full answer without ETag leaves %q", tag)
	}
}

func TestTruncatedBodyDropsValidators(t *testing.T) {
	w := newWorld(t)
	body := rss("Cut", since(monday, time.Hour, 10)...)
	cut := true
	w.web.on("/c", func(out http.ResponseWriter, r *http.Request) {
		out.Header().Set("ETag", `"v1"`)
		if r.Header.Get("If-None-Match") != "" {
			t.Error("the validators of a broken answer were sent")
		}
		if !cut {
			fmt.Fprint(out, body)
			return
		}
		out.Header().Set("Content-Length", fmt.Sprint(len(body)))
		io.WriteString(out, body[:len(body)*2/3])
		out.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	f := w.subscribePaths("/c")[0]
	w.settled()
	o := w.outcomes()[0]
	if o.Result != Stored || o.New < 4 || o.New > 7 || o.Message.IsZero() {
		t.Errorf("a broken answer: %+v", o)
	}
	if s := w.stateOf(f.ID); s.validators != (fetch.Validators{}) || s.digest != 0 {
		t.Errorf("validators ahead of the articles: %+v", s)
	}
	cut = false
	w.clock.add(time.Hour)
	if again := w.byHand(f.ID)[0]; again.New != 10-o.New {
		t.Errorf("the whole answer brings %d more, %d came before", again.New, o.New)
	}
}

func TestStoreFailureKeepsTheOldValidators(t *testing.T) {
	w, f := one(t)
	w.exec("CREATE TRIGGER full BEFORE INSERT ON status BEGIN SELECT RAISE(FAIL, 'disk full'); END")
	w.clock.add(time.Hour)
	before := w.stateOf(f.ID)
	if o := w.byHand(f.ID)[0]; o.Result != Failed || !strings.Contains(o.Message.Text, "isk full") {
		t.Errorf("%+v", o)
	}
	if after := w.stateOf(f.ID); after.validators != before.validators || after.Failures != 0 {
		t.Errorf("state after a fault of storing: %+v", after)
	}
	w.web.requests()
	w.web.posting("/b", time.Hour)
	w.subscribePaths("/b")
	w.settled()
	if n := len(w.web.requests()); n > 0 {
		t.Errorf("%d requests for what cannot be stored", n)
	}
	w.exec("DROP TRIGGER full")
	w.clock.add(failurePause)
	w.live(time.Hour)
	if n := len(w.web.requests()); n == 0 {
		t.Error("no request once it can be stored again")
	}
}

// gate delays the answers of a path until release is called; asked receives a value for each
// request.
func (w *world) gate(path string) (asked chan struct{}, release func()) {
	page, gate := w.web.page[path], make(chan struct{})
	asked = make(chan struct{}, 100)
	w.web.on(path, func(out http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-gate:
			page(out, r)
		case <-r.Context().Done():
		}
	})
	return asked, func() { close(gate) }
}

func TestConcurrentFetchesShareARequest(t *testing.T) {
	w, f := one(t)
	w.clock.add(time.Minute)
	asked, release := w.gate("/a")
	outcomes := make(chan []Outcome)
	for range 2 {
		go func() {
			o, _ := w.Fetch(t.Context(), []int64{f.ID, f.ID}, nil)
			outcomes <- o
		}()
	}
	<-asked
	for w.waiting(f.ID) < 1 {
		runtime.Gosched()
	}
	release()
	a, b := <-outcomes, <-outcomes
	if len(a) != 1 || len(b) != 1 || !cmp.Equal(a[0], b[0], cmp.AllowUnexported(Outcome{})) {
		t.Errorf("%+v\n%+v", a, b)
	}
	if n := len(w.web.requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func (w *world) waiting(feed int64) int {
	w.jobs.mu.Lock()
	defer w.jobs.mu.Unlock()
	if c := w.jobs.running[feed]; c != nil {
		return len(c.waiting)
	}
	return 0
}

func TestFeedRemovedOrMovedInFlight(t *testing.T) {
	for name, change := range map[string]func(w *world, f reader.Feed){
		"removed": func(w *world, f reader.Feed) {
			w.write(func(tx *sql.Tx) error { return reader.Unsubscribe(w.t.Context(), tx, f.ID, w.clock.Now()) })
		},
		"purged": func(w *world, f reader.Feed) { w.exec("DELETE FROM feed WHERE id = ?", f.ID) },
		"moved": func(w *world, f reader.Feed) {
			f.URL = w.web.address("/elsewhere")
			w.update(f)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, f := one(t)
			asked, release := w.gate("/a")
			w.clock.add(2 * time.Hour)
			done := make(chan []Outcome)
			go func() {
				o, _ := w.Fetch(t.Context(), []int64{f.ID}, nil)
				done <- o
			}()
			<-asked
			change(w, f)
			release()
			if o := <-done; len(o) != 1 || o[0].Result != Dropped || o[0].New != 0 {
				t.Errorf("%+v", o)
			}
			if n := w.number("SELECT count(*) FROM ledger WHERE result = 'dropped'"); n != 1 {
				t.Errorf("%d lines in the ledger", n)
			}
		})
	}
}

func TestFeedPausedInFlightIsStored(t *testing.T) {
	w, f := one(t)
	asked, release := w.gate("/a")
	w.clock.add(2 * time.Hour)
	done := make(chan []Outcome)
	go func() {
		o, _ := w.Fetch(t.Context(), []int64{f.ID}, nil)
		done <- o
	}()
	<-asked
	f.Paused = true
	w.update(f)
	release()
	if o := <-done; o[0].Result != Stored || o[0].New != 2 {
		t.Errorf("%+v", o)
	}
	w.web.requests()
	w.live(day)
	if n := len(w.web.requests()); n != 0 || len(w.instants()) != 0 {
		t.Errorf("%d requests for a paused feed, planned: %v", n, w.instants())
	}
}

func TestCanceledFetchLeavesNoTrace(t *testing.T) {
	w, f := one(t)
	lines := w.number("SELECT count(*) FROM ledger")
	before := w.stateOf(f.ID)
	asked, release := w.gate("/a")
	defer release()
	w.clock.set(w.instants()[0].At)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	<-asked
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if n := w.number("SELECT count(*) FROM ledger"); n != lines {
		t.Errorf("%d new lines", n-lines)
	}
	if o := w.outcomes(); len(o) != 0 {
		t.Errorf("told: %+v", o)
	}
	if s := w.stateOf(f.ID); s.Failures != 0 || !s.Tried.Equal(before.Tried) {
		t.Errorf("state: %+v", s)
	}
	if at := w.instants(); at[0].At.After(w.clock.Now()) {
		t.Errorf("the instant is lost: %v", at)
	}
}

// A manual fetch goes on although the loop that began it ends.
func TestManualFetchOutlivesTheLoop(t *testing.T) {
	w, f := one(t)
	asked, release := w.gate("/a")
	w.clock.set(w.instants()[0].At)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	<-asked
	done := make(chan []Outcome)
	go func() {
		o, _ := w.Fetch(t.Context(), []int64{f.ID}, nil)
		done <- o
	}()
	for w.waiting(f.ID) < 1 {
		runtime.Gosched()
	}
	cancel()
	<-asked
	release()
	if o := <-done; len(o) != 1 || o[0].Reason != Manual || o[0].Result != Stored {
		t.Errorf("%+v", o)
	}
	<-ended
}

func TestFetchReportsInOrder(t *testing.T) {
	w := newWorld(t)
	for i := range 5 {
		w.web.posting(fmt.Sprint("/", i), time.Hour)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	var told []int64
	out, err := w.Fetch(t.Context(), nil, func(o Outcome) { told = append(told, o.Feed) })
	if err != nil || len(out) != 5 {
		t.Fatal(out, err)
	}
	for i, o := range out {
		if told[i] != o.Feed {
			t.Errorf("told %v, returned %+v", told, out)
		}
	}
	if _, err := w.Fetch(t.Context(), []int64{99}, nil); err == nil || !strings.Contains(err.Error(), "99") {
		t.Errorf("an unknown feed: %v", err)
	}
	if out, err := w.Fetch(canceled(t), nil, nil); err == nil || len(out) != 0 {
		t.Errorf("canceled: %v, %v", out, err)
	}
}

func TestLedgerLines(t *testing.T) {
	w, f := one(t)
	w.live(3 * day)
	told := len(w.outcomes())
	if n := w.number("SELECT count(*) FROM ledger"); n != told+1 || n != len(w.web.requests())+1 {
		t.Errorf("%d lines for %d fetches", n, told+1)
	}
	lines, err := w.Ledger(t.Context(), f.ID, 1000)
	if err != nil || len(lines) != told+1 || lines[len(lines)-1].Reason != First || lines[0].Reason != Planned || lines[0].Cause.Code != schedule.Planned {
		t.Fatal(lines, err)
	}
	fetches, articles := len(lines), 0
	for _, l := range lines {
		articles += l.New
	}
	w.clock.add((LedgerDays + 5) * day)
	w.settled()
	if n := w.number("SELECT sum(fetches) FROM ledger_day"); n != fetches {
		t.Errorf("the sums have %d fetches of %d", n, fetches)
	}
	if n := w.number("SELECT sum(new) FROM ledger_day"); n != articles {
		t.Errorf("the sums have %d articles of %d", n, articles)
	}
	if n := w.number("SELECT count(*) FROM ledger WHERE at < ?", w.clock.Now().AddDate(0, 0, -LedgerDays-1).Unix()); n != 0 {
		t.Errorf("%d old lines are left", n)
	}
}

// The first fetch of a feed is one also where the user asks for it, as after an import; later ones are by hand.
func TestFirstFetchByHand(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/a", time.Hour)
	f := w.subscribePaths("/a")[0]
	for _, want := range []Code{First, Manual} {
		o := w.byHand(f.ID)
		lines, err := w.Ledger(t.Context(), f.ID, 1)
		if err != nil || len(o) != 1 || o[0].Reason != want || len(lines) != 1 || lines[0].Reason != want {
			t.Errorf("%+v, stored as %+v, %v, want %s", o, lines, err, want)
		}
		w.clock.add(time.Hour)
	}
	f.URL = w.web.address("/b")
	w.web.posting("/b", time.Hour)
	w.update(f)
	if o := w.byHand(f.ID); len(o) != 1 || o[0].Reason != First {
		t.Errorf("at a new address: %+v", o)
	}
}

// A manual fetch within a minute of the last one asks no server.
func TestJustChecked(t *testing.T) {
	w, f := one(t)
	lines := w.number("SELECT count(*) FROM ledger")
	w.clock.add(20 * time.Second)
	if o := w.byHand(f.ID)[0]; o.Result != Unchanged || o.Message.Code != JustChecked || o.Message.Ago != 20*time.Second {
		t.Errorf("%+v", o)
	}
	if n := len(w.web.requests()); n != 0 || w.number("SELECT count(*) FROM ledger") != lines {
		t.Errorf("%d requests, or a line in the ledger", n)
	}
	w.clock.add(40 * time.Second)
	w.web.says("/a", "")
	if o := w.byHand(f.ID)[0]; o.Result != Failed {
		t.Errorf("a minute after: %+v", o)
	}
	w.clock.add(10 * time.Second)
	if o := w.byHand(f.ID)[0]; o.Result != Failed || o.Message.Code != JustChecked || o.Message.Ago != 10*time.Second || o.Message.Last == nil || len(w.web.requests()) != 1 {
		t.Errorf("after a fault: %+v", o)
	}
	f.Login = true
	w.update(f)
	w.byHand(f.ID)
	if n := len(w.web.requests()); n != 1 {
		t.Errorf("%d requests with a new login", n)
	}
}

// A feed whose server asked for a short wait is fetched once that is over, and nothing is asked before.
func TestFetchAfterShortWait(t *testing.T) {
	w, f := one(t)
	w.clock.add(2 * time.Minute)
	w.web.on("/a", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Retry-After", "20")
		rw.WriteHeader(http.StatusServiceUnavailable)
	})
	w.byHand(f.ID)
	w.web.requests()
	w.web.says("/a", rss("A", w.clock.Now()))
	for _, wait := range []struct {
		result   Result
		requests int
	}{{Waiting, 0}, {Stored, 1}} {
		w.clock.add(14 * time.Second)
		if o := w.byHand(f.ID)[0]; o.Result != wait.result || len(w.web.requests()) != wait.requests {
			t.Errorf("%+v, want %v", o, wait)
		}
	}
}

// A 304 writes no row of an article.
func TestNotModifiedWritesNoArticle(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/a", 30*day)
	f := w.subscribePaths("/a")[0]
	w.settled()
	w.exec("CREATE TABLE touched (what TEXT)")
	for _, table := range []string{"article", "body", "status", "enclosure", "feed"} {
		for _, change := range []string{"INSERT", "UPDATE", "DELETE"} {
			w.exec(fmt.Sprintf("CREATE TRIGGER on_%s_%s AFTER %[2]s ON %[1]s BEGIN INSERT INTO touched VALUES ('%[2]s %[1]s'); END", table, change))
		}
	}
	w.clock.add(time.Hour)
	if o := w.byHand(f.ID)[0]; o.Status != http.StatusNotModified || o.Result != Unchanged {
		t.Fatalf("%+v", o)
	}
	if n := w.number("SELECT count(*) FROM touched"); n != 0 {
		t.Errorf("%d rows were touched", n)
	}
	w.exec("UPDATE feed SET title = 'other'")
	if n := w.number("SELECT count(*) FROM touched"); n == 0 {
		t.Error("what is touched goes unseen")
	}
}

// The status says why feeds are being fetched.
func TestStatusSaysWhyItIsBusy(t *testing.T) {
	w := newWorld(t)
	release, begun := make(chan struct{}), make(chan struct{})
	w.web.on("/slow", func(out http.ResponseWriter, _ *http.Request) {
		begun <- struct{}{}
		<-release
		fmt.Fprint(out, rss("Slow", monday))
	})
	f := w.subscribePaths("/slow")[0]
	doing := func() Code {
		s, err := w.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s.BusyReason
	}
	if c := doing(); c != "" {
		t.Errorf("before: %q", c)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.byHand(f.ID)
	}()
	<-begun
	if c := doing(); c != Manual {
		t.Errorf("meanwhile: %q", c)
	}
	close(release)
	<-done
	if c := doing(); c != "" {
		t.Errorf("after: %q", c)
	}
}

// A first fetch that was decided on while another one ended asks for nothing, unless the address is another one now.
func TestFirstFetchOnce(t *testing.T) {
	w, f := one(t)
	first := func() {
		s, err := w.subject(t.Context(), w.subjectOf(f.ID))
		if err != nil {
			t.Fatal(err)
		}
		w.jobs.start(t.Context(), job{subject: s, code: First, untried: true}, nil)
		w.drain()
	}
	if first(); len(w.web.requests()) != 0 {
		t.Error("it is asked for again")
	}
	f = w.feed(f.ID)
	f.URL = w.web.address("/moved")
	w.write(func(tx *sql.Tx) error { return reader.UpdateFeed(t.Context(), tx, f) })
	if first(); len(w.web.requests()) != 1 {
		t.Error("its new address is not asked for")
	}
}
