package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"kairos/app/feeds"
	"kairos/app/session"
	"kairos/app/sidebar"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
	"kairos/app/widgets/widgetstest"
	"kairos/poller"
	"kairos/poller/report"
	"kairos/reader"
)

// exec changes the store without the window.
func exec(t *testing.T, w *window, query string, args ...any) {
	t.Helper()
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// fail makes a feed fail for so many days, once a day.
func fail(t *testing.T, w *window, feed, days int) {
	t.Helper()
	exec(t, w, `REPLACE INTO poll (subject, address, tried, fetched, failures, since, said, fault)
		SELECT id, url, ?2, ?4 - 3600, ?3, ?4, 'There is nothing at this address (404).', 'missing' FROM feed WHERE id = ?1`,
		feed, noon.Unix(), days, noon.AddDate(0, 0, -days).Unix())
	for i := range days {
		enter(t, w, feed, noon.AddDate(0, 0, -i), poller.Retry, "trying again after 3 faults", poller.Failed, 404, 0, "There is nothing at this address (404).")
	}
}

// enter adds a line to the ledger.
func enter(t *testing.T, w *window, feed int, at time.Time, c poller.Code, why string, r poller.Result, status, fresh int, said string) {
	t.Helper()
	exec(t, w, `INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said)
		VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, 10, ?)`, feed, at.Unix(), string(c), why, string(r), status, fresh, 1200*fresh, said)
}

// texts returns all visible texts in an object.
func texts(o fyne.CanvasObject) (all []string) {
	if !o.Visible() {
		return nil
	}
	switch o := o.(type) {
	case *widgets.Text:
		return []string{o.String()}
	case *widgets.Button:
		return []string{"[" + o.Text + "]"}
	case *fyne.Container:
		for _, c := range o.Objects {
			all = append(all, texts(c)...)
		}
	case *widgets.Panel:
		return texts(o.Content())
	case *widgets.Scroll:
		return texts(o.Content)
	case *container.Scroll:
		return texts(o.Content)
	}
	return all
}

func saysAll(t *testing.T, o fyne.CanvasObject, want ...string) {
	t.Helper()
	got := strings.Join(texts(o), "\n")
	at := 0
	for _, s := range want {
		i := strings.Index(got[at:], s)
		if i < 0 {
			t.Fatalf("no %q in its place in\n%s", s, got)
		}
		at += i
	}
}

// openStatus shows the status of a feed and waits for it.
func openStatus(w *window, q *queue, feed int64) *feeds.Page {
	q.t.Helper()
	w.openFeedPage(w.library.Feed(feed))
	p := w.feedPage
	q.until("the page is there", func() bool { return p.Report.Feed.ID == feed && p.Content.Visible() })
	return p
}

func TestFeedPage(t *testing.T) {
	w, q := newTestWindow(t)
	fail(t, w, 1, 3)
	exec(t, w, "UPDATE poll SET hub = 'https://hub.test/', floor = 1800 WHERE subject = 1")
	exec(t, w, "UPDATE poll SET shown = 15, keeps = 15, turnover = 2, lost = 12.2, lost_from = ?1 - 10800, lost_to = ?1 - 3600 WHERE subject = 1", noon.Unix())
	exec(t, w, "INSERT INTO cycle VALUES (1, 1, '[1, 2, 3]', 2.5, 0)")
	enter(t, w, 1, noon.AddDate(0, 0, -4), poller.Planned, "before your 12:00 reading; 2 articles expected", poller.Stored, 200, 2, "")
	w.library.Reload()
	p := openStatus(w, q, 1)
	saysAll(t, p.Pane(), "Feed 0", "http://127.0.0.1:9/0", "[Refresh]", "[Properties…]",
		"Failing since Sun 12:00 (3 days, 3 errors in a row)", "There is nothing", "new address", "[Find new address…]", "[Edit address…]", "[Try now]", "[Unsubscribe]",
		"Last fetch", "12:00, trying again: There is nothing", "Next fetch",
		"Lost", "About 12 articles were probably lost between 09:00 and 11:00: the feed shows only its last 15. Raise the budget or, in the properties",
		"Last 30 days", "4 fetches, 1 with 2 new articles, 3 errors, 2.4 kB.", "3 trying again, 1 planned.",
		"Wednesday, 4 March", "1 fetch, 1 error, 0 B.", "12:00:00", "There is nothing at this address (404).", "Trying again after 3 faults.",
		"Limits", "The server asks Kairos to wait 30 min", "WebSub hub: https://hub.test/", "save 3 fetches a day.")

	// Another day by the keys, by the mouse; what is under the mouse is told meanwhile.
	strip := p.Month.Strip
	w.win.Canvas().Focus(strip)
	for range 4 {
		strip.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	}
	saysAll(t, p.Pane(), "Saturday, 28 February", "1 fetch, 1 with 2 new articles, 2.4 kB.", "2 new, 2.4 kB.", "Before your 12:00 reading")
	step := strip.Size().Width / poller.LedgerDays
	over := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(step*27.5, 20)}}
	strip.MouseIn(over)
	saysAll(t, p.Pane(), "Mon 2 Mar: 1 fetch, 1 error", "Saturday, 28 February")
	strip.MouseOut()
	if slices.ContainsFunc(texts(p.Pane()), func(s string) bool { return strings.HasPrefix(s, "Mon 2 Mar") }) {
		t.Error("the mouse has left, but what it was over is told")
	}
	strip.Tapped(&over.PointEvent)
	saysAll(t, p.Pane(), "Monday, 2 March")

	// What is new is shown at once, and the day that was chosen stays.
	enter(t, w, 1, noon.Add(-time.Hour), poller.Manual, "asked for", poller.Unchanged, 304, 0, "")
	w.feedPage.Reload()
	q.until("it is told", func() bool { return p.Report.Month.Fetches == 5 })
	saysAll(t, p.Pane(), "5 fetches", "Monday, 2 March")

	// An article takes the pane, and gives it back.
	q.until("its articles are listed", func() bool { return len(w.session.List.IDs) > 0 })
	w.timeline.List.TypedRune('j')
	q.until("the article is shown", func() bool { return w.session.Shown != nil && !p.Shown() && !p.Pane().Visible() })
	w.openFeedPage(w.session.Place.Feed)
	q.until("the page is back", func() bool { return p.Shown() && p.Pane().Visible() && w.session.Shown == nil })
	w.perform("back")
	q.until("the article is back", func() bool { return w.session.Shown != nil && !p.Shown() })
	w.sidebar.ChooseKey("all")
	if p.Shown() || !w.article.View.Visible() {
		t.Error("the page stays where no feed is chosen")
	}
	w.openFeedPage(&w.library.Feeds[1])
	q.until("the other feed's page", func() bool { return p.Report.Feed.ID == 2 && w.session.Place.Key == session.FeedKey(2) })
	if got := strings.Join(texts(p.Pane()), "\n"); strings.Contains(got, "Failing") || strings.Contains(got, "WebSub") || !strings.Contains(got, "Never fetched yet.") {
		t.Error(got)
	}
}

// A feed shows its first unread article, which is marked read only once it stayed open.
func TestChosenFeedShowsItsFirstUnread(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.ChooseKey(session.FeedKey(1))
	q.until("its first article is shown", func() bool {
		return w.session.Shown != nil && w.session.Shown.ID == w.session.List.IDs[0]
	})
	newest := w.session.List.IDs[0]
	if w.feedPage.Shown() || w.session.List.Current != newest || w.session.Marks.Value(w.session.Reading(), reader.FlagRead) {
		t.Errorf("status %v, article %d, read %v", w.feedPage.Shown(), w.session.List.Current, w.session.Shown.Read)
	}
	w.article.StayedOpen(newest)
	q.until("it is marked read", func() bool { return unread(t, w) == 5 })
	w.sidebar.ChooseKey("all")
	q.until("no article is shown where no feed is chosen", func() bool { return w.session.Shown == nil })
	w.sidebar.ChooseKey(session.FeedKey(1))
	q.until("the first unread is shown", func() bool {
		return w.session.Shown != nil && len(w.session.List.IDs) == 3 && w.session.Shown.ID == w.session.List.IDs[1]
	})

	// One that the user opens is marked at once.
	w.timeline.List.TypedRune('j')
	q.until("it is marked read", func() bool { return unread(t, w) == 4 })

	// Without articles there is its status.
	ids, err := w.shell.Home.Store.Articles.IDs(t.Context(), reader.Query{Feed: 2})
	if err == nil {
		_, err = w.shell.Home.Marks.Set(t.Context(), ids, reader.FlagDeleted, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.sidebar.ChooseKey(session.FeedKey(2))
	q.until("its status is shown", func() bool { return w.feedPage.Feed() == 2 && w.feedPage.Pane().Visible() })
}

func TestFeedStatusListsOtherRequestsOnDemand(t *testing.T) {
	w, q := newTestWindow(t)
	enter(t, w, 1, noon.Add(-2*time.Hour), poller.Manual, "asked for", poller.Unchanged, 304, 0, "")
	enter(t, w, 1, noon.Add(-time.Hour), poller.Icon, "", poller.Failed, 404, 0, "There is nothing at this address (404). The icon of Feed 0.")
	p := openStatus(w, q, 1)
	if n := len(p.Month.Lines.Objects); n != 1 || !p.Month.Details.Visible() {
		t.Errorf("%d requests listed, the others on demand: %v", n, p.Month.Details.Visible())
	}
	p.Month.Details.SetChecked(true)
	if n := len(p.Month.Lines.Objects); n != 2 {
		t.Errorf("in detail, %d requests listed", n)
	}
}

func TestFeedPageClosesWhenUnsubscribed(t *testing.T) {
	w, q := newTestWindow(t)
	p := openStatus(w, q, 1)
	w.feeds.Unsubscribe(&p.Report.Feed)
	q.until("it is unsubscribed", func() bool { return w.shell.History.Len() == 1 })
	w.reload()
	q.until("the page is gone", func() bool { return !p.Shown() && w.session.Place.Key == "all" })
}

// What could not be read after an import is said, and listed at once.
func TestImportedFeedsThatCannotBeRead(t *testing.T) {
	w, q := newTestWindow(t)
	w.opml.Imported(0, reader.ImportResult{Added: []int64{1, 2}})
	q.until("it is said", func() bool {
		return strings.Contains(w.status.message.Text, "2 could not be read: see “Needs attention” in the sidebar.")
	})
	w.reload()
	q.until("both are listed", func() bool { return len(w.pages.attention.Feeds) == 2 })
}

func TestAttentionPage(t *testing.T) {
	w, q := newTestWindow(t)
	place := func() (found *sidebar.Item) {
		for i, p := range w.sidebar.Items {
			if p.Key == session.Attention {
				found = &w.sidebar.Items[i]
			}
		}
		return found
	}
	fail(t, w, 1, 29)
	fail(t, w, 2, 30)
	w.reload()
	q.until("the row appears", func() bool { return place() != nil })
	if p := place(); p.Count != 1 || p.Name != "Needs attention" {
		t.Errorf("%+v", p)
	}
	w.sidebar.ChooseKey(session.Attention)
	if !w.pages.attention.Shown() || !w.panes.Covered() {
		t.Fatal("the list is not shown")
	}
	saysAll(t, w.pages.attention.Pane, "Needs attention", "Feed 1", "Failing since 2 Feb 12:00 (30 days, 30 errors in a row)",
		"There is nothing at this address (404).", "new address", "http://127.0.0.1:9/1", "[Find new address…]", "[Try now]", "[Unsubscribe]", "[Feed status]")
	if slices.Contains(texts(w.pages.attention.Pane), "Feed 0") {
		t.Error("29 days are enough")
	}
	// What is done to a list of articles does nothing here.
	w.actions.MarkAllRead()
	q.until("nothing is marked", func() bool { return w.status.message.Text == "No unread articles here." })
	if n := unread(t, w); n != 6 {
		t.Errorf("%d unread", n)
	}
	exec(t, w, "UPDATE poll SET gone = 1 WHERE subject = 1")
	w.library.Reload()
	q.until("the one that is gone is listed", func() bool { return slices.Contains(texts(w.pages.attention.Pane), "Feed 0") })
	saysAll(t, w.pages.attention.Pane, "Gone since 3 Feb 12:00")
	if w.sidebar.Items[w.sidebar.List.Chosen].Count != 2 {
		t.Errorf("counts %d", w.sidebar.Items[w.sidebar.List.Chosen].Count)
	}
	// A search is for articles.
	w.search.SetText("body")
	if w.pages.attention.Shown() || w.session.Place.Key != "all" {
		t.Error("searching shows feeds")
	}
	q.until("they are found", func() bool { return len(w.session.List.IDs) == 6 })
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
	q.until("the row goes", func() bool {
		return place() == nil && !w.pages.attention.Shown() && w.session.Place.Key == "all"
	})
}

// A feed's new address is found on its site and used.
func TestFindAddress(t *testing.T) {
	elsewhere := "" // the same server under another name
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			fmt.Fprintf(out, `<html><head><link rel="alternate" type="application/rss+xml" href="%s/new.xml" title="New"></head></html>`, elsewhere)
		case "/new.xml":
			fmt.Fprint(out, `<rss version="2.0"><channel><title>New</title><item><title>A</title></item></channel></rss>`)
		default:
			http.NotFound(out, r)
		}
	}))
	defer s.Close()
	w, q := newTestWindow(t)
	f, err := w.shell.Home.Store.Feeds.Get(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere = strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	f.URL = s.URL + "/old.xml"
	if err := w.shell.Home.Subscriptions.Update(t.Context(), f, nil); err != nil {
		t.Fatal(err)
	}
	_, _, find := w.feeds.Fix(f, report.FindAddress)
	find()
	q.until("it is found", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	w.shell.Dialogs.Open[0].Press("Use this address")
	q.until("it is used", func() bool { return len(w.shell.Dialogs.Open) == 0 })
	if f, err = w.shell.Home.Store.Feeds.Get(t.Context(), 1); err != nil || f.URL != elsewhere+"/new.xml" {
		t.Errorf("%s, %v", f.URL, err)
	}
	// A password goes along within a host only.
	for to, kept := range map[string]bool{"http://a.test/new": true, "http://b.test/a": false} {
		if login := feeds.MovedLogin(reader.Feed{URL: "http://a.test/", Login: true}, to); (login == nil) != kept {
			t.Errorf("at %s: %+v", to, login)
		}
	}
	// There is no other one.
	find()
	q.until("it says so", func() bool { return len(w.shell.Dialogs.Open) == 1 })
}

func TestFixButtons(t *testing.T) {
	w, q := newTestWindow(t)
	f := w.library.Feeds[0]
	for _, a := range []report.Action{report.EditAddress, report.EnterLogin} {
		_, _, do := w.feeds.Fix(f, a)
		do()
		if e, ok := w.win.Canvas().Focused().(*widgets.Entry); !ok || len(w.shell.Dialogs.Open) != 1 || a == report.EditAddress && e.Text != f.URL || a == report.EnterLogin && e.PlaceHolder != "user" {
			t.Errorf("%s: %v has the focus", a, w.win.Canvas().Focused())
		}
		w.shell.Dialogs.Open[0].Hide()
	}
	_, _, try := w.feeds.Fix(f, report.TryNow)
	try()
	q.until("it was tried", func() bool { return strings.HasPrefix(w.status.message.Text, "Retried 1 feed") })
	_, _, leave := w.feeds.Fix(f, report.Unsubscribe)
	leave()
	q.until("it is unsubscribed", func() bool { return w.shell.History.Len() == 1 })
}

func TestFeedPageKeys(t *testing.T) {
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
	q.until("the list is there", func() bool { return len(w.session.List.IDs) == 3 })
	p.Month.Strip.TypedRune('j')
	q.until("the article is shown", func() bool { return w.session.Shown != nil })
}

func TestFeedPageMarkup(t *testing.T) {
	w, q := newTestWindow(t)
	fail(t, w, 2, 31)
	for i := range 20 {
		at, why := noon.Add(-time.Duration(i)*31*time.Hour), "before your 12:00 reading; 1 article expected"
		switch {
		case i == 7:
			enter(t, w, 1, at, poller.Planned, why, poller.Failed, 503, 0, "127.0.0.1:9 is busy (503).")
		case i%3 == 0:
			enter(t, w, 1, at, poller.Planned, why, poller.Stored, 200, 1+i%4, "")
		default:
			enter(t, w, 1, at, poller.Planned, why, poller.Unchanged, 304, 0, "")
		}
	}
	exec(t, w, "INSERT INTO poll (subject, address, tried, fetched, hub, ttl) SELECT id, url, ?, ?, 'https://hub.test/', 7200 FROM feed WHERE id = 1", noon.Unix(), noon.Unix())
	w.library.Reload()
	p := openStatus(w, q, 1)
	test.NewTempWindow(t, p.Month.Strip).Resize(fyne.NewSize(400, 80))
	widgetstest.AssertMarkup(t, "daystrip.xml", p.Month.Strip)

	page := feeds.NewPage(w.feeds)
	page.Open(1)
	q.until("it is filled", func() bool { return page.Content.Visible() })
	win := test.NewTempWindow(t, page.Pane())
	win.Resize(fyne.NewSize(420, 500))
	widgetstest.AssertMarkup(t, "feedpage.xml", page.Pane())

	q.until("the feed in need is listed", func() bool { return len(w.pages.attention.Feeds) > 0 })
	win.SetContent(w.pages.attention.Card(w.pages.attention.Feeds[0]))
	win.Resize(fyne.NewSize(520, 240))
	widgetstest.AssertMarkup(t, "attentioncard.xml", win.Content())
}

// The page tells what is expected of the feed, and what changes would do before they are made.
func TestFeedPageForecasts(t *testing.T) {
	w, q := newTestWindow(t)
	exec(t, w, "INSERT INTO poll (subject, address, tried, fetched) SELECT id, url, ?1, ?1 FROM feed WHERE id = 1", noon.Add(-time.Hour).Unix())
	p := w.feedPage
	p.Open(1)
	q.until("the forecast", func() bool { return p.Forecast.Content.Visible() })
	if text := p.Forecast.Shows.String(); !strings.HasSuffix(text, "This is a guess: Kairos does not know yet when you read and assumes a typical day.") {
		t.Errorf("without a visit it says %q", text)
	}
	text := p.Forecast.Opens.String()
	for _, o := range p.Forecast.Effects.Objects {
		for _, part := range o.(*fyne.Container).Objects {
			text += "\n" + part.(*widgets.Text).String()
		}
	}
	for _, want := range []string{"Kairos assumes that you read about", "As it is, over weeks", "Weight high", "At least every 60 min", "32 fetches a day for all feeds", "% ready"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	for span, length := range map[string]time.Duration{"Day": 24 * time.Hour, "Week": 7 * 24 * time.Hour} {
		p.Forecast.Span.SetSelected(span)
		plot, ok := p.Forecast.Rates.Plot().(*chart.Lines)
		if !ok || len(plot.Series) != 1 || len(plot.Rugs) != 2 || len(plot.Rugs[0].At) != 3 || plot.X.Hi-plot.X.Lo != length.Seconds() {
			t.Errorf("%s: %+v", span, plot)
		}
		for _, at := range plot.Rugs[0].At {
			if at < plot.X.Lo || at > plot.X.Hi {
				t.Errorf("%s: an article at %v", span, at)
			}
		}
		if text := plot.Text(plot.X.Lo); !strings.Contains(text, "articles") {
			t.Error(text)
		}
	}
	p.Forecast.Span.SetSelected("Day")
	if len(p.Forecast.Rates.Plot().(*chart.Lines).Areas) > 0 || p.Forecast.Balance.Visible() {
		t.Errorf("how a fetch was worked out is told to who did not ask: %s", p.Forecast.Balance)
	}
	if test.Tap(p.Forecast.Explain); p.Forecast.Explain.Hidden || !p.Forecast.Balance.Visible() || len(p.Forecast.Rates.Plot().(*chart.Lines).Areas) == 0 {
		t.Errorf("it is not told to who asks: %s", p.Forecast.Balance)
	}
	p.Open(1)
	if p.Forecast.Span.Selected == "" {
		t.Error("the choice is forgotten when the page is read again")
	}
	p.Close()
}

// The week is shown first where its days differ.
// Where the list has the place of the article, choosing a feed does not leave that of another one behind it.
func TestChosenFeedInANarrowWindow(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.ChooseKey(session.FeedKey(1))
	q.until("its article is shown", func() bool { return w.session.Shown != nil })
	w.win.Resize(fyne.NewSize(400, 500))
	w.panes.Reveal(session.PaneList)
	w.sidebar.ChooseKey(session.FeedKey(2))
	q.until("the other feed is listed, and no article is left", func() bool {
		return len(w.session.List.IDs) == 3 && w.session.List.Loaded[w.session.List.IDs[0]].Feed == 2 && w.session.Shown == nil
	})
	if w.panes.Shown(session.PaneArticle) {
		t.Error("the article has the place of the list")
	}
}
