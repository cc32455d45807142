package article

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"kairos/app/look"
	"kairos/app/typeset"
)

// sideScroller scrolls parts of the page sideways. A part is identified by the number of its block plus one, which stays the
// same in a new layout; 0 is none.
type sideScroller struct {
	page *page

	focused    int     // the part that the keys scroll
	hovered    int     // the part with the pointer on its bar
	dragged    int     // the part whose bar is dragged
	dragOffset float32 // of the pointer from the left end of that bar
}

// isActive reports whether the pointer is on the bar of a part, or drags it.
func (ss *sideScroller) isActive(s *sideScroll) bool {
	return ss.hovered == s.id() || ss.dragged == s.id()
}

// id identifies a part in a sideScroller; 0 for nil.
func (s *sideScroll) id() int {
	if s == nil {
		return 0
	}
	return s.block + 1
}

// scroll scrolls a part so that so many units of it are hidden to the left.
func (ss *sideScroller) scroll(s *sideScroll, at float32) {
	if ss.page.lay.scrollSide(s, at) {
		ss.page.fill()
	}
}

// startDrag starts dragging the scroll bar at a point of the page. Beside the bar, the bar jumps there first. It returns
// false if there is no bar.
func (ss *sideScroller) startDrag(at fyne.Position) bool {
	s := ss.page.lay.barAt(at)
	if s == nil {
		return false
	}
	x, width, _ := s.bar()
	ss.dragged, ss.dragOffset = s.id(), at.X-x
	if at.X < x || at.X >= x+width {
		ss.dragOffset = width / 2
	}
	ss.drag(at)
	ss.page.fill()
	return true
}

// drag moves the dragged scroll bar to a point of the page. It returns false if none is dragged.
func (ss *sideScroller) drag(to fyne.Position) bool {
	if ss.dragged == 0 {
		return false
	}
	if s := ss.page.lay.sideByID(ss.dragged); s != nil {
		if _, _, way := s.bar(); way > 0 {
			ss.scroll(s, (to.X-ss.dragOffset-s.x-barInset)/way*s.most())
		}
	}
	return true
}

// endDrag ends dragging.
func (ss *sideScroller) endDrag() {
	if ss.dragged != 0 {
		ss.dragged, ss.dragOffset = 0, 0
		ss.page.fill()
	}
}

// hover notes which scroll bar the pointer is on. It returns false if there is none.
func (ss *sideScroller) hover(at fyne.Position) bool {
	s := ss.page.lay.barAt(at)
	if ss.hovered != s.id() {
		ss.hovered = s.id()
		ss.page.fill()
	}
	return s != nil
}

// autoScroll scrolls the part that the selection began in when it is dragged beyond an edge of that part.
func (ss *sideScroller) autoScroll(to fyne.Position) {
	s := ss.page.lay.sideAt(to.Y)
	switch {
	case s == nil || !s.contains(ss.page.anchor):
	case to.X < s.x:
		ss.scroll(s, s.at-2*ss.page.stylesheet.body)
	case to.X >= s.x+s.w:
		ss.scroll(s, s.at+2*ss.page.stylesheet.body)
	}
}

// scrollByKey scrolls the focused part a step to the right, or to the left if way is -1. It returns false if none is focused.
func (ss *sideScroller) scrollByKey(way float32) bool {
	if ss.page.lay == nil || ss.focused == 0 {
		return false
	}
	s := ss.page.lay.sideByID(ss.focused)
	if s == nil {
		return false
	}
	ss.scroll(s, s.at+way*min(4*ss.page.stylesheet.body, s.w/2))
	return true
}

// showRange scrolls a line sideways so that the text between two positions is visible.
func (ss *sideScroller) showRange(from, to textPos) {
	ln := ss.page.lay.lineOf(from)
	if ln == nil || ln.in == nil {
		return
	}
	left, right := float32(typeset.Unlimited), float32(-typeset.Unlimited)
	ss.page.lay.forStretches(ln, from.off, min(to.off, ln.End), func(a, b float32) {
		left, right = min(left, a), max(right, b)
	})
	if left <= right && ss.page.lay.scrollSideTo(ln.in, ln.x+left, ln.x+right) {
		ss.page.fill()
	}
}

// paint gives a surface to each part near the viewport, and draws its scroll bar and the fades at its edges.
func (ss *sideScroller) paint() {
	for _, s := range ss.page.lay.sideScrolls {
		s.surface = nil
		if s.y < ss.page.drawn.bottom && s.y+s.h > ss.page.drawn.top {
			ss.page.painter.openSurface(s, ss.page.drawn.top, ss.page.drawn.bottom)
			ss.page.painter.drawFades(s)
			ss.paintBar(s)
		}
	}
}

// placeBar moves the bar of a part into the viewport, as a table may be higher than the window.
func (ss *sideScroller) placeBar(s *sideScroll) {
	_, bottom := ss.page.frame.viewport()
	s.floor = min(s.y+s.h, max(bottom, s.y+2*barRoom))
	s.thumb.Move(fyne.NewPos(s.thumb.Position().X, s.floor-(barRoom+s.thumb.Size().Height)/2))
}

// placeBars moves the bars of all parts near the viewport.
func (ss *sideScroller) placeBars() {
	if ss.page.lay == nil {
		return
	}
	for _, s := range ss.page.lay.sideScrolls {
		if s.surface != nil {
			ss.placeBar(s)
		}
	}
}

// paintBar draws the bar of a part, and a frame around the part if the keys scroll it.
func (ss *sideScroller) paintBar(s *sideScroll) {
	x, width, _ := s.bar()
	high := float32(barHigh)
	if ss.isActive(s) {
		high *= 1.5
	}
	s.thumb = ss.page.painter.rectAbove(x, 0, width, high, theme.ColorNameScrollBar)
	s.thumb.CornerRadius = high / 2
	ss.placeBar(s)
	if ss.focused == s.id() && ss.page.view.focus.focused {
		r := ss.page.painter.rectAbove(s.x-2, s.y-2, s.w+4, s.h+4, "")
		r.StrokeWidth, r.StrokeColor, r.CornerRadius = 2, ss.page.painter.color(look.ColorAccent), s.corner+2
	}
}
