package widgets

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/glyphs"
	"kairos/app/look"
)

// A paragraph loses nothing of its text but spaces where it breaks, keeps its width, and breaks words only where it must.
func TestParagraphBreaks(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	for _, text := range []string{
		"", "short", "Two words and more of them, so that there is a second line",
		strings.Repeat("Donaudampfschiff", 8), "读者在早上七点四十分打开窗口，文章已经在那里了，不必等待任何人", "سبعة مصابيح في الضباب وعامل يعدها كل مساء قبل العودة",
	} {
		p := NewParagraph(14)
		p.Content = text
		two := p.Break(150, 150)
		first, second := p.Lines[0].Content, p.Lines[1].Content
		if joined := first + second; strings.ReplaceAll(joined, " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Errorf("%q becomes %q and %q", text, first, second)
		}
		if wide := fyne.MeasureText(first, 14, fyne.TextStyle{}).Width; wide > 150 {
			t.Errorf("%q is %v wide", first, wide)
		}
		if two != (fyne.MeasureText(text, 14, fyne.TextStyle{}).Width > 150) {
			t.Errorf("%q: a second line: %t", text, two)
		}
		if two && strings.Contains(first, " ") && text[p.Second-1] != ' ' {
			t.Errorf("a word is broken: %q, %q", first, second)
		}
		if p.Break(150, 0) || p.Lines[0].Content != text {
			t.Errorf("one line of %q is %q", text, p.Lines[0].Content)
		}
	}
}

// Bold text whose letters the driver draws no bolder is drawn three times.
func TestBoldWithoutABoldFont(t *testing.T) {
	test.NewTempApp(t)
	for _, c := range []struct {
		text       string
		thin, bold bool
		want       int
	}{{"发布", true, true, 3}, {"发布", true, false, 1}, {"发布", false, true, 1}, {"News", true, true, 1}} {
		undo := glyphs.Assume("chinese", false, c.thin)
		l := NewLine(14)
		l.Content, l.TextStyle.Bold = c.text, c.bold
		l.Fit(3, 4, 100)
		if got := l.Objects(); len(got) != c.want {
			t.Errorf("%+v: %d texts", c, len(got))
		} else if at := got[len(got)-1].Position(); c.want == 3 && (at.X <= 3 || at.X > 4 || at.Y != got[0].Position().Y) {
			t.Errorf("the last one is at %v", at)
		}
		l.Hidden = true
		if got := l.Objects(); len(got) != 1 {
			t.Errorf("hidden: %d texts", len(got))
		}
		undo()
	}
}

// Text in a font that has another baseline stands as high as other text.
func TestBaselineOfOtherFonts(t *testing.T) {
	test.NewTempApp(t)
	drop := dropOf("😀", 28, fyne.TextStyle{})
	if drop == 0 {
		t.Fatalf("emoji drop by %v", drop)
	}
	for text, want := range map[string][]float32{"😀": {20 - drop}, "News 😀": {20, 20 - drop}, "News": {20}} {
		l := NewLine(28)
		l.Content = text
		l.Fit(3, 20, 200)
		var got []float32
		for _, o := range l.Objects() {
			got = append(got, o.Position().Y)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is at %v, want %v", text, got, want)
		}
	}
}

// Each font of a check box's label, and of a tool's name, has the line of Latin text.
func TestMixedLabelsHaveOneBaseline(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	drop := dropOf("😀", theme.TextSize(), fyne.TextStyle{})
	c := NewCheck("😀😀 story 😀")
	c.Resize(c.MinSize())
	plain := NewCheck("story")
	plain.Resize(c.Size())
	base := labels(plain)[0].Position().Y
	var parts []string
	right := float32(0)
	for _, text := range labels(c) {
		parts = append(parts, text.Text)
		want := base
		if text.Text != "story" {
			want -= drop
		}
		if text.Position().Y != want || text.Position().X < right {
			t.Errorf("%q is at %v, want height %v", text.Text, text.Position(), want)
		}
		right = text.Position().X + text.Size().Width
	}
	if strings.Join(parts, "|") != "😀|😀|story|😀" {
		t.Errorf("%q", parts)
	}
	c.Resize(fyne.NewSize(90, 80))
	if lines := labels(c); lines[len(lines)-1].Position().Y <= base+10 {
		t.Error("a label without room does not wrap")
	}
	name := func(name string) fyne.Position {
		b := NewToolButton(name, nil, nil)
		b.Resize(b.MinSize())
		b.Refresh()
		for _, o := range test.WidgetRenderer(b).Objects() {
			if _, ok := o.(*widget.RichText); ok {
				return o.Position()
			}
		}
		return fyne.Position{}
	}
	if low, high := name("Refresh"), name("😀"); low.Y-high.Y != drop {
		t.Errorf("%v, %v", low, high)
	}
}

// labels returns the texts of a check box.
func labels(c *Check) (texts []*canvas.Text) {
	for _, o := range test.WidgetRenderer(c).Objects() {
		if label, ok := o.(*Text); ok {
			for _, part := range test.WidgetRenderer(label).Objects() {
				texts = append(texts, part.(*canvas.Text))
			}
		}
	}
	return texts
}

// The arrow behind a footnote is drawn in the color of the line, wherever it stands in it.
func TestArrowsInALine(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	for _, text := range []string{"↩ back", "A note. ↩ Another", "A note.↩\ufe0e", "A note. ↩\ufe0f", "↩"} {
		l := NewLine(28)
		l.Content = text
		l.Fit(0, 0, 300)
		drawn := software.Render(container.NewGridWrap(fyne.NewSize(300, 50), container.NewWithoutLayout(l.Objects()...)), look.New(look.Light))
		for y := range drawn.Bounds().Dy() {
			for x := range drawn.Bounds().Dx() {
				if r, g, b, _ := drawn.At(x, y).RGBA(); max(r, g, b)-min(r, g, b) > 0x4000 {
					t.Fatalf("%q is drawn in colors", text)
				}
			}
		}
		if l.Text.TextStyle.Symbol {
			t.Errorf("%q: the line has another style for good", text)
		}
	}
}
