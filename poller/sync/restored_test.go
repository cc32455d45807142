package sync

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/reader"
)

// A server that was restored from a backup does not have the newest articles. Nobody has read them.
func TestServerRestoredFromABackup(t *testing.T) {
	scenes(t, func(s *scene) {
		for range 30 {
			s.post(modelAddress(1))
		}
		s.sync()
		s.items = s.items[:3]
		s.sync()
		s.clock = s.clock.Add(reconcileAfter)
		s.sync()
		unread := 0
		if err := s.d.store.Read().QueryRow("SELECT count(*) FROM status WHERE read = 0").Scan(&unread); err != nil || unread != 33 {
			t.Errorf("%d unread, %v", unread, err)
		}
		s.numbers = 5 // it counts on from the backup
		for range 3 {
			s.post(modelAddress(0))
		}
		s.sync()
		s.equal()
	})
}

// Articles that a server has cleaned up count as read here, too, unless they were marked here since. Stars stay.
func TestServerCleansUp(t *testing.T) {
	scenes(t, func(s *scene) {
		for range 6 {
			s.clock = s.clock.Add(time.Hour)
			s.post(modelAddress(1))
			s.sync()
		}
		s.mark(1, reader.FlagStarred, true)
		s.mark(2, reader.FlagRead, true)
		s.clock = s.clock.Add(reconcileAfter)
		s.sync()
		s.items = s.items[4:]
		s.mark(2, reader.FlagRead, false)
		s.sync()
		s.clock = s.clock.Add(reconcileAfter)
		s.sync()
		s.sync()
		s.equal()
		marks := func(where string) (n int) {
			if err := s.d.store.Read().QueryRow("SELECT count(*) FROM status WHERE " + where).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		if read, starred, ours := marks("account = 0 AND read = 1"), marks("account = 0 AND starred = 1"), marks("account = 0 AND read = 0"); read != 3 || starred != 1 || ours != 1 {
			t.Errorf("%d read, %d starred, %d unread", read, starred, ours)
		}
	})
}

// What a server does not have since a feed was unsubscribed from elsewhere was not read, though the list of feeds is not got each time.
func TestVanishedFeedIsNotRead(t *testing.T) {
	scenes(t, func(s *scene) {
		s.clock = s.clock.Add(time.Hour)
		s.post(modelAddress(1))
		s.sync()
		s.model.unsubscribe(s.feeds[0].ID)
		s.clock = s.clock.Add(10 * time.Minute)
		for range 6 {
			s.clock = s.clock.Add(time.Minute)
			if _, err := s.d.engine.Sync(t.Context(), s.d.account, false); err != nil {
				t.Fatal(err)
			}
		}
		s.clock = s.clock.Add(reconcileAfter)
		s.sync()
		s.equal()
		read := 0
		if err := s.d.store.Read().QueryRow("SELECT count(*) FROM status WHERE read = 1").Scan(&read); err != nil || read != 0 {
			t.Errorf("%d read, %v", read, err)
		}
	})
}

// After its backup was restored a server gets the same articles again, under other ids, or gives theirs to others. They are there
// once, and what was read stays read.
func TestServerGetsItsArticlesAgain(t *testing.T) {
	for _, reused := range []bool{false, true} {
		scenes(t, func(s *scene) {
			for n := range 6 {
				s.clock = s.clock.Add(time.Minute)
				s.post(modelAddress(n % 2))
			}
			s.sync()
			for _, n := range []int{4, 5, 6} {
				s.mark(n, reader.FlagRead, true)
			}
			s.sync()
			lost := s.items[3:]
			s.items = slices.Clone(s.items[:3])
			s.sync()
			if !reused {
				s.numbers += 100
			}
			ids := []string{}
			for _, i := range lost {
				ids = append(ids, i.ID)
			}
			s.clock = s.clock.Add(time.Hour)
			for n, i := range slices.Backward(lost) {
				s.deliver(Feed{ID: i.Feed}, i.Item)
				again := s.items[len(s.items)-1]
				again.Starred, again.MarkedAt = i.Starred, i.MarkedAt
				if reused {
					again.ID = ids[len(ids)-1-n]
				}
			}
			s.sync()
			s.sync()
			s.equal()
			n, read := 0, 0
			err := s.d.store.Read().QueryRow("SELECT count(*), sum(read) FROM status").Scan(&n, &read)
			if err != nil || n != 9 || read != 3 {
				t.Errorf("ids reused %t: %d articles, %d of them read, %v", reused, n, read, err)
			}
		})
	}
}

// A server that was set up again has the same feeds under other ids. What was read here stays read, there too.
func TestServerSetUpAnew(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		s.mark(1, reader.FlagStarred, true)
		s.sync()
		s.feeds, s.items = nil, nil
		s.numbers = 100
		s.model.subscribe(modelAddress(1), "One", "")
		s.model.subscribe(modelAddress(0), "Zero", "News")
		s.sync()
		s.sync()
		s.equal()
		n := 0
		if err := s.d.store.Read().QueryRow("SELECT count(*) FROM status").Scan(&n); err != nil || n != 3 || !s.has("read true") || !s.has("starred true") {
			t.Errorf("%d articles, %v\n%s", n, err, strings.Join(s.state(), "\n"))
		}
	})
}

// One that counts from 1 again may give each feed, and each article, the id that another one had.
func TestServerSetUpAnewWithTheSameIDs(t *testing.T) {
	for _, unknown := range []bool{false, true} {
		scenes(t, func(s *scene) {
			for i := 2; i < 9; i++ {
				s.model.subscribe(modelAddress(i), fmt.Sprint("Feed ", i), "Many")
				s.post(modelAddress(i))
			}
			s.sync()
			s.mark(0, reader.FlagRead, true)
			s.mark(1, reader.FlagStarred, true)
			s.sync()
			before := s.titles()
			feeds := s.feeds
			s.feeds, s.items, s.numbers = nil, nil, 0
			for i, f := range slices.Backward(feeds) {
				address := f.URL
				if unknown && i > 1 { // other feeds in place of most
					address = modelAddress(100 + i)
				}
				s.model.subscribe(address, "New "+f.Title, f.Folder)
				if unknown && i > 1 {
					s.post(address)
				}
			}
			s.sync()
			if !unknown {
				s.sync()
				s.equal()
			}
			now := s.titles()
			for line, n := range before {
				if now[line] != n {
					t.Errorf("%s is there %d times", line, now[line])
				}
			}
			for line := range now {
				if before[line] == 0 && !(unknown && strings.Contains(line, "//feed10")) {
					t.Errorf("came: %s", line)
				}
			}
			if !s.deviceHas("read true") || !s.deviceHas("starred true") {
				t.Errorf("%s", strings.Join(s.d.state(t), "\n"))
			}
		})
	}
}

// A feed that was unsubscribed here, and is at a server that was set up again under another id, is unsubscribed there, whatever has its
// old id. Nothing of it comes to that one.
func TestUnsubscribedBeforeAServerWasSetUpAnew(t *testing.T) {
	for name, c := range map[string]struct {
		numbers int   // where the server counts on
		feeds   []int // in the order they get ids
	}{
		"new ids":                  {100, []int{1, 0}},
		"the ids are swapped":      {0, []int{1, 0}},
		"its id is a new feed's":   {0, []int{2, 1, 0}},
		"its id is no feed's":      {0, []int{2, 0, 1}},
		"it is not there any more": {0, []int{1, 2}},
	} {
		for _, fails := range []bool{false, true} {
			scenes(t, func(s *scene) {
				zero, one := s.feed(0), s.feed(1)
				s.post(modelAddress(1))
				s.post(modelAddress(2))
				s.sync()
				s.write(func(tx *sql.Tx) error { return reader.Unsubscribe(t.Context(), tx, zero.ID, s.clock) })
				s.feeds, s.items, s.numbers = nil, nil, c.numbers
				for _, f := range c.feeds {
					s.model.subscribe(modelAddress(f), fmt.Sprint("New ", f), "")
				}
				if fails {
					s.failing("unsubscribe", false)
					_, _ = s.try()
					s.failing("", false)
				}
				s.sync()
				s.sync()
				s.equal()
				if s.has(modelAddress(0)) || s.feed(0).ID != 0 || s.feed(1).ID != one.ID {
					t.Errorf("%s, fails %t: %v; here %v, %v", name, fails, s.state(), s.feed(0), s.feed(1))
				}
				for line, n := range s.titles() {
					if n != 1 {
						t.Errorf("%s, fails %t: %s is there %d times", name, fails, line, n)
					}
				}
				if n := len(s.titles()); n != 4+len(c.feeds)-len(slices.DeleteFunc(slices.Clone(c.feeds), func(f int) bool { return f == 2 })) {
					t.Errorf("%s, fails %t: %d articles: %v", name, fails, n, s.titles())
				}
			})
		}
	}
}

// A request to unsubscribe that had no answer is not repeated for the feed that has the id at a server that was set up again.
func TestUnsubscribingIsNotRepeatedForAnotherFeed(t *testing.T) {
	scenes(t, func(s *scene) {
		s.write(func(tx *sql.Tx) error { return reader.Unsubscribe(t.Context(), tx, s.feed(0).ID, s.clock) })
		s.failing("unsubscribe", false)
		if _, err := s.try(); err == nil {
			t.Fatal("nothing failed")
		}
		s.failing("", false)
		s.feeds, s.items, s.numbers = nil, nil, 0
		s.model.subscribe(modelAddress(2), "Two", "")
		s.model.subscribe(modelAddress(1), "One", "")
		s.sync()
		s.equal()
		if !s.has(modelAddress(2)) || s.feed(2).ID == 0 {
			t.Errorf("unsubscribed: %v", s.state())
		}
	})
}

// Where a feed gets the id of one that a server that was set up again does not have, the two are not taken for one.
func TestFeedsAreNotMergedByAnID(t *testing.T) {
	scenes(t, func(s *scene) {
		s.post(modelAddress(1))
		s.sync()
		before := s.titles()
		s.feeds, s.items, s.numbers = nil, nil, 0
		s.model.subscribe(modelAddress(1), "One", "") // under the id of the other
		s.sync()
		s.clock = s.clock.Add(ConfirmAfter)
		s.sync()
		s.equal()
		if now := s.titles(); !maps.Equal(before, now) {
			t.Errorf("%v, before %v", now, before)
		}
	})
}

// A mark that waits is not sent to the article that has the id at a server that was set up again.
func TestMarksOfAServerSetUpAnew(t *testing.T) {
	for _, sameFeeds := range []bool{false, true} {
		scenes(t, func(s *scene) {
			for range 3 {
				s.clock = s.clock.Add(time.Hour)
				s.post(modelAddress(1))
				s.sync()
			}
			s.mark(3, reader.FlagRead, true)
			ids := map[string]string{}
			for _, i := range s.items {
				ids[i.Title] = i.ID
			}
			read := s.items[3].Title
			feeds := s.feeds
			s.feeds, s.items = nil, nil
			for _, f := range feeds {
				s.model.subscribe(f.URL, f.Title, f.Folder)
			}
			for n := range s.feeds {
				if sameFeeds {
					for _, i := range s.items {
						if i.Feed == s.feeds[n].ID {
							i.Feed = feeds[n].ID
						}
					}
					s.feeds[n].ID = feeds[n].ID
				}
			}
			last := len(s.items) - 1
			for n := range s.items { // each has the id of another
				s.items[n].ID = ids[s.items[(n+1)%(last+1)].Title]
			}
			s.clock = s.clock.Add(time.Hour)
			s.sync()
			s.sync()
			s.equal()
			for _, i := range s.items {
				if i.Read != (i.Title == read) {
					t.Errorf("same feeds %t: %s is read: %t, want %s", sameFeeds, i.Title, i.Read, read)
				}
			}
		})
	}
}

// titles counts the articles here, by their title and feed.
func (s *scene) titles() map[string]int {
	s.Helper()
	rows, err := s.d.store.Read().Query("SELECT a.title || ' of ' || f.url FROM status t JOIN article a USING (id) JOIN feed f ON f.id = t.feed")
	if err != nil {
		s.Fatal(err)
	}
	defer rows.Close()
	titles := map[string]int{}
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			s.Fatal(err)
		}
		titles[line]++
	}
	if err := rows.Err(); err != nil {
		s.Fatal(err)
	}
	return titles
}

func (s *scene) deviceHas(line string) bool {
	return slices.ContainsFunc(s.d.state(s), func(l string) bool { return strings.Contains(l, line) })
}

// A backup that is restored here does not bring back old marks there.
func TestBackupRestoredHere(t *testing.T) {
	scenes(t, func(s *scene) {
		file := t.TempDir() + "/backup"
		if _, err := s.d.store.Backups.Create(t.Context(), file, s.clock); err != nil {
			t.Fatal(err)
		}
		s.mark(0, reader.FlagRead, true)
		s.mark(1, reader.FlagStarred, true)
		s.post(modelAddress(1))
		s.sync()
		if _, err := s.d.store.Backups.Restore(t.Context(), file, s.clock, reader.Room{Name: "sync", Steps: Steps}); err != nil {
			t.Fatal(err)
		}
		if r := s.sync(); !r.Full {
			t.Errorf("%+v", r)
		}
		s.equal()
		if !s.has("read true") || !s.has("starred true") {
			t.Errorf("%s", strings.Join(s.state(), "\n"))
		}
	})
}

// What a server lost with its newest articles stays unread here, although it gets others before all marks are compared, or the comparison fails.
func TestServerRestoredFromABackupGoesOn(t *testing.T) {
	for _, fails := range []string{"", "articles", "feeds"} {
		scenes(t, func(s *scene) {
			for range 30 {
				s.clock = s.clock.Add(time.Minute)
				s.post(modelAddress(1))
			}
			s.sync()
			s.items = s.items[:3]
			for range 3 {
				s.clock = s.clock.Add(time.Hour)
				s.post(modelAddress(0)) // under new ids
				s.post(modelAddress(1))
				s.failing(fails, false)
				_, _ = s.try()
				s.failing("", false)
			}
			for range 3 {
				s.clock = s.clock.Add(reconcileAfter)
				s.sync()
			}
			s.equal()
			unread := 0
			if err := s.d.store.Read().QueryRow("SELECT count(*) FROM status WHERE read = 0").Scan(&unread); err != nil || unread != 39 {
				t.Errorf("%d unread, want 39, %v; failing %q", unread, err, fails)
			}
		})
	}
}
