package reader

import (
	"database/sql"
	"testing"
)

// A quiet feed, and those of a quiet folder, are left out of All, Unread and Today with their counts, and found in their own
// places and by a search.
func TestQuietFeeds(t *testing.T) {
	s := open(t, t.TempDir())
	loud := subscribe(t, s, Feed{URL: "https://a.test/", Folder: "News"})
	quiet := subscribe(t, s, Feed{URL: "https://b.test/", Folder: "News", Quiet: true})
	below := subscribe(t, s, Feed{URL: "https://c.test/", Folder: "Noise / Local"})
	for _, feed := range []int64{loud, quiet, below} {
		save(t, s, feed, items(2))
	}
	noise := Place{Path: "Noise"}
	write(t, s, func(tx *sql.Tx) error {
		return SetFolder(t.Context(), tx, noise, FolderChoices{Quiet: true})
	})
	for _, v := range []View{All, Unread, Today} {
		for _, id := range list(t, s, Query{View: v, Since: epoch.Add(-1e18), Audible: true}) {
			if feeds, err := s.Articles.FeedsOf(t.Context(), []int64{id}); err != nil || feeds[id] != loud {
				t.Errorf("view %d lists %v, %v", v, feeds, err)
			}
		}
	}
	for _, c := range []struct {
		q Query
		n int
	}{{Query{Feed: quiet}, 2}, {Query{Folder: "News"}, 4}, {Query{Folder: "Noise"}, 2}, {Query{Audible: true, Search: "title"}, 6}, {Query{Audible: true}, 2}} {
		if got := list(t, s, c.q); len(got) != c.n {
			t.Errorf("%+v lists %d, want %d", c.q, len(got), c.n)
		}
	}
	for _, dedupe := range []bool{false, true} {
		c, err := s.Articles.Counts(t.Context(), epoch, dedupe)
		if err != nil || c.Total != 2 || c.Today != 1 || c.Unread[quiet] != 2 || c.Folders[Place{Path: "News"}] != 4 || c.Folders[noise] != 2 {
			t.Errorf("%+v, %v", c, err)
		}
	}
	write(t, s, func(tx *sql.Tx) error {
		_, err := MarkAllRead(t.Context(), tx, Query{View: Unread, Audible: true})
		return err
	})
	if c, err := s.Articles.Counts(t.Context(), epoch, false); err != nil || c.Total != 0 || c.Unread[quiet] != 2 {
		t.Errorf("after all was marked read %+v, %v", c, err)
	}
}

// What was chosen for a folder follows it to another name and back, and to where all its feeds are moved.
func TestFolderChoicesFollow(t *testing.T) {
	s := open(t, t.TempDir())
	one, two := subscribe(t, s, Feed{URL: "https://a.test/", Folder: "A"}), subscribe(t, s, Feed{URL: "https://b.test/", Folder: "A / B"})
	choice := FolderChoices{Quiet: true, Ends: Ends{Days: 3}}
	write(t, s, func(tx *sql.Tx) error { return SetFolder(t.Context(), tx, Place{Path: "A"}, choice) })
	move := func(folders map[int64]string) (before map[int64]string) {
		t.Helper()
		write(t, s, func(tx *sql.Tx) (err error) {
			before, err = SetFolders(t.Context(), tx, folders)
			return err
		})
		return before
	}
	at := func(want string) {
		t.Helper()
		all, err := s.Feeds.Folders(t.Context())
		if err != nil || len(all) != 1 || all[Place{Path: want}] != choice {
			t.Errorf("%+v, %v; want %s", all, err, want)
		}
	}
	before := move(map[int64]string{one: "Z", two: "Z / B"})
	at("Z")
	other := subscribe(t, s, Feed{URL: "https://c.test/", Folder: "Busy / C"})
	move(map[int64]string{one: "Busy", two: "Busy / B"}) // which keeps its own choices
	at("Z")
	move(map[int64]string{one: "Z", two: "Z / B", other: ""})
	at("Z")
	move(before)
	at("A")
	move(map[int64]string{one: "Elsewhere"}) // it lies in two places now
	at("A")
	move(map[int64]string{two: ""})
	at("A")
	write(t, s, func(tx *sql.Tx) error { return SetFolder(t.Context(), tx, Place{Path: " A "}, FolderChoices{}) })
	if all, err := s.Feeds.Folders(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestEndsAndQuietByFolder(t *testing.T) {
	folders := map[Place]FolderChoices{
		{Path: "A"}:             {Quiet: true, Ends: Ends{Days: 3}},
		{Path: "A / B"}:         {Ends: Ends{Number: 5}},
		{Account: 1, Path: "A"}: {Ends: Ends{Days: EndNever}},
	}
	general := Ends{Days: 90}
	for _, c := range []struct {
		feed  Feed
		ends  Ends
		quiet bool
	}{
		{Feed{}, general, false},
		{Feed{Quiet: true}, general, true},
		{Feed{Folder: "A"}, Ends{Days: 3}, true},
		{Feed{Folder: "A / B", Ends: Ends{Days: EndNever}}, Ends{Days: EndNever, Number: 5}, true},
		{Feed{Folder: "A / B"}, Ends{Days: 3, Number: 5}, true},
		{Feed{Folder: "AB"}, general, false},
		{Feed{Folder: "A", Account: 1}, Ends{Days: EndNever}, false},
	} {
		if got := EndsOf(c.feed, folders, general); got != c.ends {
			t.Errorf("%+v ends %+v, want %+v", c.feed, got, c.ends)
		}
		if got := IsQuiet(c.feed, folders); got != c.quiet {
			t.Errorf("%+v is quiet: %v", c.feed, got)
		}
	}
}
