package poller

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/schedule"
	"kairos/reader"
)

func TestBackOff(t *testing.T) {
	w, f := one(t)
	broken := true
	posting := w.web.page["/a"]
	w.web.on("/a", func(out http.ResponseWriter, r *http.Request) {
		if broken {
			http.Error(out, "no", http.StatusInternalServerError)
			return
		}
		posting(out, r)
	})
	w.live(2 * day)
	asks := w.web.requests()
	for i, a := range asks[1:] {
		least := min(firstBackOff<<i, maxBackOff)
		if gap := a.at.Sub(asks[i].at); gap < least {
			t.Errorf("try %d after %s, back-off is %s", i+1, gap, least)
		}
	}
	if len(asks) < 5 || len(asks) > 9 {
		t.Errorf("%d tries in two days", len(asks))
	}
	outcomes := w.outcomes()
	if o := outcomes[1]; o.Reason != Retry || o.Cause.Code != schedule.Retry || o.Cause.Failures != 1 || o.Message.IsZero() {
		t.Errorf("the second try: %+v", o)
	}
	s := w.stateOf(f.ID)
	if s.Failures != len(asks) || s.Message.IsZero() || s.Since.IsZero() {
		t.Errorf("state: %+v after %d faults", s, len(asks))
	}
	if at := w.instants(); len(at) == 0 || at[0].At.Before(s.NotBefore) {
		t.Errorf("the next try is planned at %v, back-off ends at %s", at, s.NotBefore)
	}
	broken = false
	w.live(2 * day)
	if s := w.stateOf(f.ID); s.Failures != 0 || !s.Message.IsZero() || !s.Since.IsZero() {
		t.Errorf("after a success: %+v", s)
	}
	if n := len(w.web.requests()); n < 7 {
		t.Errorf("%d fetches after it is well again", n)
	}
}

func TestGoneFeedIsNotFetchedAgain(t *testing.T) {
	w, f := one(t)
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusGone) })
	w.live(3 * day)
	if n := len(w.web.requests()); n != 1 {
		t.Errorf("%d requests to a feed that is gone", n)
	}
	if s := w.stateOf(f.ID); !s.Gone || s.Message.Reason() != string(fetch.Gone) || s.Message.Fetch.Status != 410 || len(w.instants()) != 0 {
		t.Errorf("%+v, planned: %v", s, w.instants())
	}
	if n := w.number("SELECT count(*) FROM article"); n != 15 {
		t.Errorf("%d articles are left", n)
	}
	// The new address is asked at once.
	w.web.posting("/b", time.Hour)
	f.URL = w.web.address("/b")
	w.update(f)
	w.settled()
	if s := w.stateOf(f.ID); s.Gone || s.Failures != 0 || len(w.instants()) == 0 {
		t.Errorf("after the move: %+v", s)
	}
}

func TestRetryAfterSurvivesARestart(t *testing.T) {
	w, f := one(t)
	w.web.posting("/other", time.Hour)
	other := w.subscribePaths("/other")[0]
	w.settled()
	w.web.requests()
	w.clock.add(time.Minute)
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Retry-After", "7200")
		out.WriteHeader(http.StatusTooManyRequests)
	})
	if o := w.byHand(f.ID)[0]; o.Result != Failed || o.Status != 429 {
		t.Errorf("%+v", o)
	}
	w.restart()
	for _, o := range w.byHand(f.ID, other.ID) {
		if o.Result != Waiting || o.Message.Reason() != string(fetch.Waiting) {
			t.Errorf("by hand: %+v", o)
		}
	}
	w.live(110 * time.Minute)
	if asks := w.web.requests(); len(asks) != 1 {
		t.Errorf("%d requests to a host that wants to be left alone: %v", len(asks)-1, asks[1:])
	}
	if s := w.stateOf(other.ID); s.Failures != 0 {
		t.Errorf("waiting counts as a fault: %+v", s)
	}
	if n := w.number("SELECT count(*) FROM ledger WHERE background = 1"); n != 0 {
		t.Errorf("waiting was charged %d times", n)
	}
	w.live(6 * time.Hour)
	if len(w.web.requests()) < 2 {
		t.Error("not asked again after the wait")
	}
}

// New feeds of a host that asked to wait are fetched when they may be: until then nothing is sent, told, counted or tried again.
func TestNewFeedsWaitForTheirHost(t *testing.T) {
	w, f := one(t)
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Retry-After", "5700")
		out.WriteHeader(http.StatusTooManyRequests)
	})
	w.clock.add(time.Hour)
	w.byHand(f.ID)
	may := w.client.BlockedUntil(fetch.Host(f.URL))
	lines := w.number("SELECT count(*) FROM ledger")
	told, fetching := 0, 0
	w.OnOutcome(func(Outcome) { told++ })
	w.OnActivity(func(a Activity) {
		if a.Code == Fetching {
			fetching++
		}
	})
	for _, path := range []string{"/b", "/c", "/d"} {
		w.web.posting(path, time.Hour)
	}
	fresh := w.subscribePaths("/b", "/c", "/d")
	w.web.requests()
	looks := 0
	for w.clock.Now().Before(may.Add(-time.Minute)) {
		next := w.settled()
		if looks++; looks > 300 {
			t.Fatal("the loop does not rest")
		}
		w.clock.set(later(w.clock.Now().Add(time.Second), earlier(next, may.Add(-time.Minute))))
	}
	if n := w.number("SELECT count(*) FROM ledger"); n != lines || told+fetching+len(w.web.requests()) > 0 {
		t.Errorf("%d lines more, told %d outcomes and %d fetches", n-lines, told, fetching)
	}
	for _, f := range fresh {
		if s := w.stateOf(f.ID); s.Failures > 0 || !s.Tried.IsZero() || s.NotBefore.Before(may) {
			t.Errorf("%+v", s)
		}
	}
	if next := w.settled(); next.After(may.Add(time.Second)) {
		t.Errorf("the loop looks at %s, they may be fetched at %s", next, may)
	}
	if s, err := w.Status(t.Context()); err != nil || s.NextFeed != fresh[0].Title || s.NextAt.Before(may) || s.NextAt.After(may.Add(time.Second)) || s.NextReason.Purpose != schedule.AsAsked {
		t.Errorf("the next fetch is that of %q at %s (%+v), they may be fetched at %s; %v", s.NextFeed, s.NextAt, s.NextReason, may, err)
	}
	w.clock.set(may.Add(time.Second))
	w.settled()
	for _, f := range fresh {
		if s := w.stateOf(f.ID); s.Fetched.IsZero() {
			t.Errorf("not fetched when it may be: %+v", s)
		}
	}
}

// earlier returns the earlier of two times.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// A full disk is reported and blames no feed; nothing is fetched meanwhile, and everything
// arrives when there is room again.
func TestDiskFull(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/a", "/b"} {
		w.web.on(path, func(out http.ResponseWriter, r *http.Request) {
			tag := fmt.Sprintf(`"%d"`, w.clock.Now().Unix()/3600)
			out.Header().Set("ETag", tag)
			if r.Header.Get("If-None-Match") == tag {
				out.WriteHeader(http.StatusNotModified)
				return
			}
			body := rss(path, since(w.clock.Now(), time.Hour, 15)...)
			fmt.Fprint(out, strings.ReplaceAll(body, "</item>", "<description>"+strings.Repeat("words ", 1000)+"</description></item>"))
		})
	}
	f := w.subscribePaths("/a", "/b")[0]
	w.settled()
	w.web.requests()
	articles, before := w.number("SELECT count(*) FROM article"), w.stateOf(f.ID)
	w.exec(fmt.Sprintf("PRAGMA max_page_count = %d", w.number("PRAGMA page_count")))
	w.clock.add(20 * time.Hour)
	for _, o := range w.byHand() {
		if o.Result != Failed || o.Message.Reason() != string(reader.Full) {
			t.Errorf("%+v", o)
		}
	}
	w.web.requests()
	w.Opened()
	w.live(failurePause - time.Minute)
	if n := len(w.web.requests()); n != 0 {
		t.Errorf("%d requests for what cannot be stored", n)
	}
	if s, err := w.Status(t.Context()); err != nil || s.StoreFailure.Reason() != string(reader.Full) {
		t.Errorf("status: %+v, %v", s, err)
	}
	if s := w.stateOf(f.ID); s.validators != before.validators || s.Failures != 0 {
		t.Errorf("state: %+v", s)
	}
	w.live(failurePause)
	if n := len(w.web.requests()); n == 0 {
		t.Error("it is not tried again")
	}
	w.exec("PRAGMA max_page_count = 1000000")
	w.live(2 * failurePause)
	if n := w.number("SELECT count(*) FROM article"); n <= articles+20 {
		t.Errorf("%d articles, there were %d", n, articles)
	}
	if s, err := w.Status(t.Context()); err != nil || !s.StoreFailure.IsZero() {
		t.Errorf("status: %+v, %v", s, err)
	}
}

// Once something else could be stored, what was kept from being fetched is, after a minute.
func TestStoringWorksAgain(t *testing.T) {
	w, f := one(t)
	w.web.requests()
	w.exec("CREATE TRIGGER full BEFORE INSERT ON ledger BEGIN SELECT raise(ABORT, 'no room'); END")
	w.clock.add(20 * time.Hour)
	w.byHand(f.ID)
	w.exec("DROP TRIGGER full")
	failing := func() bool {
		s, err := w.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return !s.StoreFailure.IsZero()
	}
	w.web.requests()
	w.Opened()
	if w.live(2 * committedPause); !failing() {
		t.Error("nothing was stored since")
	}
	w.Committed()
	if w.live(time.Minute); failing() || len(w.web.requests()) == 0 {
		t.Error("something was stored, and nothing is fetched")
	}
}

// So is a database that another program has locked.
func TestLockedFile(t *testing.T) {
	w, f := one(t)
	other, err := sql.Open("sqlite", filepath.Join(w.dir, reader.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	w.exec("PRAGMA busy_timeout = 20")
	if _, err := other.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	before := w.stateOf(f.ID)
	w.clock.add(3 * time.Hour)
	if o := w.byHand(f.ID)[0]; o.Result != Failed || o.Message.Reason() != string(reader.Locked) {
		t.Errorf("%+v", o)
	}
	if _, err := w.loop.step(t.Context(), w.clock.Now()); err != nil {
		t.Errorf("the loop stumbles: %v", err)
	}
	if s := w.stateOf(f.ID); s.validators != before.validators || s.Failures != 0 {
		t.Errorf("state: %+v", s)
	}
	if _, err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	w.live(3 * failurePause)
	if s := w.stateOf(f.ID); !s.Fetched.After(before.Fetched) || w.number("SELECT count(*) FROM article") != 18 {
		t.Errorf("it is not tried again: %+v", s)
	}
}
