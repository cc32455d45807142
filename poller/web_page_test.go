package poller

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/scrape"
)

// newsPage is a page without a feed.
type newsPage struct {
	robots   string
	class    string
	articles int
	requests []string
}

func (p *newsPage) serve(out http.ResponseWriter, r *http.Request) {
	p.requests = append(p.requests, r.URL.Path)
	if r.URL.Path == "/robots.txt" {
		if p.robots == "" {
			http.NotFound(out, r)
			return
		}
		fmt.Fprint(out, p.robots)
		return
	}
	out.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(out, `<html><head><title>News</title></head><body><div id="list">`)
	for n := p.articles; n > 0; n-- {
		fmt.Fprintf(out, `<div class="%s"><h2><a href="/news/%d">The river rises, day %d</a></h2><span class="date">2026-02-%02d</span><p>Water %d</p></div>`, p.class, n, n, n, n)
	}
	fmt.Fprint(out, `</div></body></html>`)
}

// watch subscribes to a page as its first offer reads it.
func (w *world) watch(p *newsPage) reader.Feed {
	w.t.Helper()
	for _, path := range []string{"/robots.txt", "/news"} {
		w.web.on(path, p.serve)
	}
	page, err := w.OpenPage(w.t.Context(), w.web.address("/news"))
	if err != nil {
		w.t.Fatal(err)
	}
	offers, err := page.Offers(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	f, o, err := w.Subscribe(w.t.Context(), Candidate{URL: page.URL, Title: offers[0].Feed.Title}, reader.Feed{Source: reader.PageSource(offers[0].Recipe)}, nil)
	if err != nil || o.Result != Stored || o.New != p.articles {
		w.t.Fatalf("%+v (%v)", o, err)
	}
	return f
}

// A page without a feed is read as it was chosen, one request each time, and one a day for its robots.txt.
func TestPageWithoutAFeed(t *testing.T) {
	w := newWorld(t)
	p := &newsPage{class: "teaser", articles: 5, robots: "User-agent: *\nDisallow: /private"}
	f := w.watch(p)
	p.requests, p.articles = nil, 7
	if o := w.again(f); o.New != 2 || o.Unread != 2 || len(p.requests) != 1 {
		t.Errorf("%+v %v", o, p.requests)
	}
	w.restart()
	w.clock.add(25 * time.Hour)
	w.again(f)
	if n := w.number("SELECT count(*) FROM ledger WHERE reason = 'robots'"); n != 2 {
		t.Errorf("%d requests for robots.txt: %v", n, p.requests)
	}
}

// What was fetched to choose the articles of a page again is stored as they were chosen: the feed fails no more, and the page is not
// asked for again.
func TestPageIsChosenAgain(t *testing.T) {
	w := newWorld(t)
	p := &newsPage{class: "teaser", articles: 5}
	f := w.watch(p)
	p.class, p.articles = "card", 9
	if o := w.again(f); o.Result != Failed {
		t.Fatalf("%+v", o)
	}
	page, err := w.OpenPage(t.Context(), f.URL)
	if err != nil {
		t.Fatal(err)
	}
	offers, err := page.Offers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.requests = nil
	for range 2 { // the same page, perhaps read in another way
		f.Source = reader.PageSource(offers[0].Recipe)
		w.write(func(tx *sql.Tx) error { return reader.UpdateFeed(t.Context(), tx, f) })
		o, err := w.StorePage(t.Context(), f.ID, page)
		if err != nil || o.Result != Stored || w.stateOf(f.ID).Failures != 0 || len(p.requests) != 0 {
			t.Errorf("%+v, %v, %d failures, %v", o, err, w.stateOf(f.ID).Failures, p.requests)
		}
	}
	if n, _ := w.posts(); n != 9 {
		t.Errorf("%d articles", n)
	}
	if _, err := w.StorePage(t.Context(), 99, page); !errors.Is(err, reader.ErrUnknown) {
		t.Error(err)
	}
}

// One that has changed its shape is a failing feed, and its articles stay as they are.
func TestPageThatChangesItsShape(t *testing.T) {
	w := newWorld(t)
	p := &newsPage{class: "teaser", articles: 5}
	f := w.watch(p)
	p.class, p.articles = "card", 9
	o := w.again(f)
	if o.Result != Failed || o.Message.Code != PageUnread || o.Message.Page.Code != scrape.NoArticles || w.stateOf(f.ID).Kind != KindShape {
		t.Errorf("%+v", o)
	}
	if n, _ := w.posts(); n != 5 {
		t.Errorf("%d articles", n)
	}
	page, err := w.OpenPage(t.Context(), f.URL)
	if err != nil {
		t.Fatal(err)
	}
	offers, err := page.Offers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f = w.feed(f.ID)
	f.Source = reader.PageSource(offers[0].Recipe)
	w.update(f)
	if o := w.again(f); o.Result != Stored || o.New != 4 {
		t.Errorf("mended: %+v", o)
	}
}

// What a site asks programs not to read is not read, and that is said.
func TestRobotsAreObeyed(t *testing.T) {
	w := newWorld(t)
	p := &newsPage{class: "teaser", articles: 5}
	f := w.watch(p)
	p.robots, p.requests = "User-agent: kairos\nDisallow: /news", nil
	w.clock.add(25 * time.Hour)
	if o := w.again(f); o.Result != Failed || o.Message.Code != RobotsForbid || len(p.requests) != 1 {
		t.Errorf("%+v %v", o, p.requests)
	}
	if _, err := w.OpenPage(t.Context(), f.URL); !errors.Is(err, ErrRobots) {
		t.Error(err)
	}
}
