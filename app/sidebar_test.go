package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/session"
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
