package article

import "fyne.io/fyne/v2"

var _ fyne.Scrollable = (*page)(nil)

// sideScroller is the state of scrolling parts of the page sideways. Parts are named by the number of their block plus one,
// which stays the same in a new layout; 0 is none.
type sideScroller struct {
	keys  int     // the part that has the keys
	under int     // the part whose bar the pointer is on
	held  int     // the part whose bar is dragged,
	grip  float32 // and how far from its left end
}

// near reports whether the pointer is on the bar of a part, or drags it.
func (d *sideScroller) near(s *sideScroll) bool { return d.under == s.name() || d.held == s.name() }

// name identifies a part in a sideScroller; 0 is nil.
func (s *sideScroll) name() int {
	if s == nil {
		return 0
	}
	return s.block + 1
}

// slide scrolls a part of the page sideways.
func (p *page) slide(s *sideScroll, at float32) {
	if p.lay.slide(s, at) {
		p.fill()
	}
}

// Scrolled implements fyne.Scrollable: a wheel that turns sideways, as it does with Shift, and two fingers that go that
// way scroll what is under the pointer, if there is more of it; else the page is scrolled.
func (p *page) Scrolled(ev *fyne.ScrollEvent) {
	dx, dy := ev.Scrolled.DX, ev.Scrolled.DY
	if p.lay != nil && max(dx, -dx) > max(dy, -dy) {
		if s := p.lay.sideUnder(ev.Position); s != nil {
			p.slide(s, s.at-dx)
			return
		}
	}
	p.view.scroll.Scrolled(ev)
}

// grip starts dragging the scroll bar at a point of the page; beside the bar, the bar jumps there first. It reports
// whether there is one.
func (p *page) grip(at fyne.Position) bool {
	s := p.lay.barAt(at)
	if s == nil {
		return false
	}
	x, width, _ := s.bar()
	p.sideScroller.held, p.sideScroller.grip = s.name(), at.X-x
	if at.X < x || at.X >= x+width {
		p.sideScroller.grip = width / 2
	}
	p.dragBar(at)
	p.fill()
	return true
}

// dragBar moves the dragged scroll bar to a point of the page; it reports whether one is dragged.
func (p *page) dragBar(to fyne.Position) bool {
	if p.sideScroller.held == 0 {
		return false
	}
	if s := p.lay.sideNamed(p.sideScroller.held); s != nil {
		if _, _, way := s.bar(); way > 0 {
			p.slide(s, (to.X-p.sideScroller.grip-s.x-barInset)/way*s.most())
		}
	}
	return true
}

// letGo ends dragging.
func (p *page) letGo() {
	p.click.down = false
	if p.sideScroller.held != 0 {
		p.sideScroller.held, p.sideScroller.grip = 0, 0
		p.fill()
	}
}

// pointAtBar notes which scroll bar the pointer is on; it reports whether there is one.
func (p *page) pointAtBar(at fyne.Position) bool {
	s := p.lay.barAt(at)
	if p.sideScroller.under != s.name() {
		p.sideScroller.under = s.name()
		p.fill()
	}
	return s != nil
}

// slideAlong scrolls what the selection began in when it is dragged beyond an edge of that.
func (p *page) slideAlong(to fyne.Position) {
	s := p.lay.sideAt(to.Y)
	switch {
	case s == nil || !s.holds(p.anchor):
	case to.X < s.x:
		p.slide(s, s.at-2*p.stylesheet.body)
	case to.X >= s.x+s.w:
		p.slide(s, s.at+2*p.stylesheet.body)
	}
}

// slideByKey scrolls the part that has the keys one step left or right; it reports whether a part has them.
func (p *page) slideByKey(way float32) bool {
	if p.lay == nil || p.sideScroller.keys == 0 {
		return false
	}
	s := p.lay.sideNamed(p.sideScroller.keys)
	if s == nil {
		return false
	}
	p.slide(s, s.at+way*min(4*p.stylesheet.body, s.w/2))
	return true
}

// showSpots scrolls sideways to what lies between two spots of a line.
func (p *page) showSpots(from, to spot) {
	ln := p.lay.lineOf(from)
	if ln == nil || ln.in == nil {
		return
	}
	left, right := float32(endless), float32(-endless)
	p.lay.stretches(ln, from.off, min(to.off, ln.end), func(a, b float32) {
		left, right = min(left, a), max(right, b)
	})
	if left <= right && p.lay.show(ln.in, ln.x+left, ln.x+right) {
		p.fill()
	}
}

// keepSlid keeps the sideways scrolling of was, the same article compiled before.
func (c *compiled) keepSlid(was *compiled) {
	if was == nil {
		return
	}
	for i := range min(len(c.blocks), len(was.blocks)) {
		c.blocks[i].slid = was.blocks[i].slid
	}
}
