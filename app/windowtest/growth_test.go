//go:build window

package windowtest

import (
	"context"
	"database/sql"
	"fmt"
	"image"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/poller"
	"kairos/poller/lab/picture"
	"kairos/poller/plan"
)

// TestGrowth measures how time and memory grow with what is stored: data folders of 10⁴, 10⁵ and 10⁶ articles in 10², 10³
// and 10⁴ feeds. It prints a table and draws it into the file that KAIROS_GROWTH names; without that it is skipped. The
// folders (7 GB) are kept where KAIROS_GROWTH_DATA says, if it is set, and used again: most of the time goes into the index of
// words of the largest, which is made as slowly as beside a window.
func TestGrowth(t *testing.T) {
	file := os.Getenv("KAIROS_GROWTH")
	if file == "" {
		t.Skip("skipped: KAIROS_GROWTH is not set")
	}
	dir := os.Getenv("KAIROS_GROWTH_DATA")
	if dir == "" {
		dir = t.TempDir()
	}
	g := &growth{T: t, dir: dir, site: newGrowthSite(t)}
	for _, feeds := range []int{100, 1000, 10_000} {
		g.measure(feeds)
	}
	fmt.Print(g.table())
	g.draw(file)
}

// growth is the figures by what was measured, in the order of the sizes.
type growth struct {
	*testing.T
	dir   string
	site  *growthSite
	feeds []int
	order []string
	took  map[string][]float64
}

const articlesAFeed = 100

func (g *growth) note(what string, v float64) {
	if g.took == nil {
		g.took = map[string][]float64{}
	}
	if g.took[what] == nil {
		g.order = append(g.order, what)
	}
	g.took[what] = append(g.took[what], v)
	fmt.Printf("%8d articles: %s: %.4g\n", g.feeds[len(g.feeds)-1]*articlesAFeed, what, v)
}

// The figures.
const (
	growStart    = "start, ms"
	growKey      = "next article, ms"
	growPage     = "page down, ms"
	growPlace    = "choose a feed or folder, ms"
	growAll      = "all or unread, ms"
	growSearch   = "a key of a search, ms"
	growFetch    = "a fetch, ms"
	growPlan     = "a plan, ms"
	growCounts   = "counts, ms"
	growResident = "the window, MB"
	growPeak     = "the window at most, MB"
	growPlanMB   = "allocated by a plan, MB"
	growCountsMB = "allocated by counts, MB"
	growFile     = "the file, MB"
)

func (g *growth) measure(feeds int) {
	g.feeds = append(g.feeds, feeds)
	data := filepath.Join(g.dir, strconv.Itoa(feeds))
	g.prepare(data, feeds)
	g.work(data)
	g.fetched(data, 0)
	g.window(data)
}

// prepare makes a data folder, unless it is there, whose feeds are on the site and were fetched just now.
func (g *growth) prepare(data string, feeds int) {
	_, err := os.Stat(data)
	h := g.open(data, 0)
	defer h.Close()
	if err != nil {
		hometest.Many{Feeds: feeds, Articles: feeds * articlesAFeed, URL: func(i int) string { return fmt.Sprint("http://127.0.0.1:9/", i) }}.Write(g.Context(), g, h)
	}
	g.index(h)
}

// fetched says that all feeds are on the site and were fetched some time ago.
func (g *growth) fetched(data string, ago time.Duration) {
	h := g.open(data, 0)
	defer h.Close()
	err := h.Store.Write(g.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE feed SET url = 'http://127.0.' || (id / 250 % 250 + 1) || '.' || (id % 250 + 1) || ?1 || id`, fmt.Sprintf(":%d/", g.site.port))
		if err == nil {
			_, err = tx.Exec("UPDATE feed SET same = url; UPDATE poll SET tried = ?1, fetched = ?1, upto = ?1, address = (SELECT url FROM feed WHERE id = poll.subject)",
				h.Now().Add(-ago).Unix())
		}
		return err
	})
	if err != nil {
		g.Fatal(err)
	}
}

// open opens a data folder by a clock that is late.
func (g *growth) open(data string, late time.Duration) *home.Home {
	h, err := home.Open(context.Background(), data, home.Options{Now: func() time.Time { return time.Now().Add(-late) }})
	if err != nil {
		g.Fatal(err)
	}
	return h
}

// index waits until all articles are in the index of words.
func (g *growth) index(h *home.Home) {
	ctx, stop := context.WithCancel(g.Context())
	done := make(chan struct{})
	go func() { h.Store.Search.Index(ctx, slog.New(slog.DiscardHandler)); close(done) }()
	for left := 1; left > 0; {
		if err := h.Store.Read().QueryRow("SELECT count(*) FROM search_waiting").Scan(&left); err != nil {
			g.Fatal(err)
		}
		if left > 0 {
			<-time.After(100 * time.Millisecond)
		}
	}
	stop()
	<-done
}

// work measures what runs behind the window.
func (g *growth) work(data string) {
	h := g.open(data, 0)
	midnight := h.Now().Truncate(24 * time.Hour)
	g.timed(growCounts, growCountsMB, 5, func() error {
		_, err := h.Store.Articles.Counts(g.Context(), midnight, false)
		return err
	})
	g.timed(growPlan, growPlanMB, 1, func() error {
		_, err := h.Poller.Plan(g.Context(), plan.Exact)
		return err
	})
	all, err := h.Store.Feeds.List(g.Context())
	if err != nil {
		g.Fatal(err)
	}
	h.Close()
	g.fetched(data, 24*time.Hour)
	const some = 100
	var ids []int64
	for i := range some {
		ids = append(ids, all[i*len(all)/some].ID)
	}
	var fetches []float64
	for late := 12 * time.Hour; late > 4*time.Hour; late -= 2 * time.Hour { // feeds are not asked again at once
		h := g.open(data, late)
		g.site.round.Add(1)
		begin := time.Now()
		out, err := h.Poller.Fetch(g.Context(), ids, func(poller.Outcome) {})
		fetches = append(fetches, ms(time.Since(begin))/some)
		h.Close()
		if err != nil || len(out) != some || out[0].Result != poller.Stored {
			g.Fatalf("%d fetched, %+v: %v", len(out), out[0], err)
		}
	}
	g.note(growFetch, median(fetches[1:])) // the first brings ten articles of each
	if info, err := os.Stat(filepath.Join(data, "kairos.db")); err == nil {
		g.note(growFile, float64(info.Size())/1e6)
	}
}

// timed notes the median time of n calls, and what one of them allocates.
func (g *growth) timed(what, bytes string, n int, f func() error) {
	var took []float64
	var before, after runtime.MemStats
	for range n {
		runtime.ReadMemStats(&before)
		begin := time.Now()
		if err := f(); err != nil {
			g.Fatal(err)
		}
		took = append(took, ms(time.Since(begin)))
		runtime.ReadMemStats(&after)
	}
	g.note(what, median(took))
	g.note(bytes, float64(after.TotalAlloc-before.TotalAlloc)/1e6)
}

// window measures the window: the time from the start to the painted list, and of keys until all is painted.
func (g *growth) window(data string) {
	d := newDesktop(g.T)
	s := d.framebuffer()
	var starts []float64
	var p *program
	for n := range 3 {
		if n > 0 {
			d.key("ctrl+q")
			p.end()
		}
		begin := time.Now()
		p = d.start(binary(g, buildShipped), data)
		d.until("the list is painted", func() bool { return s.filled(listPart, 6000) })
		starts = append(starts, ms(time.Since(begin)))
	}
	g.note(growStart, median(starts))
	p.rest() // the first plan is made
	g.note(growResident, float64(p.memory("VmRSS"))/1024)
	h := d.startXdotool()
	key := func(part image.Rectangle, name string) float64 {
		return ms(s.painted(part, func() { h.do("key --delay 0 " + name) }))
	}
	took := map[string][]float64{}
	for range 4 {
		key(listPart, "ctrl+4")
		took[growAll] = append(took[growAll], key(listPart, "ctrl+1"))
		key(listPart, "ctrl+4")
		took[growAll] = append(took[growAll], key(listPart, "ctrl+2"))
	}
	for range 8 {
		took[growPlace] = append(took[growPlace], key(listPart, "bracketright"))
	}
	key(listPart, "ctrl+2")
	for range 10 {
		took[growKey] = append(took[growKey], key(articlePart, "n"))
	}
	for range 5 {
		took[growPage] = append(took[growPage], key(articlePart, "space"))
	}
	key(listPart, "ctrl+1")
	h.do("key slash")
	for _, letter := range []string{"b", "a", "c", "o", "BackSpace", "BackSpace", "BackSpace"} {
		took[growSearch] = append(took[growSearch], key(listPart, letter))
	}
	h.do("key Escape")
	for _, what := range []string{growKey, growPage, growPlace, growAll, growSearch} {
		g.note(what, median(took[what]))
	}
	g.note(growPeak, float64(p.memory("VmHWM"))/1024)
	d.key("ctrl+q")
	p.end()
}

// filled reports whether part of the screen has many pixels that differ from its first one.
func (s *framebuffer) filled(part image.Rectangle, least int) bool {
	pixels := s.part(part)
	n := 0
	for i := s.depth; i < len(pixels); i += s.depth {
		if string(pixels[i:i+s.depth]) != string(pixels[:s.depth]) {
			n++
		}
	}
	return n >= least && n < len(pixels)/s.depth/2
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(all []float64) float64 {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// growthSite serves feeds of ten articles, one of them new in each round.
type growthSite struct {
	port  int
	round atomic.Int64
}

func newGrowthSite(t *testing.T) *growthSite {
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &growthSite{port: l.Addr().(*net.TCPAddr).Port}
	begun := time.Now().Unix()
	text := strings.Repeat("<p>The lamplighter counted seven lamps and wrote them down.</p>", 20)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<rss version="2.0"><channel><title>A feed</title>`)
		last := int(s.round.Load())
		for n := last; n > last-10; n-- {
			fmt.Fprintf(w, `<item><title>Article %d of %s</title><guid>%d-%s-%d</guid><description><![CDATA[%s]]></description></item>`, n, r.URL.Path, begun, r.URL.Path, n, text)
		}
		fmt.Fprint(w, `</channel></rss>`)
	})}
	go server.Serve(l) //nolint:errcheck // ends with the test
	t.Cleanup(func() { server.Close() })
	return s
}

// table lists the figures.
func (g *growth) table() string {
	var b strings.Builder
	for _, n := range g.feeds {
		fmt.Fprintf(&b, "%12d", n*articlesAFeed)
	}
	fmt.Fprintln(&b, "  articles")
	for _, what := range g.order {
		for _, v := range g.took[what] {
			fmt.Fprintf(&b, "%12.4g", v)
		}
		fmt.Fprintln(&b, " ", what)
	}
	return b.String()
}

// draw draws the figures.
func (g *growth) draw(file string) {
	var x []float64
	for _, n := range g.feeds {
		x = append(x, float64(n*articlesAFeed))
	}
	graph := func(title, unit string, names ...string) picture.Graph {
		out := picture.Graph{Title: title, X: "articles stored, a hundred a feed", Y: unit, LogX: true, LogY: true}
		for _, what := range names {
			name, _, _ := strings.Cut(what, ", ")
			out.Curves = append(out.Curves, picture.Curve{Name: name, X: x, Y: g.took[what]})
		}
		return out
	}
	image, err := picture.Graphs(
		graph("the window: time until it is painted, ms", "", growStart, growSearch, growPlace, growKey),
		graph("behind the window: time, ms", "", growPlan, growCounts, growFetch),
		graph("memory, MB", "", growResident, growPeak, growPlanMB, growCountsMB),
		graph("the file, MB", "", growFile))
	if err != nil {
		g.Fatal(err)
	}
	if err := os.WriteFile(file, image, 0o644); err != nil {
		g.Fatal(err)
	}
}
