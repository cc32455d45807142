package describe

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Overlaps lists the texts on a canvas that lie on others. What is above an overlay is not compared with what is below it.
func Overlaps(c fyne.Canvas) (pairs []string) {
	for _, tree := range treesOf(c) {
		var f seenTexts
		f.find(tree, fyne.Position{}, areaOf(fyne.Position{}, c.Size()))
		pairs = append(pairs, f.overlaps()...)
	}
	return pairs
}

// seenTexts are the texts of a tree with what is seen of each.
type seenTexts []seenText

type seenText struct {
	text string
	area area
}

func (f *seenTexts) find(o fyne.CanvasObject, at fyne.Position, clip area) {
	if o == nil || !o.Visible() {
		return
	}
	at = at.Add(o.Position())
	if t, ok := o.(*canvas.Text); ok {
		f.add(t, at, clip)
		return
	}
	if isClip(o) {
		clip = clip.intersect(areaOf(at, o.Size()))
	}
	for _, child := range DrawnBy(o) {
		f.find(child, at, clip)
	}
}

// add adds a text, without the parts of its box above and below its letters.
func (f *seenTexts) add(t *canvas.Text, at fyne.Position, clip area) {
	if strings.TrimSpace(t.Text) == "" {
		return
	}
	least := t.MinSize()
	least.Width = widthOf(t)
	spare := t.Size().Width - least.Width
	switch t.Alignment {
	case fyne.TextAlignCenter:
		at.X += spare / 2
	case fyne.TextAlignTrailing:
		at.X += spare
	}
	at.Y += (t.Size().Height - least.Height) / 2 // as the driver centers it
	leading := least.Height / 5
	seen := area{at.X, at.Y + leading, at.X + least.Width, at.Y + least.Height - leading}.intersect(clip)
	if !seen.empty() {
		*f = append(*f, seenText{t.Text, seen})
	}
}

// overlaps lists the pairs. A text that is drawn twice, a hair apart, is bold: the further the larger it is (glyphs.Bold).
func (f seenTexts) overlaps() (pairs []string) {
	for i, a := range f {
		hair := max(1.5, (a.area.bottom-a.area.top)/15)
		for _, b := range f[:i] {
			both := a.area.intersect(b.area)
			if both.right-both.left > hair && both.bottom-both.top > hair && (a.text != b.text || a.area.left-b.area.left > hair || b.area.left-a.area.left > hair) {
				pairs = append(pairs, fmt.Sprintf("%q at %v and %q at %v", b.text, b.area, a.text, a.area))
			}
		}
	}
	return pairs
}
