package app

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/session"
	"kairos/reader"
)

func TestSidebarListsViewsFoldersAndFeeds(t *testing.T) {
	w, _ := newTestWindow(t)
	var got []string
	for _, p := range w.sidebar.items {
		got = append(got, fmt.Sprintf("%s%s %d", strings.Repeat("  ", p.indent), p.Name, p.count))
	}
	want := "All articles 0|Unread 6|Today 6|Starred 0|Insights 0|Feeds 0|News 3|  Feed 1 3|Feed 0 3"
	if strings.Join(got, "|") != want {
		t.Errorf("sidebar is %s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestCollapsedFolderHidesFeeds(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.toggleFolder("News")
	q.until("folded", func() bool { return len(w.sidebar.items) == 8 })
	w.sidebar.toggleFolder("News")
	q.until("unfolded", func() bool { return len(w.sidebar.items) == 9 })
}

// A folder stays chosen under its new name, also when the change is undone.
func TestRenamedFolderStaysChosen(t *testing.T) {
	w, q := newTestWindow(t)
	s := w.sidebar
	s.chooseKey(session.FolderKey("News"))
	rename := func(from, to string) {
		s.move(w.library.Renames(from, to), "renamed")
		q.until("it is stored", func() bool { return folderOf(t, w, w.library.Feeds[1].ID) == to })
		w.library.Reload()
		q.until("it is shown", func() bool { return w.library.Feeds[1].Folder == to })
		if s.session.Place.Folder != to || s.session.Place.Query.Folder != to || s.items[s.list.Chosen].Folder != to {
			t.Errorf("chosen: %s, in the list %s", s.session.Place.Key, s.items[s.list.Chosen].Key)
		}
	}
	rename("News", "The world")
	rename("The world", "Papers / World")
}

// The list of a folder, or of one within it, stays when the folder gets another name, also by undoing that.
func TestRenamedFolderKeepsItsList(t *testing.T) {
	w, q := newTestWindow(t)
	s := w.sidebar
	wait := func(folder, chosen string) {
		t.Helper()
		q.until("it is stored", func() bool { return folderOf(t, w, w.library.Feeds[1].ID) == folder })
		w.reload()
		q.until("it is shown", func() bool { return s.session.Place.Folder == chosen && !w.reloader.running })
		q.until("its articles are listed", func() bool { return len(w.session.List.IDs) == 3 })
	}
	s.chooseKey(session.FolderKey("News"))
	q.until("the folder is listed", func() bool { return len(w.session.List.IDs) == 3 })
	s.move(w.library.Renames("News", "Papers"), "renamed")
	wait("Papers", "Papers")
	q.until("undo knows", func() bool { return w.shell.History.Len() == 1 })
	w.shell.UndoLast()
	wait("News", "News")
	s.move(w.library.Renames("News", "All / News"), "moved")
	wait("All / News", "All / News")
	s.move(w.library.Renames("All", "Everything"), "renamed")
	wait("Everything / News", "Everything / News")
	s.chooseKey(session.FolderKey("Everything"))
	q.until("the folder around it is listed", func() bool { return len(w.session.List.IDs) == 3 })
	s.move(w.library.Renames("Everything", "Top"), "renamed")
	wait("Top / News", "Top")
}

// A folder or a feed that comes back by undoing is chosen again, unless another item was chosen meanwhile.
func TestUndoReturnsToTheChosenItem(t *testing.T) {
	w, q := newTestWindow(t)
	s := w.sidebar
	wait := func(key string) {
		t.Helper()
		q.until(key+" is chosen", func() bool { w.library.Reload(); return s.session.Place.Key == key })
	}
	undo := func() {
		t.Helper()
		q.until("undo knows", func() bool { return w.shell.History.Len() == 1 })
		w.shell.UndoLast()
	}
	remove := map[string]func(){
		session.FolderKey("News"): func() { s.move(w.library.Renames("News", ""), "deleted") },
		session.FeedKey(2):        func() { w.feeds.unsubscribe(w.library.Feed(2)) },
	}
	for key, remove := range remove {
		s.chooseKey(key)
		remove()
		wait("all")
		undo()
		wait(key)
	}
	s.move(map[int64]string{1: "Papers"}, "moved")
	q.until("there is another folder", func() bool { w.library.Reload(); return w.library.Feed(1).Folder == "Papers" })
	w.shell.History.Clear()
	s.chooseKey(session.FolderKey("News"))
	s.move(w.library.Renames("News", "Papers"), "renamed")
	wait(session.FolderKey("Papers"))
	undo()
	wait(session.FolderKey("News"))
	s.chooseKey(session.FeedKey(2))
	w.feeds.unsubscribe(w.library.Feed(2))
	wait("all")
	s.chooseKey("unread")
	undo()
	q.until("it is back", func() bool { w.library.Reload(); return w.library.Feed(2) != nil })
	if s.session.Place.Key != "unread" {
		t.Errorf("chosen: %s", s.session.Place.Key)
	}
}

// F2 renames what is chosen in the sidebar.
func TestRenameKey(t *testing.T) {
	w, q := newTestWindow(t)
	if _, err := w.shell.Home.SavedSearches.Save(t.Context(), reader.SavedSearch{Name: "Zero", Search: "feed:0"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.shell.Home.Marks.Labels.Save(t.Context(), reader.Label{Name: "Home"}); err != nil {
		t.Fatal(err)
	}
	w.library.Reload()
	q.until("they are there", func() bool { return len(w.library.Labels) == 1 && len(w.library.Searches) == 1 })
	for _, item := range w.sidebar.items {
		if item.heading {
			continue
		}
		w.sidebar.chooseKey(item.Key)
		w.shell.Focus(w.sidebar.list)
		press(w.sidebar.list, fyne.KeyF2)
		if named := item.IsMovable() || item.Saved != nil || item.Label != nil; named != (len(w.shell.Dialogs.Open) == 1) {
			t.Errorf("%s: %d dialogs", item.Key, len(w.shell.Dialogs.Open))
		}
		if len(w.shell.Dialogs.Open) > 0 {
			w.shell.Dialogs.CloseTop()
		}
	}
}

// A click on a folder, also on the one that is open, leaves no article selected, and Unsubscribe asks about the folder.
func TestClickedFolderClearsTheSelection(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.chooseKey(session.FolderKey("News"))
	q.until("the folder is listed", func() bool { return len(w.session.List.IDs) == 3 })
	w.timeline.selectAll()
	w.sidebar.tapped(w.sidebar.list.Chosen, 0)
	if ids := w.session.List.Targets(); len(ids) > 0 {
		t.Errorf("selected: %v", ids)
	}
	w.perform("unsubscribe")
	if len(w.shell.Dialogs.Open) != 1 || !strings.Contains(w.shell.Dialogs.Open[0].Title, "News") {
		t.Errorf("%d dialogs", len(w.shell.Dialogs.Open))
	}
}

// A feed that its properties move stays in sight and chosen, and the change can be undone.
func TestPropertiesMoveAFeed(t *testing.T) {
	w, q := newTestWindow(t)
	s := w.sidebar
	s.toggleFolder("News")
	q.until("it is collapsed", func() bool { return len(s.items) == 8 })
	s.chooseKey(session.FeedKey(1))
	p := w.feeds.properties(w.library.Feed(1))
	p.folder.SetText("News")
	p.title.SetText("Mine")
	w.shell.Dialogs.Open[0].Press("Save")
	q.until("undo knows", func() bool { return w.shell.History.Len() == 1 })
	w.library.Reload()
	q.until("it is moved", func() bool { return w.library.Feed(1).Folder == "News" })
	if at := s.items[s.list.Chosen]; at.Feed == nil || at.Feed.ID != 1 || s.session.Place.Key != session.FeedKey(1) {
		t.Errorf("chosen: %s, in the list %s", s.session.Place.Key, at.Key)
	}
	w.shell.UndoLast()
	q.until("it is back", func() bool {
		f, err := w.shell.Home.Store.Feeds.Get(t.Context(), 1)
		return err == nil && f.Folder == "" && f.OwnTitle == ""
	})
}

// The feeds of a folder are hidden where it or a folder around it is collapsed, not one whose name only begins alike. That
// takes as many steps as the path has parts, however many folders are collapsed.
func TestFoldersHideWhatIsBelow(t *testing.T) {
	s := &sidebar{collapsed: map[string]bool{"News": true, "News / World": false, "Ne": true, "Work / Code / Go": true, "": true}}
	for path, want := range map[string]bool{"": false, "News": true, "News / World": true, "News / World / Asia": true, "Newspapers": false,
		"Work": false, "Work / Code": false, "Work / Code / Go": true, "Work / Code / Go / Fyne": true, "Work / Code / Golf": false} {
		if s.hidden(path) != want {
			t.Errorf("%q: hidden is %v", path, !want)
		}
	}
	for i := range 5000 {
		s.collapsed[fmt.Sprint("Folder ", i)] = true
	}
	if n := testing.AllocsPerRun(10, func() { s.hidden("Work / Code") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
