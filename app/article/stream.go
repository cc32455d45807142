package article

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// StreamEvents is what a stream of articles asks for and reports. All functions are set.
type StreamEvents struct {
	Wanted  func(id int64)    // the article comes near the viewport: it is to be supplied
	Dropped func(id int64)    // the article is far from the viewport again, and was forgotten
	Current func(id int64)    // the user has scrolled or clicked, and another article is the current one
	Passed  func(ids []int64) // the user has scrolled past articles, after they were seen
}

// ShowStream shows articles one below the other, with the head of one of them at the top. That is the current one, which all
// commands are about.
func (v *View) ShowStream(ids []int64, at int64, on StreamEvents) {
	i := slices.Index(ids, at)
	if i < 0 {
		return
	}
	if v.stream == nil {
		v.stream = newStream(v, on)
		v.one.page.show(nil, "")
		v.focus.inStream = true
		v.focus.update()
		v.stream.goTo(ids, i)
		v.Refresh()
		return
	}
	v.stream.goTo(ids, i)
}

// SetStream changes what the stream consists of, if there is one. What is being read stays where it is.
func (v *View) SetStream(ids []int64) {
	if v.stream != nil && len(ids) > 0 {
		v.stream.setIDs(ids)
	}
}

// Supply gives an article to the stream, or another text of it. pictures provides its pictures.
func (v *View) Supply(id int64, a Article, pictures Pictures) {
	if v.stream != nil {
		v.stream.supply(id, a, pictures)
	}
}

// SetFilesOf shows other files of an article of the stream, whether or not it is the current one, and keeps its place.
func (v *View) SetFilesOf(id int64, files []File) {
	v.changeOf(id, func(a *Article) { a.Files = files })
}

// SetFeedOf shows another name of the feed of an article of the stream, and keeps its place.
func (v *View) SetFeedOf(id int64, name string) {
	v.changeOf(id, func(a *Article) { a.Feed = name })
}

// changeOf is change for an article of the stream, whether or not it is the current one.
func (v *View) changeOf(id int64, change func(*Article)) {
	if v.stream == nil {
		return
	}
	switch sl := v.stream.slots[id]; {
	case sl == nil || !sl.supplied || sl.page.article == nil:
	case sl.page == v.page:
		v.change(change)
	default:
		v.stream.change(sl, change)
	}
}

// endStream goes back to a single article.
func (v *View) endStream() {
	s := v.stream
	if s == nil {
		return
	}
	marks := v.page.highlights.marks
	v.stream, v.page = nil, v.one.page
	for _, sl := range s.slots {
		s.drop(sl)
	}
	v.page.highlights.marks = marks
	v.focus.inStream = false
	v.focus.update()
	v.Refresh()
}

// scroller is the scroll in use.
func (v *View) scroller() *container.Scroll {
	if v.stream != nil {
		return v.stream.scroll
	}
	return v.one.scroll
}

// pages returns all pages there are.
func (v *View) pages() []*page {
	if v.stream == nil {
		return []*page{v.page}
	}
	var all []*page
	for _, sl := range v.stream.slots {
		all = append(all, sl.page)
	}
	return all
}

// choose makes a page of the stream the current one.
func (v *View) choose(p *page) {
	if sl, ok := p.frame.(*slot); ok {
		v.stream.setCurrent(sl.index, true)
	}
}

// scrollToEdge scrolls to the top, or to the end.
func (v *View) scrollToEdge(end bool) {
	switch {
	case v.stream != nil:
		v.stream.toEdge(end)
	case end:
		v.page.whenWhole(func() { v.scrollBy(v.page.height()) })
	default:
		v.scrollBy(-v.page.height())
	}
}

// stream is a column of articles that is scrolled as a whole. Where it is scrolled to is kept as an anchor, the article at the
// top of the viewport and how much of it is above. So nothing that is visible moves when the articles above turn out to be
// higher than was estimated. Only what is near the viewport exists.
type stream struct {
	view   *View
	on     StreamEvents
	scroll *container.Scroll // has the bar, and is as long as all articles are estimated to be
	column *column
	size   fyne.Size // of the viewport

	ids     []int64
	heights []float32       // of the articles that were laid out at this width; 0: not known
	slots   map[int64]*slot // near the viewport
	spare   []*page         // empty ones

	at      int     // the anchor: an index in ids
	off     float32 // how much of it is above the viewport
	current int64   // the article that commands are about
	placing bool
}

// slot is the place of an article in a stream, and the frame of its page.
type slot struct {
	stream   *stream
	id       int64
	index    int
	page     *page
	y        float32 // below the top of the viewport
	supplied bool
	seen     bool // some of it was visible
}

var _ frame = (*slot)(nil)

// Distances from the viewport, in screens, at which articles are asked for and dropped.
const (
	wantScreens = 1
	dropScreens = 2
	maxSpare    = 4
)

func newStream(v *View, on StreamEvents) *stream {
	s := &stream{view: v, on: on, slots: map[int64]*slot{}}
	s.column = newColumn(s)
	s.scroll = container.NewVScroll(s.column)
	s.scroll.OnScrolled = func(to fyne.Position) {
		if !s.placing {
			s.scrollToBar(to.Y)
		}
	}
	return s
}

// goTo makes an article the current one and brings its head to the top. Going on to the next article passes the one before.
func (s *stream) goTo(ids []int64, i int) {
	s.replaceIDs(ids)
	if was := s.slots[s.current]; was != nil && was.index == i-1 && was.seen {
		s.on.Passed([]int64{was.id})
	}
	s.at, s.off = i, 0
	s.place()
	s.setCurrent(i, false)
}

// setIDs changes what the stream consists of. What is visible stays where it is.
func (s *stream) setIDs(ids []int64) {
	if !s.replaceIDs(ids) {
		return
	}
	s.place()
	if !slices.Contains(ids, s.current) {
		s.setCurrent(s.topmost(), true)
	}
}

// replaceIDs takes over other ids, and reports whether they are others. The anchor stays, or gives way to what stood below it.
func (s *stream) replaceIDs(ids []int64) bool {
	if slices.Equal(s.ids, ids) {
		return false
	}
	before, heights := s.ids, s.heights
	s.ids, s.heights = slices.Clone(ids), make([]float32, len(ids))
	index := make(map[int64]int, len(ids))
	for i, id := range ids {
		index[id] = i
	}
	for i, id := range before {
		if to, still := index[id]; still {
			s.heights[to] = heights[i]
		}
	}
	for id, sl := range s.slots {
		to, still := index[id]
		if sl.index = to; !still {
			s.drop(sl)
		}
	}
	s.moveAnchor(before, index)
	return true
}

// moveAnchor finds the anchor among other articles than before.
func (s *stream) moveAnchor(before []int64, index map[int64]int) {
	for i := s.at; i < len(before); i++ {
		if to, still := index[before[i]]; still {
			if i != s.at {
				s.off = 0
			}
			s.at = to
			return
		}
	}
	s.at, s.off = min(s.at, len(s.ids)-1), 0
}

func (s *stream) supply(id int64, a Article, pictures Pictures) {
	sl := s.slots[id]
	if sl == nil {
		return
	}
	before, again, below := s.height(sl.index), sl.supplied, s.isReadBelow(sl)
	s.placing = true // what the page reports of its height meanwhile is seen to below
	sl.supplied = true
	sl.page.pictures.source = pictures
	sl.page.show(&a, "")
	if below { // its end has to be where it will be
		sl.page.whenWhole(func() {})
		sl.page.finish()
	}
	s.placing = false
	s.heights[sl.index] = s.height(sl.index)
	switch {
	case again && sl.index == s.at:
		s.off = 0
	case !again && below:
		s.off += s.height(sl.index) - before
	}
	if sl.page == s.view.page {
		s.view.searchAgain()
	}
	s.place()
}

// change shows an article again with something changed. The current one, which is another, stays where it is.
func (s *stream) change(sl *slot, change func(*Article)) {
	a := *sl.page.whole
	change(&a)
	before := s.height(sl.index)
	s.placing = true
	sl.page.showWith(&a, sl.page.folds, "")
	sl.page.whenWhole(func() {})
	sl.page.finish()
	s.placing = false
	s.heights[sl.index] = s.height(sl.index)
	if sl.index == s.at {
		s.off = max(0, s.off+s.height(sl.index)-before)
	}
	s.place()
}

// isReadBelow reports whether what is visible below an article that was not there yet is to stay where it is, because it was
// scrolled to from below.
func (s *stream) isReadBelow(sl *slot) bool {
	if sl.index < s.at || s.off == 0 && sl.id == s.current {
		return false
	}
	below := sl.index == s.at && s.off > 0
	for _, other := range s.slots {
		switch {
		case !other.supplied || !other.isVisible():
		case other.index < sl.index:
			return false
		case other.index > sl.index:
			below = true
		}
	}
	return below
}

// resize lays the articles out for another viewport. The line at the top stays there, or what is below the last one.
func (s *stream) resize(size fyne.Size) {
	if size != s.size {
		top := s.slots[s.ids[s.at]]
		hasLine := top == nil
		if !hasLine {
			_, hasLine = top.page.topPos()
		}
		below := s.height(s.at) - s.off
		if size.Width != s.size.Width {
			clear(s.heights)
		}
		s.size, s.placing = size, true
		for _, sl := range s.slots {
			sl.page.resize(size)
		}
		if s.off > 0 && !hasLine {
			s.off = max(0, s.height(s.at)-below)
		}
		s.scroll.Resize(size)
		s.placing = false
	}
	s.place()
}

// slotAt returns the slot of an article, and whether it is new.
func (s *stream) slotAt(i int) (sl *slot, isNew bool) {
	id := s.ids[i]
	if sl = s.slots[id]; sl != nil {
		return sl, false
	}
	sl = &slot{stream: s, id: id, index: i}
	if n := len(s.spare); n > 0 {
		sl.page, s.spare = s.spare[n-1], s.spare[:n-1]
	} else {
		like := s.view.one.page
		sl.page = newPage(s.view, nil, like.typography, like.pictures.sizes, like.now)
	}
	sl.page.frame = sl
	sl.page.highlights = highlights{marks: s.view.page.highlights.marks}
	sl.page.resize(s.size)
	s.slots[id] = sl
	return sl, true
}

// drop forgets an article.
func (s *stream) drop(sl *slot) {
	delete(s.slots, sl.id)
	sl.page.show(nil, "")
	if len(s.spare) < maxSpare {
		s.spare = append(s.spare, sl.page)
	}
	s.on.Dropped(sl.id)
}

// setCurrent makes an article the current one; report announces it.
func (s *stream) setCurrent(i int, report bool) {
	id := s.ids[i]
	sl, isNew := s.slotAt(i)
	if isNew {
		s.on.Wanted(id)
	}
	if was := s.view.page; was != sl.page {
		was.selection, was.finder = selection{}, finder{page: was}
		was.fill()
		s.view.page = sl.page
		s.view.searchAgain()
		if s.view.OnDeferred != nil {
			s.view.OnDeferred()
		}
	}
	if s.current == id {
		return
	}
	s.current = id
	s.column.markCurrent()
	if report {
		s.on.Current(id)
	}
}
