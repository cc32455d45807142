package feeds

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets/widgetstest"
	"kairos/poller/report"
	accounts "kairos/poller/sync"
	"kairos/poller/sync/connect"
	"kairos/reader"
	"kairos/reader/imports"
)

// newAccountRoom returns the commands for feeds in a room with an account that is synced: one feed in the folder News with two
// articles.
func newAccountRoom(t *testing.T) (*shelltest.Room, *Actions, *hometest.Server, int64) {
	t.Helper()
	server := hometest.NewServer()
	room, actions := newRoomWith(t, server.Accounts(hometest.NewRing()))
	account, err := room.Home.Subscriptions.Accounts.Add(t.Context(), "", home.Login{Address: "rss.test", User: "ann", Password: "secret"}, "Shelf")
	if err != nil {
		t.Fatal(err)
	}
	actions.Accounts.Sync([]int64{account.ID})
	room.Queue.Until("it is synced", func() bool { return room.Host.Said == "Synced Shelf: 2 new articles." })
	room.Fill()
	return room, actions, server, account.ID
}

func TestAddAFeedWithAnAccount(t *testing.T) {
	room, actions, server, account := newAccountRoom(t)
	q := room.Queue
	site := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		_, _ = out.Write([]byte(`<rss version="2.0"><channel><title>Garden</title><item><title>First</title></item></channel></rss>`))
	}))
	defer site.Close()
	room.Session.Place = session.FolderPlace(library.AccountPath(account)+reader.FolderSeparator+"News", "News", false)
	s := actions.Subscribe(site.URL + "/feed")
	if s.Account != account || s.Where.Selected != "Shelf" || s.Folder.Text != "News" {
		t.Errorf("it offers account %d, %q, %q", s.Account, s.Where.Selected, s.Folder.Text)
	}
	s.Submit()
	q.Until("it is refused", func() bool { return s.Message.String() == "rss.test does not accept this change." })
	server.Change(func() { server.AcceptsFeeds = true })
	s.Submit()
	q.Until("it is added", func() bool { return len(room.Dialogs.Open) == 0 })
	if got := room.Host.Said; got != "Added Subscribed: 1 article." || server.Subscribed[1].Folder != "News" {
		t.Errorf("%q; %+v", got, server.Subscribed)
	}
	s = actions.Subscribe(site.URL + "/feed")
	s.Where.SetSelected("This computer")
	s.Submit()
	q.Until("this computer has it as well", func() bool { return len(room.Dialogs.Open) == 0 })
}

// Unsubscribing reaches the server, which is asked about; so does moving a feed. Both can be undone.
func TestFeedsLeaveTheirAccount(t *testing.T) {
	room, actions, server, account := newAccountRoom(t)
	server.Change(func() { server.AcceptsFeeds = true })
	feed := func() *reader.Feed { return &room.Library.Feeds[len(room.Library.Feeds)-1] }
	wait := func(what string, feeds int, in int64) {
		t.Helper()
		room.Queue.Until(what, func() bool { return room.Pending() == 0 })
		if room.Fill(); len(room.Library.Feeds) != feeds || feed().Account != in {
			t.Fatalf("not so: %s: %d feeds, the last in account %d", what, len(room.Library.Feeds), feed().Account)
		}
	}
	subscribed := func(want int) {
		t.Helper()
		if _, err := room.Home.Subscriptions.Accounts.Engine.Sync(t.Context(), account, true); err != nil {
			t.Fatal(err)
		}
		if len(server.Subscribed) != want {
			t.Errorf("at the server: %+v", server.Subscribed)
		}
	}
	actions.Unsubscribe(feed())
	if d := room.Dialogs.Open[0]; d.Title != "Unsubscribe from A?" || !d.Press("Unsubscribe") {
		t.Fatalf("it asks %q", d.Title)
	}
	wait("it is gone", 2, 0)
	room.UndoLast()
	wait("it is back", 3, account)
	subscribed(1)

	actions.AskMoveToAccount("A", []reader.Feed{*feed()}, 0)
	if d := room.Dialogs.Open[0]; d.Title != "Move A to this computer?" || !d.Press("Move") {
		t.Fatalf("it asks %q", d.Title)
	}
	wait("it is here", 3, 0)
	room.UndoLast()
	wait("it is there again", 3, account)
	room.RedoLast()
	wait("it is here again", 3, 0)
	room.UndoLast()
	wait("it is there once more", 3, account)
	if subscribed(1); server.Subscribed[0].ID != "1" {
		t.Errorf("at the server: %+v", server.Subscribed)
	}

	p := actions.Properties(feed())
	p.Account.Choice.SetSelected("This computer")
	if got := p.Account.Effect.String(); got != "Kairos fetches from this computer from then on. Shelf unsubscribes. Articles, folders and marks stay." {
		t.Error(got)
	}
	p.Save(false)
	wait("it is moved", 3, 0)
	subscribed(0)
}

// What a server does not do is told, with its words.
func TestSyncThatFails(t *testing.T) {
	room, actions, server, account := newAccountRoom(t)
	q := room.Queue
	server.Change(func() { server.Fault = &accounts.Error{Code: accounts.Busy, Host: "rss.test", RetryAfter: 3600e9} })
	actions.Accounts.Sync([]int64{account})
	q.Until("it is told", func() bool { return room.Host.Said == "rss.test is busy. Kairos tries again later." })
	actions.Accounts.Sync([]int64{account})
	q.Until("it waits", func() bool {
		return room.Host.Said == "rss.test asked Kairos to wait until 13:00."
	})
}

// A feed whose server lets no app rename or move feeds has its title and folder in its properties, where they cannot be changed.
func TestPropertiesOfAFeedThatIsNotEdited(t *testing.T) {
	room, actions, _, _ := newAccountRoom(t)
	for kind, edits := range map[connect.Kind]bool{connect.Miniflux: true, connect.TinyTinyRSS: false} {
		room.Library.Accounts[0].Kind = string(kind)
		p := actions.Properties(&room.Library.Feeds[len(room.Library.Feeds)-1])
		if p.Title.Disabled() == edits || p.Folder.Disabled() == edits {
			t.Errorf("%s: title %t, folder %t", kind, !p.Title.Disabled(), !p.Folder.Disabled())
		}
		room.Dialogs.CloseTop()
	}
}

// The status of a feed of an account describes its server, not fetches that there never are.
func TestPageOfAnAccount(t *testing.T) {
	room, actions, _, _ := newAccountRoom(t)
	feeds := room.Library.Feeds
	p := openPage(room, actions, feeds[len(feeds)-1].ID)
	want := "Shelf: its server fetches this feed.\nIt does not tell Kairos which feeds fail there.\nLast synced: 12:00."
	if got := p.Account.Value.String(); got != want || p.Last.Visible() || p.Next.Visible() || p.Month.Content.Visible() {
		t.Errorf("%q", got)
	}
	widgetstest.SaysAll(t, p.Pane(), "Last article", "Mon 00:00.", "Last 30 days", "2 articles in the last 30 days, 0.1 a day on average.", "Wed 4 Mar: 0 articles")
	room.Canvas.Focus(p.Focusable())
	for range 2 {
		p.Posted.Strip.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	}
	widgetstest.SaysAll(t, p.Pane(), "Mon 2 Mar: 1 article")
	room.Exec(t, "UPDATE feed SET remote = '' WHERE id = ?", feeds[len(feeds)-1].ID)
	room.Exec(t, `INSERT INTO sync_refused (feed, at, error) VALUES (?, 1, '{"code":"not-added","host":"rss.test","words":"No feed"}')`, feeds[len(feeds)-1].ID)
	p.Reload()
	room.Queue.Until("it says that it was not added", func() bool { return p.Report.Trouble != nil })
	if got := p.Account.Value.String(); strings.Contains(got, "fetches this feed") || strings.Count(got, "ynced") != 1 {
		t.Errorf("not added: %q", got)
	}
	over := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(20, 20)}}
	p.Posted.Strip.MouseIn(over)
	p.Open(feeds[0].ID)
	room.Queue.Until("that of another is shown", func() bool { return p.Report.Feed.ID == feeds[0].ID })
	if p.Account.Visible() || p.Posted.Content.Visible() || p.Newest.Visible() || !p.Last.Visible() || !p.Month.Content.Visible() {
		t.Error("a feed of this computer is shown like one of an account")
	}
	p.Posted.Strip.MouseOut() // the driver tells that the mouse has left what is hidden, and keeps the focus there
	p.Posted.Strip.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
}

// What resumes the paused feeds of an empty list resumes paused accounts, too.
func TestResumeChosenAccount(t *testing.T) {
	room, actions, _, account := newAccountRoom(t)
	actions.Session.Place = session.Place{Key: session.Unread}
	for _, paused := range []bool{true, false} {
		if paused {
			actions.Accounts.pause(account, true)
		} else {
			actions.ResumeChosen()
		}
		room.Queue.Until("it is as wanted", func() bool {
			room.Library.Reload()
			return room.Library.Account(account).Paused == paused
		})
	}
}

// What a sync brought stays in sight for its time, also where another one brings nothing meanwhile. That one is announced.
func TestSyncWithoutNewsLeavesThoseOfAnother(t *testing.T) {
	room, actions, server, account := newAccountRoom(t)
	sync := func() {
		t.Helper()
		actions.Accounts.Sync([]int64{account})
		room.Queue.Until("it is synced", func() bool { return room.Pending() == 0 })
	}
	sync()
	if got, last := room.Host.Said, len(room.Host.Announced)-1; got != "Synced Shelf: 2 new articles." || last < 0 || room.Host.Announced[last] != "Synced Shelf: 0 new articles." {
		t.Errorf("it says %q and announces %q", got, room.Host.Announced)
	}
	server.Change(func() { server.Fault = &accounts.Error{Code: accounts.Unreachable, Host: "rss.test"} })
	if sync(); room.Host.Said != "rss.test cannot be reached." {
		t.Errorf("of an error it says %q", room.Host.Said)
	}
	server.Change(func() { server.Fault = nil })
	room.Now = func() time.Time { return room.Home.Now().Add(shell.MessageStays) }
	if sync(); room.Host.Said != "Synced Shelf: 0 new articles." {
		t.Errorf("later it says %q", room.Host.Said)
	}
}

// A feed that its server fails to fetch is marked, needs attention once the server may have stopped trying, and its page says why. The
// server can be told to try again.
func TestFeedThatFailsAtItsServer(t *testing.T) {
	room, actions, server, account := newAccountRoom(t)
	q := room.Queue
	server.Change(func() {
		server.Subscribed[0].Health = accounts.Health{Checked: hometest.Noon.Add(-time.Hour), Failures: 3, Message: "The requested resource is not found."}
		server.Refreshed = func(string) error { return &accounts.Error{Code: accounts.Faulty, Status: 500} }
	})
	room.Home.Subscriptions.Accounts.Engine.Forget(account)
	actions.Accounts.newsUntil = time.Time{}
	actions.Accounts.Sync([]int64{account})
	q.Until("it is synced", func() bool { return room.Host.Said == "Synced Shelf: 0 new articles." })
	room.Fill()
	if n := len(room.Library.Failing); n != 1 {
		t.Fatalf("%d feeds need attention", n)
	}
	f := room.Library.Failing[0].Feed
	p := openPage(room, actions, f.ID)
	widgetstest.SaysAll(t, p.Pane(), "Failing at its server (3 errors in a row)", "Its server says: “The requested resource is not found”.",
		"may have stopped trying", "[Try now]", "[Open in browser]", "[Unsubscribe]", "Fetched by its server: 11:00.")
	_, _, retry := actions.Fix(f, report.TryNow)
	retry()
	q.Until("it fails again", func() bool {
		return room.Host.Said == "A: Its server says: “The requested resource is not found”."
	})
	server.Change(func() {
		server.Refreshed = func(feed string) error {
			server.Subscribed[0].Health = accounts.Health{Checked: hometest.Noon}
			return nil
		}
	})
	actions.refreshFeeds([]reader.Feed{f})
	q.Until("it works", func() bool { return room.Host.Said == "Synced Shelf: 0 new articles." })
	if room.Fill(); len(room.Library.Failing) != 0 || room.Library.States[f.ID].Failures != 0 {
		t.Errorf("%+v", room.Library.States[f.ID])
	}
}

// What a server did not add is named, with its words; of many feeds their number is.
func TestFeedsThatAreNotAdded(t *testing.T) {
	fault := &accounts.Error{Code: accounts.NotAdded, Host: "rss.test", Words: "unable to detect feed format."}
	refused := []accounts.Refusal{{Feed: 1, Title: "Page", Err: fault}}
	if got := syncedText("Shelf", accounts.Result{New: 1, Refused: refused}); got != "Synced Shelf: 1 new article. Page: rss.test did not add the feed. It says: “unable to detect feed format”." {
		t.Error(got)
	}
	refused = append(refused, refused[0], refused[0])
	if got := syncedText("Shelf", accounts.Result{Refused: refused}); got != "Synced Shelf: 0 new articles. The server did not add 3 feeds: see Needs attention." {
		t.Error(got)
	}
	room, actions, server, account := newAccountRoom(t)
	f, err := room.Home.Subscriptions.Accounts.Subscribe(t.Context(), reader.Feed{URL: "https://page.test/", Title: "Page", Account: account})
	if err != nil {
		t.Fatal(err)
	}
	actions.Accounts.Sync([]int64{account})
	room.Queue.Until("it is refused", func() bool {
		return room.Host.Said == "Synced Shelf: 0 new articles. Page: rss.test does not accept this change."
	})
	room.Fill()
	if len(room.Library.Failing) != 1 || room.Library.Failing[0].Feed.ID != f.ID {
		t.Fatalf("%+v", room.Library.Failing)
	}
	p := openPage(room, actions, f.ID)
	widgetstest.SaysAll(t, p.Pane(), "Not added at its server", "rss.test does not accept this change.", "The feed is only here.", "[Try now]")
	server.Change(func() { server.AcceptsFeeds = true })
	_, _, retry := actions.Fix(f, report.TryNow)
	retry()
	room.Queue.Until("it is accepted", func() bool { return room.Host.Said == "Synced Shelf: 1 new article." })
}

// A list of feeds is imported where the user says.
func TestImportIntoAnAccount(t *testing.T) {
	room, actions, server, account := newAccountRoom(t)
	q, lists := room.Queue, &OPML{Shell: room.Shell, Feeds: actions}
	server.Change(func() { server.AcceptsFeeds = true })
	list := filepath.Join(t.TempDir(), "list.opml")
	err := os.WriteFile(list, []byte(`<opml version="2.0"><body><outline text="Rivers"><outline type="rss" xmlUrl="https://b.test/feed"/></outline></body></opml>`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	room.Session.Place = session.FolderPlace(library.AccountPath(account), "Shelf", true)
	lists.ImportFile(list)
	if d := room.Dialogs.Open[0]; d.Title != "Where do you want to add these feeds?" || !d.Press("Import") {
		t.Fatalf("it asks %q", d.Title)
	}
	q.Until("it is synced", func() bool { return room.Host.Said == "Synced Shelf: 1 new article." })
	if len(server.Subscribed) != 2 || server.Subscribed[1].URL != "https://b.test/feed" || server.Subscribed[1].Folder != "Rivers" {
		t.Errorf("at the server: %+v", server.Subscribed)
	}

	lists.Import(filepath.Join("..", "..", "reader", "imports", "testdata", "newsboat"), imports.Newsboat) // whose articles stay there
	d := room.Dialogs.Open[0]
	if texts := strings.Join(widgetstest.Texts(d.Content), "\n"); !strings.Contains(texts, "Articles, stars and read marks come to this computer only.") || !d.Press("Import") {
		t.Fatalf("it asks %q", texts)
	}
	q.Until("they are subscribed to", func() bool {
		n := 0
		server.Change(func() { n = len(server.Subscribed) })
		return n > 2
	})

	save := lists.AskExport()
	save.Folder.SetText(t.TempDir())
	save.Submit()
	q.Until("it is written", func() bool {
		return strings.HasSuffix(room.Host.Said, ". This includes feeds of accounts.")
	})
}
