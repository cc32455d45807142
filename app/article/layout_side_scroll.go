package article

import (
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// sideScroll is a part of the page whose content is wider than its place and scrolls in it: code or a table. Its lines and
// decorations have the coordinates of a page that is wide enough; contentX converts to them.
type sideScroll struct {
	block       int     // its index
	x, y, w, h  float32 // its place
	wide        float32 // the width of its content
	at          float32 // how much of it is hidden to the left
	rtl         bool    // read from right to left
	first, last int     // its texts

	ground fyne.ThemeColorName // its background
	corner float32             // the radius of its corners

	line, mark int // indexes of the first ones in it, while it is laid out

	surface *surface          // nil unless it is near the viewport
	floor   float32           // the bottom of its scroll bar on the page
	thumb   *canvas.Rectangle // its scroll bar
}

// beginSide begins a part that may be wider than its place, up to endSide.
func (l *layouter) beginSide(block int, x, y, width float32) *sideScroll {
	return &sideScroll{block: block, x: x, y: y, w: width, line: len(l.lines), mark: len(l.decorations)}
}

// endSide ends a part whose content ends at bottom and is so wide. It returns the bottom of the part: below a space, which has
// room for a scroll bar if the content is wider than the part.
func (l *layouter) endSide(s *sideScroll, bottom, space, wide float32) float32 {
	if wide <= s.w+0.5 {
		return bottom + space
	}
	bottom += max(space, barRoom)
	s.h, s.wide = bottom-s.y, wide
	for i := s.line; i < len(l.lines); i++ {
		l.lines[i].in = s
	}
	for i := s.mark; i < len(l.decorations); i++ {
		l.decorations[i].in = s
	}
	if s.line < len(l.lines) {
		s.first, s.last = l.lines[s.line].text, l.lines[len(l.lines)-1].text
	}
	s.at = s.turned(min(l.blocks[s.block].scrolled*l.body, s.most()))
	l.sideScrolls = append(l.sideScrolls, s)
	return bottom
}

// most is the distance that the content can be scrolled.
func (s *sideScroll) most() float32 { return s.wide - s.w }

// turned converts a distance from the left to one from where reading begins, and back.
func (s *sideScroll) turned(way float32) float32 {
	if s.rtl {
		return s.most() - way
	}
	return way
}

// scrollSide scrolls a part so that so much of it is hidden to the left, within its content. It returns false if that changes
// nothing.
func (l *layout) scrollSide(s *sideScroll, at float32) bool {
	at = max(0, min(at, s.most()))
	if at == s.at {
		return false
	}
	s.at = at
	l.blocks[s.block].scrolled = s.turned(at) / l.body
	return true
}

// scrollSideTo scrolls a part so that its content between two places is visible, or at least the beginning of that.
func (l *layout) scrollSideTo(s *sideScroll, left, right float32) bool {
	left, right = left-s.x, right-s.x
	edge := min(2*l.body, s.w/4)
	if left >= s.at+edge && right <= s.at+s.w-edge {
		return false
	}
	return l.scrollSide(s, min(left-edge, max(left-s.w/3, right+edge-s.w)))
}

// contentX converts a place on the page to one of the content; beyond an edge of the part it is that edge.
func (s *sideScroll) contentX(x float32) float32 {
	if s == nil {
		return x
	}
	return max(s.x, min(x, s.x+s.w)) + s.at
}

// isVisible reports whether x is within the part.
func (s *sideScroll) isVisible(x float32) bool { return s == nil || x >= s.x && x < s.x+s.w }

// contains reports whether a position is in its content.
func (s *sideScroll) contains(at textPos) bool { return at.text >= s.first && at.text <= s.last }

// sideAt returns the part at a height of the page, nil without one.
func (l *layout) sideAt(y float32) *sideScroll {
	i := sort.Search(len(l.sideScrolls), func(i int) bool { return l.sideScrolls[i].y+l.sideScrolls[i].h > y })
	if i < len(l.sideScrolls) && l.sideScrolls[i].y <= y {
		return l.sideScrolls[i]
	}
	return nil
}

// sideUnder returns the part at a point of the page, nil without one.
func (l *layout) sideUnder(at fyne.Position) *sideScroll {
	if s := l.sideAt(at.Y); s != nil && s.isVisible(at.X) {
		return s
	}
	return nil
}

// Measures of the scroll bar of a part, in units.
const (
	barRoom  = 12 // the height of its strip, at the bottom of the part, or of the viewport if that is further up
	barHigh  = 4
	barInset = 6 // from the sides
	barLeast = 24
)

// bar returns the place and width of the scroll bar, and the distance that it can move.
func (s *sideScroll) bar() (x, width, way float32) {
	track := max(0, s.w-2*barInset)
	width = max(min(barLeast, track), track*s.w/s.wide)
	way = track - width
	return s.x + barInset + way*s.at/s.most(), width, way
}

// barAt returns the part whose scroll bar is at a point of the page, nil without one.
func (l *layout) barAt(at fyne.Position) *sideScroll {
	if s := l.sideUnder(at); s != nil && s.surface != nil && at.Y >= s.floor-barRoom && at.Y < s.floor {
		return s
	}
	return nil
}

// sideByID returns the part with an ID, nil if the layout has none.
func (l *layout) sideByID(name int) *sideScroll {
	for _, s := range l.sideScrolls {
		if s.id() == name {
			return s
		}
	}
	return nil
}
