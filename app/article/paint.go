package article

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"kairos/app/look"
)

// easel hands out canvas objects and takes them back: between two fills the same ones are used again.
type easel struct {
	stage      // the page itself
	objects    []fyne.CanvasObject
	on         *stage // where objects are put now
	stages     []*stage
	rects      []*canvas.Rectangle
	texts      []*canvas.Text
	faces      []*canvas.Image // that draw nothing now
	stagesUsed int
	rectsUsed  int
	textsUsed  int
	scale      float32
	theme      fyne.Theme
	variant    fyne.ThemeVariant
	colours    map[fyne.ThemeColorName]color.Color
}

// begin starts a new picture in a theme, at a scale of pixels a unit.
func (e *easel) begin(th fyne.Theme, scale float32) {
	e.scale = scale
	e.clear()
	e.on = &e.stage
	e.stagesUsed, e.rectsUsed, e.textsUsed = 0, 0, 0
	e.theme, e.variant = th, fyne.CurrentApp().Settings().ThemeVariant()
	e.colours = map[fyne.ThemeColorName]color.Color{}
}

// snap moves a coordinate to the nearest pixel.
func (e *easel) snap(v float32) float32 {
	return float32(math.Round(float64(v*e.scale))) / e.scale
}

func (e *easel) end() {
	for _, st := range e.stages[:e.stagesUsed] {
		st.hang()
		e.ink = append(e.ink, st.clip)
	}
	e.objects = e.gather()
}

func (e *easel) colour(name fyne.ThemeColorName) color.Color {
	c, ok := e.colours[name]
	if !ok && name != "" {
		c = e.theme.Color(name, e.variant)
		e.colours[name] = c
	}
	return c
}

func (e *easel) rect(x, y, w, h float32) *canvas.Rectangle {
	if e.rectsUsed == len(e.rects) {
		e.rects = append(e.rects, canvas.NewRectangle(nil))
	}
	r := e.rects[e.rectsUsed]
	e.rectsUsed++
	*r = canvas.Rectangle{FillColor: color.Transparent}
	x, y, w = e.on.cut(x, y, w)
	r.Move(fyne.NewPos(x, y))
	r.Resize(fyne.NewSize(w, h))
	return r
}

// under adds a plain rectangle below the text.
func (e *easel) under(x, y, w, h float32, name fyne.ThemeColorName) *canvas.Rectangle {
	r := e.rect(x, y, w, h)
	r.FillColor = e.colour(name)
	e.on.put(&e.on.back, r)
	return r
}

// over adds a plain rectangle above the text.
func (e *easel) over(x, y, w, h float32, name fyne.ThemeColorName) *canvas.Rectangle {
	r := e.rect(x, y, w, h)
	r.FillColor = e.colour(name)
	e.on.put(&e.on.fore, r)
	return r
}

// write adds a stretch of text with its baseline at y. It is placed on whole pixels, for a texture between two is
// blurred; the driver draws the baseline at the ascent rounded up to a pixel.
func (e *easel) write(s string, r *ruler, x, y, width float32, name fyne.ThemeColorName) {
	if e.textsUsed == len(e.texts) {
		e.texts = append(e.texts, &canvas.Text{})
	}
	t := e.texts[e.textsUsed]
	e.textsUsed++
	*t = canvas.Text{Text: s, TextSize: r.size, TextStyle: r.styleOf(s), FontSource: r.source, Color: e.colour(name)}
	ascent := float32(math.Ceil(float64(r.ascentOf(s)*e.scale))) / e.scale
	t.Move(fyne.NewPos(e.snap(x-e.on.left), e.snap(y-e.on.top)-ascent))
	t.Resize(fyne.NewSize(width, r.height))
	e.on.ink = append(e.on.ink, t)
}

func (p *page) paintMarks() {
	first, last := p.lay.markSpan.within(p.top, p.bottom)
	for i := first; i < last; i++ {
		m := &p.lay.marks[i]
		if !p.easel.turn(m.in) {
			continue
		}
		if m.label != nil {
			span := m.label.spans[0]
			p.easel.write(m.label.str, span.ruler, m.x, m.y+m.label.base, m.w, span.tint)
			continue
		}
		if m.figure != nil && m.figure.state == shown {
			p.paintFigure(m)
			continue
		}
		r := p.easel.under(m.x, m.y, m.w, m.h, m.fill)
		r.CornerRadius = m.radius
		if m.edge != "" {
			r.StrokeWidth, r.StrokeColor = 1, p.easel.colour(m.edge)
		}
	}
	p.easel.turn(nil)
}

// paintLines draws the text in two passes, so that every selected stretch lies above the grounds of code beside it.
func (p *page) paintLines() {
	first, last := p.lay.lineSpan.within(p.top, p.bottom)
	each := func(paint func(*line)) {
		for i := first; i < last; i++ {
			if ln := &p.lay.lines[i]; p.easel.turn(ln.in) && !p.easel.on.misses(ln.x-spill, ln.width+2*spill) {
				paint(ln)
			}
		}
		p.easel.turn(nil)
	}
	each(p.paintLine)
	switch {
	case len(p.matches) > 0:
		each(p.paintMatches)
	case !p.found.marks.Empty() && !p.view.Finding():
		each(p.paintFound)
	}
	if from, to := p.extent(); from != to {
		each(func(ln *line) { p.paintSelection(ln, from, to) })
	}
}

func (p *page) paintLine(ln *line) {
	t := p.lay.texts[ln.text]
	for _, f := range p.easel.on.near(p.lay, ln) {
		span := &t.spans[f.span]
		x, base := ln.x+f.x, ln.y+t.base-span.rise
		if p.easel.on.misses(x, f.width) {
			continue
		}
		if span.ground {
			r := p.easel.under(x-2, base-span.ruler.ascent, f.width+4, span.ruler.height, look.ColorCode)
			r.CornerRadius = 3
		}
		words := t.str[f.start:f.end]
		if f.neutral {
			words = mirrored(words)
		}
		p.easel.write(words, span.ruler, x, base, f.width, span.tint)
		if span.under {
			p.easel.over(x, base+2, f.width, 1, span.tint)
		}
		if span.strike {
			p.easel.over(x, base-round(span.ruler.size*0.3), f.width, 1, span.tint)
		}
	}
}

// paintSelection shows the part of a line between two spots. A line selected past its end is shown a little wider, so
// that empty lines and breaks are seen to be selected.
func (p *page) paintSelection(ln *line, from, to spot) {
	if p.lay.texts[ln.text].silent || !from.before(spot{ln.text, ln.end}) || !(spot{ln.text, ln.start}).before(to) {
		return
	}
	leading := p.lay.texts[ln.text].leading
	mark := func(left, right float32) {
		if right > left {
			p.easel.under(ln.x+left, ln.y, right-left, leading, look.ColorSelection)
		}
	}
	start, end, past := ln.start, ln.end, true
	if (spot{ln.text, ln.start}).before(from) {
		start = from.off
	}
	if to.before(spot{ln.text, ln.end}) || to == (spot{ln.text, ln.end}) {
		end, past = to.off, false
	}
	switch {
	case p.lay.texts[ln.text].mixed:
		p.lay.stretches(ln, start, end, mark)
	case past:
		mark(p.lay.startX(ln, start), ln.width+4)
	default:
		mark(p.lay.startX(ln, start), p.lay.offsetX(ln, end))
	}
}

// startX is where a stretch begins that begins at an offset: at the very edge of the line if that is its first.
func (l *layout) startX(ln *line, off int) float32 {
	if off == ln.start {
		return 0
	}
	return l.offsetX(ln, off)
}
