package app

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/poller"
	accounts "kairos/poller/sync"
	"kairos/reader"
)

// newAccountWindow returns a test window with an account that is synced: one feed in the folder News with two articles.
func newAccountWindow(t *testing.T) (*window, *queue, *hometest.Server, int64) {
	t.Helper()
	server := hometest.NewServer()
	w, q := newTestWindowWith(t, server.Accounts(hometest.NewRing()))
	account, err := w.shell.Home.Subscriptions.Accounts.Add(t.Context(), "", home.Login{Address: "rss.test", User: "ann", Password: "secret"}, "Shelf")
	if err != nil {
		t.Fatal(err)
	}
	w.watchStore()
	w.feeds.Accounts.Sync([]int64{account.ID})
	q.until("it is synced", func() bool { return w.status.message.Text == "Synced Shelf: 2 new articles." })
	w.reload()
	q.until("it is listed", func() bool { return slices.Contains(rowTexts(w.sidebar), "Shelf 2") && !w.reloader.running })
	return w, q, server, account.ID
}

// syncNow syncs an account as the window does a while after a change.
func syncNow(t *testing.T, w *window, account int64) {
	t.Helper()
	if _, err := w.shell.Home.Subscriptions.Accounts.Engine.Sync(t.Context(), account, true); err != nil {
		t.Fatal(err)
	}
}

// What is read and marked here is so at the server.
func TestReadingAFeedOfAnAccount(t *testing.T) {
	w, q, server, account := newAccountWindow(t)
	w.sidebar.ChooseKey(session.FolderKey(library.AccountPath(account)))
	q.until("its articles are listed", func() bool { return len(w.session.List.IDs) == 2 })
	w.timeline.List.TypedRune('j')
	q.until("one is shown", func() bool { return w.session.Shown != nil && w.session.Shown.Title == "Second" })
	w.timeline.List.TypedRune('s')
	q.until("it is to be sent", func() bool {
		n, err := w.shell.Home.Subscriptions.Accounts.Engine.Waiting(t.Context(), account)
		return err == nil && n == 2 && w.shell.Pending() == 0
	})
	if _, err := w.shell.Home.Subscriptions.Accounts.Engine.Send(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	if a := server.Stored[1]; !a.Read || !a.Starred {
		t.Errorf("at the server: %+v", a)
	}
}

func TestAddAFeedWithAnAccount(t *testing.T) {
	w, q, server, account := newAccountWindow(t)
	site := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		_, _ = out.Write([]byte(`<rss version="2.0"><channel><title>Garden</title><item><title>First</title></item></channel></rss>`))
	}))
	defer site.Close()
	w.sidebar.ChooseKey(session.FolderKey(library.AccountPath(account) + reader.FolderSeparator + "News"))
	s := w.feeds.Subscribe(site.URL + "/feed")
	if s.Account != account || s.Where.Selected != "Shelf" || s.Folder.Text != "News" {
		t.Errorf("it offers account %d, %q, %q", s.Account, s.Where.Selected, s.Folder.Text)
	}
	s.Submit()
	q.until("it is refused", func() bool { return s.Message.String() == "rss.test does not accept this change." })
	server.Change(func() { server.AcceptsFeeds = true })
	s.Submit()
	q.until("it is added", func() bool { return len(w.shell.Dialogs.Open) == 0 })
	if got := w.status.message.Text; got != "Added Subscribed: 1 article." || server.Subscribed[1].Folder != "News" {
		t.Errorf("%q; %+v", got, server.Subscribed)
	}
	s = w.feeds.Subscribe(site.URL + "/feed")
	s.Where.SetSelected("This computer")
	s.Submit()
	q.until("this computer has it as well", func() bool { return len(w.shell.Dialogs.Open) == 0 })
}

// Unsubscribing reaches the server, which is asked about; so does moving a feed. Both can be undone.
func TestFeedsLeaveTheirAccount(t *testing.T) {
	w, q, server, account := newAccountWindow(t)
	server.Change(func() { server.AcceptsFeeds = true })
	feed := func() *reader.Feed { return &w.library.Feeds[len(w.library.Feeds)-1] }
	w.feeds.Unsubscribe(feed())
	if d := w.shell.Dialogs.Open[0]; d.Title != "Unsubscribe from A?" || !d.Press("Unsubscribe") {
		t.Fatalf("it asks %q", d.Title)
	}
	q.until("it is gone", func() bool { return len(w.library.Feeds) == 2 && w.shell.Pending() == 0 })
	w.shell.UndoLast()
	q.until("it is back", func() bool { return len(w.library.Feeds) == 3 })
	syncNow(t, w, account)
	if len(server.Subscribed) != 1 {
		t.Errorf("at the server: %+v", server.Subscribed)
	}

	w.feeds.AskMoveToAccount("A", []reader.Feed{*feed()}, 0)
	if d := w.shell.Dialogs.Open[0]; d.Title != "Move A to this computer?" || !d.Press("Move") {
		t.Fatalf("it asks %q", d.Title)
	}
	q.until("it is here", func() bool {
		return w.library.Feeds[0].Account == 0 && len(w.library.Feeds) == 3 && feed().Account == 0 && w.shell.Pending() == 0
	})
	w.shell.UndoLast()
	q.until("it is there again", func() bool { return feed().Account == account && w.shell.Pending() == 0 })
	syncNow(t, w, account)
	if len(server.Subscribed) != 1 || server.Subscribed[0].ID != "1" {
		t.Errorf("at the server: %+v", server.Subscribed)
	}

	p := w.feeds.Properties(feed())
	p.Account.Choice.SetSelected("This computer")
	if got := p.Account.Effect.String(); got != "Kairos fetches from this computer from then on. Shelf unsubscribes. Articles, folders and marks stay." {
		t.Error(got)
	}
	p.Save(false)
	q.until("it is moved", func() bool { return feed().Account == 0 && w.shell.Pending() == 0 })
	syncNow(t, w, account)
	if len(server.Subscribed) != 0 {
		t.Errorf("at the server: %+v", server.Subscribed)
	}
}

// What a server does not do is told, with its words.
func TestSyncThatFails(t *testing.T) {
	w, q, server, account := newAccountWindow(t)
	server.Change(func() { server.Fault = &accounts.Error{Code: accounts.Busy, Host: "rss.test", RetryAfter: 3600e9} })
	w.feeds.Accounts.Sync([]int64{account})
	q.until("it is told", func() bool { return w.status.message.Text == "rss.test is busy. Kairos tries again later." })
	w.feeds.Accounts.Sync([]int64{account})
	q.until("it waits", func() bool {
		return w.status.message.Text == "rss.test asked Kairos to wait until 13:00."
	})
}

func TestStatusOfAccounts(t *testing.T) {
	account := func(name string, s accounts.Status) home.AccountStatus {
		return home.AccountStatus{Account: reader.Account{Name: name, Paused: s.Paused}, Sync: s}
	}
	ready := accounts.State{Phase: accounts.Ready}
	failed := ready
	failed.Error = &accounts.Error{Code: accounts.Unreachable, Host: "rss.test"}
	fetches := poller.Status{PerDay: 56, Spent: 17, Left: 39}
	for want, s := range map[string]activityStatus{
		"Nothing to fetch yet": {accounts: []home.AccountStatus{account("A", accounts.Status{State: ready, Waiting: 2})}},
		"Syncing A…":           {accounts: []home.AccountStatus{account("A", accounts.Status{State: ready, Syncing: true, Waiting: 2})}},
		"Syncing A: 3000 articles so far  ·  17 of 56 fetches used in 24 hours": {Status: fetches,
			accounts: []home.AccountStatus{account("A", accounts.Status{State: accounts.State{Phase: accounts.First, Stored: 3000}, Syncing: true})}},
		"A: rss.test cannot be reached  ·  3 changes wait to be sent  ·  17 of 56 fetches used in 24 hours": {Status: fetches,
			accounts: []home.AccountStatus{account("A", accounts.Status{State: failed, Waiting: 2}), account("B", accounts.Status{State: ready, Paused: true, Waiting: 1})}},
	} {
		if got := s.text(noon); got != want || s.trouble() != strings.Contains(want, "cannot") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The status of a feed of an account tells of its server, and not of fetches that there never are.
func TestFeedPageOfAnAccount(t *testing.T) {
	w, q, _, account := newAccountWindow(t)
	feeds := w.library.Feeds
	w.openFeedPage(&feeds[len(feeds)-1])
	p := w.feedPage
	q.until("it is shown", func() bool { return p.Report.Feed.Account == account })
	want := "Shelf: its server fetches this feed.\nLast synced: 12:00."
	if got := p.Account.Value.String(); got != want || p.Last.Visible() || p.Next.Visible() || p.Month.Content.Visible() {
		t.Errorf("%q", got)
	}
	w.openFeedPage(&feeds[0])
	q.until("that of another is shown", func() bool { return p.Report.Feed.ID == feeds[0].ID })
	if p.Account.Visible() || !p.Last.Visible() || !p.Month.Content.Visible() {
		t.Error("a feed of this computer is shown like one of an account")
	}
}

// A list of feeds is imported where the user says.
func TestImportIntoAnAccount(t *testing.T) {
	w, q, server, account := newAccountWindow(t)
	server.Change(func() { server.AcceptsFeeds = true })
	list := filepath.Join(t.TempDir(), "list.opml")
	err := os.WriteFile(list, []byte(`<opml version="2.0"><body><outline text="Rivers"><outline type="rss" xmlUrl="https://b.test/feed"/></outline></body></opml>`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	w.sidebar.ChooseKey(session.FolderKey(library.AccountPath(account)))
	w.opml.ImportFile(list)
	if d := w.shell.Dialogs.Open[0]; d.Title != "Where should these feeds be subscribed?" || !d.Press("Import") {
		t.Fatalf("it asks %q", d.Title)
	}
	q.until("it is synced", func() bool { return w.status.message.Text == "Synced Shelf: 1 new article." })
	if len(server.Subscribed) != 2 || server.Subscribed[1].URL != "https://b.test/feed" || server.Subscribed[1].Folder != "Rivers" {
		t.Errorf("at the server: %+v", server.Subscribed)
	}
	saveTo(w.opml.AskExport(), t.TempDir(), "all.opml")
	q.until("it is written", func() bool {
		return strings.HasSuffix(w.status.message.Text, ". Those of accounts are among them.")
	})
}
