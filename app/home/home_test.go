package home

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/power"
	"kairos/reader"
	"kairos/reader/parse"
	"kairos/useraccess/rate"
)

var noon = time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)

// clock is a clock that tests set.
type clock struct{ now atomic.Pointer[time.Time] }

func clockAt(now time.Time) *clock {
	c := &clock{}
	c.set(now)
	return c
}

func (c *clock) Now() time.Time    { return *c.now.Load() }
func (c *clock) set(now time.Time) { c.now.Store(&now) }

func openHome(t *testing.T, dir string, c *clock) *Home {
	t.Helper()
	h, err := Open(t.Context(), dir, Options{Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

const list = `<opml><body><outline text="A" xmlUrl="https://a.test/"/><outline text="B" xmlUrl="https://b.test/"/></body></opml>`

// withArticles subscribes to two feeds, of which the first has one unread article.
func withArticles(t *testing.T, h *Home) (feeds []int64, article int64) {
	t.Helper()
	done, err := h.Subscriptions.ImportInto(t.Context(), 0, strings.NewReader(list))
	if err != nil || len(done.Added) != 2 {
		t.Fatal(done, err)
	}
	err = h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, done.Added[0], []parse.Article{{Key: "k", Title: "T"}}, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil || len(ids) != 1 {
		t.Fatal(ids, err)
	}
	return done.Added, ids[0]
}

func TestRemoveAndRestore(t *testing.T) {
	c := clockAt(noon)
	dir := t.TempDir()
	h := openHome(t, dir, c)
	feeds, article := withArticles(t, h)
	if err := h.Subscriptions.Remove(t.Context(), feeds[0]); err != nil {
		t.Fatal(err)
	}
	if err := h.Subscriptions.Remove(t.Context(), feeds[0]); !errors.Is(err, reader.ErrUnknown) {
		t.Errorf("second Remove: %v", err)
	}
	if err := h.Subscriptions.Restore(t.Context(), feeds[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Store.Feeds.Get(t.Context(), feeds[0]); err != nil {
		t.Error(err)
	}
	for _, id := range feeds {
		if err := h.Subscriptions.Remove(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	for _, after := range []struct {
		age  time.Duration
		rows int
	}{{23 * time.Hour, 1}, {2 * time.Hour, 0}} {
		h.Close()
		c.set(c.Now().Add(after.age))
		h = openHome(t, dir, c)
		if rows, err := h.Store.Articles.Load(t.Context(), []int64{article}); err != nil || len(rows) != after.rows {
			t.Errorf("%v after Remove there are %d articles, want %d (%v)", after.age, len(rows), after.rows, err)
		}
	}
}

func TestVisitsAreRecordedUnlessLearningIsOff(t *testing.T) {
	h := openHome(t, t.TempDir(), clockAt(noon))
	feeds, article := withArticles(t, h)
	access := func(at time.Time, want bool) {
		t.Helper()
		if logged, err := h.Visits.Record(t.Context(), at); logged != want || err != nil {
			t.Errorf("Record returned %t, want %t (%v)", logged, want, err)
		}
	}
	interest := func() map[int64]rate.Interest {
		interests, err := h.Log.Interests(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return interests
	}
	learn := func(value string) {
		if err := h.Visits.SetLearning(t.Context(), value); err != nil {
			t.Fatal(err)
		}
	}
	learn("off")
	if v, err := h.Log.Visits(t.Context()); err != nil || !v.Paused.Equal(noon) {
		t.Errorf("learning is off since %v, want %v (%v)", v.Paused, noon, err)
	}
	access(noon, false)
	if err := h.Visits.Read(t.Context(), article, 1<<40); err != nil {
		t.Error(err)
	}
	if log, _ := h.Log.List(t.Context()); len(log) != 0 || len(interest()) != 0 {
		t.Errorf("recorded with learning off: %v %v", log, interest())
	}
	learn("on")
	access(noon, true)
	access(noon, false)
	if err := h.Visits.Read(t.Context(), article, 1<<40); err != nil {
		t.Error(err)
	}
	if got := interest(); len(got) != 1 || got[feeds[0]].Read != 1 {
		t.Errorf("one article was read: %v", got)
	}
	if err := h.Visits.Clear(t.Context()); err != nil {
		t.Error(err)
	}
	if log, _ := h.Log.List(t.Context()); len(log) != 0 || len(interest()) != 0 {
		t.Errorf("after Clear: %v %v", log, interest())
	}
}

func TestOpenReadOnlyBesideTheOwner(t *testing.T) {
	c := clockAt(noon)
	dir := t.TempDir()
	if _, err := OpenReadOnly(t.Context(), dir, Options{Now: c.Now}); !errors.Is(err, reader.ErrNone) {
		t.Errorf("OpenReadOnly of an empty folder: %v", err)
	}
	h := openHome(t, dir, c)
	withArticles(t, h)
	if err := h.Poller.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := OpenReadOnly(t.Context(), dir, Options{Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if feeds, err := r.Store.Feeds.List(t.Context()); err != nil || len(feeds) != 2 {
		t.Error(feeds, err)
	}
	if s, err := r.Poller.Status(t.Context()); err != nil || s.Planned == 0 {
		t.Errorf("%+v %v", s, err)
	}
	if err := r.Subscriptions.Remove(t.Context(), 1); !errors.Is(err, reader.ErrReadOnly) {
		t.Errorf("Remove of a read-only folder: %v", err)
	}
}

func TestPollerKnowsThePowerState(t *testing.T) {
	h := openHome(t, t.TempDir(), clockAt(noon))
	on := power.Reading{On: true, Known: true}
	for _, tt := range []struct {
		state power.State
		want  poller.PowerState
	}{
		{power.State{Battery: on, Network: true}, poller.PowerState{Battery: true}},
		{power.State{Saver: on, Network: true}, poller.PowerState{PowerSaver: true}},
		{power.State{Metered: on, Network: true}, poller.PowerState{Metered: true}},
		{power.State{}, poller.PowerState{NoNetwork: true}},
	} {
		h.setPower(tt.state)
		if b, err := h.Poller.Budget(t.Context()); err != nil || b.Power != tt.want {
			t.Errorf("%+v: %+v, %v", tt.state, b.Power, err)
		}
	}
}

func TestSetAsideKeepsTheFile(t *testing.T) {
	dir := t.TempDir()
	damaged := []byte("damaged")
	for _, suffix := range []string{"", "-wal"} {
		if err := os.WriteFile(filepath.Join(dir, reader.FileName+suffix), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(t.Context(), dir, Options{}); !errors.Is(err, reader.ErrDamaged) {
		t.Fatalf("%v, want ErrDamaged", err)
	}
	to, err := SetAside(dir, noon)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(to); err != nil || string(text) != string(damaged) {
		t.Errorf("%s contains %q (%v)", to, text, err)
	}
	h := openHome(t, dir, clockAt(noon))
	withArticles(t, h)
}

func TestDefaultDir(t *testing.T) {
	t.Setenv("HOME", "/home/ann")
	t.Setenv("USERPROFILE", `C:\Users\ann`)
	for _, xdg := range []string{"", "relative", "/xdg"} {
		t.Setenv("XDG_DATA_HOME", xdg)
		dir, err := DefaultDir()
		if err != nil || !filepath.IsAbs(dir) || !strings.EqualFold(filepath.Base(dir), "kairos") {
			t.Errorf("XDG_DATA_HOME=%q: %q %v", xdg, dir, err)
		}
	}
}

func TestImportErrors(t *testing.T) {
	h := openHome(t, t.TempDir(), clockAt(noon))
	if _, err := h.Subscriptions.ImportInto(t.Context(), 0, strings.NewReader("no list")); err == nil {
		t.Error("Import accepts plain text")
	}
	if err := h.Subscriptions.Update(t.Context(), reader.Feed{ID: 7, URL: "https://x.test/"}, nil); !errors.Is(err, reader.ErrUnknown) {
		t.Errorf("Update of an unknown feed: %v", err)
	}
	if _, _, err := h.Subscriptions.Add(t.Context(), poller.Candidate{URL: "file:///no/such/file"}, reader.Feed{}, poller.Login{}); err != nil {
		t.Errorf("Add fails with its first fetch: %v", err)
	}
}
