package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/feeds"
	"kairos/app/session"
	"kairos/app/widgets/widgetstest"
	"kairos/poller"
	"kairos/reader"
)

// openStatus shows the status of a feed and waits for it.
func openStatus(w *window, q *queue, feed int64) *feeds.Page {
	q.t.Helper()
	w.openFeedPage(w.library.Feed(feed))
	p := w.feedPage
	q.Until("the page is there", func() bool { return p.Report.Feed.ID == feed && p.Content.Visible() })
	return p
}

// An article takes the pane of a feed's status and gives it back; the status has the focus of the pane, and closes with its feed.
func TestFeedPage(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(700, 400))
	p := openStatus(w, q, 1)
	w.movePane(1)
	if w.win.Canvas().Focused() != fyne.Focusable(p.Month.Strip) {
		t.Fatalf("%v has the focus", w.win.Canvas().Focused())
	}
	p.Month.Strip.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if p.Pane().Offset.Y == 0 || !p.Shown() {
		t.Errorf("Space scrolls to %v", p.Pane().Offset)
	}
	for range poller.LedgerDays {
		p.Month.Strip.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	}
	if w.win.Canvas().Focused() != fyne.Focusable(w.timeline.List) || p.Month.Strip.Chosen() != 0 {
		t.Errorf("day %d, %v has the focus", p.Month.Strip.Chosen(), w.win.Canvas().Focused())
	}
	p.Month.Strip.TypedRune('j')
	q.Until("the article is shown", func() bool { return w.session.Shown != nil && !p.Shown() && !p.Pane().Visible() })
	w.openFeedPage(w.session.Place.Feed)
	q.Until("the page is back", func() bool { return p.Shown() && p.Pane().Visible() && w.session.Shown == nil })
	w.perform("back")
	q.Until("the article is back", func() bool { return w.session.Shown != nil && !p.Shown() })
	w.openFeedPage(w.session.Place.Feed)
	w.sidebar.ChooseKey("all")
	q.Until("the page is gone where no feed is chosen", func() bool { return !p.Shown() && w.article.View.Visible() })
	w.openFeedPage(&w.library.Feeds[1])
	q.Until("the other feed's page", func() bool { return p.Report.Feed.ID == 2 && w.session.Place.Key == session.FeedKey(2) })
	w.feeds.Unsubscribe(&p.Report.Feed)
	q.Until("it is unsubscribed", func() bool { return w.shell.History.Len() == 1 })
	w.reload()
	q.Until("the page is gone", func() bool { return !p.Shown() && w.session.Place.Key == "all" })
}

// What is changed of a feed stands on its page at once: a folder that is deleted is not named any more.
func TestFeedPageFollowsItsFeed(t *testing.T) {
	w, q := newTestWindow(t)
	w.watchStore()
	f := w.library.Feeds[0]
	f.Folder = "Blogs"
	change := func() {
		t.Helper()
		if err := w.shell.Home.Subscriptions.Update(t.Context(), f, nil); err != nil {
			t.Fatal(err)
		}
	}
	change()
	p := openStatus(w, q, f.ID)
	q.Until("the folder is named", func() bool { return p.Report.Feed.Folder == "Blogs" })
	f.Folder = ""
	change()
	q.Until("the folder is not named", func() bool { return p.Report.Feed.Folder == "" })
}

// With battery saver the page tells at once what is to be expected of so few fetches.
func TestFeedPageFollowsTheBudget(t *testing.T) {
	w, q := newTestWindow(t)
	p := openStatus(w, q, 1)
	said := func() string { return strings.Join(widgetstest.Texts(p.Forecast.Effects), "\n") }
	q.Until("the forecast is there", func() bool { return said() != "" })
	normal := said()
	if err := w.shell.Home.Poller.SetSaver(t.Context(), poller.SaverOn); err != nil {
		t.Fatal(err)
	}
	b, err := w.shell.Home.Poller.Budget(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.showStatus(poller.Status{Budget: b})
	q.Until("the forecast is of battery saver", func() bool { return said() != normal })
}

// A feed shows its first unread article, which is marked read only once it stayed open.
func TestChosenFeedShowsItsFirstUnread(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.ChooseKey(session.FeedKey(1))
	q.Until("its first article is shown", func() bool {
		return w.session.Shown != nil && w.session.Shown.ID == w.session.List.IDs[0]
	})
	newest := w.session.List.IDs[0]
	if w.feedPage.Shown() || w.session.List.Current != newest || w.session.Marks.Value(w.session.Reading(), reader.FlagRead) {
		t.Errorf("status %v, article %d, read %v", w.feedPage.Shown(), w.session.List.Current, w.session.Shown.Read)
	}
	w.article.StayedOpen(newest)
	q.Until("it is marked read", func() bool { return unread(t, w) == 5 })
	w.sidebar.ChooseKey("all")
	q.Until("no article is shown where no feed is chosen", func() bool { return w.session.Shown == nil })
	w.sidebar.ChooseKey(session.FeedKey(1))
	q.Until("the first unread is shown", func() bool {
		return w.session.Shown != nil && len(w.session.List.IDs) == 3 && w.session.Shown.ID == w.session.List.IDs[1]
	})

	// Who goes on has seen it, and what the user opens is marked at once.
	w.timeline.List.TypedRune('j')
	q.Until("both are marked read", func() bool { return unread(t, w) == 3 })

	// Where the list has the place of the article, choosing a feed does not leave that of another one behind it.
	wide := w.win.Canvas().Size()
	w.sidebar.ChooseKey(session.FeedKey(2))
	q.Until("its article is shown", func() bool { return w.session.Shown != nil && w.session.Shown.Feed == 2 })
	w.win.Resize(fyne.NewSize(400, 500))
	w.panes.Reveal(session.PaneList)
	w.sidebar.ChooseKey(session.FeedKey(1))
	q.Until("the other feed is listed, and no article is left", func() bool {
		return len(w.session.List.IDs) == 3 && w.session.List.Loaded[w.session.List.IDs[0]].Feed == 1 && w.session.Shown == nil
	})
	if w.panes.Shown(session.PaneArticle) {
		t.Error("the article has the place of the list")
	}
	w.win.Resize(wide)

	// Without articles there is its status.
	ids, err := w.shell.Home.Store.Articles.IDs(t.Context(), reader.Query{Feed: 2})
	if err == nil {
		_, err = w.shell.Home.Marks.Set(t.Context(), ids, reader.FlagDeleted, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.sidebar.ChooseKey(session.FeedKey(2))
	q.Until("its status is shown", func() bool { return w.feedPage.Feed() == 2 && w.feedPage.Pane().Visible() })
}
