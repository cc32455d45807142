package article

import "fyne.io/fyne/v2"

var _ fyne.Scrollable = (*page)(nil)

// slider is what scrolls parts of the page sideways by hand. Parts are named by their block and one more, for a new layout
// has new ones; 0 is none.
type slider struct {
	keys  int     // whose the keys are
	under int     // on whose bar the pointer is
	held  int     // whose bar is dragged,
	grip  float32 // and how far from its left end
}

// near reports whether the hand is on the bar of a part.
func (d *slider) near(s *sideways) bool { return d.under == s.name() || d.held == s.name() }

// name is what a slider calls a part; 0 is that of none.
func (s *sideways) name() int {
	if s == nil {
		return 0
	}
	return s.block + 1
}

// sideNamed returns the part of a name, nil where there is none any more: with more room, code and tables fit.
func (l *layout) sideNamed(name int) *sideways {
	for _, s := range l.sides {
		if s.name() == name {
			return s
		}
	}
	return nil
}

// slide scrolls a part of the page sideways.
func (p *page) slide(s *sideways, at float32) {
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

// grip takes hold of the bar at a point of the page; beside it, the bar comes there first. It reports whether there is
// one.
func (p *page) grip(at fyne.Position) bool {
	s := p.lay.barAt(at)
	if s == nil {
		return false
	}
	x, width, _ := s.bar()
	p.slider.held, p.slider.grip = s.name(), at.X-x
	if at.X < x || at.X >= x+width {
		p.slider.grip = width / 2
	}
	p.dragBar(at)
	p.fill()
	return true
}

// dragBar brings the bar that is held to a point of the page, and reports whether one is held.
func (p *page) dragBar(to fyne.Position) bool {
	if p.slider.held == 0 {
		return false
	}
	if s := p.lay.sideNamed(p.slider.held); s != nil {
		if _, _, way := s.bar(); way > 0 {
			p.slide(s, (to.X-p.slider.grip-s.x-barInset)/way*s.most())
		}
	}
	return true
}

// letGo ends the holding.
func (p *page) letGo() {
	p.click.down = false
	if p.slider.held != 0 {
		p.slider.held, p.slider.grip = 0, 0
		p.fill()
	}
}

// pointAtBar notes on which bar the pointer is, and reports whether it is on one.
func (p *page) pointAtBar(at fyne.Position) bool {
	s := p.lay.barAt(at)
	if p.slider.under != s.name() {
		p.slider.under = s.name()
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
		p.slide(s, s.at-2*p.sheet.body)
	case to.X >= s.x+s.w:
		p.slide(s, s.at+2*p.sheet.body)
	}
}

// slideByKey scrolls the part whose the keys are, one step to the left or to the right, and reports whether there is one.
func (p *page) slideByKey(way float32) bool {
	if p.lay == nil || p.slider.keys == 0 {
		return false
	}
	s := p.lay.sideNamed(p.slider.keys)
	if s == nil {
		return false
	}
	p.slide(s, s.at+way*min(4*p.sheet.body, s.w/2))
	return true
}

// showSpots brings what is between two spots of one line into sight, if it is off to the side.
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

// keepSlid leaves what is scrolled sideways so, when the same article is set in another way than it was.
func (c *compiled) keepSlid(was *compiled) {
	if was == nil {
		return
	}
	for i := range min(len(c.blocks), len(was.blocks)) {
		c.blocks[i].slid = was.blocks[i].slid
	}
}
