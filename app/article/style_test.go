package article

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"kairos/app/look"
	"kairos/reader/content"
)

func TestStyleChangesTheLayout(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(900, 600))
	v.Display(prose(4000, 1))
	v.scrollTo(2000)
	before, _ := v.page.topPos()
	lines, height := len(v.page.lay.lines), v.page.height()
	for name, c := range map[string]struct {
		style Style
		lines int // more or fewer
	}{
		"larger":   {Style{Size: 24}, 0}, // the column grows with the text
		"narrower": {Style{Measure: 20}, +1},
		"wider":    {Style{Measure: 60}, -1},
		"airier":   {Style{Leading: 2}, 0},
	} {
		v.SetStyle(c.style)
		now := len(v.page.lay.lines)
		if c.lines > 0 && now <= lines || c.lines < 0 && now >= lines || c.lines == 0 && v.page.height() <= height {
			t.Errorf("%s: %d lines after %d, %v high after %v", name, now, lines, v.page.height(), height)
		}
		if after, _ := v.page.topPos(); after.text != before.text {
			t.Errorf("%s: what was read is gone: %v after %v", name, after, before)
		}
		v.SetStyle(Style{})
		if v.page.height() != height {
			t.Errorf("%s: not as before", name)
		}
		v.scrollTo(2000)
	}
}

func TestStyleLimits(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(900, 600))
	v.Display(prose(100, 1))
	if got := v.Style(); got != (Style{Size: 16, Measure: defaultMeasure, Leading: defaultLeading}) {
		t.Errorf("usually %+v", got)
	}
	nan := float32(math.NaN())
	v.SetStyle(Style{Size: 1e9, Measure: -1, Leading: nan})
	if got := v.Style(); got != (Style{Size: MaxSize, Measure: defaultMeasure, Leading: defaultLeading}) {
		t.Errorf("bounded %+v", got)
	}
}

// The serif face draws the characters that it has, at the measured width; the theme's face draws the rest.
func TestSerifFont(t *testing.T) {
	testFont(t, Style{Serif: true}, "LiberationSerif-Regular.ttf", "LiberationSerif-Bold.ttf")
}

func TestInstalledFont(t *testing.T) {
	faces := [4][]byte{}
	for i, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, {Bold: true, Italic: true}} {
		faces[i] = serif.Font(style).Content()
	}
	style := Style{}.WithTypeface(NewTypeface("My Font", faces[0], faces[1], faces[2], faces[3]))
	testFont(t, style, "My Font", "My Font Bold")
	text, err := json.Marshal(style)
	if err != nil || !strings.Contains(string(text), `"Family":"My Font"`) {
		t.Errorf("stored as %s (%v)", text, err)
	}
	if style.WithTypeface(nil) != (Style{}) {
		t.Error("it cannot be given up")
	}
}

// testFont draws text in a style, with these names of its regular and its bold face.
func testFont(t *testing.T, style Style, regular, bold string) {
	t.Helper()
	v, _ := openView(t, fyne.NewSize(900, 600))
	v.SetStyle(style)
	v.Display(Article{Body: content.Document{Blocks: []content.Block{{Runs: runs(run("Ink "), run("bold", content.Bold), run(" 😀 "), run("code", content.Mono))}}}})
	want := map[string]string{"Ink": regular, "bold": bold, "😀": "", "code": ""}
	for _, o := range v.page.painter.middle {
		text := o.(*canvas.Text)
		name := ""
		if text.FontSource != nil {
			name = text.FontSource.Name()
		}
		if font, ok := want[text.Text]; ok {
			if font != name {
				t.Errorf("%q is drawn in %q, not %q", text.Text, name, font)
			}
			delete(want, text.Text)
		}
		size, _ := fyne.CurrentApp().Driver().RenderedTextSize(text.Text, text.TextSize, text.TextStyle, text.FontSource)
		if d := size.Width - text.Size().Width; d > 1.5 || d < -1.5 {
			t.Errorf("%q is %v wide, measured %v", text.Text, size.Width, text.Size().Width)
		}
	}
	if len(want) > 0 {
		t.Errorf("not drawn: %v", want)
	}
}

// The number of a note is in the color of links, above the line, which no line crosses; other links have one below.
func TestNotesAreNotUnderlined(t *testing.T) {
	s := testStylesheet(t)
	for style, line := range map[content.Style]fyne.ThemeColorName{0: look.ColorLinkLine, content.Bold: look.ColorLinkLine, content.Sup: ""} {
		link := s.text([]content.Run{{Text: "1", Link: "https://example.org/#1", Style: style}}, s.running()).look(0)
		if link.color != look.ColorLink || link.underline != line {
			t.Errorf("style %d: %+v", style, link)
		}
	}
}
