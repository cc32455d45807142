package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

// row is the base of a list's rows: a tap chooses it, a secondary tap opens its
// menu. Fyne gives taps to the deepest object that wants any, so a row that has
// a menu must pass the choosing on.
type row struct {
	widget.BaseWidget
	tapped func()
	menu   func(at fyne.Position)
}

func (r *row) Tapped(*fyne.PointEvent) {
	if r.tapped != nil {
		r.tapped()
	}
}

func (r *row) TappedSecondary(ev *fyne.PointEvent) {
	if r.menu != nil {
		r.menu(ev.AbsolutePosition)
	}
}

// line is one line of text cut to the width it gets, with an ellipsis.
type line struct {
	*canvas.Text
	full  string
	width float32
	cut   string // full fitted to width, with the text's style
	style fyne.TextStyle
	size  float32
}

func newLine(size float32) *line {
	l := &line{Text: canvas.NewText("", color.Black)}
	l.TextSize = size
	return l
}

// fit places the line and cuts its text; what has not changed is not measured
// again.
func (l *line) fit(x, y, width float32) {
	l.Move(fyne.NewPos(x, y))
	if l.cut != l.full || l.width != width || l.style != l.TextStyle || l.size != l.TextSize {
		l.width, l.style, l.size, l.cut = width, l.TextStyle, l.TextSize, l.full
		l.Text.Text = ellipsis(l.full, width, l.TextSize, l.TextStyle)
	}
	l.Resize(fyne.NewSize(width, l.Text.MinSize().Height))
}

// maxLine is how much of a text can possibly be seen in a row.
const maxLine = 300

// ellipsis cuts text to width.
func ellipsis(text string, width, size float32, style fyne.TextStyle) string {
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

// shade is a colour of the theme the widget stands in.
func shade(w fyne.Widget, name fyne.ThemeColorName) color.Color {
	th := look.Of(theme.CurrentForWidget(w))
	return th.Color(name, fyne.CurrentApp().Settings().ThemeVariant())
}
