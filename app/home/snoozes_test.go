package home

import (
	"slices"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/snooze"
)

// What is due while the program is closed is back when it opens, and what waits for a visit comes with it.
func TestSnoozedComeBack(t *testing.T) {
	c, dir := clockAt(noon), t.TempDir()
	h := openHome(t, dir, c)
	_, article := withArticles(t, h)
	evening, visit, err := h.Snoozes.Until(t.Context(), snooze.Evening)
	if err != nil || visit || !evening.After(noon) {
		t.Fatal(evening, visit, err)
	}
	if change, err := h.Snoozes.Put(t.Context(), []int64{article}, evening, false); err != nil || !slices.Equal(change.Articles, []int64{article}) {
		t.Fatal(change, err)
	}
	listed := func() int {
		t.Helper()
		ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{View: reader.Unread})
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
	h.Close()
	h = openHome(t, dir, c)
	if listed() != 0 {
		t.Error("it is back after a restart")
	}
	h.Close()
	c.set(evening)
	h = openHome(t, dir, c)
	if listed() != 1 {
		t.Error("it is not back though it was due")
	}
	until, visit, err := h.Snoozes.Until(t.Context(), snooze.Visit)
	if err != nil || !visit || !until.After(evening) {
		t.Fatal(until, visit, err)
	}
	change, err := h.Snoozes.Put(t.Context(), []int64{article}, until, true)
	if err != nil || listed() != 0 {
		t.Fatal(err)
	}
	if _, err := h.Visits.Record(t.Context(), evening.Add(time.Hour)); err != nil || listed() != 1 {
		t.Errorf("it is not back at a visit, %v", err)
	}
	if err := h.Snoozes.Undo(t.Context(), change); err != nil || listed() != 1 {
		t.Errorf("undone: %v", err)
	}
}

// Unread articles are looked at when others may have come and once an hour, and not while the clock jumps.
func TestEnder(t *testing.T) {
	var e ender
	for k, c := range []struct {
		after time.Duration
		lists int64
		want  bool
	}{
		{0, 1, true}, {5 * time.Minute, 1, false}, {10 * time.Minute, 2, true}, {15 * time.Minute, 2, false}, {71 * time.Minute, 2, true},
		{1000 * time.Hour, 3, false}, {1001 * time.Hour, 3, true}, {2 * time.Hour, 4, false}, {3 * time.Hour, 4, true},
	} {
		if got := e.may(noon.Add(c.after), c.lists); got != c.want {
			t.Errorf("%d: after %v %v", k, c.after, got)
		}
	}
}
