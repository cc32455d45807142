package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/search"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
)

// savedRows returns the rows of saved searches as "name count".
func savedRows(w *window) string {
	var rows []string
	for _, p := range w.sidebar.Items {
		if p.Saved != nil {
			rows = append(rows, p.Name+" "+text.Count(p.Count))
		}
	}
	return strings.Join(rows, "|")
}

func (q *queue) rows(w *window, want string) {
	q.t.Helper()
	q.until("saved searches are "+want, func() bool { return savedRows(w) == want })
}

func TestSaveSearch(t *testing.T) {
	w, q := newTestWindow(t)
	if w.search.SaveButton.Visible() {
		t.Error("nothing can be saved before anything is searched for")
	}
	w.savedSearches.SaveCurrent()
	if len(w.shell.Dialogs.Open) != 0 || w.win.Canvas().Focused() != w.search {
		t.Error("saving nothing does not lead to the search")
	}
	w.sidebar.ChooseKey("folder:News")
	w.search.SetText("body 2")
	if !w.search.SaveButton.Visible() {
		t.Error("what is searched for cannot be saved")
	}
	test.Tap(w.search.SaveButton)
	if len(w.shell.Dialogs.Open) != 1 {
		t.Fatalf("%d dialogs", len(w.shell.Dialogs.Open))
	}
	w.win.Canvas().Focused().(*widgets.Entry).SetText("Bodies")
	w.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	q.rows(w, "Bodies 1")
	q.until("it is shown", func() bool {
		return w.session.Place.Name == "Bodies" && len(w.session.List.IDs) == 1 && w.search.Text == "" && len(w.shell.Dialogs.Open) == 0
	})
	if got := w.session.Place.Saved.Search; got != `folder:"News" body 2` {
		t.Errorf("saved is %q", got)
	}
	if i := w.sidebar.List.Chosen; w.sidebar.Items[i].Key != w.session.Place.Key || i != 6 {
		t.Errorf("row %d is chosen", i)
	}
	w.search.SetText("feed:0")
	q.until("it can be narrowed", func() bool { return len(w.session.List.IDs) == 0 })
	w.search.End()
	q.until("it is whole again", func() bool { return len(w.session.List.IDs) == 1 })
	w.timeline.List.Select(0)
	q.until("its count follows what is read", func() bool {
		w.library.Reload()
		return savedRows(w) == "Bodies "
	})
}

func TestEditAndRemoveSavedSearch(t *testing.T) {
	w, q := newTestWindow(t)
	if _, err := w.shell.Home.SavedSearches.Save(t.Context(), reader.SavedSearch{Name: "Zero", Search: "feed:0"}); err != nil {
		t.Fatal(err)
	}
	w.library.Reload()
	q.rows(w, "Zero 3")
	w.sidebar.ChooseKey(w.sidebar.Items[6].Key)
	w.chosenProperties()
	w.win.Canvas().Focused().(*widgets.Entry).SetText("One")
	w.key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(w.shell.Dialogs.Open) != 0 {
		t.Fatal("Escape does not leave the dialog")
	}
	d := w.savedSearches.Edit(*w.session.Place.Saved)
	d.Words.SetText("  ")
	d.Save()
	if d.Message.String() == "" {
		t.Error("an empty search is saved")
	}
	d.Name.SetText("Two")
	d.Words.SetText("feed:1 body 2")
	d.Save()
	q.rows(w, "Two 1")
	q.until("the list follows", func() bool { return len(w.session.List.IDs) == 1 && w.session.Place.Name == "Two" })
	w.shell.UndoLast()
	w.library.Reload()
	q.until("the edit is undone", func() bool { w.library.Reload(); return savedRows(w) == "Zero 3" })
	w.savedSearches.Remove(*w.session.Place.Saved)
	q.rows(w, "")
	q.until("another place is chosen", func() bool { return w.session.Place.Key == "all" })
	w.shell.UndoLast()
	q.until("it is back", func() bool { w.library.Reload(); return savedRows(w) == "Zero 3" })
}

func TestEmptySearchIsExplained(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.ChooseKey("folder:News")
	w.search.SetText(`nothing "like this`)
	q.until("it is said", func() bool { return w.timeline.Empty.Content.Visible() && w.timeline.Empty.Search.Buttons().Visible() })
	if text := w.timeline.Empty.Hint.Text; !strings.Contains(text, "News") || !strings.Contains(text, `nothing "like this`) {
		t.Errorf("says %q", text)
	}
	w.search.SetText("feed:0")
	q.until("it is empty here", func() bool { return strings.Contains(w.timeline.Empty.Hint.Text, "feed:0") })
	test.Tap(w.timeline.Empty.Search.(*search.Empty).All)
	q.until("all are searched", func() bool { return w.session.Place.Key == "all" && len(w.session.List.IDs) == 3 })
	if w.timeline.Empty.Content.Visible() {
		t.Error("the empty state stays")
	}
	w.search.SetText("none")
	q.until("nothing again", func() bool { return w.timeline.Empty.Content.Visible() })
	drawn := false
	for _, o := range test.LaidOutObjects(w.timeline.Empty.Content) {
		drawn = drawn || o == w.timeline.Empty.Search.Buttons()
	}
	if !drawn {
		t.Error("the ways out are not drawn")
	}
	if w.timeline.Empty.Search.(*search.Empty).All.Visible() {
		t.Error("it offers to search what it has searched")
	}
	w.search.End()
	q.until("all are back", func() bool { return len(w.session.List.IDs) == 6 && !w.timeline.Empty.Content.Visible() })
}

func TestUnfinishedSearchHidesNothing(t *testing.T) {
	w, _ := newTestWindow(t)
	for text, want := range map[string]string{`"`: "", "-": "", `-"`: "", "“": "", `"a`: `"a`, "?": "?"} {
		w.search.SetText(text)
		if got := w.timeline.Query().Search; got != want {
			t.Errorf("%s searches for %q", text, got)
		}
	}
}

func TestSearchHelp(t *testing.T) {
	w, _ := newTestWindow(t)
	test.Tap(w.search.HelpButton)
	if len(w.shell.Dialogs.Open) != 1 {
		t.Fatal("no help")
	}
	w.key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(w.shell.Dialogs.Open) != 0 || w.win.Canvas().Focused() != w.search {
		t.Error("it does not lead back to the search")
	}
}

func TestSearchMarkup(t *testing.T) {
	w, _ := newTestWindow(t)
	w.search.SetText("river")
	bar := test.NewTempWindow(t, w.search.Object)
	bar.Resize(fyne.NewSize(400, 56))
	widgetstest.AssertMarkup(t, "search.xml", w.search.Object)
	ways := search.NewEmpty(w.shell, func() {}, func() {}).Buttons()
	ways.Show()
	bar.SetContent(ways)
	widgetstest.AssertMarkup(t, "emptysearch.xml", ways)
}

// The number of results is shown with the item searched, until the search ends.
func TestSearchResultsAreCounted(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.ChooseKey("folder:News")
	w.search.SetText("body")
	q.until("it is said", func() bool { return w.status.message.Text == "Results in News: 3" })
	w.search.End()
	q.until("it is said no more", func() bool { return w.status.message.Text == "" })
	w.search.SetText("body")
	q.until("it is said again", func() bool { return w.status.message.Text != "" })
	w.shell.Say("Something else.")
	w.search.End()
	q.until("the whole list is there", func() bool { return len(w.session.List.IDs) == 3 })
	if w.status.message.Text != "Something else." {
		t.Errorf("the note is %q", w.status.message.Text)
	}
}

func TestSearchNarrowsTheList(t *testing.T) {
	w, q := newTestWindow(t)
	w.search.SetText("body 2")
	q.until("two are left", func() bool { return len(w.session.List.IDs) == 2 })
	w.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	q.until("all are back", func() bool { return len(w.session.List.IDs) == 6 })
}

func TestSearchTellsOfFiltersThatDoNotExist(t *testing.T) {
	w, q := newTestWindow(t)
	for typed, want := range map[string]string{
		"is:foo":       "There is no filter is:foo. There are is:unread, is:read and is:starred.",
		"before:hello": "“hello” is not a date. Write a day as in before:2026-01-31, a month as in before:2026-01, or a year.",
		"from:mary":    "There is no filter from:. There are title:,",
	} {
		w.search.SetText(typed)
		q.until("it says so of "+typed, func() bool { return strings.Contains(w.timeline.Empty.Hint.Text, want) })
	}
}
