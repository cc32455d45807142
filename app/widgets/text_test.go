package widgets

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/bidi"
)

// linesOf returns what a text draws, a line a row, from left to right, and where each line begins and ends.
func linesOf(w *Text) (lines []string, lefts, rights []float32) {
	top := float32(-1)
	for _, o := range test.WidgetRenderer(w).Objects() {
		t := o.(*canvas.Text)
		left, right := t.Position().X, t.Position().X+t.Size().Width
		if n := len(lines) - 1; t.Position().Y-top > 5 || n < 0 {
			lines, lefts, rights, top = append(lines, t.Text), append(lefts, left), append(rights, right), t.Position().Y
		} else if left < lefts[n] {
			lines[n], lefts[n] = t.Text+"|"+lines[n], left
		} else {
			lines[n], rights[n] = lines[n]+"|"+t.Text, right
		}
	}
	return lines, lefts, rights
}

// Hebrew that wraps is in its order in each line, and ends at the right.
func TestTextWrapsFromRightToLeft(t *testing.T) {
	test.NewTempApp(t)
	w := NewText("ראש הממשלה: \"לא נוותר\" (עדכון 14:30)", Plain)
	w.Resize(fyne.NewSize(150, 100))
	lines, lefts, rights := linesOf(w)
	if len(lines) < 2 {
		t.Fatalf("not wrapped: %q", lines)
	}
	if !strings.HasSuffix(lines[0], "ראש") {
		t.Errorf("the first line is %q", lines[0])
	}
	for i := range lines {
		if lefts[i] < 0 || rights[i] < 148 || rights[i] > 151 {
			t.Errorf("line %d reaches from %v to %v", i, lefts[i], rights[i])
		}
	}
	if got := w.MinSize().Height; got < 2*18 {
		t.Errorf("%d lines are %v high", len(lines), got)
	}
	if w.Describe().Name != w.String() {
		t.Error("described as it is drawn")
	}
}

// A sentence of the window keeps its order around a name in Hebrew that stands first.
func TestSentenceKeepsItsOrder(t *testing.T) {
	test.NewTempApp(t)
	w := NewText(bidi.Isolate("חדשות (ישראל)")+": 3 articles", Plain)
	w.Resize(fyne.NewSize(400, 30))
	if lines, lefts, _ := linesOf(w); len(lines) != 1 || !strings.HasSuffix(lines[0], ": 3 articles") || lefts[0] != 0 {
		t.Errorf("drawn as %q", lines)
	}
}

// A text of one line is cut to its width.
func TestTextIsTruncated(t *testing.T) {
	test.NewTempApp(t)
	w := NewCaption("a text of one line that is too long", Plain)
	w.Truncate()
	w.Resize(fyne.NewSize(100, 30))
	lines, _, rights := linesOf(w)
	if len(lines) != 1 || !strings.HasSuffix(lines[0], "…") || rights[0] > 100 || rights[0] < 70 {
		t.Errorf("drawn as %q, up to %v", lines, rights)
	}
}
