package poller

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kairos/reader"
	"kairos/useraccess"
)

// fetched stores feeds as if they were fetched a while ago.
func fetched(t testing.TB, p *Poller, feeds int) {
	t.Helper()
	now := p.now()
	err := p.store.Write(t.Context(), func(tx *sql.Tx) error {
		for i := range feeds {
			f := reader.Feed{URL: fmt.Sprintf("http://site%d.example/feed", i)}
			id, err := reader.Subscribe(t.Context(), tx, f, now)
			if err != nil {
				return err
			}
			s := State{subject: id, address: f.URL, Tried: now, Fetched: now}
			s.posts.Document(now, since(now.Add(-time.Minute), time.Duration(1+i%500)*time.Hour, 30), 30)
			if err := s.write(t.Context(), tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Changed()
}

// Between two instants the loop wakes once a minute and then touches neither the
// database nor the network.
func TestIdle(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int64 // at the clock, two each time the loop wakes
		now := func() time.Time {
			looks.Add(1)
			return time.Now()
		}
		store, err := reader.Open(t.Context(), dir, time.Now(), testRooms...)
		if err != nil {
			t.Fatal(err)
		}
		p := New(store, useraccess.New(store), Options{Now: now})
		fetched(t, p, 50)
		if err := p.SetBudget(t.Context(), "4"); err != nil {
			t.Fatal(err)
		}
		next, err := p.loop.step(t.Context(), time.Now())
		if gap := time.Until(next); err != nil || gap < 20*time.Minute {
			t.Fatalf("next in %v: %v", gap, err)
		}
		if err := store.Close(); err != nil { // whoever asks it now hears so
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		looks.Store(0)
		<-time.After(20 * time.Minute) // of the bubble
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if n := looks.Load(); n > 2*22 {
			t.Errorf("the clock was looked at %d times in 20 minutes", n)
		}
		if p.failure.err != nil || p.signals.restUntil.IsZero() {
			t.Error("the loop has looked about")
		}
	})
}

// BenchmarkIdle5000 measures what the loop does each minute between two instants of 5,000
// feeds.
func BenchmarkIdle5000(b *testing.B) {
	p, _, done := openBench(b)
	defer done()
	at := monday
	p.now = func() time.Time { return at }
	fetched(b, p, 5000)
	if err := p.SetBudget(b.Context(), "50"); err != nil {
		b.Fatal(err)
	}
	next, err := p.loop.step(b.Context(), at)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if until, err := p.loop.step(b.Context(), at); err != nil || !until.Equal(next) {
			b.Fatal(until, err)
		}
	}
}
