package app

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/session"
	"kairos/app/sidebar"
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
	q.Until("it is filled", func() bool { return page.Focusable() != nil })
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
	w.pages.insights.Feeds.Open(1)
	q.Until("the feed's page is shown", func() bool { return !page.Shown() && w.feedPage.Report.Feed.ID == 1 })
	t.Run("takes the keys", func(t *testing.T) { pageTakesTheKeys(t, w, q) })
}

// pageTakesTheKeys checks that the focus goes to the page that was opened, not to the list behind it, and to the list again when it
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
		q.Until("it is filled", func() bool { return page.Focusable() != nil })
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

// The page of feeds that need attention has a row in the sidebar as long as there are any, and takes the place of the articles.
func TestAttentionPage(t *testing.T) {
	w, q := newTestWindow(t)
	listed := func() bool {
		return slices.ContainsFunc(w.sidebar.Items, func(i sidebar.Item) bool { return i.Key == session.Attention })
	}
	exec(t, w, "INSERT INTO poll (subject, address, gone, failures, since) SELECT id, url, 1, 1, ? FROM feed", noon.Unix())
	w.reload()
	q.Until("the row appears", listed)
	w.sidebar.ChooseKey(session.Attention)
	if !w.pages.attention.Shown() || !w.panes.Covered() || len(w.pages.attention.Feeds) != 2 {
		t.Fatal("the feeds are not shown")
	}
	// What is done to a list of articles does nothing here.
	w.actions.MarkAllRead()
	q.Until("nothing is marked", func() bool { return w.status.message.Text == "None of these articles is unread." })
	if n := unread(t, w); n != 6 {
		t.Errorf("%d unread", n)
	}
	// A search is for articles.
	w.search.SetText("body")
	if w.pages.attention.Shown() || w.session.Place.Key != "all" {
		t.Error("searching shows feeds")
	}
	q.Until("they are found", func() bool { return len(w.session.List.IDs) == 6 })
	w.search.SetText("")
	w.sidebar.ChooseKey(session.Attention)
	w.openFeedPage(&w.pages.attention.Feeds[0].Feed)
	if w.pages.attention.Shown() || w.session.Place.Key != session.FeedKey(w.pages.attention.Feeds[0].Feed.ID) {
		t.Error("its page is not shown")
	}
	// Mended, they are gone from there, and so is the row.
	w.sidebar.ChooseKey(session.Attention)
	exec(t, w, "UPDATE poll SET failures = 0, gone = 0")
	w.library.Reload()
	q.Until("the row goes", func() bool { return !listed() && !w.pages.attention.Shown() && w.session.Place.Key == "all" })
}
