//go:build window

package windowtest

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
)

// live writes a history into a data folder; budget is that of its fetches, "0" for none.
func live(tb testing.TB, dir string, l hometest.History, budget string) {
	tb.Helper()
	ctx := context.Background()
	h, err := home.Open(ctx, dir, home.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	defer h.Close()
	hometest.Live(ctx, tb, h, l)
	if err := h.Poller.SetBudget(ctx, budget); err != nil {
		tb.Fatal(err)
	}
}

// insightsPage is the place of the page in a window of the default size.
var insightsPage = image.Rect(240, 85, 1190, 730)

// TestInsights opens the page on a month of history and reads its figures by the clipboard.
func TestInsights(t *testing.T) {
	kairos, data := binary(t, buildChecked), filepath.Join(t.TempDir(), "data")
	live(t, data, hometest.History{Feeds: 20, Days: 40}, "0")
	d := newDesktop(t)
	p := d.start(kairos, data)
	d.until("the window opens", func() bool { return d.title() != "" })
	d.until("the page opens", func() bool {
		d.key("ctrl+5")
		return strings.Contains(d.title(), "Insights")
	})
	d.until("it is filled", func() bool { return foreground(d.shot("insights"), insightsPage) > 20000 })

	t.Log("the figures of the first chart are those of the verb")
	said := p.verb("insights", "--days", "7")[0]
	ready := said["actual"].(map[string]any)["ready"].(float64)
	d.until("its table is on the clipboard", func() bool {
		d.key("Right", "ctrl+c")
		return strings.Contains(d.clipboard(), "Kairos,a timer with as many requests")
	})
	row := ""
	for line := range strings.Lines(d.clipboard()) {
		if strings.HasPrefix(line, "7 days,") {
			row = line
		}
	}
	if want := fmt.Sprintf("7 days,%.6g,", ready); !strings.HasPrefix(row, want) {
		t.Errorf("the page has %q, the verb %v", row, ready)
	}

	t.Log("a chart reads its values out")
	before := d.shot("insights")
	toOther := []string{"Left", "Right"} // which bars are marked depends on how often the table was asked for
	d.until("other bars are marked", func() bool {
		d.key(toOther[0])
		slices.Reverse(toOther)
		return !same(before, d.shot("insights-marked"), insightsPage)
	})

	t.Log("back to the articles")
	d.key("Escape", "ctrl+1")
	d.until("the articles are listed", func() bool { return strings.Contains(d.title(), "All articles") })
	d.key("ctrl+q")
	p.end()
}

// same reports whether a part of two screenshots is alike.
func same(a, b image.Image, part image.Rectangle) bool {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				return false
			}
		}
	}
	return true
}

// BenchmarkInsights measures the time from the key until the page shows its first figures, and until it is
// painted fully, with 300 feeds and a year of history; and the memory that is left when it was closed.
func BenchmarkInsights(b *testing.B) {
	kairos, data := binary(b, buildShipped), filepath.Join(b.TempDir(), "data")
	live(b, data, hometest.History{Feeds: 300, Days: 365}, "0")
	d := newDesktop(b)
	p := d.start(kairos, data)
	d.until("the window opens", func() bool { return d.title() != "" })
	pause := func() { <-time.After(2 * time.Second) }
	pause()
	screen, keys := d.framebuffer(), d.startXdotool()
	before := p.memory("VmRSS")
	var first, all time.Duration
	n := 0
	for b.Loop() {
		shown := screen.reacts(func() { keys.do("key ctrl+5") }, insightsPage)
		first += shown[0]
		all += screen.painted(insightsPage, func() {}) + shown[0]
		b.StopTimer()
		n++
		keys.do("key ctrl+1")
		pause()
		b.StartTimer()
	}
	b.ReportMetric(float64(first.Milliseconds())/float64(n), "ms-first")
	b.ReportMetric(float64(all.Milliseconds())/float64(n), "ms-all")
	<-time.After(18 * time.Second) // memory is given back a while after the page was closed
	b.ReportMetric(float64(p.memory("VmRSS")-before)/1024, "MB-left")
	d.key("ctrl+q")
	p.end()
}
