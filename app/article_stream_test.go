package app

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/session"
	"kairos/reader"
	"kairos/reader/parse"
)

// newStreamWindow returns a window with the articles below each other: the six of the test window and 40 longer ones, which
// stand before them.
func newStreamWindow(t *testing.T) (*window, *queue) {
	t.Helper()
	w, q := newTestWindow(t)
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		for i := range 40 {
			_, err := reader.StoreArticles(t.Context(), tx, int64(1+i/20), []parse.Article{{Key: fmt.Sprint("s", i), Title: fmt.Sprint("Story ", i),
				HTML:      strings.Repeat("<p>"+strings.Repeat("The lamps were counted. ", 40)+"</p>", 1+i%4),
				Published: noon.Add(-time.Duration(i) * time.Minute)}}, noon, time.Time{})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.win.Resize(fyne.NewSize(1200, 780))
	w.reload()
	q.Until("all is listed", func() bool { return len(w.session.List.IDs) == 46 && w.library.Unread.Total == 46 })
	w.setLayout(session.Combined)
	q.Until("the first article is there", func() bool { return w.session.IsShown(w.session.List.IDs[0]) })
	return w, q
}

// idle lets the work end that was begun.
func (q *queue) idle(w *window) {
	done := false
	w.shell.Work(func(context.Context) error { return nil }, func(error) { done = true })
	q.Until("the work is done", func() bool { return done && len(w.article.Stream.Loading) == 0 })
}

// isRead reports whether an article is stored as read.
func isRead(t *testing.T, w *window, id int64) bool {
	t.Helper()
	a, err := w.shell.Home.Store.Articles.Load(t.Context(), []int64{id})
	if err != nil || len(a) != 1 {
		t.Fatal(a, err)
	}
	return a[0].Read
}

// Scrolling makes the article at the top the current one and marks those that were passed, which one undo takes back.
func TestStreamMarksWhatIsScrolledPast(t *testing.T) {
	w, q := newStreamWindow(t)
	ids := slices.Clone(w.session.List.IDs)
	if unread(t, w) != 46 {
		t.Error("showing the first article unasked marks it")
	}
	w.session.OpenMark = session.MarkNever // else those that stay for two seconds are marked, too
	row := 0
	for row < 5 {
		w.article.View.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
		q.idle(w)
		row = slices.Index(ids, w.session.List.Current)
	}
	for w.session.List.Current == ids[row] { // until its end leaves at the top
		w.article.View.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		q.idle(w)
	}
	for range 3 {
		w.article.View.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		q.idle(w)
	}
	row++
	q.Until("they are read", func() bool {
		return w.shell.History.Len() == 1 && strings.HasPrefix(w.status.message.Text, fmt.Sprint(row, " articles")) && unread(t, w) == 46-row
	})
	if isRead(t, w, ids[row]) || !isRead(t, w, ids[0]) || !w.session.IsShown(ids[row]) || w.timeline.List.Chosen != row {
		t.Errorf("the current article is read: %v; shown %v, chosen %d", isRead(t, w, ids[row]), w.session.Shown, w.timeline.List.Chosen)
	}
	w.shell.UndoLast()
	q.Until("they are unread again", func() bool { return unread(t, w) == 46 })
	w.article.Stream.Marks = false
	for range 10 {
		w.article.View.PageDown()
		q.idle(w)
	}
	if unread(t, w) != 46 {
		t.Error("against the setting, articles are marked")
	}
}

// The keys of the list go from head to head, and actions apply to the article at the top.
func TestStreamKeys(t *testing.T) {
	w, q := newStreamWindow(t)
	ids := slices.Clone(w.session.List.IDs)
	if w.win.Canvas().Focused() != fyne.Focusable(w.article.View) {
		t.Error("the stream is not focused")
	}
	w.article.View.TypedRune('j')
	q.Until("the second is shown and read", func() bool { return w.session.IsShown(ids[1]) && isRead(t, w, ids[1]) })
	for w.session.List.Current == ids[1] {
		w.article.View.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		q.idle(w)
	}
	w.article.View.TypedRune('s')
	q.Until("the third is starred", func() bool {
		a, err := w.shell.Home.Store.Articles.Load(t.Context(), ids[2:3])
		return err == nil && a[0].Starred && w.session.Reading().Starred
	})
	w.article.View.TypedRune('k')
	if w.session.List.Current != ids[1] {
		t.Error("k does not go to the article before")
	}
	w.article.View.TypedRune('j')
	w.article.View.TypedRune('j')
	if w.session.List.Current != ids[3] {
		t.Error("j does not go on")
	}
	w.key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if !w.timeline.Object.Visible() || w.timeline.List.Chosen != 3 {
		t.Errorf("Escape does not lead to the row of the article: %d", w.timeline.List.Chosen)
	}
	w.timeline.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if w.timeline.Object.Visible() || w.win.Canvas().Focused() != fyne.Focusable(w.article.View) {
		t.Error("Enter does not lead back")
	}
	w.setLayout(session.Columns)
	q.Until("the same article is shown alone", func() bool { return w.session.IsShown(ids[3]) && w.timeline.Object.Visible() })
}

// Space reads a feed to its end, marks it read, and goes on with the next feed that has unread articles.
func TestStreamSpaceGoesOnWithTheNextFeed(t *testing.T) {
	w, q := newStreamWindow(t)
	first := w.sidebar.UnreadBelow()[0]
	w.sidebar.ChooseKey(first)
	q.Until("the feed is shown", func() bool {
		return len(w.session.List.IDs) == 23 && w.session.IsShown(w.session.List.IDs[0])
	})
	ids := slices.Clone(w.session.List.IDs)
	for w.session.List.Current != ids[len(ids)-1] {
		w.perform("page")
		q.idle(w)
	}
	for w.article.View.PageDown() {
		q.idle(w)
	}
	if w.session.Place.Key != first {
		t.Fatal("the feed is left before its end")
	}
	w.perform("page")
	q.Until("the next feed is shown", func() bool {
		return w.session.Place.Key != first && w.session.Shown != nil && !slices.Contains(ids, w.session.Shown.ID)
	})
	q.Until("all of the first feed are read", func() bool {
		return !slices.ContainsFunc(ids, func(id int64) bool { return !isRead(t, w, id) })
	})
}

// Articles that arrive, leave and change do not move what is read; what was deleted gives way to the next.
func TestStreamFollowsTheList(t *testing.T) {
	w, q := newStreamWindow(t)
	w.article.View.TypedRune('j')
	w.article.View.TypedRune('j')
	third := w.session.List.Current
	q.Until("it is shown", func() bool { return w.session.IsShown(third) })
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "new", Title: "New", Published: noon}}, noon.Add(time.Minute), time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.reload()
	q.Until("a new article is listed", func() bool { return len(w.session.List.IDs) == 47 })
	if w.session.List.Current != third || w.timeline.List.Chosen != 3 {
		t.Errorf("current %d instead of %d, row %d", w.session.List.Current, third, w.timeline.List.Chosen)
	}
	next := w.session.List.IDs[4]
	w.perform("delete")
	q.Until("the next is shown", func() bool { return w.session.IsShown(next) && w.session.List.Current == next })
	w.shell.UndoLast()
	q.Until("that is undone", func() bool { return strings.HasPrefix(w.status.message.Text, "Undone") })
	w.reload()
	q.Until("it is back", func() bool { return len(w.session.List.IDs) == 47 && w.session.List.Current == next })
}

// A feed without articles says so in the place of the list, and a search lists headlines.
func TestStreamGivesWayToTheList(t *testing.T) {
	w, q := newStreamWindow(t)
	w.search.SetText("lamps")
	q.Until("headlines are listed", func() bool { return len(w.session.List.IDs) == 40 && w.timeline.Object.Visible() })
	w.timeline.List.Select(4)
	if w.timeline.Object.Visible() {
		t.Error("a result is not shown")
	}
	w.search.End()
	w.perform("starred")
	q.Until("nothing is listed", func() bool { return len(w.session.List.IDs) == 0 && w.timeline.Empty.Content.Visible() })
	if !w.timeline.Object.Visible() {
		t.Error("nobody says that nothing is starred")
	}
	w.perform("all")
	q.Until("all are shown", func() bool {
		return len(w.session.List.IDs) == 46 && w.article.Object.Visible() && w.session.Shown != nil
	})
	w.perform("fares")
	w.openFeedPage(w.library.Feed(1))
	if !w.article.StatusShown() || w.article.View.Visible() {
		t.Error("the status of a feed is not shown")
	}
	q.Until("the feed is listed", func() bool { return len(w.session.List.IDs) == 23 })
	w.key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	q.Until("back at its articles", func() bool { return w.session.Shown != nil && w.article.View.Visible() })
}

// Whoever comes back to a place in the stream goes on at the first article that is unread.
func TestStreamGoesOnWhereItWasLeft(t *testing.T) {
	w, q := newStreamWindow(t)
	w.sidebar.ChooseKey("all")
	q.Until("all are listed", func() bool { return w.session.Place.Key == "all" && len(w.session.List.IDs) == 46 })
	q.idle(w)
	for range 30 {
		w.timeline.List.TypedRune('j')
		q.idle(w)
	}
	at := w.session.List.Current
	for _, key := range []string{"starred", "today"} {
		w.sidebar.ChooseKey(key)
		q.idle(w)
		w.sidebar.ChooseKey("all")
		q.Until("all are listed again", func() bool {
			return w.session.Place.Key == "all" && len(w.session.List.IDs) == 46 && w.session.Shown != nil
		})
		q.idle(w)
		if got := slices.Index(w.session.List.IDs, w.session.List.Current); got < slices.Index(w.session.List.IDs, at) {
			t.Errorf("after %s it begins with article %d, was left at %d", key, got, slices.Index(w.session.List.IDs, at))
		}
	}
}

// The article that is read in the stream says the new name of its feed.
func TestStreamSaysTheNewNameOfAFeed(t *testing.T) {
	w, q := newStreamWindow(t)
	exec(t, w, "UPDATE feed SET own_title = 'Another name'")
	w.library.Reload()
	q.Until("the article says so", func() bool {
		w.article.View.SelectAll()
		return strings.Contains(w.article.View.Selected(), "Another name")
	})
}
