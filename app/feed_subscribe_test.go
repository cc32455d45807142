package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kairos/poller"
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
		f, err := w.home.Store.Feeds.ByURL(t.Context(), feeds+"/news")
		return err == nil && f.Title == "Feed of /news"
	})
	if all, err := w.home.Store.Feeds.List(t.Context()); err != nil || len(all) != 3 {
		t.Errorf("%d feeds, %v", len(all), err)
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
		" https://example.org/feed.xml\n": "https://example.org/feed.xml",
		"some words":                      "", "https://a.test/ and words": "", "mailto:a@b.test": "", "https:": "",
	} {
		w.app.Clipboard().SetContent(text)
		s := w.feeds.subscribe("")
		if s.address.Text != want || s.address.SelectedText() != want {
			t.Errorf("%q offers %q, selects %q", text, s.address.Text, s.address.SelectedText())
		}
		s.close()
	}
	w.app.Clipboard().SetContent("https://example.org/other")
	if s := w.feeds.subscribe("https://example.org/given"); s.address.Text != "https://example.org/given" {
		t.Errorf("it offers %q", s.address.Text)
	}
}
