package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

// NewTwoLines returns a row of a list: a text, and below it, muted, what there is to know about that. Both are cut where there is no
// room. A label of low importance would have the color of what is disabled, which is too pale to be read.
func NewTwoLines() *fyne.Container {
	title := widget.NewLabel("")
	about := widget.NewRichText(&widget.TextSegment{Style: widget.RichTextStyle{ColorName: look.ColorMuted, SizeName: theme.SizeNameCaptionText}})
	title.Truncation, about.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	return NewColumn(-12, title, about)
}

// SetTwoLines sets the texts of what NewTwoLines has returned.
func SetTwoLines(row *fyne.Container, title, about string) {
	row.Objects[0].(*widget.Label).SetText(title)
	second := row.Objects[1].(*widget.RichText)
	second.Segments[0].(*widget.TextSegment).Text = about
	second.Refresh()
}
