package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kairos/poller"
	"kairos/reader"
)

// A site with several feeds offers them by title, with the main one chosen.
func TestSubscribeOffersSeveralFeeds(t *testing.T) {
	w, q := newTestWindow(t)
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
	s := w.feeds.subscribe(site.URL)
	s.submit()
	q.until("the feeds are offered", func() bool { return s.choices.Visible() })
	want := []string{"Garden (RSS)  —  " + feeds + "/posts", "News  —  " + feeds + "/news", "Comments  —  " + feeds + "/comments"}
	if d := cmp.Diff(want, s.choice.Options()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{0}, s.choice.Chosen()); d != "" {
		t.Error(d)
	}
	s.choice.Checks[0].SetChecked(false)
	s.choice.Checks[1].SetChecked(true)
	s.submit()
	q.until("the chosen one is subscribed", func() bool {
		f, err := w.shell.Home.Store.Feeds.ByURL(t.Context(), feeds+"/news")
		return err == nil && f.Title == "Feed of /news"
	})
	if all, err := w.shell.Home.Store.Feeds.List(t.Context()); err != nil || len(all) != 3 {
		t.Errorf("%d feeds, %v", len(all), err)
	}
}

// Of several addresses all feeds are added, and those that fail stay in the field.
func TestSubscribeToSeveralAddresses(t *testing.T) {
	w, q := newTestWindow(t)
	site := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/none" {
			http.NotFound(out, r)
			return
		}
		fmt.Fprintf(out, `<rss version="2.0"><channel><title>Feed of %s</title><item><title>First</title></item></channel></rss>`, r.URL.Path)
	}))
	defer site.Close()
	s := w.feeds.subscribe(site.URL + "/a " + site.URL + "/none, " + site.URL + "/b")
	s.submit()
	q.until("all are answered", func() bool { return strings.Contains(s.message.String(), "Not added:") })
	if s.address.Text != site.URL+"/none" || !strings.HasPrefix(s.message.String(), "Added 2 feeds.") {
		t.Errorf("left: %q, told: %q", s.address.Text, s.message.String())
	}
	if all, err := w.shell.Home.Store.Feeds.List(t.Context()); err != nil || len(all) != 4 {
		t.Errorf("%d feeds, %v", len(all), err)
	}
	s.address.SetText(site.URL + "/a " + site.URL + "/c")
	s.submit()
	q.until("the dialog is closed", func() bool { return len(w.shell.Dialogs.Open) == 0 })
	if got := w.status.message.Text; got != "1 feed added, 1 already subscribed." {
		t.Errorf("told: %q", got)
	}
}

func TestSeveralAddresses(t *testing.T) {
	for text, want := range map[string]int{"example.org": 0, "a.test b.test": 2, "https://a.test,https://b.test": 2, "/home/me/my feeds.xml": 0, "My feeds.xml": 0,
		`C:\My.feeds\my feeds.xml`: 0, "some words": 0, "": 0, "https://a.test/ https://a.test/": 0} {
		if got := severalIn(text); len(got) != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Older articles of a new feed come in as read, and are not told as new.
func TestUnreadOfNewFeedsIsTold(t *testing.T) {
	newTestWindow(t)
	if got := progressText(2, 2, 54, 19, 0, fetchImported); got != "Imported and fetched 2 feeds, 54 articles, 19 unread." {
		t.Error(got)
	}
	if got := progressText(1, 1, 3, 3, 0, fetchImported); got != "Imported and fetched 1 feed, 3 articles." {
		t.Error(got)
	}
	if got := progressText(1, 1, 3, 2, 0, fetchRefresh); got != "Fetched 1 feed, 3 new articles." {
		t.Error(got)
	}
	if got := addedText(addedFeed{feed: reader.Feed{Title: "A"}, outcome: poller.Outcome{New: 12, Unread: 5}}); got != "Added A: 12 articles, 5 unread." {
		t.Error(got)
	}
}

func TestCandidateNamesDiffer(t *testing.T) {
	long := strings.Repeat("x", 100)
	got := candidateNames([]poller.Candidate{{URL: "http://a.test/" + long + "/1/" + long, Title: "A"}, {URL: "http://a.test/" + long + "/2/" + long, Title: "A"}, {URL: "http://b.test/"}})
	if got[0] == got[1] || got[2] != "http://b.test/" {
		t.Errorf("%q", got)
	}
}

func TestLoginIsDroppedForOtherAddress(t *testing.T) {
	w, _ := newTestWindow(t)
	s := w.feeds.subscribe("http://127.0.0.1:9/a")
	s.login.Show()
	s.user.SetText("me")
	s.password.SetText("secret")
	s.address.SetText("http://127.0.0.2:9/b")
	if l := s.typedLogin(); l != (poller.Login{}) || s.login.Visible() || s.password.Text != "" {
		t.Errorf("another address gets %+v", l)
	}
}

// The address that lies in the clipboard is offered; typing replaces it.
func TestSubscribeOffersTheClipboard(t *testing.T) {
	w, _ := newTestWindow(t)
	for text, want := range map[string]string{
		" https://example.org/feed.xml\n":                                            "https://example.org/feed.xml",
		"https://a.test/1\nhttps://b.test/x,y,\r\n\nfeed://c.test/,https://a.test/1": "https://a.test/1 https://b.test/x,y feed://c.test/",
		"some words": "", "https://a.test/ and words": "", "mailto:a@b.test": "", "https:": "",
	} {
		w.shell.Copy(text)
		s := w.feeds.subscribe("")
		if s.address.Text != want || s.address.SelectedText() != want {
			t.Errorf("%q offers %q, selects %q", text, s.address.Text, s.address.SelectedText())
		}
		s.close()
	}
	w.shell.Copy("https://example.org/other")
	if s := w.feeds.subscribe("https://example.org/given"); s.address.Text != "https://example.org/given" {
		t.Errorf("it offers %q", s.address.Text)
	}
}
