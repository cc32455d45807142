package home

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/reader"
)

func TestWeeklyBackups(t *testing.T) {
	c := clockAt(noon)
	h := openHome(t, t.TempDir(), c)
	withArticles(t, h)
	names := func() (names []string) {
		files, err := filepath.Glob(filepath.Join(h.Dir, "backups", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			names = append(names, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(f), "kairos-2026-"), ".kairos"))
		}
		return names
	}
	run := func(days int, want ...string) {
		t.Helper()
		c.set(noon.AddDate(0, 0, days))
		if err := h.Backups.weekly(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := names(); !slices.Equal(got, want) {
			t.Errorf("after %d days the backups are %v, want %v", days, got, want)
		}
	}
	if err := h.Store.Settings.Set(t.Context(), SettingBackups, "off"); err != nil {
		t.Fatal(err)
	}
	run(0)
	if err := h.Store.Settings.Set(t.Context(), SettingBackups, ""); err != nil {
		t.Fatal(err)
	}
	run(0, "03-07")
	run(0, "03-07")
	// The first ones come sooner: most is set up in the first days.
	run(1, "03-07", "03-08")
	run(2, "03-07", "03-08", "03-09")
	run(8, "03-07", "03-08", "03-09", "03-15")
	run(14, "03-07", "03-08", "03-09", "03-15")
	run(15, "03-08", "03-09", "03-15", "03-22")
	run(22, "03-09", "03-15", "03-22", "03-29")
	run(29, "03-15", "03-22", "03-29", "04-05")
	// A clock that was set back does not put the next one off for ever.
	run(1, "03-08", "03-22", "03-29", "04-05")
	run(2, "03-08", "03-22", "03-29", "04-05")
	none := openHome(t, t.TempDir(), c)
	if err := none.Backups.weekly(t.Context()); err != nil {
		t.Fatal(err)
	}
	if made, _ := filepath.Glob(filepath.Join(none.Dir, "backups", "*")); len(made) > 0 {
		t.Errorf("a store without feeds has the backups %v", made)
	}
	if c, err := h.Backups.Check(t.Context(), filepath.Join(h.Dir, "backups", "kairos-2026-04-05.kairos")); err != nil || c.Feeds != 2 {
		t.Errorf("%+v (%v)", c, err)
	}
}

// After a restore the running program uses the restored data: what was learned is back, and feeds
// are fetched.
func TestProgramGoesOnAfterRestore(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<rss version="2.0"><channel><title>F</title><item><guid>1</guid><title>One</title></item></channel></rss>`)
	}))
	defer server.Close()
	c := clockAt(noon)
	h, err := Open(t.Context(), t.TempDir(), Options{Now: c.Now, Client: fetch.New(fetch.Options{Now: c.Now, Spacing: -1})})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- h.Poller.Run(ctx) }()
	defer func() {
		stop()
		<-ended
	}()
	found, err := h.Poller.Discover(ctx, server.URL, poller.Login{})
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	feed, _, err := h.Subscriptions.Add(ctx, found[0], reader.Feed{}, poller.Login{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Log.Import(ctx, []time.Time{noon.Add(-time.Hour)}, noon); err != nil {
		t.Fatal(err)
	}
	if err := h.Poller.SetBudget(ctx, "77"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), BackupName(noon))
	if contents, err := h.Backups.Create(ctx, file); err != nil || contents.Feeds != 1 || contents.Articles != 1 {
		t.Fatalf("%+v (%v)", contents, err)
	}
	if contents, err := h.Backups.Check(ctx, file); err != nil || contents.Feeds != 1 {
		t.Fatalf("%+v (%v)", contents, err)
	}

	if err := h.Subscriptions.Remove(ctx, feed.ID); err != nil {
		t.Fatal(err)
	}
	if err := h.Visits.Clear(ctx); err != nil {
		t.Fatal(err)
	}
	if err := h.Poller.SetBudget(ctx, "5"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Backups.Restore(ctx, file); err != nil {
		t.Fatal(err)
	}
	budget, err := h.Poller.Budget(ctx)
	if err != nil || budget.Normal != "77" {
		t.Errorf("budget after the restore: %+v (%v)", budget, err)
	}
	if log, err := h.Log.List(ctx); err != nil || len(log) != 1 {
		t.Errorf("access log after the restore: %v (%v)", log, err)
	}
	c.set(c.Now().Add(time.Hour))
	if done, err := h.Poller.Fetch(ctx, []int64{feed.ID}, nil); err != nil || len(done) != 1 || done[0].Result != poller.Unchanged {
		t.Errorf("fetch after the restore: %+v (%v)", done, err)
	}
}
