package widgets

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"kairos/app/bidi"
	"kairos/app/glyphs"
	"kairos/app/typeset"
)

// Line is one line of text, cut to its width with an ellipsis. It has the look and the place of its canvas.Text, which draws its
// leftmost part.
type Line struct {
	*canvas.Text
	Content string

	direction bidi.Direction
	fitted    fittedLine
	isCut     bool
	text      typeset.Text // what is shown
	fragments []typeset.Fragment
	width     float32        // of what is shown
	parts     []linePart     // from left to right
	more      []*canvas.Text // what draws the parts that Text does not
}

// linePart is what one object draws of a line.
type linePart struct {
	text     string
	style    fyne.TextStyle
	x, width float32
	drop     float32 // how much too low the driver draws it
}

// fittedLine is what a Line was last cut for.
type fittedLine struct {
	content string
	width   float32
	size    float32
	style   fyne.TextStyle
	dir     bidi.Direction
}

// NewLine returns an empty line with this text size.
func NewLine(size float32) *Line {
	l := &Line{Text: canvas.NewText("", color.Black)}
	l.TextSize = size
	return l
}

// faceOf returns the face of the theme's font.
func faceOf(size float32, style fyne.TextStyle) *typeset.Face {
	return typeset.For(theme.Current()).Face(size, style, nil)
}

// Ellipsis cuts text to width, ending in "…" if anything is cut.
func Ellipsis(text string, width, size float32, style fyne.TextStyle) string {
	return faceOf(size, style).Ellipsis(text, width)
}

// dropOf is how much too low the driver draws a text, in whole units.
func dropOf(text string, size float32, style fyne.TextStyle) float32 {
	f := faceOf(size, style)
	return float32(math.Round(float64(f.AscentOf(text) - f.Ascent)))
}

// Needs returns the width that the line needs for all of its text, and its height.
func (l *Line) Needs() fyne.Size {
	f := faceOf(l.TextSize, l.TextStyle)
	return fyne.NewSize(f.Width(l.Content), f.Height)
}

// Fit places the line and cuts its text. It measures only what has changed.
func (l *Line) Fit(x, y, width float32) {
	if is := (fittedLine{l.Content, width, l.TextSize, l.TextStyle, l.direction}); l.fitted != is {
		l.fitted = is
		l.cut(width)
	}
	if l.direction == bidi.RightToLeft {
		x, width = x+max(0, width-l.width), l.width
	}
	if len(l.parts) == 1 {
		l.Move(fyne.NewPos(x, y-l.parts[0].drop))
		l.Resize(fyne.NewSize(width, l.MinSize().Height))
		return
	}
	if l.Alignment == fyne.TextAlignTrailing {
		x += width - l.width
	}
	for i, part := range l.parts {
		o := l.Text
		if i > 0 {
			o = l.more[i-1]
			o.Text, o.Color, o.TextSize, o.TextStyle = part.text, l.Color, l.TextSize, part.style
		}
		o.Move(fyne.NewPos(x+part.x, y-part.drop))
		o.Resize(fyne.NewSize(part.width, l.MinSize().Height))
	}
}

// cut cuts the text to a width, into parts that the driver draws well: each in one font and direction, and letters that it draws
// no bolder several times.
func (l *Line) cut(width float32) {
	face := faceOf(l.TextSize, l.TextStyle)
	shown := strings.ReplaceAll(face.Ellipsis(l.Content, width), "\n", " ")
	l.isCut = len(shown) != len(l.Content) || strings.HasSuffix(shown, "…") && !strings.HasSuffix(l.Content, "…")
	l.text = typeset.Plain(shown, face, l.direction)
	lines, fragments := l.text.Lines(typeset.Unlimited)
	l.width, l.fragments = lines[0].Width, fragments
	l.parts = l.parts[:0]
	for _, f := range fragments {
		part := linePart{text: l.text.Drawn(&f), x: f.X, width: f.Width}
		part.style = face.StyleOf(part.text)
		part.drop = dropOf(part.text, l.TextSize, l.TextStyle)
		l.parts = append(l.parts, part)
		if l.TextStyle.Bold && glyphs.Thin(part.text, l.TextStyle, nil) {
			for _, beside := range glyphs.Bold(l.TextSize) {
				l.parts = append(l.parts, linePart{text: part.text, style: part.style, x: part.x + beside.DX, width: part.width, drop: part.drop - beside.DY})
			}
		}
	}
	slices.SortStableFunc(l.parts, func(a, b linePart) int { return cmp.Compare(a.x, b.x) })
	if len(l.parts) == 0 || l.parts[0].style != l.TextStyle { // which Text has to keep
		l.parts = slices.Insert(l.parts, 0, linePart{})
	}
	l.Text.Text = l.parts[0].text
	l.more = l.more[:min(len(l.more), len(l.parts)-1)]
	for len(l.more) < len(l.parts)-1 {
		l.more = append(l.more, &canvas.Text{})
	}
}

// IsCut reports whether only a part of the text is shown.
func (l *Line) IsCut() bool { return l.isCut }

// ForStretches calls draw with the places, from the left of the line, of its text between two offsets that is shown.
func (l *Line) ForStretches(from, to int, draw func(left, right float32)) {
	seen := len(l.text.Chars)
	if l.isCut {
		seen -= len("…")
	}
	if from, to = max(from, 0), min(to, seen); from < to && !l.Hidden {
		l.text.ForStretches(l.fragments, from, to, draw)
	}
}

// Objects returns what draws the line.
func (l *Line) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{l.Text}
	if !l.Hidden {
		for _, part := range l.more {
			objects = append(objects, part)
		}
	}
	return objects
}
