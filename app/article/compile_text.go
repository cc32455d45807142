package article

import (
	"strings"

	"fyne.io/fyne/v2"

	"kairos/app/typeset"
	"kairos/reader/content"
)

// text is one selectable text: a title, a paragraph, a block of code, a cell.
type text struct {
	typeset.Text
	looks []textLook // of its spans

	leading   float32       // height of a line
	baseline  float32       // below the top of a line
	separator string        // between the text before and this one when both are copied
	marker    string        // of a list item; precedes the text when several are copied
	runs      []content.Run // that it was made from
	block     int           // of the body of the article; -1 outside of it
	cell      [2]int        // row and column in a table
	notCopied bool          // it belongs to the view, not to the article
}

// textLook is what a span of a text looks like beside its face.
type textLook struct {
	rise          float32 // of the baseline
	color         fyne.ThemeColorName
	link          string
	ground        fyne.ThemeColorName // of a box behind it: code in running text, or what is marked; "" none
	underline     fyne.ThemeColorName // the color of the line below it; "" none
	struckThrough bool
}

// look returns what span i looks like.
func (t *text) look(i int) *textLook { return &t.looks[t.Spans[i].Look] }

// normalize makes a text valid UTF-8 with one kind of line end.
func normalize(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
