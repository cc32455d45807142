package app

import (
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/session"
	"kairos/reader"
)

// The page of insights takes the place of the articles, by key, menu, sidebar and status bar, and gives it back.
func TestInsightsPage(t *testing.T) {
	w, q := newTestWindow(t)
	page := w.pages.insights
	w.win.Resize(fyne.NewSize(700, 400))
	w.typed('i')
	if !page.Shown() || !w.panes.Covered() || w.session.Place.Key != session.Insights {
		t.Fatal("the page is not shown")
	}
	q.until("it is filled", func() bool { return page.Focusable() != nil })
	w.movePane(1)
	if w.win.Canvas().Focused() != page.Focusable() {
		t.Errorf("%v has the focus", w.win.Canvas().Focused())
	}
	w.key(&fyne.KeyEvent{Name: fyne.KeyDown})
	if at := page.Pane().Offset.Y; at == 0 {
		t.Error("the arrow does not scroll")
	}
	w.pageOrNext()
	w.pageBack()
	w.search.SetText("body")
	if page.Shown() || w.session.Place.Key != "all" || w.panes.Covered() {
		t.Error("searching does not list articles")
	}
	w.search.SetText("")
	w.perform("insights")
	if !page.Shown() {
		t.Fatal("the command does not open it")
	}
	w.sidebar.ChooseKey("all")
	if w.status.state.Tapped(nil); !page.Shown() {
		t.Fatal("the status bar does not lead to it")
	}
	costlyFeeds{w}.Open(1)
	q.until("the feed's page is shown", func() bool { return !page.Shown() && w.feedPage.Report.Feed.ID == 1 })
	t.Run("takes the keys", func(t *testing.T) { pageTakesTheKeys(t, w, q) })
}

// pageTakesTheKeys checks that the keys go to the page that was opened, not to the list behind it, and to the list again when it
// is left.
func pageTakesTheKeys(t *testing.T, w *window, q *queue) {
	w.win.Resize(fyne.NewSize(1100, 400))
	page := w.pages.insights
	for _, behind := range []fyne.Focusable{w.timeline.List, w.article.Focusable()} {
		w.win.Canvas().Focus(behind)
		w.perform("insights")
		if f := w.win.Canvas().Focused(); f != nil {
			t.Fatalf("%T has the focus", f)
		}
		q.until("it is filled", func() bool { return page.Focusable() != nil })
		w.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEnd})
		if page.Pane().Offset.Y == 0 {
			t.Error("End does not scroll")
		}
		w.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyHome})
		if at := page.Pane().Offset.Y; at != 0 {
			t.Errorf("Home scrolls to %v", at)
		}
		w.perform("all")
		if w.win.Canvas().Focused() != fyne.Focusable(w.timeline.List) {
			t.Errorf("%T has the focus after the page", w.win.Canvas().Focused())
		}
	}
	w.shell.Focus(w.sidebar.List)
	w.perform("insights")
	if w.win.Canvas().Focused() != fyne.Focusable(w.sidebar.List) {
		t.Error("the sidebar has lost the keys")
	}
}

// What the page suggests for a feed can be undone.
func TestCostlyFeeds(t *testing.T) {
	w, q := newTestWindow(t)
	feed := func() reader.Feed {
		f, err := w.shell.Home.Store.Feeds.Get(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	c := costlyFeeds{w}
	c.Lower(1)
	q.until("its weight is low", func() bool { return w.shell.History.Len() == 1 })
	if feed().Weight != reader.WeightLow {
		t.Errorf("its weight is %v", feed().Weight)
	}
	w.shell.UndoLast()
	q.until("its weight is back", func() bool { return feed().Weight == reader.WeightNormal })
	w.reload()
	q.until("undone", func() bool { return w.shell.History.Len() == 0 })
	c.Pause(1)
	q.until("it is paused", func() bool { return w.shell.History.Len() == 1 && feed().Paused })
	w.shell.UndoLast()
	q.until("it is fetched again", func() bool { return !feed().Paused })
	c.Unsubscribe(1)
	q.until("it is unsubscribed", func() bool { return w.shell.History.Len() == 1 })
}
