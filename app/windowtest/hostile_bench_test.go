//go:build window

package windowtest

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/reader"
	"kairos/reader/parse"
)

// BenchmarkHostile measures the longest time for which the window is held up by what makes things slow on purpose: by the
// clock, and without the time in which other programs had the processor. A frame is in it, some 20 ms where it is painted in
// software. KAIROS_STACKS=1 prints what held the window up. The database of 5 GB is the one that TestGrowth keeps in
// KAIROS_GROWTH_DATA.
func BenchmarkHostile(b *testing.B) {
	for _, c := range []struct {
		name string
		data func(b *testing.B, dir string)
		do   func(p *probed)
	}{
		{"nothing", few, func(p *probed) { p.read() }},
		{"a feed of 100000 items", few, func(p *probed) {
			items := strings.Builder{}
			for n := range 100_000 {
				fmt.Fprintf(&items, `<item><title>Article %d</title><guid>%d</guid><description>A lamp.</description></item>`, n, n)
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, `<rss version="2.0"><channel><title>Endless</title>`, items.String(), `</channel></rss>`)
			}))
			defer server.Close()
			done := make(chan struct{})
			go func() {
				p.tool(p.binary, "--data", p.data, "--json", "add", server.URL) //nolint:errcheck // it may be refused, as too large
				close(done)
			}()
			for waiting := true; waiting; {
				select {
				case <-done:
					waiting = false
				default:
					p.read()
				}
			}
		}},
		{"an article of 10 MB", func(b *testing.B, dir string) {
			text := "<p>" + strings.Repeat("The lamplighter counted seven lamps and wrote them down. ", 100) + "</p>"
			storeArticles(b, dir, parse.Article{Key: "long", Title: "Long", HTML: strings.Repeat(text, 10<<20/len(text))}, parse.Article{Key: "short", Title: "Short"})
		}, func(p *probed) { p.press("j", "j", "k", "space", "space", "End", "Home") }},
		{"5000 folders", func(b *testing.B, dir string) {
			many(b, dir, hometest.Many{Feeds: 5000, Articles: 10_000, Folders: 5000})
		},
			func(p *probed) { p.press("bracketright", "bracketright", "z", "z"); p.read() }},
		{"titles of 10000 characters", func(b *testing.B, dir string) {
			var all []parse.Article
			for n := range 40 {
				all = append(all, parse.Article{Key: fmt.Sprint(n), Title: strings.Repeat(fmt.Sprint(n, " lamps of the harbour "), 450), HTML: "<p>A lamp.</p>",
					Summary: strings.Repeat("lamp", 2500), Author: strings.Repeat("lamp ", 2000)})
			}
			storeArticles(b, dir, all...)
		}, func(p *probed) { p.press("j", "j", "j", "j", "Next", "Next", "ctrl+1") }},
		{"a search of one letter", func(b *testing.B, dir string) { many(b, dir, hometest.Many{Feeds: 100, Articles: 10_000}) },
			func(p *probed) { p.press("slash", "a", "BackSpace", "b", "Escape") }},
		{"a database of 5 GB", nil, func(p *probed) {
			p.read()
			p.press("ctrl+1", "ctrl+2", "bracketright", "bracketright", "ctrl+1", "ctrl+a", "Escape", "slash", "a", "Escape")
		}},
		{"a disk that takes 200 ms a write", few, func(p *probed) {
			p.read()
			p.press("s", "m", "ctrl+1", "ctrl+2")
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			data := filepath.Join(b.TempDir(), "data")
			if c.data == nil {
				data = filepath.Join(os.Getenv("KAIROS_GROWTH_DATA"), "10000")
				if _, err := os.Stat(data); err != nil {
					b.Skip("skipped: KAIROS_GROWTH_DATA names no folder with a large database")
				}
			} else {
				c.data(b, data)
			}
			var under []string
			if strings.HasPrefix(c.name, "a disk") {
				if _, err := exec.LookPath("strace"); err != nil {
					b.Skip("skipped: strace is missing, which delays writes")
				}
				under = []string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64,fsync,fdatasync", "-e", "inject=pwrite64,fsync,fdatasync:delay_enter=200000"}
			}
			for b.Loop() {
				p := newProbed(b, data, under)
				c.do(p)
				wall, own := p.longest()
				b.ReportMetric(ms(wall), "ms-longest-pause")
				b.ReportMetric(ms(own), "ms-own")
				p.cmd.Process.Kill() //nolint:errcheck // it ends either way
				syscall.Kill(p.pid, syscall.SIGKILL)
				<-p.ended
			}
		})
	}
}

// few writes a small data folder.
func few(b *testing.B, dir string) { fill(b, dir, 20, 50); pause(b, dir) }

// many writes a large one.
func many(b *testing.B, dir string, m hometest.Many) {
	m.URL = func(feed int) string { return fmt.Sprint("http://127.0.0.1:9/", feed) }
	h, err := home.Open(context.Background(), dir, home.Options{})
	if err != nil {
		b.Fatal(err)
	}
	m.Write(b.Context(), b, h)
	if err := h.Close(); err != nil {
		b.Fatal(err)
	}
	pause(b, dir)
}

// storeArticles writes a data folder with these articles of one feed.
func storeArticles(b *testing.B, dir string, all ...parse.Article) {
	ctx, now := context.Background(), time.Now()
	h, err := home.Open(ctx, dir, home.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range all {
		all[i].Published = now.Add(-time.Duration(i+1) * time.Minute)
	}
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		id, err := reader.Subscribe(ctx, tx, reader.Feed{URL: "http://127.0.0.1:9/", Title: all[0].Title}, now)
		if err == nil {
			_, err = reader.StoreArticles(ctx, tx, id, all, now, time.Time{})
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := h.Close(); err != nil {
		b.Fatal(err)
	}
	pause(b, dir)
}

// probed is a running Kairos whose window is probed (testdata/probed).
type probed struct {
	*program
	keys *xdotoolSession
	said *bufio.Scanner
	pid  int
}

// newProbed starts the window, perhaps under another program, and waits until it is at rest.
func newProbed(b *testing.B, data string, under []string) *probed {
	b.Helper()
	name := binary(b, buildProbed)
	d := newDesktop(b)
	p := &probed{program: &program{desktop: d, binary: name, data: data, ended: make(chan error, 1)}}
	line := append(under, name, "--data", data)
	p.cmd = exec.Command(line[0], line[1:]...)
	p.cmd.Env, p.cmd.Stderr = d.env(), &p.log
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	p.said, p.pid = bufio.NewScanner(out), p.cmd.Process.Pid
	go func() { p.ended <- p.cmd.Wait() }()
	s := d.framebuffer()
	d.until("the list is painted", func() bool { return s.filled(listPart, 1000) })
	if under != nil {
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", p.pid, p.pid))
		if err != nil {
			b.Fatal(err)
		}
		fmt.Sscan(string(children), &p.pid) //nolint:errcheck // then the probe does not answer
	}
	<-time.After(3 * time.Second)
	p.keys = d.startXdotool()
	p.longest()
	return p
}

// read goes through some articles.
func (p *probed) read() { p.press("ctrl+2", "n", "j", "j", "k", "space") }

// press presses keys as a quick reader does.
func (p *probed) press(keys ...string) {
	for _, k := range keys {
		p.keys.do("key --delay 0 " + k)
		<-time.After(400 * time.Millisecond)
	}
}

// longest returns for how long the window was held up most since it was asked last.
func (p *probed) longest() (wall, own time.Duration) {
	p.Helper()
	if err := syscall.Kill(p.pid, syscall.SIGUSR1); err != nil {
		p.Fatal(err)
	}
	for p.said.Scan() {
		var w, o int
		if n, _ := fmt.Sscanf(p.said.Text(), "holdup %d %d", &w, &o); n == 2 {
			return time.Duration(w) * time.Microsecond, time.Duration(o) * time.Microsecond
		}
		fmt.Println(p.said.Text())
	}
	p.Fatalf("the probe says nothing\n%s", p.log.String())
	return 0, 0
}
