package app

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"

	"kairos/app/library"
	"kairos/app/session"
	"kairos/app/sidebar"
	"kairos/reader"
	"kairos/reader/parse"
)

// addAccount stores an account with a feed in the folder News, and one without a folder that has two unread articles.
func addAccount(t *testing.T, w *window, name string) (id int64) {
	t.Helper()
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) (err error) {
		now := w.shell.Now()
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

// rowTexts are the rows of the feeds in the sidebar, indented, with their unread articles.
func rowTexts(s *sidebar.Pane) (rows []string) {
	from := slices.IndexFunc(s.Items, func(item sidebar.Item) bool { return item.Key == "heading:Feeds" })
	for _, item := range s.Items[from+1:] {
		rows = append(rows, fmt.Sprintf("%*s%s %d", 2*item.Indent, "", item.Name, item.Count))
	}
	return rows
}

// itemOf is the row of a place.
func itemOf(s *sidebar.Pane, key string) *sidebar.Item {
	return &s.Items[slices.IndexFunc(s.Items, func(item sidebar.Item) bool { return item.Key == key })]
}

func TestSidebarGroupsByAccount(t *testing.T) {
	w, q := newTestWindow(t)
	s := w.sidebar
	s.ChooseKey(session.FolderKey("News"))
	id := addAccount(t, w, "rss.test")
	w.reload()
	q.until("the account is listed", func() bool { return len(w.library.Accounts) == 1 })
	want := []string{"This computer 6", "  News 3", "    Feed 1 3", "  Feed 0 3", "rss.test 2", "  News 0", "    There in News 0", "  There 2"}
	if got := rowTexts(s); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if w.session.Place.Name != "News" || !slices.Equal(w.session.Place.Query.Accounts, []int64{0}) {
		t.Errorf("after its folder was grouped %q is chosen", w.session.Place.Name)
	}

	s.ChooseKey(session.FolderKey(library.AccountPath(id)))
	q.until("its articles are listed", func() bool { return len(w.session.List.IDs) == 2 })
	s.ToggleFolder(library.AccountPath(0))
	q.until("this computer is collapsed", func() bool { return len(rowTexts(s)) == 5 })
	s.ToggleFolder(library.AccountPath(0))
	q.until("it is expanded", func() bool { return len(rowTexts(s)) == 8 })

	here, there := itemOf(s, session.FolderKey(library.AccountPath(0)+reader.FolderSeparator+"News")), itemOf(s, session.FeedKey(4))
	if there.Name != "There" || len(w.library.Moves(there.Branch())(here.Folder)) != 0 || len(w.library.Moves(here.Branch())(library.AccountPath(id))) != 0 || there.Account || !there.IsMovable() {
		t.Errorf("%s can be moved into another account", there.Name)
	}
	if moves := w.library.Moves(there.Branch())(library.AccountPath(id) + reader.FolderSeparator + "News"); len(moves) != 1 || moves[4] != "News" {
		t.Errorf("within its account: %v", moves)
	}
	if renames := w.library.Renames(here.Folder, library.AccountPath(0)+reader.FolderSeparator+"Papers"); len(renames) != 1 || renames[2] != "Papers" {
		t.Errorf("renamed: %v", renames)
	}
	if itemOf(s, session.FolderKey(library.AccountPath(id))).IsMovable() {
		t.Error("an account can be moved")
	}

	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error { return reader.RemoveAccount(t.Context(), tx, id, false, w.shell.Now()) })
	if err != nil {
		t.Fatal(err)
	}
	s.ChooseKey(here.Key)
	w.reload()
	q.until("it is gone", func() bool { return len(w.library.Accounts) == 0 && len(rowTexts(s)) == 3 })
	if w.session.Place.Key != session.FolderKey("News") || w.session.Place.Query.Accounts != nil {
		t.Errorf("%q is chosen", w.session.Place.Key)
	}
}
