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
	q.until("the feed is listed", func() bool { return len(w.session.List.IDs) == 3 && w.session.Shown != nil })
	id := w.session.List.IDs[2]
	exec(t, w, "UPDATE body SET html = ? WHERE id = ?", strings.Repeat("<p>"+strings.Repeat("Many words. ", 40)+"</p>", 40), id)
	w.timeline.List.Select(2)
	q.until("it is shown and read", func() bool { return w.session.IsShown(id) && w.session.Reading().Read })
	for range 3 {
		w.article.View.PageDown()
	}
	at, _ := w.article.View.Place()
	if at.Text == 0 {
		t.Fatal("there is nothing to scroll")
	}
	w.timeline.Mark([]int64{id}, "read", false)
	q.until("it is unread again", func() bool { return !w.session.Reading().Read && w.shell.Pending() == 0 })
	w.closing.quit()
	q.until("all is stored", func() bool { return w.shell.Pending() == 0 })

	next := newWindowWith(w.shell.Ctx, w.shell.App, w.shell.Home, preferences.Read(t.Context(), w.shell.Home.Dir, w.shell.App.Preferences()), q.add)
	t.Cleanup(next.shell.Wait)
	next.reload()
	q.until("the article is there", func() bool { return next.session.IsShown(id) })
	if got, _ := next.article.View.Place(); got != at {
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
