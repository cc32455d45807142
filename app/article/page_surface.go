package article

import (
	"image/color"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"kairos/app/typeset"
)

// surface holds canvas objects: those of the page itself, or of a part of it that scrolls sideways and is clipped.
type surface struct {
	below, middle, above []fyne.CanvasObject // below the text, the text, and above it
	left, top            float32             // its corner on the page
	width                float32             // of its visible part

	clip  *container.Clip           // nil for the page
	fades [2]*canvas.LinearGradient // at the left and the right edge
}

// overhang is how far rectangles reach beyond the edges of a clipped surface, in units, to hide their round corners.
const overhang = 8

func (st *surface) clear() { st.below, st.middle, st.above = st.below[:0], st.middle[:0], st.above[:0] }

func (st *surface) allObjects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, 0, len(st.below)+len(st.middle)+len(st.above))
	return append(append(append(objects, st.below...), st.middle...), st.above...)
}

// attach makes the objects of a clipped surface the content of its clip.
func (st *surface) attach() {
	st.clip.Content.(*fyne.Container).Objects = st.allObjects()
}

// toSurface converts the place of a rectangle on the page to one on the surface, cut off at the edges. w is 0 outside of it.
func (st *surface) toSurface(x, y, w float32) (float32, float32, float32) {
	x, y = x-st.left, y-st.top
	if st.clip == nil {
		return x, y, w
	}
	end := min(x+w, st.width+overhang)
	x = max(x, -overhang)
	return x, y, max(0, end-x)
}

// add adds a rectangle to a layer, if any of it is visible.
func (st *surface) add(layer *[]fyne.CanvasObject, r *canvas.Rectangle) {
	if st.clip == nil || r.Size().Width > 0 {
		*layer = append(*layer, r)
	}
}

// isOutside reports whether what begins at x on the page and is w wide is invisible.
func (st *surface) isOutside(x, w float32) bool {
	return st.clip != nil && (x+w < st.left || x > st.left+st.width)
}

// visibleFragments returns the fragments of a line that may be visible.
func (st *surface) visibleFragments(l *layout, ln *line) []typeset.Fragment {
	fragments := l.fragmentsOf(ln)
	if st.clip == nil || l.texts[ln.text].Mixed {
		return fragments
	}
	from, to := st.left-ln.x, st.left+st.width-ln.x
	first := sort.Search(len(fragments), func(i int) bool { return fragments[i].X+fragments[i].Width >= from })
	last := sort.Search(len(fragments), func(i int) bool { return fragments[i].X > to })
	return fragments[first:max(first, last)]
}

// drawOn chooses the surface to draw on: that of a part that scrolls sideways, or the page for nil. It returns false if the
// part is not near the viewport.
func (e *painter) drawOn(s *sideScroll) bool {
	e.target = &e.surface
	if s != nil {
		e.target = s.surface
	}
	return e.target != nil
}

// openSurface gives a part that scrolls sideways a surface between two heights.
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

// fadeWidth is the distance from an edge, in units, at which text begins to fade if it continues beyond the edge.
const fadeWidth = 24

// drawFades fades the content at the edges beyond which it continues, except in the round corners of its background.
func (e *painter) drawFades(s *sideScroll) {
	ground := color.NRGBAModel.Convert(e.color(s.ground)).(color.NRGBA)
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
