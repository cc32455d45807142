package widgets

import (
	"math"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"kairos/app/bidi"
	"kairos/app/glyphs"
	"kairos/app/typeset"
)

// textRenderer draws a Text in lines that package typeset breaks.
type textRenderer struct {
	*Text
	measured  typeset.Text
	room      float32 // that the lines were broken for; 0 before the first layout
	lines     []typeset.Line
	fragments []typeset.Fragment
	size      fyne.Size // of the lines
	texts     []*canvas.Text
	objects   []fyne.CanvasObject
}

func (r *textRenderer) Destroy() {}

func (r *textRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *textRenderer) MinSize() fyne.Size {
	switch {
	case r.wraps:
		return fyne.NewSize(0, r.size.Height)
	case r.truncates:
		return fyne.NewSize(faceOf(theme.TextSize(), fyne.TextStyle{}).Width("m…"), r.size.Height)
	}
	return r.size
}

// Layout implements fyne.WidgetRenderer.
func (r *textRenderer) Layout(size fyne.Size) {
	if r.room != size.Width && (r.wraps || r.truncates) {
		r.room = size.Width
		r.breakLines()
	}
	r.draw()
}

func (r *textRenderer) Refresh() {
	r.breakLines()
	r.draw()
	canvas.Refresh(r.Text)
}

// measure measures the text, or as much of it as fits before an ellipsis.
func (r *textRenderer) measure(chars string) {
	var spans []typeset.Span
	start := 0
	for i, s := range r.spans {
		if start += len(s.text); start > len(chars) || i == len(r.spans)-1 {
			start = len(chars)
		}
		spans = append(spans, typeset.Span{End: start, Face: s.style.face(), Look: i})
		if start == len(chars) {
			break
		}
	}
	r.measured = typeset.New(chars, spans, bidi.Auto, nil)
}

// breakLines breaks the text into lines.
func (r *textRenderer) breakLines() {
	r.lines, r.fragments, r.size = nil, nil, fyne.NewSize(0, Plain.face().Height)
	if len(r.spans) == 0 {
		return
	}
	width := float32(typeset.Unlimited)
	if r.wraps && r.room > 0 {
		width = r.room
	}
	r.measure(r.String())
	if _, whole := r.measured.Widths(); r.truncates && !r.wraps && r.room > 0 && whole > r.room+1 {
		r.truncate()
	}
	r.lines, r.fragments = r.measured.Lines(width)
	r.size.Height = 0
	for _, ln := range r.lines {
		r.size.Width = max(r.size.Width, ln.Width)
		_, height := r.lineHeight(ln)
		r.size.Height += height
	}
}

// truncate measures the longest beginning of the text that has room with an ellipsis.
func (r *textRenderer) truncate() {
	chars := []rune(r.String())
	n := sort.Search(len(chars), func(n int) bool {
		r.measure(string(chars[:n+1]) + "…")
		_, whole := r.measured.Widths()
		return whole > r.room
	})
	r.measure(string(chars[:n]) + "…")
}

// lineHeight returns how far below the top of a line its baseline is, and how high it is.
func (r *textRenderer) lineHeight(ln typeset.Line) (ascent, height float32) {
	for _, f := range r.fragments[ln.First:ln.Last] {
		face := r.measured.Spans[f.Span].Face
		ascent, height = max(ascent, face.Ascent), max(height, face.Height)
	}
	if height == 0 { // a line without text
		face := r.spans[0].style.face()
		return face.Ascent, face.Height
	}
	return ascent, height
}

// draw places the fragments of the lines. A paragraph of several lines that is read from right to left ends at the right.
func (r *textRenderer) draw() {
	used, top := 0, float32(0)
	put := func(s string, face *typeset.Face, look Style, x, y, width float32) {
		if used == len(r.texts) {
			r.texts = append(r.texts, canvas.NewText("", nil))
		}
		t := r.texts[used]
		used++
		t.Text, t.TextSize, t.TextStyle, t.Color = s, face.Size, face.StyleOf(s), Color(r.Text, look.color)
		t.Move(fyne.NewPos(x, y))
		t.Resize(fyne.NewSize(width, face.Height))
	}
	for _, ln := range r.lines {
		ascent, height := r.lineHeight(ln)
		left := float32(0)
		switch spare := max(0, r.room-ln.Width); {
		case r.centered:
			left = spare / 2
		case r.measured.RTL && r.wraps && len(r.lines) > 1:
			left = spare
		}
		for _, f := range r.fragments[ln.First:ln.Last] {
			span, s := r.measured.Spans[f.Span], r.measured.Drawn(&f)
			y := top + float32(math.Round(float64(ascent-span.Face.AscentOf(s))))
			put(s, span.Face, r.spans[span.Look].style, left+f.X, y, f.Width)
			if span.Face.Style.Bold && span.Face.DrawnThin(s) {
				for _, beside := range glyphs.Bold(span.Face.Size) {
					put(s, span.Face, r.spans[span.Look].style, left+f.X+beside.DX, y+beside.DY, f.Width)
				}
			}
		}
		top += height
	}
	r.objects = r.objects[:0]
	for _, t := range r.texts[:used] {
		r.objects = append(r.objects, t)
	}
}

// face is the face of the style.
func (s Style) face() *typeset.Face {
	return faceOf(theme.Size(s.size), fyne.TextStyle{Bold: s.bold})
}
