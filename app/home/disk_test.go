package home

import (
	"context"
	"database/sql"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kairos/reader"
	"kairos/reader/parse"
)

// stale stores a read article that its feed no longer lists.
func stale(t *testing.T, h *Home, feed int64, key string) {
	t.Helper()
	err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		for _, articles := range [][]parse.Article{{{Key: key, Title: key}}, nil} {
			if _, err := reader.StoreArticles(t.Context(), tx, feed, articles, noon, time.Time{}); err != nil {
				return err
			}
		}
		_, err := tx.Exec("UPDATE status SET read = 1 WHERE feed = ?", feed)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func stored(t *testing.T, h *Home) int {
	t.Helper()
	ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return len(ids)
}

func TestCleansUpDaily(t *testing.T) {
	c := clockAt(noon.AddDate(0, 0, 40))
	h := openHome(t, t.TempDir(), c)
	feeds, _ := withArticles(t, h)
	if err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		return reader.SetRetention(t.Context(), tx, reader.Retention{Keep: reader.Keep{Days: 30}})
	}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		after time.Duration
		left  int
	}{{0, 1}, {23 * time.Hour, 2}, {time.Hour, 1}, {-100 * time.Hour, 1}, {100 * time.Hour, 1}, {24 * time.Hour, 1}} {
		c.set(c.Now().Add(step.after))
		stale(t, h, feeds[1], c.Now().String())
		if err := h.Disk.daily(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := stored(t, h); n != step.left {
			t.Errorf("%v later there are %d articles, want %d", step.after, n, step.left)
		}
	}
}

// Run cleans up on its own, and ends with its context.
func TestRunCleansUp(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var days atomic.Int64 // since noon
		h, err := Open(t.Context(), dir, Options{Now: func() time.Time { return noon.AddDate(0, 0, int(days.Load())) }})
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		feeds, _ := withArticles(t, h)
		if err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
			return reader.SetRetention(t.Context(), tx, reader.Retention{Keep: reader.Keep{Days: 30}})
		}); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			h.maintain(ctx)
		}()
		stale(t, h, feeds[1], "old")
		<-time.After(maintainFirst - time.Second)
		if n := stored(t, h); n != 2 {
			t.Errorf("cleaned up at once: %d articles", n)
		}
		days.Store(40)
		<-time.After(2 * time.Second)
		synctest.Wait()
		if n := stored(t, h); n != 1 {
			t.Errorf("%d articles, want 0", n)
		}
		stop()
		<-ended
	})
}
