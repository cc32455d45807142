//go:build window

package windowtest

import (
	"context"
	"database/sql"
	"fmt"
	"image"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/reader"
	"kairos/reader/parse"
)

// BenchmarkIllustrated reads 300 articles with an image each and measures the memory: the maximum, and after a minute at
// rest.
func BenchmarkIllustrated(b *testing.B) {
	server := httptest.NewServer(serveSampleFeeds(func() string { return "" }, time.Now()))
	defer server.Close()
	data := filepath.Join(b.TempDir(), "data")
	illustrate(b, data, server.URL, 300)
	d := newDesktop(b)
	for b.Loop() {
		p := d.start(binary(b, buildShipped), data)
		d.until("the window is there", func() bool { return strings.HasPrefix(d.title(), "(") })
		d.until("the list is painted", func() bool { return foreground(d.shot("illustrated"), listPart) > 3000 })
		empty := p.memory("VmRSS")
		s, h := d.framebuffer(), d.startXdotool()
		for range 300 {
			s.reacts(func() { h.do("key j") }, articlePart)
			<-time.After(150 * time.Millisecond) // its picture
		}
		most := p.memory("VmHWM")
		<-time.After(time.Minute)
		b.ReportMetric(float64(most)/1024, "peak-MB")
		b.ReportMetric(float64(empty)/1024, "MB-before")
		b.ReportMetric(float64(p.memory("VmRSS")-empty)/1024, "MB-more-after-a-minute")
		d.key("ctrl+q")
		p.end()
	}
}

// illustrate fills a store with articles, each with an image of its own.
func illustrate(b *testing.B, dir, site string, articles int) {
	ctx, now := context.Background(), time.Now()
	h, err := home.Open(ctx, dir, home.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		id, err := reader.Subscribe(ctx, tx, reader.Feed{URL: site + "/0.xml", Title: "Pictures"}, now)
		if err != nil {
			return err
		}
		batch := make([]parse.Article, articles)
		for n := range batch {
			text := fmt.Sprintf(`<p>%s</p><img src="%s/pictures/%d-%d.jpg" width="960" height="520"/><p>%s</p>`,
				strings.Repeat("The lamplighter counted seven lamps. ", 20), site, n/7, n, strings.Repeat("He wrote them down. ", 40))
			batch[n] = parse.Article{Key: fmt.Sprint(n), Title: fmt.Sprintf("Picture %d", n), HTML: text, Published: now.Add(-time.Duration(n) * time.Minute)}
		}
		if _, err := reader.StoreArticles(ctx, tx, id, batch, now, time.Time{}); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO poll (subject, tried, fetched) VALUES (?, ?, ?)", id, now.Unix(), now.Unix())
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkFetching reads articles while 500 feeds are fetched for the first time, and measures how long the window takes
// to react to a key, painting included.
func BenchmarkFetching(b *testing.B) {
	item := strings.Repeat("<p>The lamplighter counted seven lamps and wrote them down.</p>", 20)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<rss version="2.0"><channel><title>A feed</title>`)
		for n := range 30 {
			fmt.Fprintf(w, `<item><title>Article %d of %s</title><guid>%s-%d</guid><description><![CDATA[%s]]></description></item>`, n, r.URL.Path, r.URL.Path, n, item)
		}
		fmt.Fprint(w, `</channel></rss>`)
	}))
	defer server.Close()
	for b.Loop() {
		b.StopTimer()
		data := filepath.Join(b.TempDir(), fmt.Sprintf("data-%d", time.Now().UnixNano()))
		fill(b, data, 5, 100)
		list := filepath.Join(b.TempDir(), "list.opml")
		var feeds strings.Builder
		port := server.URL[strings.LastIndexByte(server.URL, ':'):]
		for n := range 500 {
			fmt.Fprintf(&feeds, `<outline text="Feed %d" xmlUrl="http://127.0.%d.%d%s/feed%d"/>`, n, n/250+1, n%250+1, port, n)
		}
		if err := os.WriteFile(list, []byte("<opml><body>"+feeds.String()+"</body></opml>"), 0o600); err != nil {
			b.Fatal(err)
		}
		d := newDesktop(b)
		p := d.start(binary(b, buildShipped), data)
		d.until("the window is there", func() bool { return strings.HasPrefix(d.title(), "(") })
		d.until("the list is painted", func() bool { return foreground(d.shot("fetching"), listPart) > 3000 })
		s, h := d.framebuffer(), d.startXdotool()
		usual := s.reacts(func() { h.do("key j") }, articlePart)[0]
		p.verb("import", "--local", list)
		b.StartTimer()
		var pauses, articles []time.Duration
		for end := time.Now().Add(8 * time.Second); time.Now().Before(end); {
			// The next row is highlighted at once; its article is read from the disk first.
			took := s.reacts(func() { h.do("key j") }, listPart, articlePart)
			pauses, articles = append(pauses, took[0]), append(articles, took[1])
			<-time.After(100 * time.Millisecond)
		}
		b.StopTimer()
		slices.Sort(pauses)
		slices.Sort(articles)
		b.ReportMetric(float64(usual.Milliseconds()), "ms-usual")
		b.ReportMetric(float64(pauses[len(pauses)/2].Milliseconds()), "ms-pause")
		b.ReportMetric(float64(pauses[len(pauses)-1].Milliseconds()), "ms-pause-most")
		b.ReportMetric(float64(articles[len(articles)/2].Milliseconds()), "ms-article")
		d.key("ctrl+q")
		p.end()
		b.StartTimer()
	}
}

// BenchmarkIdle compares Kairos at rest with its window hidden to a minimal program with a window: processor time and
// memory over a minute each.
func BenchmarkIdle(b *testing.B) {
	empty := binary(b, buildEmpty)
	data := filepath.Join(b.TempDir(), "data")
	fill(b, data, 500, 50)
	pause(b, data)
	d := newDesktop(b)
	for b.Loop() {
		p := d.start(binary(b, buildShipped), data)
		d.until("the window is there", func() bool { return strings.HasPrefix(d.title(), "(") })
		d.xdotool("search", "--onlyvisible", "--name", "Kairos", "windowunmap")
		kairos, memory, written := p.idleCost()
		p.kill()
		e := &program{desktop: d, cmd: exec.Command(empty), ended: make(chan error, 1)}
		e.cmd.Env = d.env()
		if err := e.cmd.Start(); err != nil {
			b.Fatal(err)
		}
		d.until("the empty window is there", func() bool { return foreground(d.shot("empty-window"), image.Rect(0, 0, 1280, 800)) > 1000 })
		d.xdotool("search", "--onlyvisible", "--name", "Empty", "windowunmap")
		least, leastMemory, _ := e.idleCost()
		e.cmd.Process.Kill() //nolint:errcheck // it ends either way
		e.cmd.Wait()         //nolint:errcheck // killed
		b.ReportMetric(kairos, "%-of-a-core")
		b.ReportMetric(least, "%-of-a-core-empty")
		b.ReportMetric(memory, "MB")
		b.ReportMetric(leastMemory, "MB-empty")
		b.ReportMetric(float64(written), "B-written")
	}
}

// pause pauses all feeds, as there is no server to fetch from.
func pause(b *testing.B, dir string) {
	h, err := home.Open(context.Background(), dir, home.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	err = h.Store.Write(context.Background(), func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE feed SET paused = 1")
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	for left := 1; left > 0; { // the index of words is built at rest, once
		if err := h.Store.Read().QueryRow("SELECT count(*) FROM search_waiting").Scan(&left); err != nil {
			b.Fatal(err)
		}
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		h.Store.Search.Index(ctx, slog.New(slog.DiscardHandler))
		stop()
	}
}

// idleCost measures a program during a minute in which nothing happens: percent of a core, memory in MB, and bytes
// written to the disk.
func (p *program) idleCost() (percent, memory float64, written int) {
	const settle, minute = 20 * time.Second, time.Minute
	<-time.After(settle)
	before, writtenBefore := p.cpuTicks(), p.bytesWritten()
	<-time.After(minute)
	return 100 * float64(p.cpuTicks()-before) / 100 / minute.Seconds(), float64(p.memory("VmRSS")) / 1024, p.bytesWritten() - writtenBefore
}

// bytesWritten returns how many bytes the program has written to the disk (proc(5), io).
func (p *program) bytesWritten() int {
	io, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", p.cmd.Process.Pid))
	if err != nil {
		p.Skip("skipped: no /proc on this system")
	}
	for line := range strings.Lines(string(io)) {
		if count, ok := strings.CutPrefix(line, "write_bytes: "); ok {
			n, _ := strconv.Atoi(strings.TrimSpace(count))
			return n
		}
	}
	return 0
}

// cpuTicks returns the processor time of the program in hundredths of a second (proc(5), stat, fields 14 and 15).
func (p *program) cpuTicks() int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		p.Skip("skipped: no /proc on this system")
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return user + system
}
