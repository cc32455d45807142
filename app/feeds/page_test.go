package feeds

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
	"kairos/app/widgets/widgetstest"
	"kairos/poller"
	"kairos/reader"
)

// fail makes a feed fail for so many days, once a day.
func fail(t *testing.T, room *shelltest.Room, feed, days int) {
	t.Helper()
	room.Exec(t, `REPLACE INTO poll (subject, address, tried, fetched, failures, since, said, fault)
		SELECT id, url, ?2, ?4 - 3600, ?3, ?4, 'There is nothing at this address (404).', 'missing' FROM feed WHERE id = ?1`,
		feed, hometest.Noon.Unix(), days, hometest.Noon.AddDate(0, 0, -days).Unix())
	for i := range days {
		enter(t, room, feed, hometest.Noon.AddDate(0, 0, -i), poller.Retry, "trying again after 3 faults", poller.Failed, 404, 0, "There is nothing at this address (404).")
	}
}

// enter adds a line to the ledger.
func enter(t *testing.T, room *shelltest.Room, feed int, at time.Time, c poller.Code, why string, r poller.Result, status, fresh int, said string) {
	t.Helper()
	room.Exec(t, `INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said)
		VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, 10, ?)`, feed, at.Unix(), string(c), why, string(r), status, fresh, 1200*fresh, said)
}

// openPage shows the status of a feed and waits for it.
func openPage(room *shelltest.Room, actions *Actions, feed int64) *Page {
	p := NewPage(actions)
	room.Place(p.Pane(), 700, 600)
	p.Open(feed)
	room.Queue.Until("the page is there", func() bool { return p.Report.Feed.ID == feed && p.Content.Visible() })
	return p
}

func TestPage(t *testing.T) {
	room, actions := newRoom(t)
	q := room.Queue
	fail(t, room, 1, 3)
	room.Exec(t, "UPDATE poll SET hub = 'https://hub.test/', floor = 1800 WHERE subject = 1")
	room.Exec(t, "UPDATE poll SET shown = 15, keeps = 15, turnover = 2, lost = 12.2, lost_from = ?1 - 10800, lost_to = ?1 - 3600 WHERE subject = 1", hometest.Noon.Unix())
	room.Exec(t, "INSERT INTO cycle VALUES (1, 1, '[1, 2, 3]', 2.5, 0)")
	enter(t, room, 1, hometest.Noon.AddDate(0, 0, -4), poller.Planned, "before your 12:00 reading; 2 articles expected", poller.Stored, 200, 2, "")
	p := openPage(room, actions, 1)
	widgetstest.SaysAll(t, p.Pane(), "Feed 0", "http://127.0.0.1:9/0", "[Refresh]", "[Properties…]",
		"Failing since Sun 12:00 (3 days, 3 errors in a row)", "There is nothing", "new address", "[Find new address…]", "[Edit address…]", "[Try now]", "[Unsubscribe]",
		"Last fetch", "12:00, trying again: There is nothing", "Next fetch",
		"Lost", "About 12 articles were probably lost between 09:00 and 11:00: the feed shows only its last 15. Raise the budget or, in the properties",
		"Last 30 days", "4 fetches, 1 with 2 new articles, 3 errors, 2.4 kB.", "3 trying again, 1 planned.",
		"Wednesday, 4 March", "1 fetch, 1 error, 0 B.", "12:00:00", "There is nothing at this address (404).", "Trying again after 3 faults.",
		"Limits", "The server asks Kairos to wait 30 min", "WebSub hub: https://hub.test/", "save 3 fetches a day.")

	// Another day by the keys, by the mouse; what is under the mouse is told meanwhile.
	strip := p.Month.Strip
	room.Canvas.Focus(strip)
	for range 4 {
		strip.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	}
	widgetstest.SaysAll(t, p.Pane(), "Saturday, 28 February", "1 fetch, 1 with 2 new articles, 2.4 kB.", "2 new, 2.4 kB.", "Before your 12:00 reading")
	step := strip.Size().Width / poller.LedgerDays
	over := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(step*27.5, 20)}}
	strip.MouseIn(over)
	widgetstest.SaysAll(t, p.Pane(), "Mon 2 Mar: 1 fetch, 1 error", "Saturday, 28 February")
	strip.MouseOut()
	if slices.ContainsFunc(widgetstest.Texts(p.Pane()), func(s string) bool { return strings.HasPrefix(s, "Mon 2 Mar") }) {
		t.Error("the mouse has left, but what it was over is told")
	}
	strip.Tapped(&over.PointEvent)
	widgetstest.SaysAll(t, p.Pane(), "Monday, 2 March")

	// What is new is shown at once, and the day that was chosen stays.
	enter(t, room, 1, hometest.Noon.Add(-time.Hour), poller.Manual, "asked for", poller.Unchanged, 304, 0, "")
	p.Reload()
	q.Until("it is told", func() bool { return p.Report.Month.Fetches == 5 })
	widgetstest.SaysAll(t, p.Pane(), "5 fetches", "Monday, 2 March")

	p.Open(2)
	strip.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft}) // before the page is there: the strip has the focus
	strip.MouseMoved(over)
	strip.MouseOut()
	q.Until("the other feed's page", func() bool { return p.Report.Feed.ID == 2 })
	if got := strings.Join(widgetstest.Texts(p.Pane()), "\n"); strings.Contains(got, "Failing") || strings.Contains(got, "WebSub") || !strings.Contains(got, "Never fetched yet.") {
		t.Error(got)
	}
}

func TestPageListsOtherRequestsOnDemand(t *testing.T) {
	room, actions := newRoom(t)
	enter(t, room, 1, hometest.Noon.Add(-2*time.Hour), poller.Manual, "asked for", poller.Unchanged, 304, 0, "")
	enter(t, room, 1, hometest.Noon.Add(-time.Hour), poller.Icon, "", poller.Failed, 404, 0, "There is nothing at this address (404). The icon of Feed 0.")
	p := openPage(room, actions, 1)
	if n := len(p.Month.Lines.Objects); n != 1 || !p.Month.Details.Visible() {
		t.Errorf("%d requests listed, the others on demand: %v", n, p.Month.Details.Visible())
	}
	p.Month.Details.SetChecked(true)
	if n := len(p.Month.Lines.Objects); n != 2 {
		t.Errorf("in detail, %d requests listed", n)
	}
}

func TestPageMarkup(t *testing.T) {
	room, actions := newRoom(t)
	fail(t, room, 2, 31)
	for i := range 20 {
		at, why := hometest.Noon.Add(-time.Duration(i)*31*time.Hour), "before your 12:00 reading; 1 article expected"
		switch {
		case i == 7:
			enter(t, room, 1, at, poller.Planned, why, poller.Failed, 503, 0, "127.0.0.1:9 is busy (503).")
		case i%3 == 0:
			enter(t, room, 1, at, poller.Planned, why, poller.Stored, 200, 1+i%4, "")
		default:
			enter(t, room, 1, at, poller.Planned, why, poller.Unchanged, 304, 0, "")
		}
	}
	room.Exec(t, "INSERT INTO poll (subject, address, tried, fetched, hub, ttl) SELECT id, url, ?, ?, 'https://hub.test/', 7200 FROM feed WHERE id = 1", hometest.Noon.Unix(), hometest.Noon.Unix())
	room.Fill()
	strip := openPage(room, actions, 1).Month.Strip
	test.NewTempWindow(t, strip).Resize(fyne.NewSize(400, 80))
	widgetstest.AssertMarkup(t, "daystrip.xml", strip)

	page := openPage(room, actions, 1)
	win := test.NewTempWindow(t, page.Pane())
	win.Resize(fyne.NewSize(420, 500))
	widgetstest.AssertMarkup(t, "feedpage.xml", page.Pane())

	win.SetContent(NewAttentionPage(actions, func() {}).Card(room.Library.Failing[0]))
	win.Resize(fyne.NewSize(520, 240))
	widgetstest.AssertMarkup(t, "attentioncard.xml", win.Content())
}

// The page tells what is expected of the feed, and what changes would do before they are made.
func TestPageForecasts(t *testing.T) {
	room, actions := newRoom(t)
	q := room.Queue
	room.Exec(t, "INSERT INTO poll (subject, address, tried, fetched) SELECT id, url, ?1, ?1 FROM feed WHERE id = 1", hometest.Noon.Add(-time.Hour).Unix())
	room.Exec(t, "INSERT INTO cycle VALUES (1, 1, '[1, 2, 3]', 2.5, 0)")
	p := NewPage(actions)
	room.Place(p.Pane(), 700, 600)
	p.Open(1)
	q.Until("the forecast", func() bool { return p.Forecast.Content.Visible() })
	if text := p.Forecast.Shows.String(); !strings.HasSuffix(text, "This is a guess: Kairos does not know yet when you read and assumes a typical day.") {
		t.Errorf("without a visit it says %q", text)
	}
	if share := p.share.Value.String(); strings.Contains(share, "fetches a day.") {
		t.Errorf("a second number of fetches a day: %q", share)
	}
	text := p.Forecast.Opens.String()
	for _, o := range p.Forecast.Effects.Objects {
		for _, part := range o.(*fyne.Container).Objects {
			text += "\n" + part.(*widgets.Text).String()
		}
	}
	for _, want := range []string{"Kairos assumes that you read about", "As it is, in the long run", "Weight high", "At least every 60 min", "32 fetches a day in all", "% ready"} {
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

// The page of a list of feeds tells which came to it and left it, and nothing of articles.
func TestPageOfAList(t *testing.T) {
	room, actions := newRoom(t)
	source := reader.NewListSource(reader.ListSource{Gone: reader.GoneKeep})
	room.Exec(t, "UPDATE feed SET source = ? WHERE id = 1", string(source))
	room.Exec(t, "UPDATE status SET published = ?", hometest.Noon.Add(-48*time.Hour).Unix())
	room.Exec(t, "UPDATE article SET title = '+ The lamplighter' WHERE id = (SELECT min(id) FROM status WHERE feed = 1)")
	room.Exec(t, "UPDATE article SET title = '− The railway' WHERE id = (SELECT max(id) FROM status WHERE feed = 1)")
	room.Exec(t, "INSERT INTO list_feed (list, same, feed) SELECT 1, same, 2 FROM feed WHERE id = 2")
	enter(t, room, 1, hometest.Noon.Add(-time.Hour), poller.Manual, "asked for", poller.Stored, 200, 2, "")
	p := openPage(room, actions, 1)
	widgetstest.SaysAll(t, p.Pane(), "It names 1 feed.", "Feed 1", "Changes", "The railway left.", "The lamplighter came.", "11:00, by hand: 2 feeds came or went.")
	p.Forecast.load(&p.Report)
	if said := strings.Join(widgetstest.Texts(p.Pane()), "\n"); strings.Contains(said, "ready") || strings.Contains(said, "What to expect") || p.Month.Content.Visible() {
		t.Error(said)
	}
	if p.followed.resume.Visible() || p.show.Text != "Show changes" || len(p.followed.names.Objects) != 1 {
		t.Errorf("%v, %q, %d names", p.followed.resume.Visible(), p.show.Text, len(p.followed.names.Objects))
	}
	room.Exec(t, "UPDATE feed SET paused = 1 WHERE id = 2")
	room.Library.Reload()
	room.Queue.Until("the library knows", func() bool { return room.Library.Feed(2).Paused })
	p.Reload()
	room.Queue.Until("its feed is paused", func() bool { return p.followed.resume.Visible() })
	widgetstest.SaysAll(t, p.Pane(), "1 of them is paused.", "Resume this feed")
	test.Tap(p.followed.resume)
	room.Queue.Until("it is resumed", func() bool { return !stored(t, room, 2).Paused })
	test.Tap(p.followed.names.Objects[0].(*widgets.Button))
	if chosen := actions.Sidebar.(*tree).chosen; chosen != "Feed 1" {
		t.Errorf("%q is chosen", chosen)
	}
	room.Exec(t, "DELETE FROM status WHERE feed = 1")
	p.Reload()
	room.Queue.Until("nothing has changed", func() bool { return len(p.Report.Changes) == 0 })
	widgetstest.SaysAll(t, p.Pane(), "No feed has come to the list or left it since you began to follow it.")
	p.Open(2)
	room.Queue.Until("the other feed's page", func() bool { return p.Report.Feed.ID == 2 })
	if !p.Month.Content.Visible() || p.changes.Visible() {
		t.Error("the page of a feed is like that of the list before")
	}
}
