package article

import "fyne.io/fyne/v2"

var _ fyne.Scrollable = (*page)(nil)

// sideScroller is the state of scrolling parts of the page sideways. Parts are named by the number of their block plus one,
// which stays the same in a new layout; 0 is none.
type sideScroller struct {
	focused    int     // the part that has the keys
	hovered    int     // the part whose bar the pointer is on
	dragged    int     // the part whose bar is dragged,
	dragOffset float32 // and how far from its left end
}

// near reports whether the pointer is on the bar of a part, or drags it.
func (d *sideScroller) isActive(s *sideScroll) bool {
	return d.hovered == s.id() || d.dragged == s.id()
}

// name identifies a part in a sideScroller; 0 is nil.
func (s *sideScroll) id() int {
	if s == nil {
		return 0
	}
	return s.block + 1
}

// scrollSide scrolls a part of the page sideways.
func (p *page) scrollSide(s *sideScroll, at float32) {
	if p.lay.scrollSide(s, at) {
		p.fill()
	}
}

// Scrolled implements fyne.Scrollable: a wheel that turns sideways, as it does with Shift, and two fingers that go that
// way scroll what is under the pointer, if there is more of it; else the page is scrolled.
func (p *page) Scrolled(ev *fyne.ScrollEvent) {
	dx, dy := ev.Scrolled.DX, ev.Scrolled.DY
	if p.lay != nil && max(dx, -dx) > max(dy, -dy) {
		if s := p.lay.sideUnder(ev.Position); s != nil {
			p.scrollSide(s, s.at-dx)
			return
		}
	}
	p.view.scroll.Scrolled(ev)
}

// grip starts dragging the scroll bar at a point of the page; beside the bar, the bar jumps there first. It reports
// whether there is one.
func (p *page) startBarDrag(at fyne.Position) bool {
	s := p.lay.barAt(at)
	if s == nil {
		return false
	}
	x, width, _ := s.bar()
	p.sideScroller.dragged, p.sideScroller.dragOffset = s.id(), at.X-x
	if at.X < x || at.X >= x+width {
		p.sideScroller.dragOffset = width / 2
	}
	p.dragBar(at)
	p.fill()
	return true
}

// dragBar moves the dragged scroll bar to a point of the page; it reports whether one is dragged.
func (p *page) dragBar(to fyne.Position) bool {
	if p.sideScroller.dragged == 0 {
		return false
	}
	if s := p.lay.sideByID(p.sideScroller.dragged); s != nil {
		if _, _, way := s.bar(); way > 0 {
			p.scrollSide(s, (to.X-p.sideScroller.dragOffset-s.x-barInset)/way*s.most())
		}
	}
	return true
}

// endDrag ends dragging.
func (p *page) endDrag() {
	p.click.down = false
	if p.sideScroller.dragged != 0 {
		p.sideScroller.dragged, p.sideScroller.dragOffset = 0, 0
		p.fill()
	}
}

// hoverBar notes which scroll bar the pointer is on; it reports whether there is one.
func (p *page) hoverBar(at fyne.Position) bool {
	s := p.lay.barAt(at)
	if p.sideScroller.hovered != s.id() {
		p.sideScroller.hovered = s.id()
		p.fill()
	}
	return s != nil
}

// autoScrollSide scrolls what the selection began in when it is dragged beyond an edge of that.
func (p *page) autoScrollSide(to fyne.Position) {
	s := p.lay.sideAt(to.Y)
	switch {
	case s == nil || !s.holds(p.anchor):
	case to.X < s.x:
		p.scrollSide(s, s.at-2*p.stylesheet.body)
	case to.X >= s.x+s.w:
		p.scrollSide(s, s.at+2*p.stylesheet.body)
	}
}

// scrollSideByKey scrolls the part that has the keys one step left or right; it reports whether a part has them.
func (p *page) scrollSideByKey(way float32) bool {
	if p.lay == nil || p.sideScroller.focused == 0 {
		return false
	}
	s := p.lay.sideByID(p.sideScroller.focused)
	if s == nil {
		return false
	}
	p.scrollSide(s, s.at+way*min(4*p.stylesheet.body, s.w/2))
	return true
}

// showSideRange scrolls sideways to what lies between two spots of a line.
func (p *page) showSideRange(from, to textPos) {
	ln := p.lay.lineOf(from)
	if ln == nil || ln.in == nil {
		return
	}
	left, right := float32(unlimited), float32(-unlimited)
	p.lay.forStretches(ln, from.off, min(to.off, ln.end), func(a, b float32) {
		left, right = min(left, a), max(right, b)
	})
	if left <= right && p.lay.scrollSideTo(ln.in, ln.x+left, ln.x+right) {
		p.fill()
	}
}

// keepSideScroll keeps the sideways scrolling of was, the same article compiled before.
func (c *compiled) keepSideScroll(was *compiled) {
	if was == nil {
		return
	}
	for i := range min(len(c.blocks), len(was.blocks)) {
		c.blocks[i].scrolled = was.blocks[i].scrolled
	}
}
