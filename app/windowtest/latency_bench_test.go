//go:build window

package windowtest

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Parts of the window at its default size.
var (
	listPart    = image.Rect(240, 85, 580, 730)
	articlePart = image.Rect(600, 130, 1190, 730)
)

// belowUnread is how many places stand between Unread and Insights: the page of the latter is there first, and what is
// computed for it follows.
const belowUnread = 2

// BenchmarkPanes measures how long after a key press the window is painted, with 500 feeds and 100,000 articles in the
// store, the median and the maximum of each kind, and what is drawn for a key.
func BenchmarkPanes(b *testing.B) {
	kairos, data := binary(b, buildShipped), filepath.Join(b.TempDir(), "data")
	fill(b, data, 500, 200)
	pause(b, data)
	d := newDesktop(b)
	counts := d.countGL()
	p := d.start(kairos, data)
	d.until("the window is there", func() bool { return strings.HasPrefix(d.title(), "(") })
	d.until("the list is painted", func() bool { return foreground(d.shot("panes"), listPart) > 3000 })
	s, h := d.framebuffer(), d.startXdotool()
	h.do("mousemove 1279 799") // the server draws the pointer again with each frame
	<-time.After(settled)
	keys := 0
	key := func(part image.Rectangle, name string) time.Duration {
		keys++
		return s.painted(part, func() { h.do("key --delay 0 " + name) }) // the xdotoolSession are not to wait between Ctrl and the key
	}
	var before glCounts
	if counts != nil {
		before = counts()
	}
	took := map[string][]time.Duration{}
	for b.Loop() {
		for range 4 {
			key(listPart, "ctrl+4") // nothing is starred
			took["all"] = append(took["all"], key(listPart, "ctrl+1"))
			key(listPart, "ctrl+4")
			took["unread"] = append(took["unread"], key(listPart, "ctrl+2"))
		}
		for n := range 8 { // from Unread on
			if n == belowUnread {
				keys++
				page, figures := s.changes(listPart, func() { h.do("key --delay 0 bracketright") })
				took["insights"], took["insights-figures"] = append(took["insights"], page), append(took["insights-figures"], figures)
				continue
			}
			took["place"] = append(took["place"], key(listPart, "bracketright"))
		}
		key(listPart, "ctrl+2")
		for range 10 {
			took["next-unread"] = append(took["next-unread"], key(articlePart, "n"))
		}
		for range 5 {
			took["page"] = append(took["page"], key(articlePart, "space"))
		}
		key(listPart, "ctrl+1")
		h.do("key slash")
		for _, letter := range []string{"1", "7", "3"} {
			took["search-key"] = append(took["search-key"], key(listPart, letter))
		}
		h.do("key Escape")
	}
	for what, times := range took {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-"+what)
		b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, "ms-"+what+"-most")
	}
	if counts != nil {
		now := counts()
		b.ReportMetric(float64(now.Frames-before.Frames)/float64(keys), "frames/key")
		b.ReportMetric(float64(now.Draws-before.Draws)/float64(now.Frames-before.Frames), "draws/frame")
		b.ReportMetric(float64(now.Textures-before.Textures)/float64(keys), "textures/key")
		b.ReportMetric(float64(now.Pixels-before.Pixels)/1000/float64(keys), "kpixels/key")
	}
	d.key("ctrl+q")
	p.end()
}

// BenchmarkManyFeeds measures how long after a key or a notch of the wheel the window is painted, with 100,000 articles of
// 500 feeds and of 10,000: choosing a place in the sidebar, scrolling it, and the next unread article.
func BenchmarkManyFeeds(b *testing.B) {
	sidebarPart := image.Rect(0, 85, 220, 730)
	for _, feeds := range []int{500, 10_000} {
		b.Run(fmt.Sprint(feeds), func(b *testing.B) {
			kairos, data := binary(b, buildShipped), filepath.Join(b.TempDir(), "data")
			fill(b, data, feeds, 100_000/feeds)
			pause(b, data)
			d := newDesktop(b)
			p := d.start(kairos, data)
			s, h := d.framebuffer(), d.startXdotool()
			d.until("the list is painted", func() bool { return s.filled(listPart, 3000) })
			<-time.After(2 * time.Second)
			took := map[string][]time.Duration{}
			for b.Loop() {
				h.do("mousemove 120 500")
				<-time.After(settled)
				for range 8 {
					took["scroll"] = append(took["scroll"], s.painted(sidebarPart, func() { h.do("click 5") }))
				}
				h.do("mousemove 1279 799")
				h.do("key --delay 0 ctrl+5") // Insights, which the folders and feeds follow
				<-time.After(2 * time.Second)
				for range 8 {
					took["place"] = append(took["place"], s.painted(listPart, func() { h.do("key --delay 0 bracketright") }))
				}
				h.do("key --delay 0 ctrl+2")
				<-time.After(time.Second)
				for range 10 {
					took["next-unread"] = append(took["next-unread"], s.painted(articlePart, func() { h.do("key --delay 0 n") }))
				}
			}
			for what, times := range took {
				slices.Sort(times)
				b.ReportMetric(ms(times[len(times)/2]), "ms-"+what)
				b.ReportMetric(ms(times[len(times)-1]), "ms-"+what+"-most")
			}
			b.ReportMetric(float64(p.memory("VmRSS"))/1024, "MB")
			d.key("ctrl+q")
			p.end()
		})
	}
}
