package app

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/jump"
	"kairos/app/session"
	"kairos/app/sidebar"
	"kairos/reader"
)

// F2 renames what is chosen in the sidebar. A click on a folder, also on the one that is open, leaves no article selected, and
// Unsubscribe asks about the folder.
func TestSidebarByKeysAndClicks(t *testing.T) {
	w, q := newTestWindow(t)
	if _, err := w.shell.Home.SavedSearches.Save(t.Context(), reader.SavedSearch{Name: "Zero", Search: "feed:0"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.shell.Home.Marks.Labels.Save(t.Context(), reader.Label{Name: "Home"}); err != nil {
		t.Fatal(err)
	}
	w.library.Reload()
	q.Until("they are there", func() bool { return len(w.library.Labels) == 1 && len(w.library.Searches) == 1 })
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
	w.sidebar.ChooseKey(session.FolderKey("News"))
	q.Until("the folder is listed", func() bool { return len(w.session.List.IDs) == 3 })
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

// Left and Right fold the folder that has the focus in the sidebar, and Right goes on from one that is open; Delete removes a saved search.
func TestArrowsAndDeleteInTheSidebar(t *testing.T) {
	w, q := newTestWindow(t)
	if _, err := w.shell.Home.SavedSearches.Save(t.Context(), reader.SavedSearch{Name: "Zero", Search: "feed:0"}); err != nil {
		t.Fatal(err)
	}
	w.library.Reload()
	q.Until("the search is there", func() bool { return len(w.library.Searches) == 1 })
	w.sidebar.ChooseKey(session.FolderKey("News"))
	w.shell.Focus(w.sidebar.List)
	n := len(w.sidebar.Items)
	for _, c := range []struct {
		key  fyne.KeyName
		rows int
	}{{fyne.KeyLeft, n - 1}, {fyne.KeyLeft, n - 1}, {fyne.KeyRight, n}} {
		press(w.sidebar.List, c.key)
		q.Until("it is folded or not", func() bool { return len(w.sidebar.Items) == c.rows })
	}
	if w.win.Canvas().Focused() != fyne.Focusable(w.sidebar.List) {
		t.Errorf("the focus went to %T", w.win.Canvas().Focused())
	}
	if press(w.sidebar.List, fyne.KeyRight); w.win.Canvas().Focused() != fyne.Focusable(w.timeline.List) {
		t.Errorf("the focus went to %T", w.win.Canvas().Focused())
	}
	w.sidebar.ChooseKey(session.SavedPlace(&w.library.Searches[0]).Key)
	w.shell.Focus(w.sidebar.List)
	press(w.sidebar.List, fyne.KeyDelete)
	q.Until("it is removed", func() bool { return len(w.library.Searches) == 0 && w.shell.Pending() == 0 })
	w.shell.UndoLast()
	q.Until("it is back", func() bool { return w.shell.Pending() == 0 })
	w.library.Reload()
	q.Until("it is listed", func() bool { return len(w.library.Searches) == 1 })
}

// A search that was saved from its field is undone by the next Ctrl+Z.
func TestUndoSavingASearch(t *testing.T) {
	w, q := newTestWindow(t)
	w.search.Start()
	w.search.SetText("body 2")
	w.perform("save-search")
	w.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	q.Until("it is saved and chosen", func() bool {
		return w.session.Place.Saved != nil && len(w.library.Searches) == 1 && w.shell.Pending() == 0
	})
	w.perform("undo")
	q.Until("it is taken back", func() bool { return w.shell.Pending() == 0 })
	w.library.Reload()
	q.Until("another place is chosen", func() bool { return len(w.library.Searches) == 0 && w.session.Place.Key == session.All })
}

// The command hides the feeds without unread articles, which the menu shows and the next start remembers. What is hidden is found by Ctrl+J.
func TestHideFeedsWithoutUnreadArticles(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.ChooseKey(session.FeedKey(1))
	w.perform("hide-read-feeds")
	w.actions.MarkAllRead()
	q.Until("they are marked", func() bool { return unread(t, w) == 3 })
	w.sidebar.ChooseKey(session.Unread)
	listed := func() bool {
		return slices.ContainsFunc(w.sidebar.Items, func(i sidebar.Item) bool { return i.Key == session.FeedKey(1) })
	}
	q.Until("the feed is hidden", func() bool { w.library.Reload(); return !listed() })
	if !w.hideReadFeedsItem().Checked || !w.shell.Preferences.Bool("sidebar.hide-read") {
		t.Error("it is not remembered")
	}
	if !slices.ContainsFunc(w.placeTargets(w.sidebar.Places()), func(to jump.Target) bool { return to.Name == "Feed 0" }) {
		t.Error("the feed cannot be gone to")
	}
	w.perform("hide-read-feeds")
	q.Until("all are listed", listed)
}
