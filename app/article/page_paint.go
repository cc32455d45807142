package article

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"kairos/app/glyphs"
	"kairos/app/look"
	"kairos/app/typeset"
)

// painter hands out canvas objects, which it reuses each time the page is filled.
type painter struct {
	surface      // the page itself
	objects      []fyne.CanvasObject
	target       *surface // where objects are put now
	surfaces     []*surface
	rects        []*canvas.Rectangle
	texts        []*canvas.Text
	idleImages   []*canvas.Image // not in use
	surfacesUsed int
	rectsUsed    int
	textsUsed    int
	scale        float32
	theme        fyne.Theme
	variant      fyne.ThemeVariant
	colors       map[fyne.ThemeColorName]color.Color
}

// begin starts to fill the page again. scale is in pixels a unit.
func (e *painter) begin(th fyne.Theme, scale float32) {
	e.scale = scale
	e.clear()
	e.target = &e.surface
	e.surfacesUsed, e.rectsUsed, e.textsUsed = 0, 0, 0
	e.theme, e.variant = th, fyne.CurrentApp().Settings().ThemeVariant()
	e.colors = map[fyne.ThemeColorName]color.Color{}
}

// snap rounds a coordinate to whole pixels.
func (e *painter) snap(v float32) float32 {
	return float32(math.Round(float64(v*e.scale))) / e.scale
}

func (e *painter) end() {
	for _, st := range e.surfaces[:e.surfacesUsed] {
		st.attach()
		e.middle = append(e.middle, st.clip)
	}
	e.objects = e.allObjects()
}

func (e *painter) color(name fyne.ThemeColorName) color.Color {
	c, ok := e.colors[name]
	if !ok && name != "" {
		c = e.theme.Color(name, e.variant)
		e.colors[name] = c
	}
	return c
}

func (e *painter) rect(x, y, w, h float32) *canvas.Rectangle {
	if e.rectsUsed == len(e.rects) {
		e.rects = append(e.rects, canvas.NewRectangle(nil))
	}
	r := e.rects[e.rectsUsed]
	e.rectsUsed++
	*r = canvas.Rectangle{FillColor: color.Transparent}
	x, y, w = e.target.toSurface(x, y, w)
	r.Move(fyne.NewPos(x, y))
	r.Resize(fyne.NewSize(w, h))
	return r
}

// rectBelow adds a rectangle below the text.
func (e *painter) rectBelow(x, y, w, h float32, name fyne.ThemeColorName) *canvas.Rectangle {
	r := e.rect(x, y, w, h)
	r.FillColor = e.color(name)
	e.target.add(&e.target.below, r)
	return r
}

// rectAbove adds a rectangle above the text.
func (e *painter) rectAbove(x, y, w, h float32, name fyne.ThemeColorName) *canvas.Rectangle {
	r := e.rect(x, y, w, h)
	r.FillColor = e.color(name)
	e.target.add(&e.target.above, r)
	return r
}

// Lines along text: how far below the baseline, and how thick, in em.
const (
	underlineDepth = 0.13
	strikeDepth    = -0.3
	strokeWidth    = 1.0 / 16
)

// stroke adds a line along text of a size with its baseline at base, on whole pixels.
func (e *painter) stroke(x, base, w, depth, size float32, name fyne.ThemeColorName) {
	y := e.snap(base-e.target.top) + e.snap(depth*size)
	e.rectAbove(x, y+e.target.top, w, max(1/e.scale, e.snap(strokeWidth*size)), name)
}

// drawText adds text with its baseline at y. It is placed on whole pixels, as textures between two pixels are blurred; the
// driver rounds the ascent of the baseline up to a pixel. Letters that no bold font has are drawn again beside it.
func (e *painter) drawText(s string, f *typeset.Face, x, y, width float32, name fyne.ThemeColorName) {
	t := e.text(s, f, name)
	ascent := float32(math.Ceil(float64(f.AscentOf(s)*e.scale))) / e.scale
	t.Move(fyne.NewPos(e.snap(x-e.target.left), e.snap(y-e.target.top)-ascent))
	t.Resize(fyne.NewSize(width, f.Height))
	e.target.middle = append(e.target.middle, t)
	if f.Style.Bold && f.DrawnThin(s) {
		for _, beside := range glyphs.Bold(f.Size) {
			again := e.text(s, f, name)
			again.Move(t.Position().Add(beside))
			again.Resize(t.Size())
			e.target.middle = append(e.target.middle, again)
		}
	}
}

func (e *painter) text(s string, f *typeset.Face, name fyne.ThemeColorName) *canvas.Text {
	if e.textsUsed == len(e.texts) {
		e.texts = append(e.texts, &canvas.Text{})
	}
	t := e.texts[e.textsUsed]
	e.textsUsed++
	*t = canvas.Text{Text: s, TextSize: f.Size, TextStyle: f.StyleOf(s), FontSource: f.Font, Color: e.color(name)}
	return t
}

// paintDecorations draws rectangles, list markers and pictures.
func (p *page) paintDecorations() {
	first, last := p.lay.decorationsByY.within(p.drawn.top, p.drawn.bottom)
	for i := first; i < last; i++ {
		m := &p.lay.decorations[i]
		if !p.painter.drawOn(m.in) {
			continue
		}
		if m.label != nil {
			_, fragments := m.label.Lines(typeset.Unlimited)
			for _, f := range fragments {
				p.painter.drawText(m.label.Drawn(&f), m.label.Spans[f.Span].Face, m.x+f.X, m.y+m.label.baseline, f.Width, m.label.look(f.Span).color)
			}
			continue
		}
		if m.figure != nil && m.figure.state == shown {
			p.paintFigure(m)
			continue
		}
		r := p.painter.rectBelow(m.x, m.y, m.w, m.h, m.fill)
		r.CornerRadius = m.radius
		if m.edge != "" {
			r.StrokeWidth, r.StrokeColor = 1, p.painter.color(m.edge)
		}
	}
	p.painter.drawOn(nil)
}

// paintLines draws the text before highlights and selection, so that these are above the boxes of code.
func (p *page) paintLines() {
	first, last := p.lay.linesByY.within(p.drawn.top, p.drawn.bottom)
	each := func(paint func(*line)) {
		for i := first; i < last; i++ {
			if ln := &p.lay.lines[i]; p.painter.drawOn(ln.in) && !p.painter.target.isOutside(ln.x-overhang, ln.Width+2*overhang) {
				paint(ln)
			}
		}
		p.painter.drawOn(nil)
	}
	each(p.paintLine)
	switch {
	case len(p.finder.matches) > 0:
		each(p.finder.paint)
	case !p.highlights.marks.Empty() && !p.view.Finding():
		each(p.paintHighlights)
	}
	if from, to := p.extent(); from != to {
		each(func(ln *line) { p.paintSelection(ln, from, to) })
	}
	if p.hasCaret() {
		each(p.paintCaret)
	}
}

func (p *page) paintLine(ln *line) {
	t := p.lay.texts[ln.text]
	for _, f := range p.painter.target.visibleFragments(p.lay, ln) {
		face, style := t.Spans[f.Span].Face, t.look(f.Span)
		x, base := ln.x+f.X, ln.y+t.baseline-style.rise
		if p.painter.target.isOutside(x, f.Width) {
			continue
		}
		p.painter.drawText(t.Drawn(&f), face, x, base, f.Width, style.color)
		if !t.Mixed {
			p.paintStyle(style, face, x, base, f.Width)
		}
	}
	if t.Mixed {
		p.paintMixedStyles(ln)
	}
}

// paintStyle draws what stands below and above a text with its baseline at base.
func (p *page) paintStyle(style *textLook, face *typeset.Face, x, base, width float32) {
	if style.ground != "" {
		r := p.painter.rectBelow(x-2, base-face.Ascent, width+4, face.Height, style.ground)
		r.CornerRadius = 3
	}
	if style.underline != "" {
		p.painter.stroke(x, base, width, underlineDepth, face.Size, style.underline)
	}
	if style.struckThrough {
		p.painter.stroke(x, base, width, strikeDepth, face.Size, style.color)
	}
}

// paintMixedStyles is paintStyle for a line of several directions, in which each word is a fragment.
func (p *page) paintMixedStyles(ln *line) {
	t, fragments := p.lay.texts[ln.text], p.lay.fragmentsOf(ln)
	for first := 0; first < len(fragments); {
		span, last := t.Spans[fragments[first].Span], first
		for last+1 < len(fragments) && t.Spans[fragments[last+1].Span].Look == span.Look {
			last++
		}
		style := t.look(fragments[first].Span)
		p.lay.forStretches(ln, fragments[first].Start, fragments[last].End, func(left, right float32) {
			p.paintStyle(style, span.Face, ln.x+left, ln.y+t.baseline-style.rise, right-left)
		})
		first = last + 1
	}
}

// paintSelection marks the part of a line between two positions as selected. If the line is selected past its end, the mark
// is a little wider, so that empty lines show it, too.
func (p *page) paintSelection(ln *line, from, to textPos) {
	if p.lay.texts[ln.text].notCopied || !from.before(textPos{ln.text, ln.End}) || !(textPos{ln.text, ln.Start}).before(to) {
		return
	}
	leading := p.lay.texts[ln.text].leading
	mark := func(left, right float32) {
		if right > left {
			p.painter.rectBelow(ln.x+left, ln.y, right-left, leading, look.ColorSelection)
		}
	}
	start, end, past := ln.Start, ln.End, true
	if (textPos{ln.text, ln.Start}).before(from) {
		start = from.off
	}
	if to.before(textPos{ln.text, ln.End}) || to == (textPos{ln.text, ln.End}) {
		end, past = to.off, false
	}
	switch {
	case p.lay.texts[ln.text].Mixed:
		p.lay.forStretches(ln, start, end, mark)
	case past:
		mark(p.lay.startX(ln, start), ln.Width+4)
	default:
		mark(p.lay.startX(ln, start), p.lay.offsetX(ln, end))
	}
}

// paintHighlights highlights the words of the search on a line.
func (p *page) paintHighlights(ln *line) {
	if p.article == nil {
		return
	}
	for _, r := range p.highlights.of(p.doc, ln.text) {
		if r.End > ln.Start && r.Start < ln.End {
			p.paintMark(ln, r.Start, r.End, look.ColorMatch)
		}
	}
}

// paintMark highlights the part of a text that is on a line.
func (p *page) paintMark(ln *line, start, end int, color fyne.ThemeColorName) {
	p.lay.forStretches(ln, max(start, ln.Start), min(end, ln.End), func(left, right float32) {
		r := p.painter.rectBelow(ln.x+left, ln.y, right-left, p.lay.texts[ln.text].leading, color)
		r.CornerRadius = 3
	})
}

// paintFigure draws a picture on whole pixels. In dark themes a transparent picture gets a light background, on which black
// drawings are visible.
func (p *page) paintFigure(m *decoration) {
	e, f := &p.painter, m.figure
	x, y := e.snap(m.x), e.snap(m.y)
	w, h := m.w, m.h
	if px := f.picture.Image.Bounds().Size(); math.Abs(float64(w*e.scale)-float64(px.X)) <= 1 {
		w, h = float32(px.X)/e.scale, float32(px.Y)/e.scale
	}
	if !f.picture.Opaque && look.IsDark(e.color(look.ColorBackground)) {
		e.rectBelow(x, y, w, h, look.ColorPictureGround)
	}
	f.object.Move(fyne.NewPos(x, y))
	f.object.Resize(fyne.NewSize(w, h))
	e.below = append(e.below, f.object)
}
