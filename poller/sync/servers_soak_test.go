package sync_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller/sync"
	"kairos/poller/sync/connect"
	"kairos/poller/sync/synctest"
	"kairos/reader"
)

// eachServer runs a test with the protocols of the real servers, each with a server of its own.
func eachServer(t *testing.T, test func(s *seat, server synctest.Server, feeds *synctest.Feeds)) {
	if os.Getenv("KAIROS_SOAK") == "" {
		t.Skip("KAIROS_SOAK is not set: this takes a minute")
	}
	for _, one := range []struct {
		server synctest.Kind
		kind   connect.Kind
	}{{synctest.Miniflux, connect.Miniflux}, {synctest.Miniflux, connect.GoogleReader}, {synctest.FreshRSS, connect.GoogleReader}} {
		t.Run(fmt.Sprintf("%s by %s", one.server, one.kind), func(t *testing.T) {
			feeds := synctest.ServeFeeds(t)
			server := synctest.Start(t, one.server)
			password := server.APIPassword
			if one.kind == connect.Miniflux {
				password = server.Password
			}
			s := newSeat(t, connect.Server{Kind: one.kind, Base: server.Base}, server.User, password)
			before, err := s.other.Feeds(t.Context())
			s.check(err)
			for _, f := range before {
				s.check(s.other.Unsubscribe(t.Context(), f.ID))
			}
			test(s, server, feeds)
		})
	}
}

// feedsHere and feedsThere are "title in folder", in order.
func (s *seat) feedsHere() []string {
	s.Helper()
	feeds, err := s.store.Feeds.List(s.Context())
	s.check(err)
	var names []string
	for _, f := range feeds {
		names = append(names, f.Title+" in "+f.Folder)
	}
	slices.Sort(names)
	return names
}

func (s *seat) feedsThere() []string {
	s.Helper()
	feeds, err := s.other.Feeds(s.Context())
	s.check(err)
	var names []string
	for _, f := range feeds {
		names = append(names, f.Title+" in "+f.Folder)
	}
	slices.Sort(names)
	return names
}

func (s *seat) wantFeeds(want ...string) {
	s.Helper()
	if here, there := s.feedsHere(), s.feedsThere(); !slices.Equal(here, want) || !slices.Equal(there, want) {
		s.Errorf("feeds here: %s\nthere: %s\nwant: %s", strings.Join(here, ", "), strings.Join(there, ", "), strings.Join(want, ", "))
	}
}

func (s *seat) remote(title string) string {
	s.Helper()
	feeds, err := s.other.Feeds(s.Context())
	s.check(err)
	for _, f := range feeds {
		if f.Title == title {
			return f.ID
		}
	}
	s.Fatalf("there is no feed %q", title)
	return ""
}

func (s *seat) local(title string) reader.Feed {
	s.Helper()
	feeds, err := s.store.Feeds.List(s.Context())
	s.check(err)
	for _, f := range feeds {
		if f.Title == title {
			return f
		}
	}
	s.Fatalf("there is no feed %q", title)
	return reader.Feed{}
}

// Feeds are added, moved, renamed and removed, on one side and on the other, and on both at once.
func TestFeedsOfRealServers(t *testing.T) {
	eachServer(t, func(s *seat, _ synctest.Server, feeds *synctest.Feeds) {
		for _, name := range []string{"a", "b", "c"} {
			_, err := s.other.Subscribe(t.Context(), feeds.URL(name), "", "One")
			s.check(err)
		}
		s.sync()
		s.wantFeeds("a in One", "b in One", "c in One")

		s.check(s.other.(sync.Editor).Edit(t.Context(), s.remote("a"), sync.Change{Title: new("a there"), Folder: new("Two")}))
		s.check(s.other.Unsubscribe(t.Context(), s.remote("c")))
		_, err := s.other.Subscribe(t.Context(), feeds.URL("d"), "", "")
		s.check(err)
		b := s.local("b")
		b.OwnTitle, b.Folder = "b here", "Three"
		s.write(func(tx *sql.Tx) error {
			if err := reader.UpdateFeed(t.Context(), tx, b); err != nil {
				return err
			}
			_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: feeds.URL("e"), Folder: "One", Account: s.account}, time.Now())
			return err
		})
		s.sync()
		s.wantFeeds("a there in Two", "b here in Three", "d in ", "e in One")

		// Both rename the same one, and both unsubscribe from the same one.
		s.check(s.other.(sync.Editor).Edit(t.Context(), s.remote("a there"), sync.Change{Title: new("theirs")}))
		s.check(s.other.Unsubscribe(t.Context(), s.remote("d")))
		a, d, e := s.local("a there"), s.local("d"), s.local("e")
		a.OwnTitle = "ours"
		s.write(func(tx *sql.Tx) error {
			return errors.Join(reader.UpdateFeed(t.Context(), tx, a), reader.Unsubscribe(t.Context(), tx, d.ID, time.Now()), reader.Unsubscribe(t.Context(), tx, e.ID, time.Now()))
		})
		s.sync()
		s.wantFeeds("b here in Three", "ours in Two")
		if r := s.sync(); r.FeedsAdded+r.FeedsRemoved+len(r.Refused) > 0 {
			t.Errorf("again: %+v", r)
		}
	})
}

// stopping is a service whose server is stopped after some pages.
type stopping struct {
	sync.Service
	pages int
	stop  func()
}

func (s *stopping) Page(ctx context.Context, cursor string, back time.Time) (sync.Page, error) {
	p, err := s.Service.Page(ctx, cursor, back)
	if s.pages--; s.pages == 0 {
		s.stop()
	}
	return p, err
}

// A server that is stopped in the middle of the first synchronization, and later with marks waiting, loses nothing.
func TestRealServerStopsInTheMiddle(t *testing.T) {
	eachServer(t, func(s *seat, server synctest.Server, feeds *synctest.Feeds) {
		for n := range 60 {
			_, err := s.other.Subscribe(t.Context(), feeds.URL(fmt.Sprint("f", n)), "", "")
			s.check(err)
		}
		s.service = &stopping{s.service, 1, server.Stop}
		try := func() sync.Code {
			t.Helper()
			_, err := s.engine.Sync(t.Context(), s.account, true)
			var told *sync.Error
			if !errors.As(err, &told) {
				t.Fatalf("the server is stopped: %v", err)
			}
			return told.Code
		}
		if code := try(); code != sync.Unreachable {
			t.Errorf("in the middle: %s", code)
		}
		state, err := s.engine.State(t.Context(), s.account)
		s.check(err)
		if state.Phase != sync.First || state.Stored != 100 {
			t.Errorf("%+v", state)
		}
		_, ids := s.unread()
		s.write(func(tx *sql.Tx) error {
			_, err := reader.Mark(t.Context(), tx, ids[:7], reader.FlagRead, true)
			return errors.Join(err, second(reader.Mark(t.Context(), tx, ids[5:10], reader.FlagStarred, true)))
		})
		if code := try(); code != sync.Unreachable {
			t.Errorf("with marks: %s", code)
		}
		server.Run()
		if r := s.sync(); r.Sent != 12 {
			t.Errorf("%+v", r)
		}
		s.wantMarks(173, 5)
	})
}

func second[T any](_ T, err error) error { return err }

// wantMarks expects so many unread and starred articles here and there.
func (s *seat) wantMarks(unread, starred int) {
	s.Helper()
	marks, err := s.other.Marks(s.Context())
	s.check(err)
	_, here := s.unread()
	stars, err := s.store.Articles.IDs(s.Context(), reader.Query{View: reader.Starred})
	s.check(err)
	if len(here) != unread || len(marks.Unread) != unread || len(stars) != starred || len(marks.Starred) != starred {
		s.Errorf("unread %d here, %d there, want %d; starred %d here, %d there, want %d", len(here), len(marks.Unread), unread, len(stars), len(marks.Starred), starred)
	}
}

// A server whose backup is restored has lost what came since, and gives its ids to other articles. Nothing is lost here, nothing
// is there twice, and what was read stays so.
func TestRealServerRestoredFromABackup(t *testing.T) {
	eachServer(t, func(s *seat, server synctest.Server, feeds *synctest.Feeds) {
		for _, name := range []string{"a", "b"} {
			_, err := s.other.Subscribe(t.Context(), feeds.URL(name), "", "")
			s.check(err)
		}
		s.sync()
		server.Stop()
		restore := server.Save()
		server.Run()

		feeds.Post()
		server.Refresh()
		if r := s.sync(); r.New != 2 {
			t.Fatalf("what came after the backup: %+v", r)
		}
		_, ids := s.unread()
		s.write(func(tx *sql.Tx) error {
			_, err := reader.Mark(t.Context(), tx, ids[:1], reader.FlagRead, true) // one of the two
			return err
		})
		s.sync()
		s.wantMarks(7, 0)

		server.Stop()
		restore()
		server.Run()
		s.sync()
		if _, here := s.unread(); len(here) != 7 {
			t.Errorf("%d unread after the backup was restored", len(here))
		}
		feeds.Post()
		server.Refresh()
		s.sync()
		s.sync()
		s.wantMarks(9, 0)
		n := 0
		s.check(s.store.Read().QueryRow("SELECT count(*) FROM status").Scan(&n))
		if n != 10 {
			t.Errorf("%d articles here", n)
		}
	})
}

// What a real server has just sent, or was just told, it does not send again, and what others did meanwhile it does.
func TestRealServersSendNothingTwice(t *testing.T) {
	const feeds, each = 25, 67
	eachServer(t, func(s *seat, _ synctest.Server, _ *synctest.Feeds) {
		address := serveMany(t, each)
		for i := range feeds {
			_, err := s.other.Subscribe(t.Context(), fmt.Sprintf("%s/%d.xml", address, i), "", "")
			s.check(err)
		}
		first := s.sync()
		if first.New != feeds*each {
			t.Fatalf("%+v", first)
		}
		again := s.sync()
		_, ids := s.unread()
		s.write(func(tx *sql.Tx) error {
			_, err := reader.Mark(t.Context(), tx, ids[:1500], reader.FlagRead, true)
			return err
		})
		sent, err := s.engine.Send(t.Context(), s.account)
		s.check(err)
		after := s.sync()
		t.Logf("requests: %d of the first synchronization, then %d; %d for %d marks, then %d", first.Requests, again.Requests, sent.Requests, sent.Sent, after.Requests)
		if again.Requests > 5 || after.Requests > 5 {
			t.Errorf("%+v\n%+v", again, after)
		}
		marks, err := s.other.Marks(t.Context())
		s.check(err)
		s.check(s.other.SetStarred(t.Context(), marks.Unread[:1], true))
		if r := s.sync(); r.Marked != 1 {
			t.Errorf("a star of others: %+v", r)
		}
		s.wantMarks(feeds*each-1500, 1)
	})
}
