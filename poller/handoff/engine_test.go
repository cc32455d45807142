package handoff_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kairos/poller/handoff"
	"kairos/poller/sync"
	"kairos/reader"
	"kairos/reader/parse"
)

// shelf is a destination in memory that fails as it is told.
type shelf struct {
	titles []string           // in the order they arrived
	faults map[string][]error // by title, of the next attempts
	next   []error            // of the next attempts, whatever is sent
	lose   bool               // the answer to the next delivery
	tries  int
}

func (s *shelf) Check(context.Context) error { return nil }

func (s *shelf) Deliver(_ context.Context, a handoff.Article) error {
	s.tries++
	if len(s.next) > 0 {
		err := s.next[0]
		s.next = s.next[1:]
		return err
	}
	if faults := s.faults[a.Title]; len(faults) > 0 {
		s.faults[a.Title] = faults[1:]
		return faults[0]
	}
	if !slices.Contains(s.titles, a.Title) {
		s.titles = append(s.titles, a.Title)
	}
	if s.lose {
		s.lose = false
		return serverFault(sync.Unreachable, 0)
	}
	return nil
}

func serverFault(code sync.Code, retryAfter time.Duration) error {
	return &handoff.Error{Code: handoff.Server, Server: &sync.Error{Code: code, Host: "shelf.test", RetryAfter: retryAfter}}
}

// bench is a store with articles "1" to "9" and an engine whose destinations are shelves.
type bench struct {
	t       *testing.T
	store   *reader.Store
	engine  *handoff.Engine
	shelves map[int64]*shelf
	ids     []int64
	offset  time.Duration
}

func (b *bench) now() time.Time { return time.Now().Add(b.offset) }

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, shelves: map[int64]*shelf{}}
	store, err := reader.Open(t.Context(), t.TempDir(), b.now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	b.store = store
	b.engine = handoff.NewEngine(store, func(_ context.Context, d reader.Destination) (handoff.Receiver, error) { return b.shelves[d.ID], nil }, b.now, slog.New(slog.DiscardHandler))
	b.write(func(tx *sql.Tx) error {
		feed, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: "http://a.test/feed"}, b.now())
		if err != nil {
			return err
		}
		var articles []parse.Article
		for i := 9; i > 0; i-- { // stored from the end
			articles = append(articles, parse.Article{Key: fmt.Sprint(i), Title: fmt.Sprint(i), Link: fmt.Sprintf("http://a.test/%d", i), HTML: "<p>Text</p>", Published: b.now().Add(time.Duration(i) * time.Minute)})
		}
		_, err = reader.StoreArticles(t.Context(), tx, feed, articles, b.now(), time.Time{})
		return err
	})
	if b.ids, err = store.Articles.IDs(t.Context(), reader.Query{}); err != nil || len(b.ids) != 9 {
		t.Fatal(b.ids, err)
	}
	slices.Sort(b.ids)
	return b
}

func (b *bench) write(f func(tx *sql.Tx) error) {
	b.t.Helper()
	if err := b.store.Write(b.t.Context(), f); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) add(starred bool) (id int64, s *shelf) {
	b.t.Helper()
	b.write(func(tx *sql.Tx) (err error) {
		id, err = reader.AddDestination(b.t.Context(), tx, reader.Destination{Kind: "wallabag", Name: "Shelf", Address: "https://shelf.test", Starred: starred}, b.now())
		return err
	})
	s = &shelf{faults: map[string][]error{}}
	b.shelves[id] = s
	return id, s
}

func (b *bench) star(on bool, articles ...int) {
	b.t.Helper()
	b.write(func(tx *sql.Tx) error {
		var ids []int64
		for _, n := range articles {
			ids = append(ids, b.ids[n-1])
		}
		_, err := reader.Mark(b.t.Context(), tx, ids, reader.FlagStarred, on)
		return err
	})
}

func (b *bench) send(id int64, byHand bool) (handoff.Result, error) {
	return b.engine.Send(b.t.Context(), id, byHand)
}

func (b *bench) counts(id int64) reader.DeliveryCounts {
	b.t.Helper()
	c, err := b.store.Destinations.Counts(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

func (b *bench) want(id int64, waiting, refused, delivered int) {
	b.t.Helper()
	if c := b.counts(id); c.Waiting != waiting || c.Refused != refused || c.Delivered != delivered {
		b.t.Errorf("%d wait, %d are refused, %d arrived; want %d, %d, %d", c.Waiting, c.Refused, c.Delivered, waiting, refused, delivered)
	}
}

func (b *bench) arrived(s *shelf, titles ...string) {
	b.t.Helper()
	if !slices.Equal(s.titles, titles) {
		b.t.Errorf("%q arrived, want %q", s.titles, titles)
	}
}

// later lets time pass.
func (b *bench) later(d time.Duration) { b.offset += d }

func TestStarredArticlesArriveOnce(t *testing.T) {
	b := newBench(t)
	b.star(true, 1)
	id, s := b.add(true)
	b.star(true, 2, 3)
	if _, err := b.send(id, false); err != nil {
		t.Fatal(err)
	}
	b.arrived(s) // a star may be taken back
	b.star(false, 3)
	b.later(handoff.Grace)
	for range 2 {
		if _, err := b.send(id, false); err != nil {
			t.Fatal(err)
		}
		b.arrived(s, "2")
	}
	b.star(false, 2)
	b.star(true, 2)
	b.later(time.Hour)
	if _, err := b.send(id, false); err != nil {
		t.Fatal(err)
	}
	b.arrived(s, "2")
	if b.want(id, 0, 0, 1); s.tries != 1 || b.counts(id).Unsent != 1 {
		t.Errorf("%d attempts, %d never sent", s.tries, b.counts(id).Unsent)
	}
	b.write(func(tx *sql.Tx) error { _, err := reader.DeliverStarred(t.Context(), tx, id); return err })
	if _, err := b.send(id, true); err != nil {
		t.Fatal(err)
	}
	b.arrived(s, "2", "1")
}

func TestByHandDoesNotDependOnTheStar(t *testing.T) {
	b := newBench(t)
	id, s := b.add(false)
	b.star(true, 1)
	b.write(func(tx *sql.Tx) error { _, err := reader.Deliver(t.Context(), tx, id, b.ids[3:5]); return err })
	b.star(true, 4)
	b.star(false, 4)
	r, err := b.send(id, false) // without grace
	if err != nil || r.Delivered != 2 {
		t.Fatal(r, err)
	}
	b.arrived(s, "4", "5")
	b.write(func(tx *sql.Tx) error { _, err := reader.Deliver(t.Context(), tx, id, b.ids[3:4]); return err })
	if r, err = b.send(id, false); err != nil || r.Delivered != 1 || s.tries != 3 {
		t.Fatal(r, err, s.tries)
	}
}

// What is unknown is not forgotten: an article that may have arrived is sent again, and the destination knows it.
func TestLostAnswer(t *testing.T) {
	b := newBench(t)
	id, s := b.add(true)
	b.star(true, 1)
	s.lose = true
	var fault *handoff.Error
	if _, err := b.send(id, true); !errors.As(err, &fault) || fault.Server.Code != sync.Unreachable {
		t.Fatal(err)
	}
	b.star(false, 1)
	b.want(id, 1, 0, 0)
	if _, err := b.send(id, true); err != nil {
		t.Fatal(err)
	}
	b.arrived(s, "1")
	b.want(id, 0, 0, 1)
}

func TestBackOff(t *testing.T) {
	b := newBench(t)
	id, s := b.add(true)
	b.star(true, 1, 2)
	b.later(time.Second)
	s.next = []error{serverFault(sync.Busy, 10*time.Minute)}
	if _, err := b.send(id, true); err == nil {
		t.Fatal("no error")
	}
	var waits *sync.WaitError
	if _, err := b.send(id, true); !errors.As(err, &waits) { // by hand neither
		t.Fatal(err)
	}
	b.star(false, 2)
	b.want(id, 1, 0, 0) // it has certainly not arrived
	b.later(10 * time.Minute)
	s.next = []error{serverFault(sync.Refused, 0)}
	if _, err := b.send(id, false); err == nil {
		t.Fatal("no error")
	}
	d, err := b.store.Destinations.Get(t.Context(), id)
	if fault := handoff.ErrorOf(d.Error); err != nil || !fault.NeedsUser() || d.Failures != 2 {
		t.Fatal(d, err)
	}
	b.later(time.Hour)
	if _, err := b.send(id, false); !errors.As(err, &waits) { // servers lock accounts
		t.Fatal(err)
	}
	b.write(func(tx *sql.Tx) error { _, err := reader.RetryDeliveries(t.Context(), tx, id); return err })
	if _, err := b.send(id, false); err != nil {
		t.Fatal(err)
	}
	b.arrived(s, "1")
	if d, err = b.store.Destinations.Get(t.Context(), id); err != nil || d.Error != "" || d.Failures != 0 {
		t.Fatal(d, err)
	}
}

// An article that a destination does not accept holds up no others, and is told in the end.
func TestRejectedArticle(t *testing.T) {
	b := newBench(t)
	id, s := b.add(true)
	b.star(true, 1, 2, 3, 4)
	for range 20 {
		s.faults["1"] = append(s.faults["1"], serverFault(sync.Rejected, 0))
		s.faults["3"] = append(s.faults["3"], serverFault(sync.Faulty, 0))
	}
	s.faults["4"] = []error{&handoff.Error{Code: handoff.NoAddress}}
	for range 40 {
		_, _ = b.send(id, false)
		b.later(7 * time.Hour)
	}
	b.arrived(s, "2")
	b.want(id, 0, 3, 1)
	refused, err := b.store.Destinations.Refused(t.Context(), id, 10)
	if err != nil || len(refused) != 3 || handoff.ErrorOf(refused[0].Error).Server.Code != sync.Rejected {
		t.Fatal(refused, err)
	}
	s.faults = nil
	b.write(func(tx *sql.Tx) error { _, err := reader.RetryDeliveries(t.Context(), tx, id); return err })
	if _, err := b.send(id, false); err != nil {
		t.Fatal(err)
	}
	b.arrived(s, "2", "1", "3", "4")
	b.want(id, 0, 0, 4)
}

func TestDiscardAndRemove(t *testing.T) {
	b := newBench(t)
	id, s := b.add(true)
	b.star(true, 1, 2)
	s.faults["1"] = []error{&handoff.Error{Code: handoff.NoAddress}}
	if _, err := b.send(id, true); err != nil {
		t.Fatal(err)
	}
	b.want(id, 0, 1, 1)
	b.write(func(tx *sql.Tx) error { _, err := reader.DiscardDeliveries(t.Context(), tx, id, false); return err })
	b.want(id, 0, 0, 1)
	b.star(true, 3)
	b.write(func(tx *sql.Tx) error { return reader.RemoveDestination(t.Context(), tx, id) })
	if _, err := b.send(id, true); !errors.Is(err, reader.ErrUnknown) {
		t.Fatal(err)
	}
	b.want(id, 0, 0, 0)
}

func TestKeeperSends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		id, s := b.add(true)
		ctx, stop := context.WithCancel(t.Context())
		keeper := handoff.NewKeeper(b.engine)
		ended := make(chan struct{})
		go func() { keeper.Run(ctx); close(ended) }()
		keeper.SetNetwork(false)
		pass := func(d time.Duration) {
			<-time.After(d)
			synctest.Wait()
		}
		pass(time.Second)
		b.star(true, 1)
		pass(time.Minute)
		b.arrived(s) // no network
		keeper.SetNetwork(true)
		pass(time.Second)
		b.arrived(s, "1")
		b.star(true, 2)
		pass(5 * time.Second)
		b.star(false, 2)
		pass(time.Minute)
		b.arrived(s, "1")
		s.next = []error{serverFault(sync.Unreachable, 0), serverFault(sync.Unreachable, 0), serverFault(sync.Unreachable, 0)}
		b.star(true, 3)
		pass(2 * time.Minute)
		b.arrived(s, "1")
		keeper.SetNetwork(false)
		pass(time.Hour)
		b.arrived(s, "1")
		keeper.SetNetwork(true)
		pass(time.Minute)
		b.want(id, 1, 0, 1)
		pass(10 * time.Minute)
		b.arrived(s, "1", "3")
		b.write(func(tx *sql.Tx) error {
			d, err := reader.GetDestination(t.Context(), tx, id)
			if err != nil {
				return err
			}
			d.Paused = true
			return reader.UpdateDestination(t.Context(), tx, d)
		})
		b.star(true, 4)
		pass(time.Hour)
		b.arrived(s, "1", "3")
		stop()
		<-ended
		b.store.Close()
	})
}
