package widgets

import (
	"image/color"
	"math"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
	"kairos/app/bidi"
	"kairos/app/glyphs"
	"kairos/app/look"
)

// ListRow is the base of a list's rows. Fyne gives taps to the deepest object that handles
// any, so a row with a menu hides taps from its list and has to report them itself.
type ListRow struct {
	widget.BaseWidget
	OnTapped func()                 // if not nil
	OnMenu   func(at fyne.Position) // on a secondary tap at this position of the canvas, if not nil
	Tooltip  func() string          // what is shown while the pointer rests on the row, "" for nothing; may be nil
	onHover  func(over bool)        // of the list
}

var _ desktop.Hoverable = (*ListRow)(nil)

// MouseIn implements desktop.Hoverable. The list's own row does not hear of the pointer any more.
func (r *ListRow) MouseIn(ev *desktop.MouseEvent) {
	r.hover(true)
	if r.Tooltip != nil {
		showTooltip(ev, r.Size(), r.Tooltip())
	}
}

// MouseMoved implements desktop.Hoverable.
func (r *ListRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (r *ListRow) MouseOut() {
	r.hover(false)
	HideTooltip()
}

func (r *ListRow) hover(over bool) {
	if r.onHover != nil {
		r.onHover(over)
	}
}

func (r *ListRow) setOnHover(f func(over bool)) { r.onHover = f }

// Tapped implements fyne.Tappable.
func (r *ListRow) Tapped(*fyne.PointEvent) {
	HideTooltip()
	if r.OnTapped != nil {
		r.OnTapped()
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (r *ListRow) TappedSecondary(ev *fyne.PointEvent) {
	HideTooltip()
	if r.OnMenu != nil {
		r.OnMenu(ev.AbsolutePosition)
	}
}

// Offer adds what can be done with the row, which is o, to what o tells of itself.
func (r *ListRow) Offer(n *describe.Node, o fyne.CanvasObject) {
	if r.OnTapped != nil {
		n.Act("press", lang.L("Open"), r.OnTapped)
	}
	if r.OnMenu != nil {
		n.Act("menu", lang.L("Menu"), func() {
			r.OnMenu(fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(0, o.Size().Height))
		})
	}
}

// Line is one line of text, cut to its width with an ellipsis.
type Line struct {
	*canvas.Text
	Content string
	width   float32
	cut     string // full fitted to width, with the text's style
	isCut   bool
	drop    float32 // how much too low the driver draws the text
	style   fyne.TextStyle
	size    float32
	again   *canvas.Text // the text once more; nil if it was never needed
	thin    bool         // without it letters would not be bold
}

// NewLine returns an empty line with this text size.
func NewLine(size float32) *Line {
	l := &Line{Text: canvas.NewText("", color.Black)}
	l.TextSize = size
	return l
}

// Fit places the line and cuts its text. It measures only what has changed.
func (l *Line) Fit(x, y, width float32) {
	if l.cut != l.Content || l.width != width || l.style != l.TextStyle || l.size != l.TextSize {
		l.width, l.style, l.size, l.cut = width, l.TextStyle, l.TextSize, l.Content
		shown := Ellipsis(l.Content, width, l.TextSize, l.TextStyle)
		l.Text.Text, l.isCut = bidi.Visual(shown), shown != l.Content
		l.drop = dropOf(l.Text.Text, l.TextSize)
		l.thin = l.TextStyle.Bold && glyphs.Thin(l.Text.Text)
	}
	l.Move(fyne.NewPos(x, y-l.drop)) // on the baseline of Latin text
	l.Resize(fyne.NewSize(width, l.Text.MinSize().Height))
	if l.thin {
		l.embolden()
	}
}

// dropOf is how much too low the driver draws a text, in whole units.
func dropOf(text string, size float32) float32 {
	return float32(math.Round(float64(glyphs.Drop(text, size))))
}

// IsCut reports whether only a part of the text is shown.
func (l *Line) IsCut() bool { return l.isCut }

// embolden draws the text once more, where letters would not be bold.
func (l *Line) embolden() {
	if l.again == nil {
		l.again = canvas.NewText("", nil)
	}
	l.again.Text, l.again.Color, l.again.TextSize, l.again.TextStyle = l.Text.Text, l.Color, l.TextSize, l.TextStyle
	l.again.Move(l.Position().AddXY(glyphs.Bold(l.TextSize), 0))
	l.again.Resize(l.Size())
}

// Objects returns what draws the line.
func (l *Line) Objects() []fyne.CanvasObject {
	if l.thin && !l.Hidden {
		return []fyne.CanvasObject{l.Text, l.again}
	}
	return []fyne.CanvasObject{l.Text}
}

// maxLine is how many characters can possibly be visible in a row.
const maxLine = 300

// Ellipsis cuts text to width, ending in "…" if anything is cut.
func Ellipsis(text string, width, size float32, style fyne.TextStyle) string {
	runes := []rune(text)
	if len(runes) > maxLine {
		runes = runes[:maxLine]
	}
	fits := func(n int) bool { return fyne.MeasureText(string(runes[:n]), size, style).Width <= width }
	// Measuring takes as long as the text: what is much too long is not measured as a whole.
	long := len(runes) == maxLine || float32(len(runes)) > 2*width/(averageWidth*size)
	if !long && fits(len(runes)) {
		return string(runes)
	}
	n := longest(len(runes), width, size, func(n int) float32 { return fyne.MeasureText(string(runes[:n])+"…", size, style).Width })
	if long && len(runes) < maxLine && fits(min(n+8, len(runes))) && fits(len(runes)) { // it is made of very narrow letters
		return string(runes)
	}
	return string(runes[:n]) + "…"
}

// averageWidth is about how wide a letter is, as a part of the text's size.
const averageWidth = 0.5

// longest returns how many of n characters, at most, have room in a width, where measure tells how wide the first ones are. It
// guesses by what it has measured, which takes a third as many measurements as halving.
func longest(n int, width, size float32, measure func(int) float32) int {
	type measured struct {
		count int
		width float32
	}
	fits, tooMany := measured{}, measured{count: n + 1, width: float32(n+1) * averageWidth * size}
	guess := int(width / (averageWidth * size))
	for steps := 1; tooMany.count-fits.count > 1; steps++ {
		m := measured{count: min(max(guess, fits.count+1), tooMany.count-1)}
		if m.width = measure(m.count); m.width <= width {
			fits = m
		} else {
			tooMany = m
		}
		letter := (tooMany.width - fits.width) / float32(tooMany.count-fits.count)
		guess = fits.count + int((width-fits.width)/max(letter, size/20))
		if steps%4 == 0 { // letters differ too much
			guess = (fits.count + tooMany.count) / 2
		}
	}
	return fits.count
}

// Paragraph is text of up to two lines, the second cut to its width with an ellipsis.
type Paragraph struct {
	Lines   [2]*Line
	Content string
	Second  int // where in Content the second line begins; len(Content) where there is none

	fitted struct {
		content       string
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
	if f.content != p.Content || f.first != first || f.second != second || f.size != size || f.style != style {
		f.content, f.first, f.second, f.size, f.style = p.Content, first, second, size, style
		p.Second = len(p.Content)
		if second > 0 {
			p.Second = breakAt(p.Content, first, size, style)
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

// breakAt is where a line of this width ends in text: behind a space or beside a character of a script without spaces
// where there is one, else within a word; len(text) if all of it fits.
func breakAt(text string, width, size float32, style fyne.TextStyle) int {
	measure := func(to int) float32 { return fyne.MeasureText(text[:to], size, style).Width }
	end := min(len(text), maxLine)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	if end == len(text) && measure(end) <= width {
		return end
	}
	var ends []int // of characters
	for i := range text[:end] {
		if i > 0 {
			ends = append(ends, i)
		}
	}
	most := longest(len(ends), width, size, func(n int) float32 { return measure(ends[n-1]) }) - 1
	if most < 0 {
		return len(text) // not even a character has room
	}
	for i := most; i >= 0; i-- {
		before, _ := utf8.DecodeLastRuneInString(text[:ends[i]])
		after, _ := utf8.DecodeRuneInString(text[ends[i]:])
		if before == ' ' || after == ' ' || unspacedLetter(before) && unspacedLetter(after) {
			if text[ends[i]] == ' ' {
				return ends[i] + 1
			}
			return ends[i]
		}
	}
	return ends[most]
}

// Color returns a color of the theme in force where the widget stands.
func Color(w fyne.Widget, name fyne.ThemeColorName) color.Color {
	th := look.Of(theme.CurrentForWidget(w))
	return th.Color(name, fyne.CurrentApp().Settings().ThemeVariant())
}
