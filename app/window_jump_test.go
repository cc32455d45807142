package app

import (
	"slices"
	"testing"

	"kairos/app/jump"
	"kairos/app/session"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
)

// What only a submenu offers is gone to by its name, too, and each command once.
func TestChoicesOfMenusAreFound(t *testing.T) {
	w, _ := newTestWindow(t)
	choices := w.choices(map[string]string{}, "", w.win.MainMenu().Items...)
	for name, in := range map[string]string{"Goal…": "Fetches a day", "On": "Battery saver"} {
		found := jump.Matching(choices, name)
		if !slices.ContainsFunc(found, func(t jump.Target) bool { return t.Name == name && t.Detail == in }) {
			t.Errorf("%s of %s is not among %d", name, in, len(found))
		}
	}
	for _, c := range choices {
		if c.Name == "Star" || c.Name == "Three columns" || c.Go == nil {
			t.Errorf("%s is a command", c.Name)
		}
	}
}

// People look for a command by the menu it is in, and for a page of the settings.
func TestMenusFindTheirCommands(t *testing.T) {
	w, _ := newTestWindow(t)
	w.jump()
	d := w.going
	for typed, want := range map[string]string{"layout": "Three columns", "columns": "Three columns", "stream": "Articles one below the other", "single column": "Articles one below the other", "magazine": "Articles one below the other", "view sort": "Oldest first", "theme": "General", "dark": "General", "notif": "Notifications", "settings storage": "Storage"} {
		d.Typed.SetText(typed)
		if !slices.ContainsFunc(d.Found, func(t jump.Target) bool { return t.Name == want }) {
			t.Errorf("%q does not find %s", typed, want)
		}
	}
}

// Two feeds of the same title say their addresses, and a folder beside a feed of its name that it is one.
func TestPlacesThatReadAlikeAreToldApart(t *testing.T) {
	w, q := newTestWindow(t)
	exec(t, w, "UPDATE feed SET own_title = 'News', folder = ''")
	exec(t, w, "INSERT INTO feed (url, same, title, folder, added) VALUES ('https://a.test/feed', 'a.test/feed', 'A', 'News', 1)")
	w.library.Reload()
	q.Until("they are renamed", func() bool { return len(w.library.Feeds) == 3 })
	read := map[string]int{}
	for _, one := range w.targets() {
		read[one.Name+" | "+one.Detail]++
	}
	if read["News | Folder"] != 1 || read["News | "] > 0 {
		t.Errorf("the folder reads otherwise: %v", read)
	}
	for line, n := range read {
		if n > 1 {
			t.Errorf("%d rows read %s", n, line)
		}
	}
}

// A view and the command that goes to it are one row, which says the key; a feed that has the name of a command is another.
func TestViewsAreFoundOnce(t *testing.T) {
	w, q := newTestWindow(t)
	exec(t, w, "UPDATE feed SET own_title = 'Refresh', folder = '' WHERE id = 1")
	w.library.Reload()
	q.Until("it is renamed", func() bool { return w.library.Feed(1).Title == "Refresh" })
	rows := func(typed string) (rows []string) {
		for _, one := range jump.Matching(w.targets(), typed) {
			if one.Name == typed {
				rows = append(rows, one.Detail)
			}
		}
		return rows
	}
	if got := rows("Unread"); !slices.Equal(got, []string{w.firstKey("unread")}) {
		t.Errorf("Unread is listed with %q", got)
	}
	if got := rows("Refresh"); len(got) != 2 {
		t.Errorf("Refresh is listed with %q", got)
	}
}

// A new folder takes what is chosen in the sidebar.
func TestNewFolder(t *testing.T) {
	w, q := newTestWindow(t)
	w.perform("new-folder")
	if len(w.shell.Dialogs.Open) > 0 || w.status.message.Text != "Select a feed or a folder first." {
		t.Errorf("for no feed it says %q", w.status.message.Text)
	}
	f := w.library.Feeds[0]
	w.sidebar.ChooseFeed(f)
	w.perform("new-folder")
	widgetstest.Find[*widgets.Entry](w.shell.Dialogs.Open[0].Content)[0].SetText("Fresh")
	w.shell.Dialogs.Open[0].Press("Create")
	q.Until("the feed is in it", func() bool {
		stored, err := w.shell.Home.Store.Feeds.Get(t.Context(), f.ID)
		return err == nil && stored.Folder == "Fresh"
	})
}

// The entries of the context menu of what is chosen are found, also by what they are about.
func TestContextMenuIsFound(t *testing.T) {
	w, q := newTestWindow(t)
	if _, err := w.shell.Home.SavedSearches.Save(t.Context(), reader.SavedSearch{Name: "Zero", Search: "feed:0"}); err != nil {
		t.Fatal(err)
	}
	w.library.Reload()
	q.Until("the search is there", func() bool { return len(w.library.Searches) == 1 })
	finds := func(typed, want, detail string) {
		t.Helper()
		if found := jump.Matching(w.targets(), typed); !slices.ContainsFunc(found, func(t jump.Target) bool { return t.Name == want && t.Detail == detail }) {
			t.Errorf("%q does not find %s of %s among %d", typed, want, detail, len(found))
		}
	}
	w.sidebar.ChooseKey(session.FolderKey("News"))
	finds("delete folder", "Delete folder…", "News")
	finds("news delete", "Delete folder…", "News")
	finds("rename", "Rename…", w.firstKey("rename"))
	finds("new folder", "New folder…", "")
	w.sidebar.ChooseKey(session.SavedPlace(&w.library.Searches[0]).Key)
	finds("remove saved", "Remove saved search", "Zero")
	for _, one := range jump.Matching(w.targets(), "remove saved") {
		one.Go()
	}
	q.Until("it is removed", func() bool { return len(w.library.Searches) == 0 && w.shell.Pending() == 0 })
}
