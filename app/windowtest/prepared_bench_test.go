//go:build window

package windowtest

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
)

// BenchmarkPrepared compares, by turns, a data folder in which 20,000 unread articles are prepared with the same one in which only
// those are that are opened: how long a start takes until the list is painted, and keys until all is (the median of all rounds), the
// pictures of opened articles with it; what of the processor a start and a key take; and the memory after a start and after the keys.
func BenchmarkPrepared(b *testing.B) {
	kairos, folders := binary(b, buildShipped), map[int]string{}
	few, all := 500, 20_000
	for _, n := range []int{few, all} {
		folders[n] = filepath.Join(b.TempDir(), fmt.Sprint(n))
		writePrepared(b, folders[n], n)
	}
	d := newDesktop(b)
	took := map[string][]float64{}
	for b.Loop() {
		for _, n := range []int{few, all} {
			d.readPrepared(kairos, folders[n], func(what string, v float64) {
				what += fmt.Sprint("-", n)
				took[what] = append(took[what], v)
			})
		}
	}
	for what, all := range took {
		b.ReportMetric(median(all), what)
	}
}

// writePrepared writes a data folder with 20,000 unread articles of 200 feeds, the newest n of which are prepared.
func writePrepared(b *testing.B, dir string, n int) {
	h, err := home.Open(b.Context(), dir, home.Options{})
	if err != nil {
		b.Fatal(err)
	}
	hometest.Many{Feeds: 200, Articles: 20_000, URL: func(feed int) string { return fmt.Sprint("http://127.0.0.1:9/", feed) }}.Write(b.Context(), b, h)
	if err := h.Store.Write(b.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE status SET read = 0")
		return err
	}); err != nil {
		b.Fatal(err)
	}
	hometest.WritePrepared(b.Context(), b, h, n, landscape(3))
	if err := h.Close(); err != nil {
		b.Fatal(err)
	}
	pause(b, dir)
}

// readPrepared starts the window, goes through articles and searches, and notes what that takes.
func (d *desktop) readPrepared(kairos, data string, note func(what string, v float64)) {
	s, begin := d.framebuffer(), time.Now()
	p := d.start(kairos, data)
	for !s.filled(listPart, 3000) {
		if <-time.After(2 * time.Millisecond); time.Since(begin) > timeout {
			d.shot("failed")
			d.Fatal("the list is never painted")
		}
	}
	note("ms-start", ms(time.Since(begin)))
	p.rest()
	note("cpu-ms-start", 10*float64(p.cpuTicks()))
	note("MB-start", float64(p.memory("VmRSS"))/1024)
	h, keys, before := d.startXdotool(), 0, p.cpuTicks()
	h.do("mousemove 1279 799")
	key := func(what, name string) {
		part := articlePart
		if what == "search" {
			part = listPart
		}
		keys++
		note("ms-"+what, ms(s.painted(part, func() { h.do("key --delay 0 " + name) })))
	}
	h.do("key --delay 0 ctrl+2")
	p.rest()
	for range 10 {
		key("next-unread", "n")
	}
	for range 10 {
		key("down", "j")
	}
	h.do("key slash")
	for _, letter := range []string{"b", "a", "c", "o", "BackSpace", "BackSpace", "BackSpace"} {
		key("search", letter)
	}
	h.do("key Escape")
	p.rest()
	note("cpu-ms-key", 10*float64(p.cpuTicks()-before)/float64(keys))
	note("MB-end", float64(p.memory("VmRSS"))/1024)
	note("MB-peak", float64(p.memory("VmHWM"))/1024)
	d.key("ctrl+q")
	p.end()
}

// rest waits until the program has nothing to do, or a minute.
func (p *program) rest() {
	for range 30 {
		before := p.cpuTicks()
		if <-time.After(2 * time.Second); p.cpuTicks() < before+20 {
			return
		}
	}
}
