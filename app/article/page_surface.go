package article

import (
	"image/color"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// surface receives canvas objects: the page itself, or a clipped part of it that scrolls sideways.
type surface struct {
	below, middle, above []fyne.CanvasObject // below the text, the text, and above it
	left, top            float32             // where on the page its corner is
	width                float32             // of what is seen of it

	clip  *container.Clip           // nil for the page
	fades [2]*canvas.LinearGradient // at the left and the right edge, where there is more
}

// overhang is how far rectangles reach beyond the edges of a clipped surface, in units: round corners are not seen there.
const overhang = 8

func (st *surface) clear() { st.below, st.middle, st.above = st.below[:0], st.middle[:0], st.above[:0] }

func (st *surface) allObjects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, 0, len(st.below)+len(st.middle)+len(st.above))
	return append(append(append(objects, st.below...), st.middle...), st.above...)
}

// attach makes what was put on a clipped surface the content of its clip.
func (st *surface) attach() {
	st.clip.Content.(*fyne.Container).Objects = st.allObjects()
}

// cut places what begins at x, y on the page and is w wide on the surface, as far as it reaches there; w is 0 where it does
// not.
func (st *surface) toSurface(x, y, w float32) (float32, float32, float32) {
	x, y = x-st.left, y-st.top
	if st.clip == nil {
		return x, y, w
	}
	end := min(x+w, st.width+overhang)
	x = max(x, -overhang)
	return x, y, max(0, end-x)
}

// put adds a rectangle to a layer, if any of it is seen.
func (st *surface) add(layer *[]fyne.CanvasObject, r *canvas.Rectangle) {
	if st.clip == nil || r.Size().Width > 0 {
		*layer = append(*layer, r)
	}
}

// isOutside reports whether nothing is seen of what begins at x on the page and is w wide.
func (st *surface) isOutside(x, w float32) bool {
	return st.clip != nil && (x+w < st.left || x > st.left+st.width)
}

// near returns the fragments of a line among which are all that are seen.
func (st *surface) visibleFragments(l *layout, ln *line) []fragment {
	fragments := l.fragments[ln.first:ln.last]
	if st.clip == nil || l.texts[ln.text].isMixed {
		return fragments
	}
	from, to := st.left-ln.x, st.left+st.width-ln.x
	first := sort.Search(len(fragments), func(i int) bool { return fragments[i].x+fragments[i].width >= from })
	last := sort.Search(len(fragments), func(i int) bool { return fragments[i].x > to })
	return fragments[first:max(first, last)]
}

// drawOn makes a part of the page what is drawn on, or the page itself, and reports whether any of it is near.
func (e *painter) drawOn(s *sideScroll) bool {
	e.target = &e.surface
	if s != nil {
		e.target = s.surface
	}
	return e.target != nil
}

// open gives a part of the page a surface, of what is between two heights.
func (e *painter) openSurface(s *sideScroll, top, bottom float32) {
	if e.surfacesUsed == len(e.surfaces) {
		st := &surface{clip: container.NewClip(container.NewWithoutLayout())}
		st.clip.ExtendBaseWidget(st.clip)
		e.surfaces = append(e.surfaces, st)
	}
	st := e.surfaces[e.surfacesUsed]
	e.surfacesUsed++
	st.clear()
	x, y := e.snap(s.x), e.snap(max(top, s.y))
	st.left, st.top, st.width = x+e.snap(s.at), y, s.w
	st.clip.Move(fyne.NewPos(x, y))
	st.clip.Resize(fyne.NewSize(s.w, e.snap(min(bottom, s.y+s.h))-y))
	s.surface = st
}

// paintSides gives the parts of the page that scroll sideways and are near their surfaces, with what shows that there is
// more of them.
func (p *page) paintSides() {
	for _, s := range p.lay.sideScrolls {
		s.surface = nil
		if s.y < p.drawn.bottom && s.y+s.h > p.drawn.top {
			p.painter.openSurface(s, p.drawn.top, p.drawn.bottom)
			p.painter.drawFades(s)
			p.paintBar(s)
		}
	}
}

// fadeWidth is how far from the edge text begins to fade where it goes on, in units.
const fadeWidth = 24

// drawFades lets the content fade at the edges beyond which there is more of it. The round corners of the ground are spared.
func (e *painter) drawFades(s *sideScroll) {
	ground := color.NRGBAModel.Convert(e.colour(s.ground)).(color.NRGBA)
	nothing := ground
	nothing.A = 0
	width := min(fadeWidth, s.w/4)
	for i, more := range [2]bool{s.at > 0, s.at < s.most()} {
		if !more {
			continue
		}
		g := s.surface.fades[i]
		if g == nil {
			g = canvas.NewHorizontalGradient(nil, nil)
			s.surface.fades[i] = g
		}
		g.StartColor, g.EndColor = ground, nothing
		x := float32(0)
		if i == 1 {
			g.StartColor, g.EndColor = nothing, ground
			x = s.w - width
		}
		top := max(s.y+s.corner, s.surface.top)
		bottom := min(s.y+s.h-s.corner, s.surface.top+s.surface.clip.Size().Height)
		g.Move(fyne.NewPos(x, top-s.surface.top))
		g.Resize(fyne.NewSize(width, max(0, bottom-top)))
		s.surface.above = append(s.surface.above, g)
	}
}

// placeBar brings the bar of a part to where it is seen: many a table is higher than the window.
func (p *page) placeBar(s *sideScroll) {
	_, bottom := p.view.viewport()
	s.floor = min(s.y+s.h, max(bottom, s.y+2*barRoom))
	s.thumb.Move(fyne.NewPos(s.thumb.Position().X, s.floor-(barRoom+s.thumb.Size().Height)/2))
}

// placeBars does that with all that are near.
func (p *page) placeBars() {
	if p.lay == nil {
		return
	}
	for _, s := range p.lay.sideScrolls {
		if s.surface != nil {
			p.placeBar(s)
		}
	}
}

// paintBar draws the bar of a part that scrolls sideways, and shows whether the keys are its.
func (p *page) paintBar(s *sideScroll) {
	x, width, _ := s.bar()
	high := float32(barHigh)
	if p.sideScroller.isActive(s) {
		high *= 1.5
	}
	s.thumb = p.painter.rectAbove(x, 0, width, high, theme.ColorNameScrollBar)
	s.thumb.CornerRadius = high / 2
	p.placeBar(s)
	if p.sideScroller.focused == s.id() && p.view.focus.focused {
		r := p.painter.rectAbove(s.x-2, s.y-2, s.w+4, s.h+4, "")
		r.StrokeWidth, r.StrokeColor, r.CornerRadius = 2, p.painter.colour(theme.ColorNameFocus), s.corner+2
	}
}
