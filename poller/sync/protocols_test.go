package sync_test

import (
	"log/slog"
	"testing"
	"time"

	"kairos/poller/sync/connect"
	"kairos/poller/sync/synctest"
)

// fakeSeat is a seat at a fake server with one feed, "a", synced once.
type fakeSeat struct {
	*seat
	server *synctest.Fake
	feed   string // its address
	clock  *time.Time
}

// eachProtocol runs a test at a fake server by both protocols.
func eachProtocol(t *testing.T, test func(t *testing.T, s *fakeSeat)) {
	for _, kind := range []connect.Kind{connect.Miniflux, connect.GoogleReader} {
		t.Run(string(kind), func(t *testing.T) {
			clock := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
			now := func() time.Time { return clock }
			s := &fakeSeat{server: synctest.NewFake(t, now), feed: "http://feeds.test/a.xml", clock: &clock}
			s.server.Subscribe(s.feed, "")
			s.seat = openSeat(t, connect.Server{Kind: kind, Base: s.server.URL}, "anna", synctest.FakePassword, now, slog.New(slog.DiscardHandler))
			s.sync()
			test(t, s)
		})
	}
}

// later syncs again after a while, by itself.
func (s *fakeSeat) later() {
	s.Helper()
	*s.clock = s.clock.Add(10 * time.Minute)
	if _, err := s.engine.Sync(s.Context(), s.account, false); err != nil {
		s.Fatal(err)
	}
}

func (s *fakeSeat) count(query string, args ...any) (n int) {
	s.Helper()
	s.check(s.store.Read().QueryRow(query, args...).Scan(&n))
	return n
}

// An article that is dated before the last synchronization, and was read elsewhere before the next one, arrives.
func TestReadElsewhereBeforeItArrives(t *testing.T) {
	eachProtocol(t, func(t *testing.T, s *fakeSeat) {
		*s.clock = s.clock.Add(5 * time.Minute)
		s.server.Post(s.feed, "AT&T <b>")
		s.server.Do(func(entries []*synctest.Entry) { entries[len(entries)-1].Published = s.clock.AddDate(0, 0, -9) })
		s.server.Mark("AT&T <b>", true, false)
		s.later()
		if n := s.count("SELECT count(*) FROM article a JOIN status s USING (id) WHERE a.title = 'AT&T <b>' AND s.read = 1"); n != 1 {
			t.Errorf("%d of it", n)
		}
	})
}
