package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/preferences"
	"kairos/app/session"
)

// A window comes back to the place, the article, its scroll position and the folded folders of the one before, and neither marks
// nor counts the article again.
func TestWindowComesBack(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(900, 400))
	w.sidebar.ToggleFolder("News")
	w.sidebar.ChooseKey(session.FeedKey(1))
	q.Until("the feed is listed", func() bool { return len(w.session.List.IDs) == 3 && w.session.Shown != nil })
	id := w.session.List.IDs[2]
	exec(t, w, "UPDATE body SET html = ? WHERE id = ?", strings.Repeat("<p>"+strings.Repeat("Many words. ", 40)+"</p>", 40), id)
	w.timeline.List.Select(2)
	q.Until("it is shown and read", func() bool { return w.session.IsShown(id) && w.session.Reading().Read })
	for range 3 {
		w.article.View.PageDown()
	}
	at, _, _ := w.article.View.Place()
	if at.Text == 0 {
		t.Fatal("there is nothing to scroll")
	}
	w.timeline.MarkThen([]int64{id}, "read", false, func([]int64) {})
	q.Until("it is unread again", func() bool { return !w.session.Reading().Read && w.shell.Pending() == 0 })
	w.remember() // as it does now and then: a session that ends does not quit its windows
	if size := w.shell.Preferences.Float(prefWidth); size != 900 {
		t.Errorf("the width is stored as %v", size)
	}
	w.closing.quit()
	q.Until("all is stored", func() bool { return w.shell.Pending() == 0 })

	next := newWindowWith(w.shell.Ctx, w.shell.App, w.shell.Home, preferences.Read(t.Context(), w.shell.Home.Dir, w.shell.App.Preferences()), q.Add)
	t.Cleanup(next.shell.Wait)
	next.reload()
	q.Until("the article is there", func() bool { return next.session.IsShown(id) })
	if got, _, _ := next.article.View.Place(); got != at {
		t.Errorf("the article is at %+v, was left at %+v", got, at)
	}
	if key := next.session.Place.Key; key != session.FeedKey(1) || next.sidebar.Items[next.sidebar.List.Chosen].Key != key || next.timeline.List.Chosen != 2 {
		t.Errorf("in %s, row %d", key, next.timeline.List.Chosen)
	}
	if !next.sidebar.Collapsed["News"] || len(next.sidebar.Items) != len(w.sidebar.Items) {
		t.Errorf("the folder is open: %d rows, were %d", len(next.sidebar.Items), len(w.sidebar.Items))
	}
	if !next.session.Unasked.Again || next.session.Marks.Value(next.session.Reading(), "read") {
		t.Error("the article that was marked unread is read as the window comes back")
	}
}

// It comes back to the very place, too, where that is the end of an article, or amid one of those below each other; and the list
// is scrolled as it was.
func TestWindowComesBackToTheVeryPlace(t *testing.T) {
	again := func(t *testing.T, w *window, q *queue) *window {
		t.Helper()
		at, end, _ := w.article.View.Place()
		scrolled, shown := w.timeline.List.GetScrollOffset(), w.session.List.Current
		if at.Text == 0 {
			t.Fatal("nothing is scrolled")
		}
		w.closing.quit()
		q.Until("all is stored", func() bool { return w.shell.Pending() == 0 })
		next := newWindowWith(w.shell.Ctx, w.shell.App, w.shell.Home, preferences.Read(t.Context(), w.shell.Home.Dir, w.shell.App.Preferences()), q.Add)
		t.Cleanup(next.shell.Wait)
		next.win.Resize(w.win.Canvas().Size())
		next.reload()
		q.Until("the article is there", func() bool {
			_, _, known := next.article.View.Place()
			return known && next.session.IsShown(shown)
		})
		if got, atEnd, _ := next.article.View.Place(); got != at || atEnd != end {
			t.Errorf("the article is at %+v, was left at %+v", got, at)
		}
		if got := next.timeline.List.GetScrollOffset(); !w.article.Stream.On && got != scrolled {
			t.Errorf("the list is scrolled to %v, was left at %v", got, scrolled)
		}
		return next
	}
	t.Run("stream", func(t *testing.T) {
		w, q := newStreamWindow(t)
		w.timeline.List.Select(3)
		q.idle(w)
		w.article.View.PageDown()
		q.idle(w)
		again(t, w, q)
	})
	t.Run("end", func(t *testing.T) {
		w, q := newStreamWindow(t)
		w.setLayout(session.Columns)
		w.timeline.List.Select(11)
		q.Until("a long article is shown", func() bool { return w.session.IsShown(w.session.List.IDs[11]) })
		w.timeline.List.ScrollToOffset(w.timeline.List.GetScrollOffset() + 17)
		for range 4 {
			w.article.View.PageDown()
		}
		again(t, w, q)
	})
}

// It comes back to the status of a feed, and from there to the article that was read before.
func TestWindowComesBackToAFeedsStatus(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.ChooseKey(session.FeedKey(1))
	q.Until("the feed is listed", func() bool { return len(w.session.List.IDs) == 3 && w.session.Shown != nil })
	w.timeline.List.Select(1)
	id := w.session.List.IDs[1]
	q.Until("an article is shown and read", func() bool { return w.session.IsShown(id) && w.session.Reading().Read })
	openStatus(w, q, 1)
	w.closing.quit()
	q.Until("all is stored", func() bool { return w.shell.Pending() == 0 })

	next := newWindowWith(w.shell.Ctx, w.shell.App, w.shell.Home, preferences.Read(t.Context(), w.shell.Home.Dir, w.shell.App.Preferences()), q.Add)
	t.Cleanup(next.shell.Wait)
	next.reload()
	q.Until("the status is there", func() bool { return next.feedPage.Report.Feed.ID == 1 && next.feedPage.Content.Visible() })
	if next.session.Shown != nil || next.session.List.Current != 0 || unread(t, next) != 5 {
		t.Errorf("an article is shown: %+v", next.session.Shown)
	}
	next.remember()
	next.perform("back")
	q.Until("the article is there", func() bool { return next.session.IsShown(id) })
}
