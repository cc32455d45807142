package poller_test

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/poller/likely"
	"kairos/poller/prepare/preparetest"
	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/picture"
	"kairos/useraccess"
)

// monthWeb serves the sites of a month over HTTP on this machine, each under a host name of its own, as far as their articles have
// been published. Every tenth site is slow, and those that refuse answer 403 or 429.
type monthWeb struct {
	*httptest.Server
	sites []preparetest.Site
	posts [][]*preparetest.Post // by site, the oldest first
	now   atomic.Int64

	asked atomic.Int64 // pages and pictures
	bytes atomic.Int64 // of them
}

// trickle is how many bytes a slow site sends at once.
const trickle = 500

func newMonthWeb(b *testing.B, sites []preparetest.Site, posts []*preparetest.Post) *monthWeb {
	w := &monthWeb{sites: sites, posts: make([][]*preparetest.Post, len(sites))}
	for _, p := range posts {
		w.posts[p.Site] = append(w.posts[p.Site], p)
	}
	w.Server = httptest.NewServer(w)
	b.Cleanup(w.Close)
	return w
}

// siteOf is the host of a site, of a domain of its own.
func siteOf(i int) string { return fmt.Sprintf("site%d.example", i) }

// RoundTrip leads every host to the server.
func (w *monthWeb) transport() http.RoundTripper {
	address := w.Listener.Addr().String()
	return &http.Transport{MaxIdleConnsPerHost: 2, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, address)
	}}
}

func (w *monthWeb) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	i, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSuffix(r.Host, ".example"), "site"))
	if err != nil || i >= len(w.sites) {
		http.NotFound(out, r)
		return
	}
	if r.URL.Path == "/feed" {
		w.serveFeed(out, i)
		return
	}
	w.asked.Add(1)
	var n, k int
	switch _, err := fmt.Sscanf(r.URL.Path, "/%d/%d.jpg", &n, &k); {
	case err == nil && n < len(w.posts[i]):
		w.write(out, i, "image/jpeg", filler(int(w.posts[i][n].Picture)))
	case w.sites[i].Refuses:
		out.WriteHeader([]int{http.StatusForbidden, http.StatusTooManyRequests}[i%2])
	default:
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &n); err != nil || n >= len(w.posts[i]) {
			http.NotFound(out, r)
			return
		}
		w.write(out, i, "text/html", page(n, int(w.posts[i][n].Page)))
	}
}

func (w *monthWeb) write(out http.ResponseWriter, site int, kind, body string) {
	w.bytes.Add(int64(len(body)))
	out.Header().Set("Content-Type", kind)
	for site%10 == 3 && len(body) > trickle {
		io.WriteString(out, body[:trickle])     //nolint:errcheck // as below
		http.NewResponseController(out).Flush() //nolint:errcheck // as below
		body = body[trickle:]
	}
	io.WriteString(out, body) //nolint:errcheck // the client would miss it
}

// lastWords end the text of each page.
const lastWords = "That was the last lamp of the night."

// page is an article with its pictures on a page of a size, most of which is none of it.
func page(n, size int) string {
	var text strings.Builder
	text.WriteString("<article>")
	for k := range preparetest.Pictures {
		fmt.Fprintf(&text, "<p>The lamplighter walked along quay %d, counted the lamps one by one, and wrote the number into the book.</p><img src='/%d/%d.jpg'>", k, n, k)
	}
	text.WriteString(strings.Repeat("<p>Then the lamplighter went on to the bridge, where the wind had put out every second lamp again.</p>", 9) + "<p>" + lastWords + "</p></article>")
	return "<html><head><script>/*" + filler(max(0, size-text.Len()-80)) + "*/</script></head><body>" + text.String() + "</body></html>"
}

var filling = sync.OnceValue(func() string { return strings.Repeat("x", 1<<20) })

func filler(n int) string { return filling()[:min(n, len(filling()))] }

func (w *monthWeb) serveFeed(out http.ResponseWriter, site int) {
	io.WriteString(out, "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>"+siteOf(site)+"</title>") //nolint:errcheck // as above
	published := 0
	for _, p := range w.posts[site] {
		if p.At.Unix() <= w.now.Load() {
			published++
		}
	}
	for n := max(0, published-50); n < published; n++ {
		p := w.posts[site][n]
		fmt.Fprintf(out, "<item><title>%s</title><link>http://%s/%d</link><guid>%[3]d</guid><dc:creator>%s</dc:creator><pubDate>%s</pubDate><description>The lamplighter walked…</description></item>",
			p.Title, siteOf(site), n, p.Author, p.At.Format(time.RFC1123Z))
	}
	io.WriteString(out, "</channel></rss>") //nolint:errcheck // as above
}

// monthReader is the person, with all that Kairos is to them but its window.
type monthReader struct {
	b      *testing.B
	web    *monthWeb
	store  *reader.Store
	log    *useraccess.Log
	poller *poller.Poller
	album  *picture.Album
	likely *likely.Likely

	posts  map[string]*preparetest.Post // by link
	random *rand.Rand
	preparetest.Spent
}

func (m *monthReader) now() time.Time { return time.Unix(m.web.now.Load(), 0).UTC() }

func newMonthReader(b *testing.B, web *monthWeb) *monthReader {
	m := &monthReader{b: b, web: web, posts: map[string]*preparetest.Post{}, random: rand.New(rand.NewPCG(1, 1))}
	web.now.Store(preparetest.Begin.Unix())
	dir, err := os.MkdirTemp("", "kairos-month-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	m.store, err = reader.Open(b.Context(), dir, m.now(), reader.Room{Name: "useraccess", Steps: useraccess.Steps}, reader.Room{Name: "poller", Steps: poller.Steps})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { m.store.Close() })
	m.log = useraccess.New(m.store)
	m.album = picture.NewAlbum(picture.NewCache(filepath.Join(dir, "pictures"), picture.DefaultCacheSize, m.now), nil)
	m.poller = poller.New(m.store, m.log, poller.Options{Now: m.now, Logger: slog.New(slog.DiscardHandler), Parallel: 8,
		Client: fetch.New(fetch.Options{Now: m.now, Spacing: -1, Transport: web.transport()}),
		Prepare: poller.Preparing{Album: m.album, Files: filepath.Join(dir, "files"),
			Pictures: func(context.Context) (bool, error) { return true, nil },
			Chances:  func(ctx context.Context, ids []int64) (map[int64]float64, error) { return m.likely.Chances(ctx, ids) }}})
	m.likely = likely.New(m.store, m.log, m.poller.Interests, m.now)
	m.write(func(ctx context.Context, tx *sql.Tx) error {
		for i := range web.sites {
			if _, err := reader.Subscribe(ctx, tx, reader.Feed{URL: "http://" + siteOf(i) + "/feed", FullText: true}, m.now()); err != nil {
				return err
			}
			for n, p := range web.posts[i] {
				m.posts[fmt.Sprintf("http://%s/%d", siteOf(i), n)] = p
			}
		}
		return nil
	})
	// The budget of a day is not what is measured: it would be spent on the most valuable ones.
	m.must(m.poller.Preparer().Set(b.Context(), preparer.Settings{Mode: preparer.Auto, Megabytes: 1 << 20, Disk: 1 << 20}))
	return m
}

func (m *monthReader) must(err error) {
	m.b.Helper()
	if err != nil {
		m.b.Fatal(err)
	}
}

func (m *monthReader) write(f func(ctx context.Context, tx *sql.Tx) error) {
	m.b.Helper()
	m.must(m.store.Write(m.b.Context(), func(tx *sql.Tx) error { return f(m.b.Context(), tx) }))
}

// comes lets the feeds be fetched and articles be prepared before a visit, and then reads what came since the last one.
func (m *monthReader) comes(visit time.Time) {
	ctx := m.b.Context()
	m.web.now.Store(visit.Unix())
	_, err := m.poller.Fetch(ctx, nil, nil)
	m.must(err)
	m.poller.Preparer().Start(ctx, m.now())
	m.poller.Preparer().Wait()
	_, err = m.log.Record(ctx, visit)
	m.must(err)
	upcoming, err := m.store.Articles.Upcoming(ctx, visit.Add(-12*time.Hour), 100_000)
	m.must(err)
	asked := m.web.asked.Load()
	for _, u := range upcoming {
		m.web.now.Add(5) // one by one
		switch p := m.posts[u.Link]; {
		case p == nil || u.Seen.Before(visit): // it was there at an earlier visit
		case p.Read:
			m.open(u)
		case m.random.IntN(2) == 0: // the other half is not looked at, from which nothing is learned
			m.note(u, useraccess.Passed)
		}
	}
	if n := m.web.asked.Load() - asked; n > 0 {
		m.b.Errorf("%d requests while reading", n)
	}
}

// open opens an article as the window does, and finds out whether it is there whole without a request.
func (m *monthReader) open(u reader.Upcoming) {
	ctx := m.b.Context()
	rows, err := m.store.Articles.Load(ctx, []int64{u.ID})
	m.must(err)
	html, fetched, err := m.store.Articles.ShownFullText(ctx, u.ID)
	m.must(err)
	body := content.Parse(html)
	whole := strings.Contains(html, lastWords) && len(preparer.PicturesOf(body)) == preparetest.Pictures
	for _, address := range preparer.PicturesOf(body) {
		_, err := m.album.Body(ctx, address, nil)
		whole = whole && err == nil
	}
	look, err := m.poller.Preparer().Look(ctx, rows[0], body, fetched)
	m.must(err)
	if look.Whole != whole {
		m.b.Errorf("%s: whole %v, as it stands %+v", u.Link, whole, look)
	}
	m.must(m.poller.Preparer().NoteOpened(ctx, look, whole))
	if m.Opened++; whole {
		m.Whole++
	}
	m.note(u, useraccess.Read)
}

func (m *monthReader) note(u reader.Upcoming, e useraccess.Evidence) {
	_, err := m.log.NoteReadings(m.b.Context(), m.now(), useraccess.Reading{At: m.now(), Feed: u.Feed, Article: u.ID, Evidence: e})
	m.must(err)
	m.write(func(ctx context.Context, tx *sql.Tx) error {
		_, err := reader.Mark(ctx, tx, []int64{u.ID}, reader.FlagRead, true)
		return err
	})
}

// BenchmarkMonthOverHTTP reads a month of feeds that are fetched, prepared and stored by what ships, from servers on this machine:
// pages of 30 to 300 kB with five pictures each. whole-% is how much of what was opened was whole without a request; bytes-ratio is
// what preparing took beside who knows the probabilities and has as much whole; the other figures are of fetching everything and of
// what was opened alone, in the same unit. KAIROS_FEEDS says how many feeds there are, 15 without: the month of 100 takes a quarter
// of an hour and 3 GB of the disk.
func BenchmarkMonthOverHTTP(b *testing.B) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("KAIROS_FEEDS"), "15"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		sites, posts := preparetest.Month(0, n)
		web := newMonthWeb(b, sites, posts)
		m := newMonthReader(b, web)
		for left := posts; len(left) > 0; {
			var visit time.Time
			visit, _, left = preparetest.Visit(left)
			m.comes(visit)
		}
		m.Bytes = float64(web.bytes.Load())
		best := preparetest.Knowing(sites, posts, m.Share())
		everything, opening := preparetest.Extremes(posts)
		b.ReportMetric(100*m.Share(), "whole-%")
		b.ReportMetric(m.Bytes/best.Bytes, "bytes-ratio")
		b.ReportMetric(everything.Bytes/best.Bytes, "everything-ratio")
		b.ReportMetric(opening.Bytes/best.Bytes, "on-opening-ratio")
		b.ReportMetric(m.Bytes/1e6, "MB")
		b.ReportMetric(float64(web.asked.Load()), "requests")
		b.ReportMetric(float64(len(posts)), "articles")
		b.ReportMetric(float64(m.Opened), "opened")
	}
}
