// Package widgets holds the widgets and layouts that the window's parts share. They know
// nothing of feeds or articles, show what they are given and report through callbacks.
package widgets

import (
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/look"
)

// Text is text that wraps, without the padding that Fyne puts around text.
type Text struct {
	widget.BaseWidget
	text *widget.RichText
}

// Style is the look of text.
type Style struct {
	color fyne.ThemeColorName
	size  fyne.ThemeSizeName
	bold  bool
}

// The styles of the window.
var (
	Plain   = Style{look.ColorText, theme.SizeNameText, false}
	Bold    = Style{look.ColorText, theme.SizeNameText, true}
	Label   = Style{look.ColorMuted, theme.SizeNameText, false} // names a value beside it
	Muted   = Style{look.ColorMuted, look.SizeSmall, false}
	Heading = Style{look.ColorMuted, look.SizeSmall, true}
	Title   = Style{look.ColorText, theme.SizeNameHeadingText, true}
	Section = Style{look.ColorText, theme.SizeNameSubHeadingText, true}
	Figure  = Style{look.ColorAccent, look.SizeFigure, true}
	Warning = Style{theme.ColorNameWarning, theme.SizeNameText, true}
)

// Span is a piece of text in one style.
type Span struct {
	text  string
	style Style
}

// Span returns text in this style.
func (s Style) Span(text string) Span { return Span{text, s} }

// NewText returns text in one style; it is hidden while it is empty.
func NewText(text string, style Style) *Text { return NewRichText(style.Span(text)) }

// NewRichText returns text in several styles; it is hidden while it is empty.
func NewRichText(spans ...Span) *Text {
	w := &Text{text: widget.NewRichText()}
	w.text.Wrapping = fyne.TextWrapWord
	w.ExtendBaseWidget(w)
	w.SetSpans(spans...)
	return w
}

// NewCaption returns text that does not wrap.
func NewCaption(text string, style Style) *Text {
	w := NewText(text, style)
	w.text.Wrapping = fyne.TextWrapOff
	w.Refresh()
	return w
}

// SetText replaces the text; an empty one hides the widget.
func (w *Text) SetText(text string, style Style) { w.SetSpans(style.Span(text)) }

// Clear removes the text and hides the widget.
func (w *Text) Clear() { w.SetSpans() }

// Truncate makes text that does not fit end in an ellipsis.
func (w *Text) Truncate() { w.text.Truncation = fyne.TextTruncateEllipsis }

// String returns the text shown.
func (w *Text) String() string { return w.text.String() }

// headingLevels are the levels of what stands above other text.
var headingLevels = map[fyne.ThemeSizeName]int{theme.SizeNameHeadingText: 1, theme.SizeNameSubHeadingText: 2, look.SizeSmall: 3}

// Describe implements describe.Describer. Text in bold of another size than running text is a heading.
func (w *Text) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleLabel, Name: w.String()}}
	for _, segment := range w.text.Segments {
		s, ok := segment.(*widget.TextSegment)
		if !ok || !s.Style.TextStyle.Bold || headingLevels[s.Style.SizeName] == 0 {
			return n
		}
		n.Level = headingLevels[s.Style.SizeName]
	}
	if n.Level > 0 {
		n.Role = accessible.RoleHeading
	}
	return n
}

// SetSpans replaces the text; empty spans are left out, and none hide the widget.
func (w *Text) SetSpans(spans ...Span) {
	var segments []widget.RichTextSegment
	for _, p := range spans {
		if p.text == "" {
			continue
		}
		segments = append(segments, &widget.TextSegment{Text: p.text, Style: widget.RichTextStyle{
			ColorName: p.style.color, SizeName: p.style.size, TextStyle: fyne.TextStyle{Bold: p.style.bold}, Inline: true}})
	}
	if w.text.Wrapping != fyne.TextWrapOff {
		w.text.Wrapping = wrapping(spans)
	}
	w.Hidden = len(segments) == 0
	w.text.Segments = segments
	w.Refresh()
}

// wrapping returns where lines may end: at spaces, or between any two characters if most are of
// a script without spaces. Fyne would end lines of such text only at its few spaces.
func wrapping(spans []Span) fyne.TextWrap {
	all, unspaced := 0, 0
	for _, p := range spans {
		for _, r := range p.text {
			all++
			if unspacedLetter(r) {
				unspaced++
			}
		}
	}
	if unspaced > all/2 {
		return fyne.TextWrapBreak
	}
	return fyne.TextWrapWord
}

// unspacedLetter reports whether r is of a script without spaces between words.
func unspacedLetter(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// CreateRenderer implements fyne.Widget.
func (w *Text) CreateRenderer() fyne.WidgetRenderer { return &textRenderer{w} }

// textRenderer moves the padding inside Fyne's rich text outside the widget's bounds.
type textRenderer struct{ *Text }

func (r *textRenderer) Destroy() {}

func (r *textRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.text} }

func (r *textRenderer) Layout(size fyne.Size) {
	pad := theme.InnerPadding()
	r.text.Move(fyne.NewPos(-pad, -pad))
	r.text.Resize(size.Add(fyne.NewSize(2*pad, 2*pad)))
}

func (r *textRenderer) MinSize() fyne.Size {
	pad := theme.InnerPadding()
	return r.text.MinSize().Subtract(fyne.NewSize(2*pad, 2*pad))
}

func (r *textRenderer) Refresh() { r.text.Refresh() }
