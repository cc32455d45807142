package article

import (
	"math"

	"fyne.io/fyne/v2"
)

// viewport implements frame.
func (sl *slot) viewport() (top, bottom float32) { return -sl.y, sl.stream.size.Height - sl.y }

func (sl *slot) scrollTo(y float32) bool { return sl.stream.scrollBy(y + sl.y) }

// keepTop moves only the anchor: the others stand below it, or are out of sight.
func (sl *slot) keepTop(y float32) {
	if sl.index == sl.stream.at {
		sl.stream.off = max(0, y)
		sl.y = -sl.stream.off
	}
}

func (sl *slot) resized() { sl.stream.place() }

func (sl *slot) scrolled(ev *fyne.ScrollEvent) { sl.stream.scrollBy(-ev.Scrolled.DY) }

// isVisible reports whether some of the article is in the viewport.
func (sl *slot) isVisible() bool {
	return sl.y < sl.stream.size.Height && sl.y+sl.stream.height(sl.index) > 0
}

// height is the height of an article, as far as it is known.
func (s *stream) height(i int) float32 {
	if sl := s.slots[s.ids[i]]; sl != nil && sl.supplied && sl.page.lay != nil {
		return s.snap(sl.page.height())
	}
	if s.heights[i] > 0 {
		return s.heights[i]
	}
	return s.estimate()
}

// estimate is the height of an article that was not laid out yet: a screen, before any was.
func (s *stream) estimate() float32 { return max(s.size.Height, leastScreen) }

// isSupplied reports whether an article is there.
func (s *stream) isSupplied(i int) bool {
	sl := s.slots[s.ids[i]]
	return sl != nil && sl.supplied
}

// settle brings the anchor to the article at the top of the viewport. The last article can be scrolled until its head is
// there, so that every article can become the current one. Downwards, nothing is skipped that is not there yet.
func (s *stream) settle() {
	for s.off < 0 && s.at > 0 {
		s.at--
		s.off += s.height(s.at)
	}
	last := len(s.ids) - 1
	for s.at < last && s.off >= s.height(s.at) {
		s.off -= s.height(s.at)
		if s.at++; !s.isSupplied(s.at) {
			s.off = 0
		}
	}
	if s.at == last {
		s.off = min(s.off, s.height(last)-s.size.Height)
	}
	s.off = max(0, s.snap(s.off))
}

func (s *stream) snap(y float32) float32 {
	scale := s.view.page.scale()
	return float32(math.Round(float64(y*scale))) / scale
}

// place brings the articles near the viewport to their places, asks for those that are missing and drops those far away.
func (s *stream) place() {
	if s.placing || s.size.Width <= 0 || s.size.Height <= 0 || len(s.ids) == 0 {
		return
	}
	s.placing = true
	s.settle()
	wanted := s.arrange()
	for _, sl := range s.slots {
		if far := dropScreens * s.size.Height; (sl.y > s.size.Height+far || sl.y+s.height(sl.index) < -far) && sl.id != s.current {
			s.drop(sl)
		}
	}
	s.showBar()
	for _, sl := range s.slots {
		sl.page.drawVisible()
	}
	s.placing = false
	for _, id := range wanted {
		s.on.Wanted(id)
	}
}

// arrange gives the articles near the viewport their places, and returns those that are to be supplied.
func (s *stream) arrange() (wanted []int64) {
	put := func(i int, y float32) {
		sl, isNew := s.slotAt(i)
		if sl.y = y; isNew {
			wanted = append(wanted, sl.id)
		}
		if sl.supplied {
			s.heights[i] = s.height(i)
		}
		sl.seen = sl.seen || sl.supplied && sl.isVisible()
	}
	for _, sl := range s.slots {
		sl.y = math.MaxFloat32 // far away, if it is not met below
	}
	near := wantScreens * s.size.Height
	y := -s.off
	for i := s.at; i < len(s.ids) && (i == s.at || y < s.size.Height+near || s.slots[s.ids[i]] != nil); i++ {
		put(i, y)
		y += s.height(i)
	}
	y = -s.off
	for i := s.at - 1; i >= 0 && (y > -near || s.slots[s.ids[i]] != nil); i-- {
		y -= s.height(i)
		put(i, y)
	}
	return wanted
}

// maxBar is the most units that the scroll is long: with more, float32 is too coarse for pixels.
const maxBar = 100_000

// extent returns how high all articles are estimated to be, and how much of that is above the viewport.
func (s *stream) extent() (total, above float64) {
	mean := s.mean()
	for i, h := range s.heights {
		if i == s.at {
			above = total
		}
		if h > 0 {
			total += float64(h)
		} else {
			total += mean
		}
	}
	last := s.height(len(s.ids) - 1)
	return total + float64(max(0, s.size.Height-last)), above + float64(s.off)
}

// mean is the mean height of the articles that were laid out.
func (s *stream) mean() float64 {
	known, count := 0.0, 0
	for _, h := range s.heights {
		if h > 0 {
			known += float64(h)
			count++
		}
	}
	if count == 0 {
		return float64(s.estimate())
	}
	return known / float64(count)
}

// showBar brings the scroll bar to where the anchor is, and the articles to their places in the scroll.
func (s *stream) showBar() {
	total, above := s.extent()
	high := max(min(float32(total), maxBar), s.size.Height)
	top := float32(0)
	if way := total - float64(s.size.Height); way > 0 {
		top = s.snap(float32(min(1, above/way)) * (high - s.size.Height))
	}
	s.column.show(high, top)
	s.scroll.Offset = fyne.NewPos(0, top)
	s.scroll.Refresh()
}

// scrollToBar goes to where the user has dragged the bar. What lies between was not seen.
func (s *stream) scrollToBar(top float32) {
	total, _ := s.extent()
	way := s.column.high - s.size.Height
	if way <= 0 {
		return
	}
	rest := float64(top/way) * (total - float64(s.size.Height))
	mean := s.mean()
	for s.at = 0; s.at < len(s.ids)-1; s.at++ {
		h := float64(s.heights[s.at])
		if h == 0 {
			h = mean
		}
		if rest < h {
			break
		}
		rest -= h
	}
	s.off = float32(rest)
	s.place()
	s.follow()
}

// scrollBy scrolls down by dy. It returns false if that changes nothing.
func (s *stream) scrollBy(dy float32) bool {
	if len(s.ids) == 0 || s.size.Height <= 0 {
		return false
	}
	at, off := s.at, s.off
	var seen []*slot
	for i := at; i < len(s.ids) && s.slots[s.ids[i]] != nil; i++ {
		seen = append(seen, s.slots[s.ids[i]])
	}
	s.off += dy
	s.place()
	if s.at == at && s.off-off < 0.5 && off-s.off < 0.5 {
		return false
	}
	var passed []int64
	for _, sl := range seen {
		if sl.seen && sl.index < s.at {
			passed = append(passed, sl.id)
		}
	}
	if len(passed) > 0 {
		s.on.Passed(passed)
	}
	s.follow()
	return true
}

// passLast passes the last article, where there is nothing to scroll to.
func (s *stream) passLast() {
	if sl := s.slots[s.ids[len(s.ids)-1]]; sl != nil && sl.seen {
		s.on.Passed([]int64{sl.id})
	}
}

// toEdge goes to the first article, or to the last one.
func (s *stream) toEdge(end bool) {
	s.at, s.off = 0, 0
	if end {
		s.at = len(s.ids) - 1
	}
	s.place()
	s.follow()
}

// topmost is the article at the top of the viewport: the first one of which more than a few lines are visible.
func (s *stream) topmost() int {
	line := min(3*s.view.page.lineHeight(), s.size.Height/4)
	if s.at < len(s.ids)-1 && s.height(s.at)-s.off < line {
		return s.at + 1
	}
	return s.at
}

// follow makes the article at the top the current one. While words are looked for in an article, or some of it is selected,
// that stays the current one as long as it is visible.
func (s *stream) follow() {
	from, to := s.view.page.extent()
	if sl := s.slots[s.current]; sl != nil && sl.isVisible() && (from != to || s.view.Finding()) {
		return
	}
	s.setCurrent(s.topmost(), true)
}
