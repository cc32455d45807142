package poller

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/fulltext"
	"kairos/reader/picture"
)

// dealtReader is who articles are prepared for.
type dealtReader struct {
	mu        sync.Mutex
	chances   map[int64]float64 // 0.5 where there is none
	textOnly  bool              // pictures are loaded by hand
	leastFree int64             // of the disk
	album     *picture.Album
}

func (d *dealtReader) preparing(dir string, now func() time.Time) Preparing {
	d.album = picture.NewAlbum(picture.NewCache(filepath.Join(dir, "pictures"), picture.DefaultCacheSize, now), nil)
	return Preparing{Album: d.album, LeastFree: d.leastFree, Files: filepath.Join(dir, "files"), Pictures: func(context.Context) (bool, error) { return !d.textOnly, nil },
		Chances: func(_ context.Context, ids []int64) (map[int64]float64, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			chances := make(map[int64]float64, len(ids))
			for _, id := range ids {
				if chances[id] = 0.5; d.chances[id] > 0 {
					chances[id] = d.chances[id]
				}
			}
			return chances, nil
		}}
}

func newPreparingWorld(t testing.TB) *world {
	t.Helper()
	return (&world{t: t, space: -1, reads: &dealtReader{}}).begin()
}

// prepared lets the loop look, and waits until nothing is being prepared.
func (w *world) prepared() {
	w.t.Helper()
	w.settled()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Preparer().Wait()
	}()
	for {
		select {
		case <-done:
			return
		default:
			w.drain()
			runtime.Gosched()
		}
	}
}

// article is a page with a text and two pictures.
func pageOf(name string) string {
	return `<html><head><title>` + name + `</title></head><body><nav>Menu</nav><article><h1>` + name + `</h1><p><img src="/` + name + `-1.png"><img src="/` + name + `-2.png"></p>` +
		strings.Repeat("<p>The lamplighter walked along the quay, counted the lamps one by one, and wrote the number into the book.</p>", 9) + "</article></body></html>"
}

// magazine serves a feed of n articles with a line each, their pages and their pictures.
func (w *web) magazine(t testing.TB, path string, n int) {
	var items strings.Builder
	for i := range n {
		name := fmt.Sprintf("%s-%d", strings.Trim(path, "/"), i)
		fmt.Fprintf(&items, "<item><title>%s</title><link>%s</link><guid>%[2]s</guid><pubDate>%s</pubDate><description>&lt;p&gt;A line…&lt;/p&gt;&lt;img src=&quot;/%[1]s-lead.png&quot;&gt;</description></item>",
			name, w.address("/"+name), w.clock.Now().Add(-time.Duration(i)*time.Minute).Format(time.RFC1123Z))
		w.says("/"+name, pageOf(name))
		for _, suffix := range []string{"-1.png", "-2.png", "-lead.png"} {
			w.on("/"+name+suffix, func(out http.ResponseWriter, _ *http.Request) { io.WriteString(out, painted(t, 7)) })
		}
	}
	w.says(path, "<rss version='2.0'><channel><title>magazine</title>"+items.String()+"</channel></rss>")
}

// askedPaths returns the paths asked for since the last call that contain a part, and how often.
func (w *web) askedPaths(part string) map[string]int {
	asked := map[string]int{}
	for _, a := range w.requests() {
		if strings.Contains(a.path, part) {
			asked[a.path]++
		}
	}
	return asked
}

func (w *world) upcoming() []reader.Upcoming {
	w.t.Helper()
	all, err := w.store.Articles.Upcoming(w.t.Context(), time.Time{}, 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// look tells how an article stands when it is opened.
func (w *world) look(id int64) preparer.Article {
	w.t.Helper()
	rows, err := w.store.Articles.Load(w.t.Context(), []int64{id})
	if err != nil || len(rows) != 1 {
		w.t.Fatal(rows, err)
	}
	html, _, err := w.store.Articles.Body(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	text, fetched, err := w.store.Articles.ShownFullText(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	if text != "" {
		html = text
	}
	a, err := w.Preparer().Look(w.t.Context(), rows[0], content.Parse(html), fetched)
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

// Where the user wants the full text of a feed its pages and their pictures are there before the visit, each asked for once; they
// are in the ledger, and not paid for by the budget.
func TestArticlesArePreparedWhole(t *testing.T) {
	w := newPreparingWorld(t)
	w.web.magazine(t, "/feed", 5)
	f := w.subscribe(reader.Feed{URL: w.web.address("/feed"), FullText: true})
	w.prepared()
	asked := w.web.askedPaths("feed-")
	if len(asked) != 15 {
		t.Errorf("asked for %v", asked)
	}
	for _, u := range w.upcoming() {
		if a := w.look(u.ID); !u.FullText || !a.Whole || a.WantsPage {
			t.Errorf("%+v, %+v", u, a)
		}
	}
	lines := w.number("SELECT count(*) FROM ledger WHERE reason = 'prepare' AND background = 0 AND result = 'stored'")
	if lines != 15 {
		t.Errorf("%d lines in the ledger", lines)
	}
	if s, err := w.Status(t.Context()); err != nil || s.Spent != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	for range 3 {
		w.clock.add(time.Hour)
		w.prepared()
	}
	w.restart()
	w.clock.add(time.Hour)
	w.prepared()
	if asked := w.web.askedPaths("feed-"); len(asked) > 0 {
		t.Errorf("asked again for %v", asked)
	}
	if s, err := w.Snapshot(t.Context(), f.ID); err != nil || s.Last[f.ID].Reason.IsAuxiliary() {
		t.Errorf("last %+v, %v", s.Last[f.ID], err)
	}
}

// Where the text of the feed is enough only its pictures are brought, and none for who loads pictures by hand.
func TestOnlyWhatIsWantedIsPrepared(t *testing.T) {
	for _, textOnly := range []bool{false, true} {
		w := (&world{t: t, space: -1, reads: &dealtReader{textOnly: textOnly}}).begin()
		w.web.magazine(t, "/feed", 4)
		w.subscribePaths("/feed")
		w.prepared()
		asked := w.web.askedPaths("feed-")
		for path := range asked {
			if !strings.HasSuffix(path, "-lead.png") || textOnly {
				t.Errorf("by hand %t: asked for %s", textOnly, path)
			}
		}
		if want := map[bool]int{false: 4, true: 0}[textOnly]; len(asked) != want {
			t.Errorf("by hand %t: asked for %v", textOnly, asked)
		}
		for _, u := range w.upcoming() {
			if a := w.look(u.ID); !a.Whole || !a.Offers {
				t.Errorf("by hand %t: %+v", textOnly, a)
			}
		}
	}
}

// What a machine has to save is not spent on preparing, unless the user says so.
func TestNothingIsPreparedOnBattery(t *testing.T) {
	for _, power := range []PowerState{{Battery: true}, {Metered: true}, {PowerSaver: true}} {
		w := newPreparingWorld(t)
		w.web.magazine(t, "/feed", 2)
		f := w.subscribePaths("/feed")[0]
		w.SetPowerState(power)
		w.prepared()
		if asked := w.web.askedPaths("feed-"); len(asked) > 0 {
			t.Errorf("%+v: asked for %v", power, asked)
		}
		s, err := w.Preparer().Settings(t.Context())
		if s.Mode = preparer.Always; err == nil {
			err = w.Preparer().Set(t.Context(), s)
		}
		if err != nil {
			t.Fatal(err)
		}
		w.clock.add(time.Hour)
		w.byHand(f.ID)
		w.prepared()
		if asked := w.web.askedPaths("feed-"); len(asked) != 2 {
			t.Errorf("%+v, always: asked for %v", power, asked)
		}
	}
}

// A host that refuses is left alone for a day; no page is asked for twice.
func TestRefusalsStopADay(t *testing.T) {
	for _, status := range []int{http.StatusForbidden, http.StatusTooManyRequests} {
		w := newPreparingWorld(t)
		w.web.magazine(t, "/feed", 9)
		for i := range 9 {
			w.web.on(fmt.Sprintf("/feed-%d", i), func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(status) })
		}
		w.subscribe(reader.Feed{URL: w.web.address("/feed"), FullText: true})
		w.prepared()
		first := w.web.askedPaths("feed-")
		if n := len(first); n == 0 || n > 4 {
			t.Errorf("%d: asked for %v", status, first)
		}
		w.clock.add(23 * time.Hour)
		w.prepared()
		if asked := w.web.askedPaths("feed-"); len(asked) > 0 {
			t.Errorf("%d: asked within a day for %v", status, asked)
		}
		w.clock.add(2 * time.Hour)
		w.prepared()
		for path := range w.web.askedPaths("feed-") {
			if first[path] > 0 {
				t.Errorf("%d: asked again for %s", status, path)
			}
		}
	}
}

// A picture that many articles show and no server has is asked for once a day.
func TestMissingPictureIsAskedForOnce(t *testing.T) {
	w := newPreparingWorld(t)
	var items strings.Builder
	for i := range 9 {
		fmt.Fprintf(&items, "<item><title>%d</title><guid>%[1]d</guid><pubDate>%s</pubDate><description>&lt;p&gt;A text.&lt;/p&gt;&lt;img src=&quot;/badge.png&quot;&gt;</description></item>",
			i, w.clock.Now().Add(-time.Duration(i)*time.Minute).Format(time.RFC1123Z))
	}
	w.web.says("/feed", "<rss version='2.0'><channel><title>badges</title>"+items.String()+"</channel></rss>")
	w.subscribePaths("/feed")
	w.prepared()
	w.clock.add(time.Hour)
	w.prepared()
	if asked := w.web.askedPaths("badge"); asked["/badge.png"] != 1 {
		t.Errorf("asked for %v", asked)
	}
	for _, u := range w.upcoming() {
		if err := w.Preparer().NoteOpened(t.Context(), w.look(u.ID), false); err != nil {
			t.Fatal(err)
		}
	}
	r, err := w.Preparer().Report(t.Context(), 30)
	if err != nil || r.Opened == 0 || r.Prepared+r.Used != 0 || r.Bytes+r.UsedBytes != 0 {
		t.Errorf("nothing came: %+v, %v", r, err)
	}
}

// A picture of the open article does not wait for the turn of the one who prepares it, and is asked for once.
func TestPictureInFrontIsAskedForAtOnce(t *testing.T) {
	w := (&world{t: t, space: time.Hour, reads: &dealtReader{}}).begin()
	w.web.magazine(t, "/feed", 1)
	f := w.subscribePaths("/feed")[0]
	w.byHand(f.ID)
	w.Preparer().Start(t.Context(), w.clock.Now())
	for w.queue.Pause().IsZero() { // it waits for an hour
		runtime.Gosched()
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := w.reads.album.Body(ctx, w.web.address("/feed-0-lead.png"), w.Pictures(f.ID)); err != nil {
		t.Error(err)
	}
	w.prepared()
	if asked := w.web.askedPaths("lead"); asked["/feed-0-lead.png"] != 1 {
		t.Errorf("asked for %v", asked)
	}
}

// A picture that is too large to be prepared is not too large for the one who opens its article in the same moment.
func TestPictureTooLargeToPrepareIsShown(t *testing.T) {
	w := newPreparingWorld(t)
	large := painted(t, 7) + strings.Repeat("\x00", 9<<20)
	asked, opened := make(chan struct{}), make(chan struct{})
	w.web.says("/feed", fmt.Sprintf("<rss version='2.0'><channel><title>large</title><item><title>one</title><guid>1</guid><pubDate>%s</pubDate><description>&lt;p&gt;A text.&lt;/p&gt;&lt;img src=&quot;/large.png&quot;&gt;</description></item></channel></rss>",
		w.clock.Now().Format(time.RFC1123Z)))
	first := true
	w.web.on("/large.png", func(out http.ResponseWriter, _ *http.Request) {
		if first {
			first = false
			close(asked)
			<-opened
		}
		io.WriteString(out, large) //nolint:errcheck // the one who prepares reads no more than it wants
	})
	f := w.subscribePaths("/feed")[0]
	w.byHand(f.ID)
	w.Preparer().Start(t.Context(), w.clock.Now())
	<-asked
	shown := make(chan error)
	go func() {
		body, err := w.reads.album.Body(t.Context(), w.web.address("/large.png"), w.Pictures(f.ID))
		if err == nil && len(body) != len(large) {
			err = fmt.Errorf("%d bytes", len(body))
		}
		shown <- err
	}()
	close(opened)
	if err := <-shown; err != nil {
		t.Error(err)
	}
	w.prepared()
}

// Pages without an article leave the text of the feed; after three in a row no more are asked for, and that is said once.
func TestPagesThatNeedABrowser(t *testing.T) {
	for name, page := range map[string]string{
		"login":   "<form action=/login>Sign in to read on <input name=user><input type=password></form>",
		"cookies": "<div>We value your privacy.</div><button>Accept all</button>",
		"script":  "<div id=root></div><script>" + strings.Repeat("render();", 3000) + "</script>",
		"empty":   "",
	} {
		w := newPreparingWorld(t)
		w.web.magazine(t, "/feed", 12)
		for i := range 12 {
			w.web.says(fmt.Sprintf("/feed-%d", i), page)
		}
		f := w.subscribe(reader.Feed{URL: w.web.address("/feed"), FullText: true})
		w.prepared()
		pages := 0
		for path := range w.web.askedPaths("feed-") {
			if !strings.HasSuffix(path, ".png") {
				pages++
			}
		}
		if pages < 3 || pages > 6 {
			t.Errorf("%s: %d pages were asked for", name, pages)
		}
		a := w.look(w.upcoming()[0].ID)
		if a.WantsPage || !a.NeedsPage {
			t.Errorf("%s: %+v", name, a)
		}
		if err := w.Preparer().NoteTold(t.Context(), f.ID); err != nil || w.look(a.ID).NeedsPage {
			t.Errorf("%s: said twice, %v", name, err)
		}
		if r, err := w.Preparer().FeedReport(t.Context(), f.ID); err != nil || !r.NeedsBrowser || r.Refused != pages || r.Prepared < pages {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if n := w.number("SELECT count(*) FROM poll WHERE failures > 0"); n > 0 {
			t.Errorf("%s: the feed failed", name)
		}
	}
}

// What nobody can show is bounded: a page without end, of which the beginning would be half an article, an answer that is no page, a redirect into this network, a picture of a
// gigapixel.
func TestHostilePages(t *testing.T) {
	w := newPreparingWorld(t)
	w.web.magazine(t, "/feed", 4)
	w.web.on("/feed-0", func(out http.ResponseWriter, r *http.Request) {
		io.WriteString(out, strings.TrimSuffix(pageOf("feed-0"), "</article></body></html>")) //nolint:errcheck // the client would miss it
		for r.Context().Err() == nil {
			if _, err := io.WriteString(out, "<p>"+strings.Repeat("without end ", 4000)); err != nil {
				return
			}
		}
	})
	w.web.says("/feed-1", "\x89PNG\r\n\x1a\n"+strings.Repeat("\x00", 4000))
	w.web.on("/feed-2", func(out http.ResponseWriter, r *http.Request) {
		http.Redirect(out, r, "http://192.168.0.1/admin", http.StatusFound)
	})
	w.web.on("/feed-3-1.png", func(out http.ResponseWriter, _ *http.Request) {
		io.WriteString(out, "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\x00\x00\x00\x01\x00\x00\x08\x06\x00\x00\x00")
	})
	w.subscribe(reader.Feed{URL: w.web.address("/feed"), FullText: true})
	w.prepared()
	var whole []string
	for _, u := range w.upcoming() {
		if html, _, err := w.store.Articles.Body(t.Context(), u.ID); err != nil || !strings.Contains(html, "A line…") {
			t.Errorf("the text of the feed: %q, %v", html, err)
		}
		if w.look(u.ID).WantsPage {
			t.Errorf("%s is asked for again", u.Link)
		}
		if u.FullText {
			whole = append(whole, u.Link)
		}
	}
	if want := []string{w.web.address("/feed-3")}; !slices.Equal(whole, want) {
		t.Errorf("the pages %v were stored", whole)
	}
	if _, _, _, err := w.Page(t.Context(), 1, w.web.address("/feed-0")); !errors.Is(err, fulltext.ErrNoArticle) {
		t.Errorf("asked for by hand: %v", err)
	}
}

// A full disk stops preparing for a while and nothing else.
func TestFullDiskWhilePreparing(t *testing.T) {
	w := newPreparingWorld(t)
	w.web.magazine(t, "/feed", 3)
	w.subscribePaths("/feed")
	w.reads.album.Cache().SetLimit(0) //nolint:errcheck // it is empty
	album := w.reads.album
	_, err := album.Store(t.Context(), w.web.address("/feed-0-lead.png"), func(context.Context, string) ([]byte, error) { return []byte("x"), nil })
	if err != nil && !errors.Is(err, picture.ErrCacheFull) {
		t.Error(err)
	}
	w.prepared()
	if n := len(w.upcoming()); n != 3 {
		t.Errorf("%d articles", n)
	}
}

// The full text is wanted where the user mostly asked for it, and no more where the user went back to that of the feed.
func TestFullTextByHabit(t *testing.T) {
	w := newPreparingWorld(t)
	w.web.magazine(t, "/feed", 3)
	f := w.subscribePaths("/feed")[0]
	w.prepared()
	id := w.upcoming()[0].ID
	choose := func(page bool) {
		t.Helper()
		note := w.Preparer().NoteKept
		if page {
			note = func(ctx context.Context, feed int64) error { return w.Preparer().NoteAsked(ctx, feed, false) }
		}
		if err := note(t.Context(), f.ID); err != nil {
			t.Fatal(err)
		}
	}
	choose(true)
	if w.look(id).WantsPage {
		t.Error("once is a habit")
	}
	choose(true)
	if a := w.look(id); !a.WantsPage || a.Whole || a.Offers {
		t.Errorf("twice is none: %+v", a)
	}
	w.web.requests()
	w.web.magazine(t, "/feed", 4)
	w.clock.add(20 * time.Hour)
	w.byHand(f.ID)
	w.prepared()
	if asked := w.web.askedPaths("feed-3"); asked["/feed-3"] != 1 {
		t.Errorf("by habit asked for %v", asked)
	}
	for range 4 {
		choose(false)
	}
	if w.look(id).WantsPage {
		t.Error("the habit stays although the text of the feed is preferred")
	}
}
