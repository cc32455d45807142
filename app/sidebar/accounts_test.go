package sidebar

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"

	"kairos/app/library"
	"kairos/app/session"
	"kairos/app/shell/shelltest"
	"kairos/reader"
	"kairos/reader/parse"
)

// addAccount stores an account with a feed in the folder News, and one without a folder that has two unread articles.
func addAccount(t *testing.T, room *shelltest.Room, name string) (id int64) {
	t.Helper()
	err := room.Home.Store.Write(t.Context(), func(tx *sql.Tx) (err error) {
		now := room.Now()
		if id, err = reader.AddAccount(t.Context(), tx, reader.Account{Kind: "miniflux", Name: name, URL: "https://" + name, User: "ann"}, now); err != nil {
			return err
		}
		if _, err = reader.AddServerFeed(t.Context(), tx, id, "1", reader.Feed{URL: "https://a.test/1", Title: "There in News", Folder: "News"}, now); err != nil {
			return err
		}
		feed, err := reader.AddServerFeed(t.Context(), tx, id, "2", reader.Feed{URL: "https://a.test/2", Title: "There"}, now)
		if err != nil {
			return err
		}
		var articles []reader.ServerArticle
		for i := range 2 {
			articles = append(articles, reader.ServerArticle{Article: parse.Article{Key: fmt.Sprint(id, " ", i), Title: fmt.Sprint("Synced ", i), HTML: "<p>Text</p>", Published: now}})
		}
		_, err = reader.StoreServerArticles(t.Context(), tx, id, feed, articles, now)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// feedRows are the rows of the feeds in the sidebar, indented, with their unread articles.
func feedRows(s *pane) (rows []string) {
	from := slices.IndexFunc(s.Items, func(item Item) bool { return item.Key == "heading:Feeds" })
	for _, item := range s.Items[from+1:] {
		rows = append(rows, fmt.Sprintf("%*s%s %d", 2*item.Indent, "", item.Name, item.Count))
	}
	return rows
}

// itemOf is the row of a place.
func itemOf(s *pane, key string) *Item {
	return &s.Items[slices.IndexFunc(s.Items, func(item Item) bool { return item.Key == key })]
}

func TestGroupsByAccount(t *testing.T) {
	s := newPane(t)
	room, q := s.room, s.room.Queue
	s.ChooseKey(session.FolderKey("News"))
	id := addAccount(t, room, "rss.test")
	s.library.Reload()
	q.Until("the account is listed", func() bool { return len(s.library.Accounts) == 1 })
	want := []string{"This computer 6", "  News 3", "    Feed 1 3", "  Feed 0 3", "rss.test 2", "  News 0", "    There in News 0", "  There 2"}
	if got := feedRows(s); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if room.Session.Place.Name != "News" || !slices.Equal(room.Session.Place.Query.Accounts, []int64{0}) {
		t.Errorf("after its folder was grouped %q is chosen", room.Session.Place.Name)
	}

	s.ChooseKey(session.FolderKey(library.AccountPath(id)))
	if ids, err := room.Home.Store.Articles.IDs(t.Context(), room.Session.Place.Query); err != nil || len(ids) != 2 {
		t.Errorf("it has %v, %v", ids, err)
	}
	s.ToggleFolder(library.AccountPath(0))
	q.Until("this computer is collapsed", func() bool { return len(feedRows(s)) == 5 })
	s.ToggleFolder(library.AccountPath(0))
	q.Until("it is expanded", func() bool { return len(feedRows(s)) == 8 })

	here, there := itemOf(s, session.FolderKey(library.AccountPath(0)+reader.FolderSeparator+"News")), itemOf(s, session.FeedKey(4))
	if there.Name != "There" || len(s.library.Moves(there.Branch())(here.Folder)) != 0 || len(s.library.Moves(here.Branch())(library.AccountPath(id))) != 0 || there.Account || !there.IsMovable() {
		t.Errorf("%s can be moved into another account", there.Name)
	}
	if moves := s.library.Moves(there.Branch())(library.AccountPath(id) + reader.FolderSeparator + "News"); len(moves) != 1 || moves[4] != "News" {
		t.Errorf("within its account: %v", moves)
	}
	if renames := s.library.Renames(here.Folder, library.AccountPath(0)+reader.FolderSeparator+"Papers"); len(renames) != 1 || renames[2] != "Papers" {
		t.Errorf("renamed: %v", renames)
	}
	if itemOf(s, session.FolderKey(library.AccountPath(id))).IsMovable() {
		t.Error("an account can be moved")
	}

	err := room.Home.Store.Write(t.Context(), func(tx *sql.Tx) error { return reader.RemoveAccount(t.Context(), tx, id, false, room.Now()) })
	if err != nil {
		t.Fatal(err)
	}
	s.ChooseKey(here.Key)
	s.library.Reload()
	q.Until("it is gone", func() bool { return len(s.library.Accounts) == 0 && len(feedRows(s)) == 3 })
	if room.Session.Place.Key != session.FolderKey("News") || room.Session.Place.Query.Accounts != nil {
		t.Errorf("%q is chosen", room.Session.Place.Key)
	}
}
