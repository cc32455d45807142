package poller

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"kairos/reader"
)

// archive is a blog whose feed shows its last ten posts, and whose pages go back to the first.
type archive struct {
	posts    int       // posted so far, one each four hours
	at       time.Time // of the first
	form     string    // "archive", "wordpress", "blogger", "json", "cycle", "endless"
	undated  bool
	requests []string // queries
	fails    int      // so many requests to pages fail
}

func (b *archive) date(n int) time.Time { return b.at.Add(time.Duration(n) * 4 * time.Hour) }

func (b *archive) serve(out http.ResponseWriter, r *http.Request) {
	b.requests = append(b.requests, r.URL.RawQuery)
	q, page := r.URL.Query(), 1
	for _, name := range []string{"page", "paged"} {
		if text := q.Get(name); text != "" {
			fmt.Sscan(text, &page) //nolint:errcheck // it is a number
		}
	}
	first := b.posts - 10*(page-1)
	if text := q.Get("start-index"); text != "" {
		at := 1
		fmt.Sscan(text, &at) //nolint:errcheck // it is a number
		first, page = b.posts-at+1, 2
	}
	if page > 1 && b.fails > 0 {
		b.fails--
		http.Error(out, "no", http.StatusInternalServerError)
		return
	}
	if first <= 0 {
		http.NotFound(out, r)
		return
	}
	here := "http://" + r.Host + r.URL.Path
	if b.form == "json" {
		fmt.Fprint(out, `{"version":"https://jsonfeed.org/version/1.1","title":"B",`)
		if first > 10 {
			fmt.Fprintf(out, `"next_url":"%s?page=%d",`, here, page+1)
		}
		fmt.Fprint(out, `"items":[`)
		for n := first; n > max(first-10, 0); n-- {
			fmt.Fprintf(out, `{"id":"%d","title":"Post %d","content_text":"x","date_published":"%s"},`, n, n, b.date(n).Format(time.RFC3339))
		}
		fmt.Fprint(out, `{"id":"0","title":"About","content_text":"x"}]}`)
		return
	}
	fmt.Fprint(out, `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>B</title>`)
	switch b.form {
	case "archive":
		if first > 10 {
			fmt.Fprintf(out, `<atom:link rel="prev-archive" href="%s?page=%d"/>`, here, page+1)
		}
	case "cycle":
		fmt.Fprintf(out, `<atom:link rel="next" href="%s?page=%d"/>`, here, page%3+1)
	case "endless":
		fmt.Fprintf(out, `<atom:link rel="next" href="%s?page=1&amp;n=%d"/>`, here, len(b.requests))
	case "wordpress":
		fmt.Fprint(out, `<generator>https://wordpress.org/?v=6.4</generator>`)
	case "blogger":
		fmt.Fprint(out, `<generator>Blogger</generator>`)
	}
	for n := first; n > max(first-10, 0); n-- {
		fmt.Fprintf(out, `<item><guid isPermaLink="false">%d</guid><title>Post %d</title>`, n, n)
		if !b.undated {
			fmt.Fprintf(out, `<pubDate>%s</pubDate>`, b.date(n).Format(time.RFC1123Z))
		}
		fmt.Fprint(out, `</item>`)
	}
	fmt.Fprint(out, `</channel></rss>`)
}

// blog subscribes to an archive of posts that are over a year old but for the last ten, and fetches it.
func (w *world) blog(b *archive) reader.Feed {
	w.t.Helper()
	b.at = w.clock.Now().Add(-time.Duration(b.posts) * 4 * time.Hour)
	w.web.on("/blog", b.serve)
	f := w.subscribePaths("/blog")[0]
	w.settled()
	b.requests = nil
	return w.feed(f.ID)
}

// older loads older articles.
func (w *world) older(f reader.Feed, limits OlderLimits) (last OlderPage, pages int) {
	w.t.Helper()
	last, err := w.FetchOlder(w.t.Context(), f.ID, limits, func(OlderPage) { pages++ })
	if err != nil {
		w.t.Fatal(err)
	}
	return last, pages
}

// posts tells how many articles are stored, and how many of them are unread.
func (w *world) posts() (stored, unread int) {
	return w.number("SELECT count(*) FROM status"), w.number("SELECT count(*) FROM status WHERE read = 0")
}

// Whatever leads back, all articles come once, in their order, those from before the subscription read.
func TestOlderArticles(t *testing.T) {
	for _, form := range []string{"archive", "wordpress", "blogger", "json", "cycle"} {
		t.Run(form, func(t *testing.T) {
			w := newWorld(t)
			b := &archive{posts: 27, form: form}
			f := w.blog(b)
			_, before := w.posts()
			last, _ := w.older(f, OlderLimits{})
			stored, unread := w.posts()
			want := 27
			if form == "json" {
				want++
			}
			if stored != want || unread != before || last.End != OlderAll || last.Found != 17 {
				t.Errorf("%d stored, %d unread (before %d), %+v", stored, unread, before, last)
			}
			if n := w.number("SELECT count(*) FROM (SELECT a.title, row_number() OVER (ORDER BY s.published, s.id) AS n FROM status s JOIN article a USING (id) WHERE a.title <> 'About') WHERE title <> 'Post ' || n"); n != 0 {
				t.Errorf("%d are out of order", n)
			}
			if n := w.number("SELECT count(*) FROM status WHERE listed = 1"); n != 10 && form != "json" {
				t.Errorf("%d are listed", n)
			}
			asked := len(b.requests)
			if again, _ := w.older(f, OlderLimits{}); again.End != OlderAll || len(b.requests) != asked {
				t.Errorf("asked again, %d requests were made: %+v", len(b.requests)-asked, again)
			}
			if n := w.number("SELECT count(*) FROM ledger WHERE reason = 'older' AND background = 0"); n != asked {
				t.Errorf("%d of %d requests are in the ledger", n, asked)
			}
		})
	}
}

// It goes on where it ended, and grows by what is posted meanwhile without doubles.
func TestOlderGoesOn(t *testing.T) {
	w := newWorld(t)
	b := &archive{posts: 95, form: "wordpress"}
	f := w.blog(b)
	if last, _ := w.older(f, OlderLimits{Pages: 2}); last.End != OlderPaused || last.Found != 20 {
		t.Fatalf("%+v", last)
	}
	b.posts += 7 // everything moves on by seven
	w.restart()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := w.FetchOlder(ctx, f.ID, OlderLimits{Pages: 10}, func(p OlderPage) {
		if p.Found > 30 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	asked := len(b.requests)
	last, _ := w.older(f, OlderLimits{Pages: 20})
	if stored, _ := w.posts(); stored != 95 || last.End != OlderAll {
		t.Errorf("%d stored, %+v", stored, last)
	}
	if again := len(b.requests) - asked; again > 9 {
		t.Errorf("%d requests went on", again)
	}
	if last, _ := w.older(f, OlderLimits{Articles: 1}); last.End != OlderAll {
		t.Errorf("%+v", last)
	}
}

// The bounds are kept: pages, articles, days.
func TestOlderLimits(t *testing.T) {
	for name, c := range map[string]struct {
		limits OlderLimits
		end    OlderEnd
		found  int
	}{
		"pages":    {OlderLimits{Pages: 3}, OlderPaused, 30},
		"articles": {OlderLimits{Articles: 15}, OlderPaused, 20},
		"days":     {OlderLimits{Days: 4}, OlderReached, 20}, // 24 articles
		"usual":    {OlderLimits{}, OlderPaused, 100},
	} {
		w := newWorld(t)
		if last, _ := w.older(w.blog(&archive{posts: 500, form: "archive"}), c.limits); last.End != c.end || last.Found != c.found {
			t.Errorf("%s: %+v", name, last)
		}
	}
}

func TestOlderOfFeedsWithoutPages(t *testing.T) {
	w := newWorld(t)
	b := &archive{posts: 20, form: "none"}
	f := w.blog(b)
	if last, pages := w.older(f, OlderLimits{}); last.End != OlderNone || pages != 1 {
		t.Errorf("%+v", last)
	}
	b.form = "endless"
	if last, pages := w.older(f, OlderLimits{Pages: 100}); last.End != OlderAll || pages > 3 {
		t.Errorf("pages that are all the same: %d, %+v", pages, last)
	}
	if _, err := w.FetchOlder(t.Context(), 99, OlderLimits{}, nil); !errors.Is(err, reader.ErrUnknown) {
		t.Error(err)
	}
}

// Undated articles come before those that are there, in their order.
func TestOlderUndated(t *testing.T) {
	w := newWorld(t)
	w.older(w.blog(&archive{posts: 30, form: "archive", undated: true}), OlderLimits{})
	if n := w.number("SELECT count(*) FROM (SELECT a.title, row_number() OVER (ORDER BY s.published, s.id) AS n FROM status s JOIN article a USING (id)) WHERE title <> 'Post ' || n"); n != 0 {
		t.Errorf("%d are out of order", n)
	}
}

// A page that fails is asked for again, later and later, and then given up, which is said.
func TestOlderFails(t *testing.T) {
	w := newWorld(t)
	b := &archive{posts: 60, form: "archive", fails: 2}
	f := w.blog(b)
	if last, _ := w.older(f, OlderLimits{}); last.End != "" || last.Message.IsZero() {
		t.Fatalf("%+v", last)
	}
	w.live(3 * time.Hour)
	if stored, _ := w.posts(); stored < 60 {
		t.Errorf("%d stored after the server was well again", stored)
	}
	b.posts, b.fails = b.posts+40, 100
	w.exec("UPDATE older SET ended = '', pages = 5, next = ?", f.URL+"?page=3")
	w.live(12 * time.Hour)
	if end, n := w.olderEnd(f), 100-b.fails; end != OlderFailed || n != olderFailures {
		t.Errorf("%q after %d requests", end, n)
	}
}

func (w *world) olderEnd(f reader.Feed) OlderEnd {
	w.t.Helper()
	r, _, err := readOlder(w.t.Context(), w.store.Read(), f)
	if err != nil {
		w.t.Fatal(err)
	}
	return r.ended
}

// What was lost comes back by itself, unread, and nothing from before it.
func TestLostArticlesAreWonBack(t *testing.T) {
	w := newWorld(t)
	b := &archive{posts: 100, form: "wordpress"}
	f := w.blog(b)
	w.live(12 * time.Hour) // of which the feed posts nothing
	stored, _ := w.posts()
	b.posts += 45
	b.at = w.clock.Now().Add(-145 * 4 * time.Hour).Add(8 * 24 * time.Hour)
	w.clock.add(8 * 24 * time.Hour)
	w.live(6 * time.Hour)
	now, unread := w.posts()
	if now-stored < 40 || now-stored > 60 || unread < 40 {
		t.Errorf("%d came, %d are unread; %v %v", now-stored, unread, w.olderEnd(f), w.stateOf(f.ID).posts.Window.Loss)
	}
	if end := w.olderEnd(f); end != OlderReached {
		t.Errorf("it ended with %q: %v", end, b.requests)
	}
}

// The loop looks again where a page ended while it looked: that one knows the next.
func TestPageEndsDuringALook(t *testing.T) {
	now := time.Now()
	p := olderPages{running: map[int64]bool{}}
	p.look(now)
	p.begin(1)
	p.end(1)
	if at := p.lookAt(now.Add(olderIdle)); at.After(now) {
		t.Errorf("it looks again %s later", at.Sub(now))
	}
	if _, early := p.look(now); !early.IsZero() {
		t.Error("it does not look")
	}
}

// A subscription can begin with its archive, which comes in the background at a leisurely pace.
func TestSubscribeWithArchive(t *testing.T) {
	w := newWorld(t)
	b := &archive{posts: 75, form: "archive"}
	f := w.blog(b)
	if err := w.WantArchive(t.Context(), f.ID); err != nil {
		t.Fatal(err)
	}
	w.live(time.Minute)
	if n := len(b.requests); n == 0 || n > 4 {
		t.Errorf("%d requests in the first minute", n)
	}
	w.live(time.Hour)
	if stored, _ := w.posts(); stored != 75 || w.olderEnd(f) != OlderAll {
		t.Errorf("%d stored, %q: %s", stored, w.olderEnd(f), strings.Join(b.requests, " "))
	}
}

// Feeds whose pages may not be read now, or never, do not hold up those of others, though theirs are due for longer.
func TestOlderPagesWaitForNoOtherFeed(t *testing.T) {
	for name, change := range map[string]string{"paused": "paused = 1", "unsubscribed": "removed = 1", "moved": "url = url || 'new'"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			f := w.blog(&archive{posts: 75, form: "archive"})
			w.subscribePaths("/a", "/b", "/c")
			w.exec("INSERT INTO older (feed, address, pages, articles, at) SELECT id, url, 5, 50, 0 FROM feed WHERE id <> ?", f.ID)
			w.exec("UPDATE feed SET "+change+" WHERE id <> ?", f.ID)
			if err := w.WantArchive(t.Context(), f.ID); err != nil {
				t.Fatal(err)
			}
			w.live(time.Hour)
			if end := w.olderEnd(f); end != OlderAll {
				t.Errorf("it ended with %q", end)
			}
		})
	}
}
