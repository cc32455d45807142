package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
)

// savedRows returns the rows of saved searches as "name count".
func savedRows(w *window) string {
	var rows []string
	for _, p := range w.sidebar.items {
		if p.Saved != nil {
			rows = append(rows, p.Name+" "+text.Count(p.count))
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
	if w.search.saveButton.Visible() {
		t.Error("nothing can be saved before anything is searched for")
	}
	w.savedSearches.saveCurrent()
	if len(w.shell.Dialogs.Open) != 0 || w.win.Canvas().Focused() != w.search {
		t.Error("saving nothing does not lead to the search")
	}
	w.sidebar.chooseKey("folder:News")
	w.search.SetText("body 2")
	if !w.search.saveButton.Visible() {
		t.Error("what is searched for cannot be saved")
	}
	test.Tap(w.search.saveButton)
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
	if i := w.sidebar.list.Chosen; w.sidebar.items[i].Key != w.session.Place.Key || i != 6 {
		t.Errorf("row %d is chosen", i)
	}
	w.search.SetText("feed:0")
	q.until("it can be narrowed", func() bool { return len(w.session.List.IDs) == 0 })
	w.search.end()
	q.until("it is whole again", func() bool { return len(w.session.List.IDs) == 1 })
	w.timeline.list.Select(0)
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
	w.sidebar.chooseKey(w.sidebar.items[6].Key)
	w.chosenProperties()
	w.win.Canvas().Focused().(*widgets.Entry).SetText("One")
	w.key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(w.shell.Dialogs.Open) != 0 {
		t.Fatal("Escape does not leave the dialog")
	}
	d := w.savedSearches.edit(*w.session.Place.Saved)
	d.words.SetText("  ")
	d.save()
	if d.message.String() == "" {
		t.Error("an empty search is saved")
	}
	d.name.SetText("Two")
	d.words.SetText("feed:1 body 2")
	d.save()
	q.rows(w, "Two 1")
	q.until("the list follows", func() bool { return len(w.session.List.IDs) == 1 && w.session.Place.Name == "Two" })
	w.shell.UndoLast()
	w.library.Reload()
	q.until("the edit is undone", func() bool { w.library.Reload(); return savedRows(w) == "Zero 3" })
	w.savedSearches.remove(*w.session.Place.Saved)
	q.rows(w, "")
	q.until("another place is chosen", func() bool { return w.session.Place.Key == "all" })
	w.shell.UndoLast()
	q.until("it is back", func() bool { w.library.Reload(); return savedRows(w) == "Zero 3" })
}

func TestEmptySearchIsExplained(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.chooseKey("folder:News")
	w.search.SetText(`nothing "like this`)
	q.until("it is said", func() bool { return w.timeline.empty.content.Visible() && w.timeline.empty.search.buttons.Visible() })
	if text := w.timeline.empty.hint.Text; !strings.Contains(text, "News") || !strings.Contains(text, `nothing "like this`) {
		t.Errorf("says %q", text)
	}
	w.search.SetText("feed:0")
	q.until("it is empty here", func() bool { return strings.Contains(w.timeline.empty.hint.Text, "feed:0") })
	test.Tap(w.timeline.empty.search.all)
	q.until("all are searched", func() bool { return w.session.Place.Key == "all" && len(w.session.List.IDs) == 3 })
	if w.timeline.empty.content.Visible() {
		t.Error("the empty state stays")
	}
	w.search.SetText("none")
	q.until("nothing again", func() bool { return w.timeline.empty.content.Visible() })
	drawn := false
	for _, o := range test.LaidOutObjects(w.timeline.empty.content) {
		drawn = drawn || o == w.timeline.empty.search.buttons
	}
	if !drawn {
		t.Error("the ways out are not drawn")
	}
	if w.timeline.empty.search.all.Visible() {
		t.Error("it offers to search what it has searched")
	}
	w.search.end()
	q.until("all are back", func() bool { return len(w.session.List.IDs) == 6 && !w.timeline.empty.content.Visible() })
}

func TestUnfinishedSearchHidesNothing(t *testing.T) {
	w, _ := newTestWindow(t)
	for text, want := range map[string]string{`"`: "", "-": "", `-"`: "", "“": "", `"a`: `"a`, "?": "?"} {
		w.search.SetText(text)
		if got := w.timeline.query().Search; got != want {
			t.Errorf("%s searches for %q", text, got)
		}
	}
}

func TestSearchStartsAtTop(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(900, 300))
	w.timeline.list.Select(5)
	w.timeline.list.ScrollToBottom()
	if w.timeline.list.GetScrollOffset() == 0 {
		t.Fatal("there is nothing to scroll")
	}
	before := w.session.List.Version
	w.search.SetText("article")
	q.until("it is listed", func() bool { return w.session.List.Version > before })
	if at := w.timeline.list.GetScrollOffset(); at != 0 || w.timeline.newArticles.Visible() {
		t.Errorf("the list is at %v, what is new is said: %t", at, w.timeline.newArticles.Visible())
	}
}

func TestSearchHelp(t *testing.T) {
	w, _ := newTestWindow(t)
	test.Tap(w.search.helpButton)
	if len(w.shell.Dialogs.Open) != 1 {
		t.Fatal("no help")
	}
	w.key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(w.shell.Dialogs.Open) != 0 || w.win.Canvas().Focused() != w.search {
		t.Error("it does not lead back to the search")
	}
}

func TestIndexingText(t *testing.T) {
	test.NewTempApp(t)
	if got := (indexing{waiting: 1234}).text(); !strings.HasSuffix(got, "being built. Articles not searched yet: 1234") {
		t.Error(got)
	}
	if got := (indexing{waiting: 7, damaged: true}).text(); !strings.Contains(got, "damaged") || !strings.HasSuffix(got, ": 7") {
		t.Error(got)
	}
}

func TestSearchMarkup(t *testing.T) {
	w, _ := newTestWindow(t)
	w.search.SetText("river")
	bar := test.NewTempWindow(t, w.search.bar)
	bar.Resize(fyne.NewSize(400, 56))
	widgetstest.AssertMarkup(t, "search.xml", w.search.bar)
	ways := newEmptySearch(w.shell, func() {}, func() {}).buttons
	ways.Show()
	bar.SetContent(ways)
	widgetstest.AssertMarkup(t, "emptysearch.xml", ways)
}

// The number of results is shown with the item searched, until the search ends.
func TestSearchResultsAreCounted(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.chooseKey("folder:News")
	w.search.SetText("body")
	q.until("it is said", func() bool { return w.status.message.Text == "Results in News: 3" })
	w.search.end()
	q.until("it is said no more", func() bool { return w.status.message.Text == "" })
	w.search.SetText("body")
	q.until("it is said again", func() bool { return w.status.message.Text != "" })
	w.shell.Say("Something else.")
	w.search.end()
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
		q.until("it says so of "+typed, func() bool { return strings.Contains(w.timeline.empty.hint.Text, want) })
	}
}

func TestHitsShowThePlaceFound(t *testing.T) {
	w, q := newTestWindow(t)
	exec(t, w, "UPDATE body SET html = '<p>"+strings.Repeat("Many words stand before it. ", 20)+"Then a hippopotamus appears.</p>' WHERE id = ?", w.session.List.IDs[0])
	exec(t, w, "UPDATE article SET summary = 'Many words stand before it.' WHERE id = ?", w.session.List.IDs[0])
	w.search.SetText("hippopotamus")
	q.until("it is found", func() bool {
		return len(w.session.List.IDs) == 1 && w.session.List.Loaded[w.session.List.IDs[0]] != nil
	})
	row := newTimelineRow()
	q.until("its row shows where", func() bool {
		w.timeline.update(0, row)
		return strings.HasPrefix(row.summary.Content, "…") && strings.Contains(row.summary.Content, "a hippopotamus appears")
	})
	if len(row.found.parts) != 1 {
		t.Errorf("%d places are marked", len(row.found.parts))
	}
	w.search.end()
	q.until("the list is back", func() bool { return len(w.session.List.IDs) == 6 })
	q.until("the row shows the beginning", func() bool {
		w.timeline.update(0, row)
		return strings.HasPrefix(row.summary.Content, "Many words")
	})
}
