package imaging

import (
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
	"testing"
)

// inkOf draws a document of 200 × 40 and returns what is not white.
func inkOf(t *testing.T, inside string) (ink image.Rectangle, dots int) {
	t.Helper()
	img, _, err := Decode(t.Context(), []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40">`+inside+`</svg>`), options())
	if err != nil {
		t.Fatalf("%s: %v", inside, err)
	}
	for y := range 40 {
		for x := range 200 {
			if _, _, _, a := img.At(x, y).RGBA(); a > 0x8000 {
				ink, dots = ink.Union(image.Rect(x, y, x+1, y+1)), dots+1
			}
		}
	}
	return ink, dots
}

// Text of drawings is drawn where and as large as they say.
func TestSVGText(t *testing.T) {
	plain, _ := inkOf(t, `<text x="50" y="30" font-size="20">Hamburg</text>`)
	if plain.Min.X < 50 || plain.Min.X > 53 || plain.Max.X < 120 || plain.Max.X > 145 || plain.Min.Y < 13 || plain.Max.Y < 33 || plain.Max.Y > 37 {
		t.Fatalf("plain text covers %v", plain)
	}
	_, regular := inkOf(t, `<text x="50" y="30" font-size="20">Hamburg</text>`)
	if _, bold := inkOf(t, `<text x="50" y="30" font-size="20" font-weight="700">Hamburg</text>`); bold <= regular {
		t.Errorf("bold text has %d dots, regular %d", bold, regular)
	}
	wide := plain.Dx()
	for inside, want := range map[string]image.Rectangle{
		`<text x="150" y="30" font-size="20" text-anchor="end">Hamburg</text>`:                                image.Rect(150-wide, 13, 150, 35),
		`<text x="50%" y="30" style="font-size:20px;text-anchor:middle">Hamburg</text>`:                       image.Rect(100-wide/2, 13, 100+wide/2, 35),
		`<style>.a{font-size:20px}text{text-anchor:end}</style><text class="a" x="150" y="30">Hamburg</text>`: image.Rect(150-wide, 13, 150, 35),
		`<g font-size="20"><text y="30">Ham<tspan dx="50">burg</tspan></text></g>`:                            image.Rect(1, 13, 50+wide, 35),
		`<g font="italic 20px/1.2 serif" transform="translate(50 0)"><text y="30">Hamburg</text></g>`:         image.Rect(51, 13, 50+wide, 35),
		`<text x="500" y="300" font-size="200" transform="scale(.1)" textLength="1000">Hamburg</text>`:        image.Rect(51, 13, 150, 35),
		"<text x='50' y='30'\nfont-size='20'>\n  <tspan>Ham</tspan><tspan>burg</tspan>\n</text>":              plain,
		`<a href="https://example.org"><text x="50" y="30" font-size="20">Hamburg</text></a>`:                 plain,
		`<text x="50" y="15" font-size="20" dominant-baseline="hanging">Hamburg</text>`:                       plain,
		`<text x="50" y="30" font-size="20" visibility="hidden">Hamburg</text>`:                               {},
		`<text x="50" y="30" font-size="20">汉堡</text>`:                                                        {},
		`<text/>`: {},
	} {
		got, _ := inkOf(t, inside)
		off := 0.0
		for _, d := range []int{got.Min.X - want.Min.X, got.Min.Y - want.Min.Y, got.Max.X - want.Max.X, got.Max.Y - want.Max.Y} {
			off = max(off, math.Abs(float64(d)))
		}
		if off > 4 {
			t.Errorf("%s covers %v, want about %v", inside, got, want)
		}
	}
}

// Text without end is refused, and whatever is in a document is drawn or refused.
func TestHostileSVGText(t *testing.T) {
	for name, inside := range map[string]string{
		"long":   "<text>" + strings.Repeat("a ", 5000) + "</text>",
		"many":   strings.Repeat("<text>abcdefghij</text>", 600),
		"nested": "<text>" + strings.Repeat("<tspan>", 1000) + "a" + strings.Repeat("</tspan>", 1000) + "</text>",
	} {
		_, _, err := Decode(t.Context(), []byte(`<svg viewBox="0 0 9 9">`+inside+`</svg>`), options())
		if known := (*Error)(nil); !errors.As(err, &known) || known.Code != TooMuchWork {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, size := range []string{"0", "-5", "1e30", "NaN", "inf", "1e5", "5000000000em", "%", "em", "calc(1px + 2em)"} {
		inkOf(t, fmt.Sprintf(`<text x=%q y=%q dx=%q font-size=%q textLength=%q>words</text>`, size, size, size, size, size))
	}
}
