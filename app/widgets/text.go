// Package widgets holds the widgets and layouts that the window's parts share. They know
// nothing of feeds or articles, show what they are given and report through callbacks.
package widgets

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/look"
)

// Text is text that wraps, without the padding that Fyne puts around text, and shows Hebrew and Arabic in their order.
type Text struct {
	widget.BaseWidget
	spans     []Span
	wraps     bool
	truncates bool
	centered  bool
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
	w := &Text{wraps: true}
	w.ExtendBaseWidget(w)
	w.SetSpans(spans...)
	return w
}

// NewCaption returns text that does not wrap.
func NewCaption(text string, style Style) *Text {
	w := NewText(text, style)
	w.wraps = false
	w.Refresh()
	return w
}

// SetText replaces the text; an empty one hides the widget.
func (w *Text) SetText(text string, style Style) { w.SetSpans(style.Span(text)) }

// Clear removes the text and hides the widget.
func (w *Text) Clear() { w.SetSpans() }

// Truncate makes text of one line that does not fit end in an ellipsis.
func (w *Text) Truncate() { w.truncates = true }

// Center puts each line in the middle.
func (w *Text) Center() { w.centered = true }

// String returns the text shown.
func (w *Text) String() string {
	var b strings.Builder
	for _, s := range w.spans {
		b.WriteString(s.text)
	}
	return b.String()
}

// headingLevels are the levels of what stands above other text.
var headingLevels = map[fyne.ThemeSizeName]int{theme.SizeNameHeadingText: 1, theme.SizeNameSubHeadingText: 2, look.SizeSmall: 3}

// Describe implements describe.Describer. Text in bold of another size than running text is a heading.
func (w *Text) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleLabel, Name: w.String()}}
	for _, s := range w.spans {
		if !s.style.bold || headingLevels[s.style.size] == 0 {
			return n
		}
		n.Level = headingLevels[s.style.size]
	}
	if n.Level > 0 {
		n.Role = accessible.RoleHeading
	}
	return n
}

// SetSpans replaces the text; empty spans are left out, and none hide the widget.
func (w *Text) SetSpans(spans ...Span) {
	w.spans = slices.DeleteFunc(slices.Clone(spans), func(s Span) bool { return s.text == "" })
	w.Hidden = len(w.spans) == 0
	w.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (w *Text) CreateRenderer() fyne.WidgetRenderer {
	r := &textRenderer{Text: w}
	r.Refresh()
	return r
}
