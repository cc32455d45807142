package sync

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/parse"
)

func TestVanishedFeedIsArchived(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagStarred, true)
		s.sync()
		s.model.unsubscribe(s.feeds[0].ID)
		if r := s.sync(); r.FeedsRemoved != 1 {
			t.Errorf("%+v", r)
		}
		s.equal()
		ids, err := s.d.store.Articles.IDs(t.Context(), reader.Query{View: reader.Starred})
		if err != nil || len(ids) != 1 {
			t.Errorf("starred: %v, %v", ids, err)
		}
		s.sync()
		if slices.Contains(s.requests, "unsubscribe") {
			t.Error("the server was told to unsubscribe")
		}
	})
}

// vanish lists no feeds until Kairos believes it.
func (s *scene) vanish() (back func()) {
	s.Helper()
	feeds, items := s.feeds, s.items
	s.feeds, s.items = nil, nil
	if r := s.sync(); r.FeedsRemoved != 0 {
		s.Errorf("after one list: %+v", r)
	}
	if r := s.sync(); r.FeedsRemoved != 0 {
		s.Errorf("ten minutes later: %+v", r)
	}
	s.clock = s.clock.Add(ConfirmAfter)
	if r := s.sync(); r.FeedsRemoved != 2 {
		s.Errorf("%s later: %+v", ConfirmAfter, r)
	}
	s.equal()
	return func() { s.feeds, s.items = feeds, items }
}

// A list without any feed is more likely a fault of the server. One much later is believed.
func TestEmptyListOfFeeds(t *testing.T) {
	scenes(t, func(s *scene) {
		feeds, items := s.feeds, s.items
		s.feeds, s.items = nil, nil
		s.sync()
		s.feeds, s.items = feeds, items
		s.clock = s.clock.Add(ConfirmAfter)
		s.sync()
		s.equal()
		back := s.vanish()
		back()
		s.sync()
		s.equal()
		if slices.Contains(s.requests, "unsubscribe") || s.has("read true") {
			t.Error("something changed at the server")
		}
	})
}

// A feed that was unsubscribed, there, too, and is subscribed to again has its articles as they were, also those that the server dates
// itself.
func TestUndoneUnsubscriptionDoublesNothing(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		s.mark(1, reader.FlagStarred, true)
		s.sync()
		before, zero := s.titles(), s.feed(0).ID
		s.write(func(tx *sql.Tx) error { return reader.Unsubscribe(t.Context(), tx, zero, s.clock) })
		s.sync()
		if s.has(modelAddress(0)) {
			t.Errorf("the server has %v", s.state())
		}
		for i := range s.posted[modelAddress(0)] {
			s.posted[modelAddress(0)][i].Published = s.clock
		}
		s.write(func(tx *sql.Tx) error { return reader.Resubscribe(t.Context(), tx, zero) })
		s.sync()
		s.sync()
		s.equal()
		if now := s.titles(); !maps.Equal(now, before) || !s.has("read true") || !s.has("starred true") {
			t.Errorf("%v, before %v; the server has %v", now, before, s.state())
		}
	})
}

// Feeds that were kept when their account was removed are the account's again when it is added again: nothing is there twice, and what
// was read or starred meanwhile is so there, too.
func TestKeptFeedsAreTheAccountsAgain(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		s.sync()
		before, zero := s.titles(), s.feed(0).ID
		ctx := t.Context()
		var login reader.Account
		s.write(func(tx *sql.Tx) (err error) {
			if login, err = reader.GetAccount(ctx, tx, s.d.account); err == nil {
				err = reader.RemoveAccount(ctx, tx, s.d.account, true, s.clock)
			}
			return err
		})
		fetched := parse.Compose(s.items[2].Item, parse.Source{URL: modelAddress(0), Now: s.clock})
		fetched.Key = "a guid of its feed"
		s.write(func(tx *sql.Tx) error {
			if _, err := reader.StoreArticles(ctx, tx, zero, []parse.Article{fetched}, s.clock, time.Time{}); err != nil {
				return err
			}
			_, err := reader.Mark(ctx, tx, []int64{s.article(1)}, reader.FlagStarred, true)
			return err
		})
		s.write(func(tx *sql.Tx) (err error) {
			s.d.account, err = reader.AddAccount(ctx, tx, login, s.clock)
			return err
		})
		s.post(modelAddress(0))
		r := s.sync()
		s.sync()
		s.equal()
		now := s.titles()
		if r.FeedsAdded != 2 || r.FeedsJoined != 2 || r.New != 1 || len(now) != len(before)+1 || s.feed(0).ID != zero || !s.has("read true") || !s.has("starred true") {
			t.Errorf("%+v; %v, before %v; the server has %v", r, now, before, s.state())
		}
		for line, n := range now {
			if n != 1 {
				t.Errorf("%s is there %d times", line, n)
			}
		}
	})
}

// An account that was removed with its feeds and is restored, or added again, is as it was, with marks that were not sent.
func TestRemovedAccountIsRestored(t *testing.T) {
	for _, again := range []bool{false, true} {
		scenes(t, func(s *scene) {
			ctx := t.Context()
			s.mark(0, reader.FlagRead, true)
			s.sync()
			s.mark(1, reader.FlagStarred, true)
			before, zero, removed := s.titles(), s.feed(0).ID, s.d.account
			login, err := s.d.store.Accounts.Get(ctx, removed)
			if err != nil {
				t.Fatal(err)
			}
			s.write(func(tx *sql.Tx) error { return reader.RemoveAccount(ctx, tx, removed, false, s.clock) })
			if s.feed(0).ID != 0 {
				t.Error("its feeds are there")
			}
			s.write(func(tx *sql.Tx) (err error) {
				if again {
					s.d.account, err = reader.AddAccount(ctx, tx, login, s.clock)
					return err
				}
				return reader.RestoreAccount(ctx, tx, removed)
			})
			s.post(modelAddress(0))
			r := s.sync()
			s.sync()
			s.equal()
			now := s.titles()
			if r.New != 1 || r.Sent != 1 || len(now) != len(before)+1 || s.feed(0).ID != zero || !s.has("read true") || !s.has("starred true") {
				t.Errorf("%+v; %v, before %v; the server has %v", r, now, before, s.state())
			}
			for line, n := range now {
				if n != 1 {
					t.Errorf("%s is there %d times", line, n)
				}
			}
			s.write(func(tx *sql.Tx) error {
				if err := reader.RestoreAccount(ctx, tx, removed); !errors.Is(err, reader.ErrUnknown) {
					t.Errorf("restored once more: %v", err)
				}
				return nil
			})
		})
	}
}

// A feed that joined one of this computer when its account was removed is the account's when it is added again: its stars are there once.
func TestJoinedFeedsAreTheAccountsAgain(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagStarred, true)
		s.mark(1, reader.FlagRead, true)
		s.sync()
		ctx := t.Context()
		var ours int64
		var login reader.Account
		s.write(func(tx *sql.Tx) (err error) {
			if ours, err = reader.Subscribe(ctx, tx, reader.Feed{URL: modelAddress(0)}, s.clock); err != nil {
				return err
			}
			var articles []parse.Article
			for n, i := range s.items {
				a := parse.Compose(i.Item, parse.Source{URL: modelAddress(0), Now: s.clock})
				a.Key = fmt.Sprint("guid ", n)
				articles = append(articles, a)
			}
			if _, err := reader.StoreArticles(ctx, tx, ours, articles, s.clock, time.Time{}); err != nil {
				return err
			}
			if login, err = reader.GetAccount(ctx, tx, s.d.account); err == nil {
				err = reader.RemoveAccount(ctx, tx, s.d.account, true, s.clock)
			}
			return err
		})
		s.write(func(tx *sql.Tx) (err error) {
			s.d.account, err = reader.AddAccount(ctx, tx, login, s.clock)
			return err
		})
		r := s.sync()
		s.sync()
		s.equal()
		starred := 0
		err := s.d.store.Read().QueryRow("SELECT count(*) FROM status WHERE starred = 1").Scan(&starred)
		if err != nil || starred != 1 || r.FeedsJoined != 2 || s.feed(0).ID != ours || s.feed(0).Account != s.d.account {
			t.Errorf("%d starred, %v; %+v; %+v", starred, err, r, s.feed(0))
		}
		for line, n := range s.titles() {
			if n != 1 {
				t.Errorf("%s is there %d times", line, n)
			}
		}
	})
}

// Only what was changed here is sent: moving a feed leaves the title that it has just got elsewhere.
func TestMovedFeedKeepsItsTitleThere(t *testing.T) {
	scenes(t, func(s *scene) {
		f := s.feed(0)
		f.Folder = "Papers"
		s.update(f)
		s.fault = func(method string) error {
			if method == "edit" || method == "rename" {
				s.feeds[0].Title = "Zero elsewhere"
			}
			return nil
		}
		s.sync()
		if !s.has("| Zero elsewhere | Papers") {
			t.Errorf("the server has %v", s.state())
		}
		s.sync()
		s.equal()
	})
}

// A folder that is renamed here is renamed there as a whole, where the server can; one whose feeds go elsewhere is not.
func TestRenamedFolder(t *testing.T) {
	scenes(t, func(s *scene) {
		s.feeds[0].Folder, s.feeds[1].Folder = "News", "News"
		s.model.subscribe(modelAddress(2), "Two", "Else")
		s.sync()
		move := func(to string, feeds ...int) {
			t.Helper()
			for _, n := range feeds {
				f := s.feed(n)
				f.Folder = to
				s.update(f)
			}
			s.sync()
			edits := slices.DeleteFunc(slices.Clone(s.requests), func(r string) bool { return r != "edit" && r != "rename" })
			renamed := !s.lists && to == "Press"
			if slices.Equal(edits, []string{"rename"}) != renamed {
				t.Errorf("to %s by %v", to, edits)
			}
			s.equal()
		}
		move("Press", 0, 1)
		move("Papers", 0)        // not all
		move("Else", 0, 1)       // it is there
		move("Several", 0)       // not all
		move("Another", 0, 1, 2) // two folders become one
		move("", 0, 1, 2)        // none
	})
}

// What was chosen here for a folder follows it when it gets another name at the server, and stays when its feeds are moved apart.
func TestFolderChoicesFollowTheServer(t *testing.T) {
	scenes(t, func(s *scene) {
		for _, f := range s.feeds[:2] {
			f.Folder = "Papers"
		}
		s.sync()
		place := func(path string) reader.Place { return reader.Place{Account: s.feed(0).Account, Path: path} }
		choice := reader.FolderChoices{Quiet: true, Ends: reader.Ends{Days: 3}}
		if err := s.d.store.Write(t.Context(), func(tx *sql.Tx) error { return reader.SetFolder(t.Context(), tx, place("Papers"), choice) }); err != nil {
			t.Fatal(err)
		}
		is := func(path string) {
			t.Helper()
			folders, err := s.d.store.Feeds.Folders(t.Context())
			if err != nil || len(folders) != 1 || folders[place(path)] != choice {
				s.Errorf("%v, %v; want %s", folders, err, path)
			}
		}
		for _, f := range s.feeds[:2] {
			f.Folder = "Journals"
		}
		s.sync()
		s.equal()
		is("Journals")
		s.feeds[0].Folder = "Elsewhere"
		s.sync()
		s.equal()
		is("Journals")
	})
}

// Addresses of feeds that are not of the web are not stored: later they might be fetched, and their articles lead where they like.
func TestHostileAddresses(t *testing.T) {
	scenes(t, func(s *scene) {
		for n, address := range hostileAddresses {
			id := fmt.Sprint("hostile/", n)
			s.feeds = append(s.feeds, &modelFeed{Feed{ID: id, URL: address, Site: address, Title: fmt.Sprint("Hostile ", n)}})
			s.deliver(s.feeds[len(s.feeds)-1].Feed, parse.Item{Title: "A", Link: "https://a.test/", Published: s.clock.Add(-time.Hour),
				HTML: `<p>Text <a href="http://192.168.1.1/off">off</a><img src="http://192.168.1.1/i.png"></p>`})
		}
		s.sync()
		s.sync()
		count := func(query string) (n int) {
			s.Helper()
			if err := s.d.store.Read().QueryRow(query).Scan(&n); err != nil {
				s.Fatal(err)
			}
			return n
		}
		if n := count("SELECT count(*) FROM feed WHERE title LIKE 'Hostile %' AND removed = 0"); n != len(hostileAddresses) {
			t.Errorf("%d feeds", n)
		}
		if n := count("SELECT count(*) FROM feed WHERE title LIKE 'Hostile %' AND (url <> '' OR site <> '')"); n != 0 {
			t.Errorf("%d with an address", n)
		}
		if n := count("SELECT count(*) FROM article WHERE title = 'A'"); n != len(hostileAddresses) {
			t.Errorf("%d articles", n)
		}
		if n := count("SELECT count(*) FROM body WHERE html LIKE '%192.168%'"); n != 0 {
			t.Errorf("%d articles lead into the local network", n)
		}
		// What an earlier version has stored is not kept as a feed to be fetched.
		s.write(func(tx *sql.Tx) error {
			_, err := tx.Exec("UPDATE feed SET url = 'http://192.168.1.1/feed' WHERE title = 'Hostile 0'")
			return errors.Join(err, reader.RemoveAccount(t.Context(), tx, s.d.account, true, s.clock))
		})
		if n := count("SELECT count(*) FROM feed WHERE removed = 0 AND account = 0"); n != 2 {
			t.Errorf("%d feeds are kept, want the two of the web", n)
		}
	})
}

// What comes back is linked again whole, read articles too: a star on one of them is sent. If the server has another article under
// an id, that one does not get it.
func TestFeedsComeBackWithReadArticles(t *testing.T) {
	for _, reused := range []bool{false, true} {
		scenes(t, func(s *scene) {
			for n := range 3 {
				s.mark(n, reader.FlagRead, true)
			}
			s.sync()
			back := s.vanish()
			back()
			if reused {
				a := &s.items[0].Article
				a.Title, a.Link, a.Published = "Another", a.Link+"0", a.Published.Add(-time.Hour)
			}
			s.sync()
			s.equal()
			for n := range 3 {
				s.mark(n, reader.FlagStarred, true)
			}
			if r, want := s.sync(), map[bool]int{false: 3, true: 2}[reused]; r.Sent != want {
				t.Errorf("%d stars are sent, want %d", r.Sent, want)
			}
			if s.items[0].Starred == reused || !s.items[1].Starred || !s.items[2].Starred {
				t.Errorf("the server has %v", s.state())
			}
		})
	}
}

// A server that was set up again has the feeds and their articles under other ids. They are the same ones, also when the first
// synchronization after that did not come to its end.
func TestFeedsComeBackUnderOtherIDs(t *testing.T) {
	for _, failed := range []bool{false, true} {
		scenes(t, func(s *scene) {
			s.mark(0, reader.FlagRead, true)
			s.sync()
			s.vanish()
			s.sync()
			s.numbers += 100
			s.model.skew = -2 * reconcileAfter // no difference tells of them
			s.model.subscribe(modelAddress(0), "Zero", "News")
			s.model.subscribe(modelAddress(1), "One", "")
			s.model.skew = 0
			articles, err := s.d.store.Articles.Load(t.Context(), []int64{s.article(0)})
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range s.items {
				i.Read = i.Title == articles[0].Title // a reader elsewhere had read it, too
			}
			if failed {
				s.failing("articles", false)
				if _, err := s.try(); err == nil {
					t.Error("no article was asked for")
				}
				s.failing("", false)
			}
			s.sync()
			s.sync()
			s.equal()
			n := 0
			if err := s.d.store.Read().QueryRow("SELECT count(*) FROM status").Scan(&n); err != nil || n != 3 {
				t.Errorf("%d articles, %v", n, err)
			}
		})
	}
}

// A server that was set up again with the same feeds counts from 1 again: their ids, and those of their articles, are others' now. Each
// feed keeps its articles and marks, and gets those of no other.
func TestServerSetUpAgain(t *testing.T) {
	scenes(t, func(s *scene) {
		for range 4 {
			s.post(modelAddress(1))
		}
		s.sync()
		s.mark(0, reader.FlagRead, true)
		s.mark(1, reader.FlagStarred, true)
		s.sync()
		before := s.feed(0).ID
		for _, f := range s.feeds {
			f.Site = "" // which tells nothing then
		}
		s.sync()
		s.feeds, s.items, s.numbers = nil, nil, 0
		s.model.subscribe(modelAddress(2), "Two", "")
		s.model.subscribe(modelAddress(1), "One", "")
		s.model.subscribe(modelAddress(0), "Zero", "Elsewhere")
		for _, f := range s.feeds {
			f.Site = ""
		}
		s.sync()
		s.sync()
		s.equal()
		if f := s.feed(0); f.ID != before || f.Folder != "Elsewhere" || slices.Contains(s.requests, "edit") || slices.Contains(s.requests, "unsubscribe") {
			t.Errorf("%+v; %v", f, s.requests)
		}
		n, strays := 0, 0
		if err := s.d.store.Read().QueryRow("SELECT count(*), coalesce(sum(a.link NOT LIKE f.url || '%'), 0) FROM status s JOIN article a USING (id) JOIN feed f ON f.id = s.feed").Scan(&n, &strays); err != nil || n != 7 || strays > 0 {
			t.Errorf("%d articles, %d of them in a feed that is not theirs, %v", n, strays, err)
		}
	})
}

// Where the same feed was added again elsewhere, in another folder, the server wins: nothing was changed here.
func TestFeedAddedAgainInAnotherFolder(t *testing.T) {
	scenes(t, func(s *scene) {
		s.model.unsubscribe(s.feeds[0].ID)
		s.model.subscribe(modelAddress(0), "New name", "Deep")
		s.sync()
		if f := s.feed(0); f.Folder != "Deep" || f.Title != "New name" || slices.Contains(s.requests, "edit") {
			t.Errorf("%+v; %v", f, s.requests)
		}
		s.equal()
	})
}

// A feed that is added again before its server was told that it had been unsubscribed has the title that it has there, whatever it was
// called here before: its address is not sent as a title.
func TestFeedAddedAgainTakesItsTitle(t *testing.T) {
	scenes(t, func(s *scene) {
		f := reader.Feed{URL: modelAddress(7), Account: s.d.account, OwnTitle: "Mine"}
		subscribe := func() {
			s.write(func(tx *sql.Tx) (err error) {
				f.ID, err = reader.Subscribe(t.Context(), tx, f, s.clock)
				return err
			})
		}
		subscribe()
		s.sync()
		s.write(func(tx *sql.Tx) error { return reader.Unsubscribe(t.Context(), tx, f.ID, s.clock) })
		f.OwnTitle = ""
		subscribe()
		s.sync()
		if !s.has("| Mine |") {
			t.Errorf("the server has %v", s.state())
		}
		s.equal()
	})
}

// A feed that was unsubscribed and subscribed to again elsewhere, in another folder, goes there here, too.
func TestFeedSubscribedToAgainElsewhere(t *testing.T) {
	scenes(t, func(s *scene) {
		zero := s.model.feeds[0].Feed
		s.model.unsubscribe(zero.ID)
		s.model.subscribe(zero.URL, "Zero", "Deep")
		s.sync()
		s.sync()
		s.equal()
		if f := s.feed(0); f.Folder != "Deep" {
			t.Errorf("it is in %q", f.Folder)
		}
		f := s.feed(0)
		f.Folder = "Mine"
		s.update(f)
		s.model.unsubscribe(s.model.feeds[1].ID)
		s.model.subscribe(zero.URL, "Zero", "Deep")
		s.sync()
		s.equal()
		if f := s.feed(0); f.Folder != "Mine" {
			t.Errorf("moved here, it is in %q", f.Folder)
		}
	})
}

// A change that the server does not accept is told, does not stop the others, and is not sent again and again.
func TestRejectedChanges(t *testing.T) {
	scenes(t, func(s *scene) {
		for i := range 2 {
			s.write(func(tx *sql.Tx) error {
				_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: modelAddress(5 + i), Account: s.d.account}, s.clock)
				return err
			})
		}
		zero := s.feed(0)
		zero.OwnTitle = "Mine"
		s.update(zero)
		n := 0
		s.fault = func(method string) error {
			if method == "edit" || method == "subscribe" {
				if n++; n != 2 {
					return &Error{Code: Rejected, Status: 400}
				}
			}
			return nil
		}
		if r := s.sync(); len(r.Refused) != 2 {
			t.Errorf("refused: %+v", r.Refused)
		}
		s.clock = s.clock.Add(10 * time.Minute)
		s.requests = nil
		if _, err := s.d.engine.Sync(t.Context(), s.d.account, false); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(s.requests, "subscribe") || slices.Contains(s.requests, "edit") {
			t.Errorf("sent again: %v", s.requests)
		}
		all, err := s.d.engine.FeedHealth(t.Context())
		if err != nil || len(all) != 1 {
			t.Errorf("%v, %v", all, err)
		}
		for id, h := range all {
			if h.NotAdded == nil || h.NotAdded.Code != Rejected || h.Articles {
				t.Errorf("%d: %+v", id, h)
			}
			s.requests = nil
			if s.sync(); slices.Contains(s.requests, "subscribe") {
				t.Error("sent again by each synchronization by hand")
			}
			if err := s.d.engine.AskAgain(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		s.fault = nil
		s.sync()
		s.sync()
		s.equal()
		if all, err := s.d.engine.FeedHealth(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("added: %v, %v", all, err)
		}
		if s.feed(0).Title != "Zero" || len(s.feeds) != 4 {
			t.Errorf("%s", strings.Join(s.state(), "\n"))
		}
	})
}

// A feed that was renamed, moved, added or unsubscribed waits to be sent like a mark.
func TestChangesOfFeedsWait(t *testing.T) {
	scenes(t, func(s *scene) {
		waiting := func(want int) {
			s.Helper()
			if n, err := s.d.engine.Waiting(t.Context(), s.d.account); n != want || err != nil {
				t.Errorf("%d changes wait, want %d, %v", n, want, err)
			}
		}
		waiting(0)
		zero, one := s.feed(0), s.feed(1)
		zero.OwnTitle, zero.Folder = "Mine", "Papers"
		s.update(zero)
		waiting(1)
		s.write(func(tx *sql.Tx) error {
			_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: modelAddress(5), Account: s.d.account}, s.clock)
			return errors.Join(err, reader.Unsubscribe(t.Context(), tx, one.ID, s.clock))
		})
		waiting(3)
		s.mark(0, reader.FlagRead, true)
		waiting(4)
		s.sync()
		waiting(0)
		s.equal()
	})
}
