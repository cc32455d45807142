package sync_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/connect"
	"kairos/poller/sync/synctest"
	"kairos/reader"
)

// TestRealServers syncs with a real Miniflux, by both of its protocols, a real FreshRSS and a real Tiny Tiny RSS.
func TestRealServers(t *testing.T) {
	for _, kind := range []synctest.Kind{synctest.Miniflux, synctest.FreshRSS, synctest.TinyTinyRSS} {
		t.Run(string(kind), func(t *testing.T) {
			feeds := synctest.ServeFeeds(t)
			server := synctest.Start(t, kind)
			passwords := []string{server.APIPassword}
			if kind == synctest.Miniflux {
				passwords = append(passwords, server.Password)
			}
			var cleanings []func(*testing.T) // last, since they post
			for _, password := range passwords {
				found, err := connect.Find(t.Context(), "", server.URL, server.User, password, fetch.New(fetch.Options{}))
				if err != nil {
					t.Fatal(err)
				}
				t.Run(string(found.Kind)+" adds no dead feed", func(t *testing.T) { addsNoDeadFeed(t, found, server.User, password, feeds) })
				cleanings = append(cleanings, func(t *testing.T) { cleansUp(t, found, server, password, feeds) })
				t.Run(string(found.Kind), func(t *testing.T) { syncBothWays(t, found, server.User, password, feeds) })
			}
			if own := connect.Kind(kind); kind != synctest.FreshRSS {
				tellsWhatFails(t, server, own, feeds)
			}
			for _, cleaning := range cleanings {
				t.Run("cleans up", cleaning)
			}
			if _, err := connect.Find(t.Context(), "", server.URL, server.User, "wrong", fetch.New(fetch.Options{})); err == nil {
				t.Error("a wrong password is accepted")
			}
		})
	}
}

// addsNoDeadFeed shows that a feed which the server cannot fetch is told from a server that fails.
func addsNoDeadFeed(t *testing.T, server connect.Server, user, password string, feeds *synctest.Feeds) {
	s := newSeat(t, server, user, password)
	feeds.SetMissing("dead", true)
	for _, address := range []string{feeds.URL("dead"), "http://no-such-host.invalid/feed"} {
		_, err := s.service.Subscribe(t.Context(), address, "", "")
		var fault *sync.Error
		if !errors.As(err, &fault) || fault.Code != sync.NotAdded || fault.Words == "" {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// cleansUp shows that an unread article that the server has removed is read here, and later ones are not; and that a folder which is renamed
// here is renamed there.
func cleansUp(t *testing.T, found connect.Server, server synctest.Server, password string, feeds *synctest.Feeds) {
	later := time.Duration(0)
	s := openSeat(t, found, server.User, password, func() time.Time { return time.Now().Add(later) }, slog.New(slog.DiscardHandler))
	before, err := s.other.Feeds(t.Context())
	s.check(err)
	for _, f := range before {
		s.check(s.other.Unsubscribe(t.Context(), f.ID))
	}
	_, err = s.other.Subscribe(t.Context(), feeds.URL("old"), "", "Papers")
	s.check(err)
	s.sync()
	links, _ := s.unread()
	later = time.Hour
	feeds.Post()
	server.Refresh()
	if r := s.sync(); r.New != 1 {
		t.Fatalf("a later article: %+v", r)
	}
	later = 26 * time.Hour
	s.sync()
	server.CleanUp()
	later = 52 * time.Hour
	s.sync()
	left, _ := s.unread()
	if oldest := links[len(links)-1]; len(left) != len(links) || slices.Contains(left, oldest) {
		t.Errorf("unread are %v, without %s", left, oldest)
	}
	if !found.Kind.Edits() {
		return
	}
	s.write(func(tx *sql.Tx) error {
		list, err := s.store.Feeds.List(t.Context())
		if err == nil {
			list[0].Folder = "Journals"
			err = reader.UpdateFeed(t.Context(), tx, list[0])
		}
		return err
	})
	s.sync()
	there, err := s.other.Feeds(t.Context())
	s.check(err)
	if there[0].Folder != "Journals" {
		t.Errorf("the folder there is %q", there[0].Folder)
	}
}

// tellsWhatFails shows that a failure of a feed at the server is known here, and that it works again.
func tellsWhatFails(t *testing.T, server synctest.Server, kind connect.Kind, feeds *synctest.Feeds) {
	s := newSeat(t, connect.Server{Kind: kind, Base: server.Base}, server.User, server.Password)
	f, err := s.service.Subscribe(t.Context(), feeds.URL("shaky"), "", "")
	s.check(err)
	health := func() (h sync.FeedHealth) {
		s.sync()
		all, err := s.engine.FeedHealth(t.Context())
		s.check(err)
		list, err := s.store.Feeds.List(t.Context())
		s.check(err)
		for _, f := range list {
			if strings.HasSuffix(f.URL, "/shaky.xml") {
				h = all[f.ID]
			}
		}
		return h
	}
	if h := health(); h.Failures != 0 || h.Checked.IsZero() {
		t.Errorf("a feed that works: %+v", h)
	}
	feeds.SetMissing("shaky", true)
	server.ForgetFetched()
	var fault *sync.Error
	if err := s.engine.Refresh(t.Context(), s.account, f.ID); !errors.As(err, &fault) || !fault.BlamesFeed() {
		t.Errorf("refreshed while it is missing: %v", err)
	}
	if h := health(); h.Failures != 1 || !h.Since.Equal(h.Checked) || !strings.Contains(strings.ToLower(h.Message), "not found") || !h.Articles {
		t.Errorf("a feed that fails: %+v", h)
	}
	feeds.SetMissing("shaky", false)
	server.ForgetFetched()
	s.check(s.engine.Refresh(t.Context(), s.account, f.ID))
	if h := health(); h.Failures != 0 || h.Message != "" || !h.Since.IsZero() {
		t.Errorf("it works again: %+v", h)
	}
	s.check(s.service.Unsubscribe(t.Context(), f.ID))
}

// seat is a Kairos with one account, and another client of the same server.
type seat struct {
	testing.TB
	store   *reader.Store
	engine  *sync.Engine
	account int64
	service sync.Service
	other   sync.Service
}

func newSeat(t testing.TB, server connect.Server, user, password string) *seat {
	return openSeat(t, server, user, password, time.Now, slog.New(slog.DiscardHandler))
}

func openSeat(t testing.TB, server connect.Server, user, password string, now func() time.Time, logger *slog.Logger) *seat {
	store, err := reader.Open(t.Context(), t.TempDir(), now(), reader.Room{Name: "sync", Steps: sync.Steps})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	client := fetch.New(fetch.Options{Now: now})
	open := func() sync.Service {
		service, err := connect.Open(server.Kind, server.Base, user, password, client)
		if err != nil {
			t.Fatal(err)
		}
		return service
	}
	s := &seat{TB: t, store: store, service: open(), other: open()}
	s.engine = sync.NewEngine(store, func(context.Context, reader.Account) (sync.Service, error) { return s.service, nil }, now, logger)
	s.write(func(tx *sql.Tx) (err error) {
		s.account, err = reader.AddAccount(t.Context(), tx, reader.Account{Kind: string(server.Kind), URL: server.Base, User: user}, now())
		return err
	})
	return s
}

func (s *seat) write(f func(tx *sql.Tx) error) {
	s.Helper()
	if err := s.store.Write(s.Context(), f); err != nil {
		s.Fatal(err)
	}
}

func (s *seat) sync() sync.Result {
	s.Helper()
	result, err := s.engine.Sync(s.Context(), s.account, true)
	if err != nil {
		s.Fatal(err)
	}
	return result
}

func (s *seat) check(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// unread returns the links of the unread articles, in order.
func (s *seat) unread() (links []string, ids []int64) {
	s.Helper()
	ids, err := s.store.Articles.IDs(s.Context(), reader.Query{View: reader.Unread})
	s.check(err)
	list, err := s.store.Articles.Load(s.Context(), ids)
	s.check(err)
	for _, a := range list {
		links = append(links, a.Link)
	}
	return links, ids
}

func syncBothWays(t *testing.T, server connect.Server, user, password string, feeds *synctest.Feeds) {
	s := newSeat(t, server, user, password)
	before, err := s.other.Feeds(t.Context())
	s.check(err)
	for _, f := range before {
		s.check(s.other.Unsubscribe(t.Context(), f.ID))
	}
	remote, err := s.other.Subscribe(t.Context(), feeds.URL("news"), "", "Papers")
	s.check(err)

	if r := s.sync(); r.New != 3 || r.FeedsAdded != 1 {
		t.Fatalf("first: %+v", r)
	}
	list, err := s.store.Feeds.List(t.Context())
	s.check(err)
	if len(list) != 1 || list[0].Folder != "Papers" || list[0].Title != "news" {
		t.Fatalf("feeds: %+v", list)
	}

	links, ids := s.unread()
	s.write(func(tx *sql.Tx) error {
		_, err := reader.Mark(t.Context(), tx, ids[:1], reader.FlagRead, true)
		return err
	})
	if r := s.sync(); r.Sent != 1 {
		t.Fatalf("a mark of ours: %+v", r)
	}
	marks, err := s.other.Marks(t.Context())
	s.check(err)
	if len(marks.Unread) != 2 {
		t.Fatalf("the server has unread %v", marks.Unread)
	}

	s.check(s.other.SetRead(t.Context(), marks.Unread[:1], true))
	s.check(s.other.SetStarred(t.Context(), marks.Unread[1:], true))
	r := s.sync()
	if r.Elsewhere != 2 || server.Kind == connect.Miniflux != (len(r.MarkedAt) == 2) {
		t.Errorf("marked elsewhere: %+v", r)
	}
	for _, at := range r.MarkedAt {
		if time.Since(at).Abs() > time.Minute {
			t.Errorf("marked at %s, now is %s", at, time.Now())
		}
	}
	_, refreshes := s.other.(sync.Refresher)
	if err := s.engine.Refresh(t.Context(), s.account, remote.ID); refreshes && err != nil || !refreshes && !errors.Is(err, sync.ErrNoRefresh) {
		t.Errorf("told to fetch: %v", err)
	}
	left, ids := s.unread()
	if len(left) != 1 || !slices.Contains(links, left[0]) {
		t.Fatalf("unread after a mark of theirs: %v", left)
	}
	starred, err := s.store.Articles.IDs(t.Context(), reader.Query{View: reader.Starred})
	s.check(err)
	if !slices.Equal(starred, ids) {
		t.Errorf("starred: %v, want %v", starred, ids)
	}

	if labeler, ok := s.other.(sync.Labeler); ok {
		labelBothWays(s, labeler, ids[0])
	}

	s.write(func(tx *sql.Tx) error {
		f := list[0]
		f.OwnTitle, f.Folder = "Daily", "Mornings"
		if err := reader.UpdateFeed(t.Context(), tx, f); err != nil {
			return err
		}
		_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: feeds.URL("second"), Account: s.account}, time.Now())
		return err
	})
	r = s.sync()
	there, err := s.other.Feeds(t.Context())
	s.check(err)
	names := make([]string, len(there))
	for i, f := range there {
		names[i] = f.Title + " in " + f.Folder
	}
	slices.Sort(names)
	want := "Daily in Mornings, second in "
	if !server.Kind.Edits() {
		want = "news in Papers, second in "
		if len(r.Refused) != 1 || r.Refused[0].Err.Code != sync.NoEdit {
			t.Errorf("a change that it has no operation for: %+v", r.Refused)
		}
	}
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("feeds there: %s, want %s", got, want)
	}

	s.check(s.other.Unsubscribe(t.Context(), remote.ID))
	if r := s.sync(); r.FeedsRemoved != 1 {
		t.Errorf("a feed that vanished: %+v", r)
	}
	s.sync() // by hand, which asks for the feeds, too
	most := 3
	if labeler, ok := s.other.(sync.Labeler); ok {
		if names, keeps, err := labeler.Labels(t.Context()); err == nil && keeps {
			most += 1 + len(names)
		}
	}
	if again, err := s.engine.Sync(t.Context(), s.account, false); err != nil || again.Requests > most || again.New+again.Marked+again.Sent+again.FeedsAdded+again.FeedsRemoved != 0 {
		t.Errorf("a difference of nothing: %+v", again)
	}
}

// labelBothWays labels an article here and at the server, if that keeps labels.
func labelBothWays(s *seat, other sync.Labeler, article int64) {
	s.Helper()
	_, keeps, err := other.Labels(s.Context())
	s.check(err)
	names := func() (names []string) {
		list, err := s.store.Labels.List(s.Context())
		s.check(err)
		for _, l := range list {
			names = append(names, fmt.Sprint(l.Name, " ", l.Articles))
		}
		return names
	}
	s.write(func(tx *sql.Tx) error {
		label, err := reader.SaveLabel(s.Context(), tx, reader.Label{Name: "To read & keep"})
		if err == nil {
			_, err = reader.PutLabel(s.Context(), tx, label, []int64{article}, true)
		}
		return err
	})
	s.sync()
	if !keeps {
		if n, err := s.engine.Waiting(s.Context(), s.account); n != 0 || err != nil {
			s.Errorf("%d wait for a server that keeps no labels, %v", n, err)
		}
		return
	}
	ids, _, err := other.Labeled(s.Context(), "To read & keep")
	s.check(err)
	if len(ids) != 1 {
		s.Fatalf("the server has labeled %v", ids)
	}
	s.check(other.SetLabel(s.Context(), ids, "Später", true))
	s.check(other.SetLabel(s.Context(), ids, "To read & keep", false))
	s.sync()
	if got := names(); !slices.Equal(got, []string{"Später 1"}) {
		s.Errorf("labels are %q", got)
	}
}
