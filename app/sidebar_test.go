package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/session"
	"kairos/reader"
)

// The list of a folder, or of one within it, stays when the folder gets another name, also by undoing that.
func TestRenamedFolderKeepsItsList(t *testing.T) {
	w, q := newTestWindow(t)
	s := w.sidebar
	wait := func(folder, chosen string) {
		t.Helper()
		q.until("it is stored", func() bool { return folderOf(t, w, w.library.Feeds[1].ID) == folder })
		w.reload()
		q.until("it is shown", func() bool { return w.session.Place.Folder == chosen && !w.reloader.running })
		q.until("its articles are listed", func() bool { return len(w.session.List.IDs) == 3 })
	}
	s.ChooseKey(session.FolderKey("News"))
	q.until("the folder is listed", func() bool { return len(w.session.List.IDs) == 3 })
	s.Move(w.library.Renames("News", "Papers"), "renamed")
	wait("Papers", "Papers")
	q.until("undo knows", func() bool { return w.shell.History.Len() == 1 })
	w.shell.UndoLast()
	wait("News", "News")
	s.Move(w.library.Renames("News", "All / News"), "moved")
	wait("All / News", "All / News")
	s.Move(w.library.Renames("All", "Everything"), "renamed")
	wait("Everything / News", "Everything / News")
	s.ChooseKey(session.FolderKey("Everything"))
	q.until("the folder around it is listed", func() bool { return len(w.session.List.IDs) == 3 })
	s.Move(w.library.Renames("Everything", "Top"), "renamed")
	wait("Top / News", "Top")
}

// A folder or a feed that comes back by undoing is chosen again, unless another item was chosen meanwhile.
func TestUndoReturnsToTheChosenItem(t *testing.T) {
	w, q := newTestWindow(t)
	s := w.sidebar
	wait := func(key string) {
		t.Helper()
		q.until(key+" is chosen", func() bool { w.library.Reload(); return w.session.Place.Key == key })
	}
	undo := func() {
		t.Helper()
		q.until("undo knows", func() bool { return w.shell.History.Len() == 1 })
		w.shell.UndoLast()
	}
	remove := map[string]func(){
		session.FolderKey("News"): func() { s.Move(w.library.Renames("News", ""), "deleted") },
		session.FeedKey(2):        func() { w.feeds.Unsubscribe(w.library.Feed(2)) },
	}
	for key, remove := range remove {
		s.ChooseKey(key)
		remove()
		wait("all")
		undo()
		wait(key)
	}
	s.Move(map[int64]string{1: "Papers"}, "moved")
	q.until("there is another folder", func() bool { w.library.Reload(); return w.library.Feed(1).Folder == "Papers" })
	w.shell.History.Clear()
	s.ChooseKey(session.FolderKey("News"))
	s.Move(w.library.Renames("News", "Papers"), "renamed")
	wait(session.FolderKey("Papers"))
	undo()
	wait(session.FolderKey("News"))
	s.ChooseKey(session.FeedKey(2))
	w.feeds.Unsubscribe(w.library.Feed(2))
	wait("all")
	s.ChooseKey("unread")
	undo()
	q.until("it is back", func() bool { w.library.Reload(); return w.library.Feed(2) != nil })
	if w.session.Place.Key != "unread" {
		t.Errorf("chosen: %s", w.session.Place.Key)
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
	for _, item := range w.sidebar.Items {
		if item.Heading {
			continue
		}
		w.sidebar.ChooseKey(item.Key)
		w.shell.Focus(w.sidebar.List)
		press(w.sidebar.List, fyne.KeyF2)
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
	w.sidebar.ChooseKey(session.FolderKey("News"))
	q.until("the folder is listed", func() bool { return len(w.session.List.IDs) == 3 })
	w.timeline.SelectAll()
	w.sidebar.Tapped(w.sidebar.List.Chosen, 0)
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
	s.ToggleFolder("News")
	q.until("it is collapsed", func() bool { return len(s.Items) == 8 })
	s.ChooseKey(session.FeedKey(1))
	p := w.feeds.Properties(w.library.Feed(1))
	p.Folder.SetText("News")
	p.Title.SetText("Mine")
	w.shell.Dialogs.Open[0].Press("Save")
	q.until("undo knows", func() bool { return w.shell.History.Len() == 1 })
	w.library.Reload()
	q.until("it is moved", func() bool { return w.library.Feed(1).Folder == "News" })
	if at := s.Items[s.List.Chosen]; at.Feed == nil || at.Feed.ID != 1 || w.session.Place.Key != session.FeedKey(1) {
		t.Errorf("chosen: %s, in the list %s", w.session.Place.Key, at.Key)
	}
	w.shell.UndoLast()
	q.until("it is back", func() bool {
		f, err := w.shell.Home.Store.Feeds.Get(t.Context(), 1)
		return err == nil && f.Folder == "" && f.OwnTitle == ""
	})
}

// The feeds of a folder are hidden where it or a folder around it is collapsed, not one whose name only begins alike. That
// takes as many steps as the path has parts, however many folders are collapsed.
