package describe

import (
	"fmt"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"kairos/app/glyphs"
)

// CutOff lists the texts on a canvas of which not all is seen, and that cannot be scrolled to: those that reach out of the
// window, or out of what they stand in, to the left or right. What ends in "…" is not among them.
func CutOff(c fyne.Canvas) (texts []string) {
	for _, tree := range treesOf(c) {
		cutOff(tree, fyne.Position{}, areaOf(fyne.Position{}, c.Size()), &texts)
	}
	return texts
}

func cutOff(o fyne.CanvasObject, at fyne.Position, clip area, texts *[]string) {
	const rounding = 1
	if o == nil || !o.Visible() {
		return
	}
	at = at.Add(o.Position())
	own := areaOf(at, o.Size())
	switch o := o.(type) {
	case *canvas.Text:
		wide := widthOf(o)
		switch o.Alignment {
		case fyne.TextAlignCenter:
			own.left += (o.Size().Width - wide) / 2
		case fyne.TextAlignTrailing:
			own.left += o.Size().Width - wide
		}
		own.right = own.left + wide
		if strings.TrimSpace(o.Text) == "" {
			return
		}
		if seen := own.intersect(clip); seen.top < seen.bottom && (own.left < clip.left-rounding || own.right > clip.right+rounding) {
			*texts = append(*texts, fmt.Sprintf("%q at %v in %v", o.Text, own, clip))
		}
		return
	case fyne.Widget:
		if _, field := fyneOf(o).(*widget.Entry); field {
			return // follows the caret
		}
	}
	if isClip(o) {
		clip = clip.intersect(own)
	}
	for _, child := range DrawnBy(o) {
		cutOff(child, at, clip, texts)
	}
}

// widthOf is how wide a text is drawn. Where no font has its ideographs, Fyne measures it wider by a few of them.
func widthOf(t *canvas.Text) float32 {
	const spare = 3
	wide := t.MinSize().Width
	if strings.ContainsFunc(t.Text, isIdeograph) && glyphs.Missing(t.Text) != "" {
		return min(max(wide-spare*t.TextSize, t.TextSize), t.Size().Width)
	}
	return wide
}

func isIdeograph(r rune) bool { return unicode.Is(unicode.Han, r) }
