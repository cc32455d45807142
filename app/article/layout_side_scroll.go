package article

import (
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// sideScroll is a part of the page whose content is wider than its place, and scrolls in it: code, whose lines are its
// author's, and tables, whose columns are. Its lines and marks stand where they would on a page that is wide enough;
// content and at lead from one to the other.
type sideScroll struct {
	block       int     // of the layout
	x, y, w, h  float32 // its place
	wide        float32 // its content
	at          float32 // how much of that is off to the left
	rtl         bool    // it is read from the right
	first, last int     // its texts

	ground fyne.ThemeColorName // what it stands on,
	corner float32             // the radius of the corners of that

	line, mark int // the first ones in it, while it is laid

	surface *surface          // what it is drawn on, while it is near the viewport,
	floor   float32           // where on the page the strip of its bar ends,
	thumb   *canvas.Rectangle // and the bar
}

// begin makes what is laid until end a part of the page that may be wider than its place.
func (l *layout) beginSide(block int, x, y, width float32) *sideScroll {
	return &sideScroll{block: block, x: x, y: y, w: width, line: len(l.lines), mark: len(l.decorations)}
}

// end ends a part whose content ends at bottom and is as wide as said. It returns where the place ends: below the space
// that is to be left there, which has room for a bar if there is more content than room.
func (l *layout) endSide(s *sideScroll, bottom, space, wide float32) float32 {
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

// most is how far the content can be scrolled.
func (s *sideScroll) most() float32 { return s.wide - s.w }

// turned makes of a way from the left one from where reading begins, and of that one from the left.
func (s *sideScroll) turned(way float32) float32 {
	if s.rtl {
		return s.most() - way
	}
	return way
}

// scrollSide scrolls a part so that so much of it is off to the left, as far as it reaches, and reports whether it moved.
func (l *layout) scrollSide(s *sideScroll, at float32) bool {
	at = max(0, min(at, s.most()))
	if at == s.at {
		return false
	}
	s.at = at
	l.blocks[s.block].scrolled = s.turned(at) / l.body
	return true
}

// show scrolls a part so that what is between two places of its content is seen, its beginning rather than its end.
func (l *layout) scrollSideTo(s *sideScroll, left, right float32) bool {
	left, right = left-s.x, right-s.x
	edge := min(2*l.body, s.w/4)
	if left >= s.at+edge && right <= s.at+s.w-edge {
		return false
	}
	return l.scrollSide(s, min(left-edge, max(left-s.w/3, right+edge-s.w)))
}

// content is where on the page the content would be that is seen at x, or at the edge that x is beyond.
func (s *sideScroll) content(x float32) float32 {
	if s == nil {
		return x
	}
	return max(s.x, min(x, s.x+s.w)) + s.at
}

// seen reports whether x is not off to the side.
func (s *sideScroll) seen(x float32) bool { return s == nil || x >= s.x && x < s.x+s.w }

// holds reports whether a spot is in its content.
func (s *sideScroll) holds(at textPos) bool { return at.text >= s.first && at.text <= s.last }

// sideAt returns the part at a height of the page that scrolls sideways, nil where there is none.
func (l *layout) sideAt(y float32) *sideScroll {
	i := sort.Search(len(l.sideScrolls), func(i int) bool { return l.sideScrolls[i].y+l.sideScrolls[i].h > y })
	if i < len(l.sideScrolls) && l.sideScrolls[i].y <= y {
		return l.sideScrolls[i]
	}
	return nil
}

// sideUnder returns the part at a point of the page that scrolls sideways, nil where there is none.
func (l *layout) sideUnder(at fyne.Position) *sideScroll {
	if s := l.sideAt(at.Y); s != nil && s.seen(at.X) {
		return s
	}
	return nil
}

// Distances of the bar of a part that scrolls sideways, in units.
const (
	barRoom  = 12 // the strip that it is in: at the bottom of the part, or of the viewport while that is further up
	barHigh  = 4
	barInset = 6 // from the sideScrolls
	barLeast = 24
)

// bar is where the bar stands and how wide it is, and how far it can go.
func (s *sideScroll) bar() (x, width, way float32) {
	track := max(0, s.w-2*barInset)
	width = max(min(barLeast, track), track*s.w/s.wide)
	way = track - width
	return s.x + barInset + way*s.at/s.most(), width, way
}

// barAt returns the part in the strip of whose bar a point of the page is, nil where there is none.
func (l *layout) barAt(at fyne.Position) *sideScroll {
	if s := l.sideUnder(at); s != nil && s.surface != nil && at.Y >= s.floor-barRoom && at.Y < s.floor {
		return s
	}
	return nil
}

// sideByID returns the part of a name, nil where there is none any more: with more room, code and tables fit.
func (l *layout) sideByID(name int) *sideScroll {
	for _, s := range l.sideScrolls {
		if s.id() == name {
			return s
		}
	}
	return nil
}
