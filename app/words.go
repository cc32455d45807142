package app

import (
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

// words are text that wraps, without the space that Fyne puts around it.
type words struct {
	widget.BaseWidget
	text *widget.RichText
}

// tone is how words look.
type tone struct {
	color fyne.ThemeColorName
	size  fyne.ThemeSizeName
	bold  bool
}

var (
	plainTone   = tone{look.ColorText, theme.SizeNameText, false}
	boldTone    = tone{look.ColorText, theme.SizeNameText, true}
	nameTone    = tone{look.ColorMuted, theme.SizeNameText, false}
	mutedTone   = tone{look.ColorMuted, look.SizeSmall, false}
	headTone    = tone{look.ColorMuted, look.SizeSmall, true}
	titleTone   = tone{look.ColorText, theme.SizeNameHeadingText, true}
	troubleTone = tone{theme.ColorNameWarning, theme.SizeNameText, true}
)

// part is a piece of text in one tone.
type part struct {
	text string
	tone tone
}

// span returns text in this style.
func (t tone) span(text string) part { return part{text, t} }

func newText(text string, t tone) *words { return newSpans(t.span(text)) }

// newSpans returns text in several styles.
func newSpans(parts ...part) *words {
	w := &words{text: widget.NewRichText()}
	w.text.Wrapping = fyne.TextWrapWord
	w.ExtendBaseWidget(w)
	w.set(parts...)
	return w
}

// newCaption is text that does not wrap.
func newCaption(text string, t tone) *words {
	w := newText(text, t)
	w.text.Wrapping = fyne.TextWrapOff
	w.Refresh()
	return w
}

// say sets text of one tone; none hides it.
func (w *words) say(text string, t tone) { w.set(t.span(text)) }

// clear removes the text and hides the widget.
func (w *words) clear() { w.set() }

// Truncate cuts text that does not fit with an ellipsis.
func (w *words) Truncate() { w.text.Truncation = fyne.TextTruncateEllipsis }

// String returns the text shown.
func (w *words) String() string { return w.text.String() }

// set sets the text; what says nothing is hidden.
func (w *words) set(parts ...part) {
	var segments []widget.RichTextSegment
	for _, p := range parts {
		if p.text == "" {
			continue
		}
		segments = append(segments, &widget.TextSegment{Text: p.text, Style: widget.RichTextStyle{
			ColorName: p.tone.color, SizeName: p.tone.size, TextStyle: fyne.TextStyle{Bold: p.tone.bold}, Inline: true}})
	}
	if w.text.Wrapping != fyne.TextWrapOff {
		w.text.Wrapping = wrapping(parts)
	}
	w.Hidden = len(segments) == 0
	w.text.Segments = segments
	w.Refresh()
}

// wrapping is where lines may end: at blanks, or between any two signs where most are of
// a script that writes none. Fyne would end a line of those at the few blanks there are.
func wrapping(parts []part) fyne.TextWrap {
	all, unparted := 0, 0
	for _, p := range parts {
		for _, r := range p.text {
			all++
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				unparted++
			}
		}
	}
	if unparted > all/2 {
		return fyne.TextWrapBreak
	}
	return fyne.TextWrapWord
}

// CreateRenderer implements fyne.Widget.
func (w *words) CreateRenderer() fyne.WidgetRenderer { return &wordsRenderer{w} }

// wordsRenderer lets the padding that Fyne's texts have inside stand out on all sides.
type wordsRenderer struct{ *words }

func (r *wordsRenderer) Destroy() {}

func (r *wordsRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.text} }

func (r *wordsRenderer) Layout(size fyne.Size) {
	pad := theme.InnerPadding()
	r.text.Move(fyne.NewPos(-pad, -pad))
	r.text.Resize(size.Add(fyne.NewSize(2*pad, 2*pad)))
}

func (r *wordsRenderer) MinSize() fyne.Size {
	pad := theme.InnerPadding()
	return r.text.MinSize().Subtract(fyne.NewSize(2*pad, 2*pad))
}

func (r *wordsRenderer) Refresh() { r.text.Refresh() }
