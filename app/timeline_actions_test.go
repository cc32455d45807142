package app

import (
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/session"
	"kairos/reader"
	"kairos/reader/parse"
)

// pick selects rows together.
func pick(w *window, rows ...int) {
	for _, i := range rows {
		w.session.List.Toggle(i)
	}
}

func TestMarkSelectionAndUndo(t *testing.T) {
	w, q := newTestWindow(t)
	ids := slices.Clone(w.session.List.IDs)
	pick(w, 0, 2, 3)
	w.timeline.List.TypedRune('s')
	q.until("three are starred", func() bool { return starred(t, w) == 3 })
	q.until("it can be undone", func() bool { return w.shell.History.Len() == 1 })
	w.timeline.List.TypedRune('s')
	q.until("none is", func() bool { return starred(t, w) == 0 })
	q.until("that too", func() bool { return w.shell.History.Len() == 2 })
	w.shell.UndoLast()
	q.until("three again", func() bool { return starred(t, w) == 3 })
	w.timeline.List.TypedRune('r')
	q.until("they are read", func() bool { return unread(t, w) == 3 })
	w.back()
	if got := w.session.List.Targets(); len(got) != 0 {
		t.Errorf("after Escape %v are meant", got)
	}
	w.session.List.Selection.Target = ids[4]
	if got := w.session.List.Targets(); !slices.Equal(got, ids[4:5]) {
		t.Errorf("a menu on the fifth means %v", got)
	}
}

func TestSelectRange(t *testing.T) {
	w, _ := newTestWindow(t)
	l := w.timeline
	l.List.Select(1)
	l.SelectTo(3)
	if got := w.session.List.Targets(); !slices.Equal(got, w.session.List.IDs[1:4]) {
		t.Errorf("from the second to the fourth: %v of %v", got, w.session.List.IDs)
	}
	l.ExtendSelection(-1)
	l.ExtendSelection(-1)
	l.ExtendSelection(-1)
	if got := w.session.List.Targets(); !slices.Equal(got, w.session.List.IDs[:2]) {
		t.Errorf("back over its beginning: %v of %v", got, w.session.List.IDs)
	}
	w.win.Canvas().Unfocus()
	w.selectAll()
	if got := w.session.List.Targets(); !slices.Equal(got, w.session.List.IDs) {
		t.Errorf("all: %v of %v", got, w.session.List.IDs)
	}
	l.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if w.session.List.Selection.IDs.Len() != 0 {
		t.Error("an arrow keeps the choice")
	}
}

func TestDeleteAndUndo(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.ChooseKey("all")
	q.until("all are listed", func() bool { return len(w.session.List.IDs) == 6 })
	ids := slices.Clone(w.session.List.IDs)
	w.timeline.List.Select(1)
	q.until("it is shown", func() bool { return w.session.Shown != nil })
	w.timeline.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	q.until("it is gone", func() bool { return len(w.session.List.IDs) == 5 && w.session.List.Current == ids[2] })
	q.until("the next is shown", func() bool { return w.session.Shown != nil && w.session.Shown.ID == ids[2] })
	w.shell.UndoLast()
	q.until("it is back", func() bool { return storedIDs(t, w) == 6 })
	w.timeline.Reload()
	q.until("it is listed", func() bool { return slices.Equal(w.session.List.IDs, ids) })
}

func TestDeletingStarredAsksFirst(t *testing.T) {
	w, q := newTestWindow(t)
	pick(w, 0, 1)
	w.timeline.List.TypedRune('s')
	q.until("two are starred", func() bool { return starred(t, w) == 2 })
	w.timeline.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	q.until("it asks", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	w.shell.Dialogs.Open[0].Press("Cancel")
	w.actions.DeleteTargets()
	q.until("it asks again", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	w.shell.Dialogs.Open[0].Press("Delete 2 articles")
	q.until("they are gone", func() bool { return starred(t, w) == 0 && len(w.session.List.IDs) == 4 })
}

func TestDeletingLabeledAsksFirst(t *testing.T) {
	w, q := newTestWindow(t)
	if _, err := w.shell.Home.Marks.Labels.PutNew(t.Context(), reader.Label{Name: "Work"}, w.session.List.IDs[:1]); err != nil {
		t.Fatal(err)
	}
	pick(w, 0, 1)
	w.actions.DeleteTargets()
	q.until("it asks", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	if got := w.shell.Dialogs.Open[0].Title; got != "Delete 1 starred or labeled article?" {
		t.Errorf("it asks %q", got)
	}
	w.shell.Dialogs.Open[0].Press("Delete 2 articles")
	q.until("they are gone", func() bool { return len(w.session.List.IDs) == 4 })
	w.shell.UndoLast()
	q.until("they are back", func() bool { return storedIDs(t, w) == 6 })
}

func TestMarkAboveBelowAndOlder(t *testing.T) {
	w, q := newTestWindow(t)
	w.session.List.Selection.Target = w.session.List.IDs[2]
	w.actions.MarkAbove()
	q.until("two are read", func() bool { return unread(t, w) == 4 })
	q.until("undo knows", func() bool { return w.shell.History.Len() == 1 })
	w.shell.UndoLast()
	q.until("none is", func() bool { return unread(t, w) == 6 })
	w.session.List.Selection.Target = w.session.List.IDs[2]
	w.actions.MarkBelow()
	q.until("three are read", func() bool { return unread(t, w) == 3 })
	w.shell.Now = func() time.Time { return noon.Add(24*time.Hour - 90*time.Minute) }
	w.actions.MarkOlder(1)
	q.until("what is older than a day is read", func() bool { return unread(t, w) == 2 })
}

func TestSortAndGroup(t *testing.T) {
	w, q := newTestWindow(t)
	ids := slices.Clone(w.session.List.IDs)
	w.sort(session.OldestFirst)
	q.until("oldest first", func() bool { return w.session.List.IDs[0] == ids[5] })
	w.sort(session.NewestFirst)
	w.group(session.GroupByFeed)
	q.until("feed after feed", func() bool {
		var feeds []string
		for _, id := range w.session.List.IDs {
			if a := w.session.List.Loaded[id]; a != nil {
				feeds = append(feeds, a.FeedTitle)
			}
		}
		return strings.Join(feeds, ",") == "Feed 0,Feed 0,Feed 0,Feed 1,Feed 1,Feed 1"
	})
	var headings []string
	for i := range w.session.List.IDs {
		headings = append(headings, w.timeline.GroupHeading(i))
	}
	if got := strings.Join(headings, ","); got != "Feed 0,,,Feed 1,," {
		t.Errorf("headings are %s", got)
	}
	w.sidebar.ChooseKey("all")
	q.until("all are listed", func() bool { return len(w.session.List.IDs) == 6 })
	w.timeline.List.Select(0)
	q.until("one is read", func() bool { return unread(t, w) == 5 })
	w.toggleHideRead()
	q.until("it is hidden", func() bool { return len(w.session.List.IDs) == 5 })
	if !w.shell.Preferences.Bool("list.hide-read") || !w.session.List.Order.HideRead {
		t.Error("it is not kept")
	}
}

// Articles that arrive while the user reads are announced and do not move the list.
func TestNewArticlesAreAnnounced(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1000, 400))
	w.timeline.List.Select(0)
	var articles []parse.Article
	for _, key := range []string{"x", "y"} {
		articles = append(articles, parse.Article{Key: key, Title: key, Published: noon.Add(time.Minute)})
	}
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, articles, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.timeline.Reload()
	q.until("they are listed", func() bool { return len(w.session.List.IDs) == 8 })
	if !w.timeline.NewArticles.Visible() || w.timeline.NewArticles.Text != "2 new ↑" {
		t.Errorf("the list says %q", w.timeline.NewArticles.Text)
	}
	w.timeline.ToTop()
	if w.timeline.NewArticles.Visible() {
		t.Error("at the top it is still said")
	}
	// What an undo brings back is not new.
	w.timeline.List.Select(0)
	first := w.session.List.IDs[0]
	w.actions.DeleteIDs([]int64{first})
	q.until("it is gone", func() bool { return len(w.session.List.IDs) == 7 })
	w.shell.UndoLast()
	q.until("it is back", func() bool { return storedIDs(t, w) == 8 })
	w.timeline.Reload()
	q.until("it is listed", func() bool { return len(w.session.List.IDs) == 8 })
	if w.timeline.NewArticles.Visible() {
		t.Errorf("it is said to be %q", w.timeline.NewArticles.Text)
	}
}

// storedIDs counts the articles in the store.
func storedIDs(t *testing.T, w *window) int {
	t.Helper()
	ids, err := w.shell.Home.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return len(ids)
}

func starred(t *testing.T, w *window) int {
	t.Helper()
	c, err := w.shell.Home.Store.Articles.Counts(t.Context(), noon, false)
	if err != nil {
		t.Fatal(err)
	}
	return c.Starred
}
