package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

// ListRow is the base of a list's rows. Fyne gives taps to the deepest object that handles
// any, so a row with a menu hides taps from its list and has to report them itself.
type ListRow struct {
	widget.BaseWidget
	OnTapped func()                 // if not nil
	OnMenu   func(at fyne.Position) // on a secondary tap at this position of the canvas, if not nil
}

// Tapped implements fyne.Tappable.
func (r *ListRow) Tapped(*fyne.PointEvent) {
	if r.OnTapped != nil {
		r.OnTapped()
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (r *ListRow) TappedSecondary(ev *fyne.PointEvent) {
	if r.OnMenu != nil {
		r.OnMenu(ev.AbsolutePosition)
	}
}

// Line is one line of text, cut to its width with an ellipsis.
type Line struct {
	*canvas.Text
	Content string
	width   float32
	cut     string // full fitted to width, with the text's style
	style   fyne.TextStyle
	size    float32
}

// NewLine returns an empty line with this text size.
func NewLine(size float32) *Line {
	l := &Line{Text: canvas.NewText("", color.Black)}
	l.TextSize = size
	return l
}

// Fit places the line and cuts its text. It measures only what has changed.
func (l *Line) Fit(x, y, width float32) {
	l.Move(fyne.NewPos(x, y))
	if l.cut != l.Content || l.width != width || l.style != l.TextStyle || l.size != l.TextSize {
		l.width, l.style, l.size, l.cut = width, l.TextStyle, l.TextSize, l.Content
		l.Text.Text = Ellipsis(l.Content, width, l.TextSize, l.TextStyle)
	}
	l.Resize(fyne.NewSize(width, l.Text.MinSize().Height))
}

// maxLine is how many characters can possibly be visible in a row.
const maxLine = 300

// Ellipsis cuts text to width, ending in "…" if anything is cut.
func Ellipsis(text string, width, size float32, style fyne.TextStyle) string {
	runes := []rune(text)
	if len(runes) > maxLine {
		runes = runes[:maxLine]
	}
	if fyne.MeasureText(string(runes), size, style).Width <= width && len(runes) < maxLine {
		return string(runes)
	}
	lo, hi := 0, len(runes)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if fyne.MeasureText(string(runes[:mid])+"…", size, style).Width <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return string(runes[:lo]) + "…"
}

// Color returns a colour of the theme in force where the widget stands.
func Color(w fyne.Widget, name fyne.ThemeColorName) color.Color {
	th := look.Of(theme.CurrentForWidget(w))
	return th.Color(name, fyne.CurrentApp().Settings().ThemeVariant())
}
