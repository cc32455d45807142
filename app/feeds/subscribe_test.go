package feeds

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/google/go-cmp/cmp"

	"kairos/app/home"
	"kairos/app/session"
	"kairos/app/settings"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets/widgetstest"
	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/reader"
)

func TestSeveralAddresses(t *testing.T) {
	for text, want := range map[string]int{"example.org": 0, "a.test b.test": 2, "https://a.test,https://b.test": 2, "/home/me/my feeds.xml": 0, "My feeds.xml": 0,
		`C:\My.feeds\my feeds.xml`: 0, "some words": 0, "": 0, "https://a.test/ https://a.test/": 0} {
		if got := severalIn(text); len(got) != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestCandidateNamesDiffer(t *testing.T) {
	long := strings.Repeat("x", 100)
	got := candidateNames([]poller.Candidate{{URL: "http://a.test/" + long + "/1/" + long, Title: "A"}, {URL: "http://a.test/" + long + "/2/" + long, Title: "A"}, {URL: "http://b.test/"}})
	if got[0] == got[1] || got[2] != "http://b.test/" {
		t.Errorf("%q", got)
	}
}

// A feed is offered into the folder that is chosen, or that the chosen feed is in.
func TestFolderOfNewFeed(t *testing.T) {
	for want, place := range map[string]session.Place{
		"News":         session.FeedPlace(&reader.Feed{ID: 1, Folder: "News"}),
		"Papers/World": session.FolderPlace("Papers/World", "World", false),
		"":             {Key: session.All},
	} {
		a := &Actions{Session: session.New(place, nil)}
		if got := a.chosenFolder(); got != want {
			t.Errorf("in %s: %q", place.Key, got)
		}
	}
}

// tree stands for the sidebar, in which nothing is chosen. It notes what is to be moved.
type tree struct {
	moved  map[int64]string
	chosen string
}

func (s *tree) ChooseFeed(f reader.Feed)                { s.chosen = f.Title }
func (s *tree) Move(folders map[int64]string, _ string) { s.moved = folders }
func (s *tree) ChooseKey(key string)                    { s.chosen = key }
func (*tree) MoveMenu(name string, _ int64, _ func(string) map[int64]string) *fyne.MenuItem {
	return fyne.NewMenuItem(name, nil)
}

// newRoom returns the commands for feeds in a room with two feeds.
func newRoom(t *testing.T) (*shelltest.Room, *Actions) {
	t.Helper()
	return newRoomWith(t, home.Options{})
}

// newRoomWith is newRoom with other servers and another keyring.
func newRoomWith(t *testing.T, o home.Options) (*shelltest.Room, *Actions) {
	t.Helper()
	room := shelltest.New(t, o)
	room.Fill()
	return room, &Actions{Shell: room.Shell, Library: room.Library, Session: room.Session, Sidebar: &tree{}, MarkRead: func(...reader.Query) {},
		Accounts: NewAccounts(room.Shell, func() *settings.Settings { return nil }), OpenPage: func(*reader.Feed) {}}
}

// A site with several feeds offers them by title, with the main one chosen.
func TestSubscribeOffersSeveralFeeds(t *testing.T) {
	room, actions := newRoom(t)
	q := room.Queue
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			fmt.Fprintf(out, `<rss version="2.0"><channel><title>Feed of %s</title><item><title>First</title></item></channel></rss>`, r.URL.Path)
			return
		}
		feeds := strings.Replace(site.URL, "127.0.0.1", "localhost", 1)
		fmt.Fprintf(out, `<!doctype html><title>Garden</title><link rel="alternate" type="application/rss+xml" href="%[1]s/comments" title="Comments">
			<link rel="alternate" type="application/rss+xml" href="%[1]s/posts" title="RSS"><link rel="alternate" type="application/atom+xml" href="%[1]s/news" title="News">`, feeds)
	}))
	defer site.Close()
	feeds := strings.Replace(site.URL, "127.0.0.1", "localhost", 1)
	s := actions.Subscribe(site.URL)
	s.Submit()
	q.Until("the feeds are offered", func() bool { return s.Choices.Visible() })
	want := []string{"Garden (RSS) – " + feeds + "/posts", "News – " + feeds + "/news", "Comments – " + feeds + "/comments"}
	if d := cmp.Diff(want, s.Choice.Options()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{0}, s.Choice.Chosen()); d != "" {
		t.Error(d)
	}
	s.Choice.Checks[0].SetChecked(false)
	s.Choice.Checks[1].SetChecked(true)
	s.Submit()
	q.Until("the chosen one is subscribed", func() bool {
		f, err := room.Home.Store.Feeds.ByURL(t.Context(), feeds+"/news")
		return err == nil && f.Title == "Feed of /news"
	})
	if all, err := room.Home.Store.Feeds.List(t.Context()); err != nil || len(all) != 3 {
		t.Errorf("%d feeds, %v", len(all), err)
	}
}

// Of several addresses all feeds are added, and those that fail stay in the field.
func TestSubscribeToSeveralAddresses(t *testing.T) {
	room, actions := newRoom(t)
	q := room.Queue
	site := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/none" {
			http.NotFound(out, r)
			return
		}
		fmt.Fprintf(out, `<rss version="2.0"><channel><title>Feed of %s</title><item><title>First</title></item></channel></rss>`, r.URL.Path)
	}))
	defer site.Close()
	s := actions.Subscribe(site.URL + "/a " + site.URL + "/none, " + site.URL + "/b")
	s.Submit()
	q.Until("all are answered", func() bool { return strings.Contains(s.Message.String(), "Not added:") })
	if s.Address.Text != site.URL+"/none" || !strings.HasPrefix(s.Message.String(), "Added 2 feeds.") {
		t.Errorf("left: %q, told: %q", s.Address.Text, s.Message.String())
	}
	if all, err := room.Home.Store.Feeds.List(t.Context()); err != nil || len(all) != 4 {
		t.Errorf("%d feeds, %v", len(all), err)
	}
	s.Address.SetText(site.URL + "/a " + site.URL + "/c")
	s.Submit()
	q.Until("the dialog is closed", func() bool { return len(room.Dialogs.Open) == 0 })
	if got := room.Host.Said; got != "1 feed added, 1 already subscribed." {
		t.Errorf("told: %q", got)
	}
}

// Older articles of a new feed come in as read, and are not told as new.
func TestUnreadOfNewFeedsIsTold(t *testing.T) {
	newRoom(t)
	for want, p := range map[string]fetchProgress{
		"Imported and fetched 2 feeds, 54 articles (19 unread, older ones marked read).": {purpose: FetchImported, all: 2, done: 2, new: 54, unread: 19},
		"Imported and fetched 1 feed, 3 articles.":                                       {purpose: FetchImported, all: 1, done: 1, new: 3, unread: 3},
		"Imported and fetched 4 feeds, 3 articles.":                                      {purpose: FetchImported, all: 4, done: 4, new: 3, unread: 3, failed: 1, failures: []string{"A: gone"}}, // the report says it
		"Fetched 1 feed, 3 new articles.":                                                {all: 1, done: 1, new: 3, unread: 2},
		"Fetched 2 feeds of 5, 0 new articles.":                                          {all: 5, done: 2},
	} {
		if got := p.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	old := AddedFeed{Feed: reader.Feed{Title: "A"}, Outcome: poller.Outcome{New: 12}, days: 7}
	if got := addedText(old); got != "Added A: 12 articles, none of the last 7 days, so all are marked read." {
		t.Error(got)
	}
	if got := addedText(AddedFeed{Feed: reader.Feed{Title: "A"}, Outcome: poller.Outcome{New: 12, Unread: 5}}); got != "Added A: 12 articles (5 unread, older ones marked read)." {
		t.Error(got)
	}
}

// A refresh tells which feeds were not asked, and why.
func TestRefreshTellsWhatWasNotAsked(t *testing.T) {
	newRoom(t)
	checked := poller.Outcome{Title: "A", Result: poller.Unchanged, Message: poller.Message{Code: poller.JustChecked, Ago: 20 * time.Second}}
	waiting := poller.Outcome{Title: "B", Result: poller.Waiting, Message: poller.Message{Code: poller.RequestFailed, Fetch: &fetch.Error{Code: fetch.Waiting, Host: "b.test", RetryAfter: 20 * time.Minute}}}
	failed := poller.Outcome{Title: "C", Result: poller.Failed, Message: poller.Message{Code: poller.JustChecked, Ago: 20 * time.Second, Last: &poller.Message{Code: poller.RequestFailed, Fetch: &fetch.Error{Code: fetch.ServerError, Status: 500}}}}
	failing := poller.Outcome{Title: "C", Result: poller.Failed, Message: poller.Message{Code: poller.RequestFailed, Fetch: &fetch.Error{Code: fetch.ServerError, Status: 500}}}
	for want, outcomes := range map[string][]poller.Outcome{
		"Nothing was fetched: 2 checked less than a minute ago.":                                                                   {checked, checked},
		"C: Checked 20 s ago. The server reported an internal error (500).":                                                        {failed},
		"Nothing was fetched: 2 checked less than a minute ago. C: Checked 20 s ago. The server reported an internal error (500).": {checked, failed},
		"B: b.test asked Kairos to wait another 20 min.":                                                                           {waiting},
		"Nothing was fetched: 2 asked to wait. B: b.test asked Kairos to wait another 20 min.":                                     {waiting, waiting},
		"C: The server reported an internal error (500).":                                                                          {failing},
		"Fetched 2 feeds, 2 new articles, 1 error. C: The server reported an internal error (500).":                                {failing, {Title: "D", Result: poller.Stored, New: 2}},
		"Fetched 1 feed, 2 new articles, 1 checked less than a minute ago.":                                                        {checked, {Title: "C", Result: poller.Stored, New: 2}},
	} {
		p := fetchProgress{all: len(outcomes)}
		for _, o := range outcomes {
			p.add(&o)
		}
		if got := p.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A refresh tells once that it was answered, also where the feed was checked a moment ago.
func TestRefreshIsAnswered(t *testing.T) {
	room, actions := newRoom(t)
	site := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(out, `<rss version="2.0"><channel><title>A</title><item><title>First</title></item></channel></rss>`)
	}))
	defer site.Close()
	room.Exec(t, "UPDATE feed SET url = ? WHERE id = 1", site.URL)
	answered := 0
	actions.Accounts.Answered = func() { answered++ }
	for want := 1; want <= 2; want++ {
		actions.fetch([]int64{1}, fetchRefresh)
		room.Queue.Until("it is answered", func() bool { return answered == want })
	}
}

// A refresh of a place whose feeds are all paused says so.
func TestRefreshOfPausedFeeds(t *testing.T) {
	room, actions := newRoom(t)
	room.Fill()
	for _, f := range room.Library.Feeds {
		f.Paused = true
		if err := room.Home.Subscriptions.Update(t.Context(), f, nil); err != nil {
			t.Fatal(err)
		}
	}
	room.Fill()
	actions.Refresh()
	if got := room.Host.Said; got != "All feeds here are paused: resume one, or refresh it by itself." {
		t.Error(got)
	}
}

func TestLoginIsDroppedForOtherAddress(t *testing.T) {
	_, actions := newRoom(t)
	s := actions.Subscribe("http://127.0.0.1:9/a")
	s.Login.Show()
	s.User.SetText("me")
	s.Password.SetText("secret")
	s.Address.SetText("http://127.0.0.2:9/b")
	if l := s.TypedLogin(); l != (poller.Login{}) || s.Login.Visible() || s.Password.Text != "" {
		t.Errorf("another address gets %+v", l)
	}
}

// The address that lies in the clipboard is offered; typing replaces it.
func TestSubscribeOffersTheClipboard(t *testing.T) {
	room, actions := newRoom(t)
	for text, want := range map[string]string{
		" https://example.org/feed.xml\n":                                            "https://example.org/feed.xml",
		"https://a.test/1\nhttps://b.test/x,y,\r\n\nfeed://c.test/,https://a.test/1": "https://a.test/1 https://b.test/x,y feed://c.test/",
		"some words": "", "https://a.test/ and words": "", "mailto:a@b.test": "", "https:": "",
	} {
		room.Copy(text)
		s := actions.Subscribe("")
		if s.Address.Text != want || s.Address.SelectedText() != want {
			t.Errorf("%q offers %q, selects %q", text, s.Address.Text, s.Address.SelectedText())
		}
		s.Close()
	}
	room.Copy("https://example.org/other")
	if s := actions.Subscribe("https://example.org/given"); s.Address.Text != "https://example.org/given" {
		t.Errorf("it offers %q", s.Address.Text)
	}
}

// A list that was added tells how many feeds came, and resumes those that are paused, as the import of the list does.
func TestAddedListIsTold(t *testing.T) {
	room, actions := newRoom(t)
	actions.Pause(true, *room.Library.Feed(2))
	room.Queue.Until("it is paused", func() bool { return stored(t, room, 2).Paused })
	room.Library.Reload()
	room.Queue.Until("the library knows", func() bool { return room.Library.Feed(2).Paused })
	actions.TellAdded(AddedFeed{Feed: reader.Feed{Title: "Friends"}, Followed: &reader.Followed{Feeds: []reader.FollowedFeed{{ID: 1, Title: "Ann"}, {ID: 2, Title: "Feed 0", Paused: true, Brought: true}}}})
	d := room.Dialogs.Open[0]
	widgetstest.SaysAll(t, d.Content, "Added Friends: 1 feed came. 1 was subscribed already. 1 feed is in your own network and paused until you resume it.")
	if !d.Press("Resume this feed") {
		t.Fatal("it cannot be resumed")
	}
	room.Queue.Until("it is resumed", func() bool { return !stored(t, room, 2).Paused })
	if got := addedText(AddedFeed{Feed: reader.Feed{Title: "A"}, Followed: &reader.Followed{Feeds: []reader.FollowedFeed{{ID: 1, Title: "x", Brought: true}, {ID: 2, Title: "y", Brought: true}}}}); got != "Added A: 2 feeds came." {
		t.Error(got)
	}
	if got := addedText(AddedFeed{Feed: reader.Feed{Title: "A"}, Followed: &reader.Followed{Feeds: []reader.FollowedFeed{{ID: 1, Title: "x"}}}}); got != "Added A: you are subscribed to all of its feeds already." {
		t.Error(got)
	}
}
