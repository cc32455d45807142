package widgets

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"

	"kairos/app/bidi"
)

// Paragraph is text of up to two lines, the second cut to its width with an ellipsis.
type Paragraph struct {
	Lines   [2]*Line
	Content string
	Around  bidi.Direction // of the text that it belongs to
	Second  int            // where in Content the second line begins; len(Content) where there is none

	fitted struct {
		content       string
		around        bidi.Direction
		first, second float32
		size          float32
		style         fyne.TextStyle
		secondIsEmpty bool
	}
}

// NewParagraph returns an empty paragraph with this text size.
func NewParagraph(size float32) *Paragraph {
	return &Paragraph{Lines: [2]*Line{NewLine(size), NewLine(size)}}
}

// SetStyle sets the color and the weight.
func (p *Paragraph) SetStyle(c color.Color, bold bool) {
	for _, l := range p.Lines {
		l.Color, l.TextStyle.Bold = c, bold
	}
}

// Break breaks the text into lines of these widths; a second width of 0 leaves only one line. It measures only what has
// changed. It reports whether there is a second line.
func (p *Paragraph) Break(first, second float32) bool {
	size, style := p.Lines[0].TextSize, p.Lines[0].TextStyle
	f := &p.fitted
	if f.content != p.Content || f.around != p.Around || f.first != first || f.second != second || f.size != size || f.style != style {
		for _, l := range p.Lines {
			l.direction = bidi.Paragraph(p.Content, p.Around)
		}
		f.content, f.around, f.first, f.second, f.size, f.style = p.Content, p.Around, first, second, size, style
		p.Second = len(p.Content)
		if second > 0 {
			p.Second = faceOf(size, style).LineEnd(p.Content, first)
		}
		f.secondIsEmpty = strings.TrimSpace(p.Content[p.Second:]) == ""
		if f.secondIsEmpty {
			p.Second = len(p.Content)
		}
	}
	p.Lines[0].Content, p.Lines[1].Content = strings.TrimRight(p.Content[:p.Second], " "), p.Content[p.Second:]
	return !f.secondIsEmpty
}

// Objects returns what draws the lines.
func (p *Paragraph) Objects() []fyne.CanvasObject {
	return append(p.Lines[0].Objects(), p.Lines[1].Objects()...)
}

// IsCut reports whether only a part of the text is shown.
func (p *Paragraph) IsCut() bool {
	return p.Lines[0].IsCut() || !p.Lines[1].Hidden && p.Lines[1].IsCut()
}
