package poller

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kairos/reader"
	"kairos/useraccess"
)

// The web of BenchmarkFetch500: feeds as WordPress makes them.
const (
	benchFeeds = 500
	benchItems = 30
	benchBytes = 62_000 // a feed, so that all are 31 MB
)

// serveBench tells a re-executed test binary to be the web.
const serveBench = "KAIROS_BENCH_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serveBench) != "" {
		serveFeeds()
		return
	}
	if os.Getenv(serveHostile) != "" {
		beHostile()
		return
	}
	os.Exit(m.Run())
}

// serveFeeds answers on 127.0.0.0/8 until standard input ends, every address with
// a feed of its own. It prints its port first.
func serveFeeds() {
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	bodies := make([][]byte, benchFeeds)
	for i := range bodies {
		bodies[i] = wordpress(i)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { //nolint:errcheck // ends with the process
		n, _ := strconv.Atoi(strings.Trim(r.URL.Path, "/"))
		tag := fmt.Sprintf(`"%d"`, n)
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", "application/rss+xml; charset=UTF-8")
		w.Write(bodies[n]) //nolint:errcheck // the client's affair
	}))
	bufio.NewReader(os.Stdin).ReadByte() //nolint:errcheck // the end is what is waited for
}

var words = strings.Fields(`time people way water words day part sound work place year back thing name sentence man line
	boy farm end men land home hand picture air animal letter mother answer page food country plant school sun state eye
	children side feet story mountain tree city night head watch young hard river close stand question problem order birth`)

// wordpress is a feed of benchItems items and about benchBytes bytes.
func wordpress(feed int) []byte {
	n := uint32(feed*7919 + 17)
	word := func() string {
		n = n*1664525 + 1013904223
		return words[n>>16%uint32(len(words))]
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"
	xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wfw="http://wellformedweb.org/CommentAPI/"
	xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"
	xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/">
<channel>
	<title>Site %d</title>
	<atom:link href="https://site%d.example/feed/" rel="self" type="application/rss+xml" />
	<link>https://site%d.example</link>
	<description>Just another site</description>
	<lastBuildDate>Mon, 02 Mar 2026 08:00:00 +0000</lastBuildDate>
	<language>en-US</language>
	<sy:updatePeriod>hourly</sy:updatePeriod>
	<sy:updateFrequency>1</sy:updateFrequency>
	<generator>https://wordpress.org/?v=6.4</generator>
`, feed, feed, feed)
	for i := range benchItems {
		at := monday.Add(-time.Duration(i*(1+feed%20)) * time.Hour)
		link := fmt.Sprintf("https://site%d.example/%s/%s-%s-%s-%d/", feed, at.Format("2006/01/02"), word(), word(), word(), i)
		fmt.Fprintf(&b, `<item>
		<title>%s %s &#8217;%s %s %s</title>
		<link>%s</link>
		<comments>%s#comments</comments>
		<dc:creator><![CDATA[%s %s]]></dc:creator>
		<pubDate>%s</pubDate>
		<category><![CDATA[%s]]></category>
		<category><![CDATA[%s]]></category>
		<guid isPermaLink="false">https://site%d.example/?p=%d</guid>
		<description><![CDATA[<p>`, word(), word(), word(), word(), word(), link, link, word(), word(), at.Format(time.RFC1123Z), word(), word(), feed, 1000+i)
		for range 40 {
			b.WriteString(word() + " ")
		}
		b.WriteString("[&#8230;]</p>\n]]></description>\n\t\t<content:encoded><![CDATA[")
		for p := 0; b.Len() < (i+1)*benchBytes/benchItems-250; p++ {
			switch p % 6 {
			case 1:
				fmt.Fprintf(&b, `<figure class="wp-block-image size-large"><img decoding="async" width="1024" height="683" src="https://site%d.example/wp-content/uploads/%s-1024x683.jpg" alt="%s" srcset="https://site%d.example/a-300x200.jpg 300w" sizes="(max-width: 1024px) 100vw, 1024px" /></figure>`, feed, word(), word(), feed)
			case 3:
				fmt.Fprintf(&b, "<h2 class=\"wp-block-heading\">%s %s</h2>\n<ul><li>%s %s</li><li><strong>%s</strong> %s</li></ul>\n", word(), word(), word(), word(), word(), word())
			case 5:
				fmt.Fprintf(&b, "<blockquote class=\"wp-block-quote\"><p>%s %s %s</p></blockquote>\n", word(), word(), word())
			default:
				b.WriteString("<p>")
				for w := range 45 {
					if w == 20 {
						fmt.Fprintf(&b, `<a href="https://%s.example/%s" target="_blank" rel="noopener">%s %s</a> `, word(), word(), word(), word())
					}
					b.WriteString(word() + " ")
				}
				b.WriteString("&amp; <em>" + word() + "</em>.</p>\n")
			}
		}
		fmt.Fprintf(&b, "]]></content:encoded>\n\t\t<wfw:commentRss>%sfeed/</wfw:commentRss>\n\t\t<slash:comments>%d</slash:comments>\n\t</item>\n", link, i)
	}
	b.WriteString("</channel>\n</rss>\n")
	return b.Bytes()
}

// startWeb starts the web in a process of its own, so that its time and memory
// are not ours, and returns its port.
func startWeb(b *testing.B) string {
	b.Helper()
	return strings.TrimSpace(helper(b, serveBench))
}

// BenchmarkFetch500 runs `fetch` on 500 feeds of 30 items, 31 MB in all, each on a
// loopback address of its own, into an empty database; then the same again, when all
// answer 304. The web runs in another process, whose time is in the wall time and
// whose memory is not in ours.
func BenchmarkFetch500(b *testing.B) {
	if !loopbackNet() {
		b.Skip("skipped: this system has one loopback address only")
	}
	port := startWeb(b)
	for b.Loop() {
		b.StopTimer()
		p, size, done := openBench(b)
		subscribeBench(b, p, func(i int) string {
			return fmt.Sprintf("http://127.0.%d.%d:%s/%d", 1+i/250, 1+i%250, port, i)
		})
		debug.FreeOSMemory()
		clearPeak()
		cpu := cpuTime()
		b.StartTimer()
		start := time.Now()
		outcomes, err := p.Fetch(b.Context(), nil, nil)
		took := time.Since(start)
		b.StopTimer()
		cpu = cpuTime() - cpu
		bytes, articles := check(b, outcomes, err)
		b.ReportMetric(float64(bytes)/1e6/took.Seconds(), "MB/s")
		b.ReportMetric(float64(articles), "articles")
		b.ReportMetric(cpu.Seconds(), "cpu-s")
		b.ReportMetric(peak(), "peak-MB")
		ahead.Add(int64(2 * checkedFor))
		start = time.Now()
		unchanged(b, p)
		b.ReportMetric(time.Since(start).Seconds(), "s-all-304")
		b.ReportMetric(size(), "file-MB")
		done()
		b.StartTimer()
	}
}

func check(b *testing.B, outcomes []Outcome, err error) (bytes int64, articles int) {
	b.Helper()
	for _, o := range outcomes {
		if o.Result != Stored {
			b.Fatalf("%+v", o)
		}
		bytes, articles = bytes+o.Bytes, articles+o.New
	}
	if err != nil || articles != benchFeeds*benchItems {
		b.Fatal(articles, err)
	}
	return bytes, articles
}

func loopbackNet() bool {
	l, err := net.Listen("tcp4", "127.0.2.250:0")
	if err == nil {
		l.Close()
	}
	return err == nil
}

func openBench(b *testing.B) (p *Poller, size func() float64, done func()) {
	b.Helper()
	dir := b.TempDir()
	now := func() time.Time { return monday.Add(time.Since(began) + time.Duration(ahead.Load())) }
	store, err := reader.Open(b.Context(), dir, now(), testRooms...)
	if err != nil {
		b.Fatal(err)
	}
	p = New(store, useraccess.New(store), Options{Version: "test", Now: now})
	size = func() float64 {
		info, err := os.Stat(filepath.Join(dir, reader.FileName))
		if err != nil {
			b.Fatal(err)
		}
		return float64(info.Size()) / 1e6
	}
	return p, size, func() {
		p.queue.Wait()
		if err := store.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// began is when the benchmarks' clock stood at monday; ahead is how far it was advanced since,
// in ns.
var (
	began = time.Now()
	ahead atomic.Int64
)

// unchanged fetches all feeds, of which none has anything new.
func unchanged(b *testing.B, p *Poller) {
	b.Helper()
	outcomes, err := p.Fetch(b.Context(), nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Status != http.StatusNotModified {
			b.Fatalf("%+v", o)
		}
	}
}

func subscribeBench(b *testing.B, p *Poller, address func(i int) string) {
	b.Helper()
	err := p.store.Write(b.Context(), func(tx *sql.Tx) error {
		for i := range benchFeeds {
			if _, err := reader.Subscribe(b.Context(), tx, reader.Feed{URL: address(i)}, p.now()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// clearPeak and peak read the most memory this process held, where the system
// tells (Linux).
func clearPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

func peak() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1000
		}
	}
	return 0
}

// BenchmarkFetchOne fetches, parses and stores a feed of 30 items, all new.
func BenchmarkFetchOne(b *testing.B) {
	p, _, done := openBench(b)
	defer done()
	body := wordpress(1)
	srv := newWeb(b, &clock{})
	srv.on("/", func(w http.ResponseWriter, _ *http.Request) { w.Write(body) }) //nolint:errcheck // the client's affair
	var id int64
	ctx := context.WithoutCancel(b.Context())
	err := p.store.Write(ctx, func(tx *sql.Tx) (err error) {
		id, err = reader.Subscribe(ctx, tx, reader.Feed{URL: srv.address("/")}, p.now())
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		o, err := p.Fetch(ctx, []int64{id}, nil)
		if err != nil || o[0].New != benchItems {
			b.Fatal(o, err)
		}
		b.StopTimer()
		ahead.Add(int64(2 * checkedFor))
		err = p.store.Write(ctx, func(tx *sql.Tx) error {
			_, err := tx.Exec("DELETE FROM status")
			if err == nil {
				_, err = tx.Exec("UPDATE poll SET digest = 0")
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
