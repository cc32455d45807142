//go:build window

package windowtest

import (
	"context"
	"database/sql"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/reader"
	"kairos/reader/parse"
)

// BenchmarkStart measures the time from the start of the process to the painted list, with 500 feeds and 100,000 articles
// in the store, and the memory used then.
func BenchmarkStart(b *testing.B) {
	kairos, data := binary(b, buildShipped), filepath.Join(b.TempDir(), "data")
	fill(b, data, 500, 200)
	pause(b, data)
	d := newDesktop(b)
	var peak, now int
	for b.Loop() {
		p := d.start(kairos, data)
		for s, began := d.framebuffer(), time.Now(); s.ink(image.Rect(240, 90, 580, 700)) < 3000; {
			if <-time.After(2 * time.Millisecond); time.Since(began) > timeout {
				b.Fatal("the list is never painted")
			}
		}
		b.StopTimer()
		peak, now = max(peak, p.memory("VmHWM")), max(now, p.memory("VmRSS"))
		d.key("ctrl+q")
		p.end()
		b.StartTimer()
	}
	b.ReportMetric(float64(peak)/1024, "peak-MB")
	b.ReportMetric(float64(now)/1024, "MB")
}

// memory returns a line of the process's status, in kB.
func (p *program) memory(line string) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.Skip("skipped: no /proc on this system")
	}
	for l := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(l, line+":"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}

// fill writes a store with many feeds that were fetched just now and are not due.
func fill(tb testing.TB, dir string, feeds, articles int) {
	tb.Helper()
	ctx, now := context.Background(), time.Now()
	h, err := home.Open(ctx, dir, home.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	defer h.Close()
	text := "<p>" + strings.Repeat("The lamplighter counted seven lamps and wrote them down. ", 25) + "</p>"
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		for i := range feeds {
			id, err := reader.Subscribe(ctx, tx, reader.Feed{URL: fmt.Sprintf("http://127.0.0.1:9/%d", i),
				Title: fmt.Sprintf("Feed number %d", i), Folder: fmt.Sprintf("Folder %d", i%20)}, now)
			if err != nil {
				return err
			}
			batch := make([]parse.Article, articles)
			for n := range batch {
				batch[n] = parse.Article{Key: fmt.Sprint(n), Title: fmt.Sprintf("Article %d of feed %d: the lamps of the harbour", n, i),
					Summary: "The lamplighter counted seven lamps and wrote them down.", HTML: text, Link: "http://127.0.0.1:9/",
					Published: now.Add(-time.Duration(n*feeds+i) * 10 * time.Minute)}
			}
			if _, err := reader.StoreArticles(ctx, tx, id, batch, now, time.Time{}); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "INSERT INTO poll (subject, tried, fetched) VALUES (?, ?, ?)", id, now.Unix(), now.Unix()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
}
