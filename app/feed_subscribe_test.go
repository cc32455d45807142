package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kairos/app/feeds"
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
	s := w.feeds.Subscribe(site.URL)
	s.Submit()
	q.until("the feeds are offered", func() bool { return s.Choices.Visible() })
	want := []string{"Garden (RSS)  —  " + feeds + "/posts", "News  —  " + feeds + "/news", "Comments  —  " + feeds + "/comments"}
	if d := cmp.Diff(want, s.Choice.Options()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{0}, s.Choice.Chosen()); d != "" {
		t.Error(d)
	}
	s.Choice.Checks[0].SetChecked(false)
	s.Choice.Checks[1].SetChecked(true)
	s.Submit()
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
	s := w.feeds.Subscribe(site.URL + "/a " + site.URL + "/none, " + site.URL + "/b")
	s.Submit()
	q.until("all are answered", func() bool { return strings.Contains(s.Message.String(), "Not added:") })
	if s.Address.Text != site.URL+"/none" || !strings.HasPrefix(s.Message.String(), "Added 2 feeds.") {
		t.Errorf("left: %q, told: %q", s.Address.Text, s.Message.String())
	}
	if all, err := w.shell.Home.Store.Feeds.List(t.Context()); err != nil || len(all) != 4 {
		t.Errorf("%d feeds, %v", len(all), err)
	}
	s.Address.SetText(site.URL + "/a " + site.URL + "/c")
	s.Submit()
	q.until("the dialog is closed", func() bool { return len(w.shell.Dialogs.Open) == 0 })
	if got := w.status.message.Text; got != "1 feed added, 1 already subscribed." {
		t.Errorf("told: %q", got)
	}
}

// Older articles of a new feed come in as read, and are not told as new.
func TestUnreadOfNewFeedsIsTold(t *testing.T) {
	newTestWindow(t)
	if got := feeds.ProgressText(2, 2, 54, 19, 0, feeds.FetchImported); got != "Imported and fetched 2 feeds, 54 articles, 19 unread." {
		t.Error(got)
	}
	if got := feeds.ProgressText(1, 1, 3, 3, 0, feeds.FetchImported); got != "Imported and fetched 1 feed, 3 articles." {
		t.Error(got)
	}
	if got := feeds.ProgressText(1, 1, 3, 2, 0, feeds.FetchRefresh); got != "Fetched 1 feed, 3 new articles." {
		t.Error(got)
	}
	if got := feeds.AddedText(feeds.AddedFeed{Feed: reader.Feed{Title: "A"}, Outcome: poller.Outcome{New: 12, Unread: 5}}); got != "Added A: 12 articles, 5 unread." {
		t.Error(got)
	}
}

func TestLoginIsDroppedForOtherAddress(t *testing.T) {
	w, _ := newTestWindow(t)
	s := w.feeds.Subscribe("http://127.0.0.1:9/a")
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
	w, _ := newTestWindow(t)
	for text, want := range map[string]string{
		" https://example.org/feed.xml\n":                                            "https://example.org/feed.xml",
		"https://a.test/1\nhttps://b.test/x,y,\r\n\nfeed://c.test/,https://a.test/1": "https://a.test/1 https://b.test/x,y feed://c.test/",
		"some words": "", "https://a.test/ and words": "", "mailto:a@b.test": "", "https:": "",
	} {
		w.shell.Copy(text)
		s := w.feeds.Subscribe("")
		if s.Address.Text != want || s.Address.SelectedText() != want {
			t.Errorf("%q offers %q, selects %q", text, s.Address.Text, s.Address.SelectedText())
		}
		s.Close()
	}
	w.shell.Copy("https://example.org/other")
	if s := w.feeds.Subscribe("https://example.org/given"); s.Address.Text != "https://example.org/given" {
		t.Errorf("it offers %q", s.Address.Text)
	}
}
