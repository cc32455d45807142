package imaging

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// svgFont is how text of a drawing is set: the properties of CSS that decide where its letters stand.
type svgFont struct {
	size               float64
	anchor, baseline   string
	bold, mono, hidden bool
}

// in returns the font of an element within this one by the declarations about it. The last one of a property wins.
func (f svgFont) in(declarations []string) svgFont {
	for _, d := range declarations {
		name, value, _ := strings.Cut(d, ":")
		switch value = strings.ToLower(strings.TrimSpace(value)); strings.TrimSpace(name) {
		case "font-size":
			f.size = svgLength(value, f.size, f.size, f.size)
		case "font": // [style] [weight] size family
			if size := svgFontSize.FindStringSubmatch(value); size != nil {
				f.size = svgLength(size[1], f.size, f.size, f.size)
			}
			f.bold, f.mono = strings.Contains(value, "bold"), svgMono.MatchString(value)
		case "font-weight":
			weight, _ := strconv.Atoi(value)
			f.bold = weight >= 600 || strings.HasPrefix(value, "bold")
		case "font-family":
			f.mono = svgMono.MatchString(value)
		case "text-anchor":
			f.anchor = value
		case "dominant-baseline", "alignment-baseline":
			f.baseline = value
		case "display":
			f.hidden = f.hidden || value == "none"
		case "visibility":
			f.hidden = value == "hidden" || value == "collapse"
		}
	}
	return f
}

var (
	svgFontSize = regexp.MustCompile(`(?:^|\s)([\d.]+(?:px|pt|em|rem|%)?)(?:/\S+)?(?:\s|$)`)
	svgMono     = regexp.MustCompile(`mono|courier|consolas|menlo`)
)

// svgLength returns a length in units of a drawing. Of several it is the first. Percentages are of whole.
func svgLength(s string, em, whole, otherwise float64) float64 {
	first, _, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(s, ",", " ")), " ")
	number := strings.TrimRight(first, "%abcdefghijklmnopqrstuvwxyz")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x > -1e6 && x < 1e6) {
		return otherwise
	}
	switch first[len(number):] {
	case "%":
		return x / 100 * whole
	case "em":
		return x * em
	case "rem":
		return x * usualSVGFont.size
	case "pt":
		return x * 4 / 3
	}
	return x
}

// usualSVGFont is that of text without declarations.
var usualSVGFont = svgFont{size: 16}

// rise is how far above its place the letters stand.
func (f svgFont) rise() float64 {
	switch f.baseline {
	case "middle", "central":
		return -0.35 * f.size
	case "hanging", "text-before-edge", "text-top":
		return -0.75 * f.size
	}
	return 0
}

// face is the font that is drawn: what drawings ask for is not known here.
func (f svgFont) face() *sfnt.Font {
	switch {
	case f.mono:
		return svgFaces()[2]
	case f.bold:
		return svgFaces()[1]
	}
	return svgFaces()[0]
}

var svgFaces = sync.OnceValue(func() (faces [3]*sfnt.Font) {
	for i, file := range [][]byte{goregular.TTF, gobold.TTF, gomono.TTF} {
		var err error
		if faces[i], err = sfnt.Parse(file); err != nil {
			panic(err) // the fonts are part of the program
		}
	}
	return faces
})

// ppem is the size in which outlines are read.
const ppem = 1000

// advance is the width of a text without spacing between its letters.
func (f svgFont) advance(text string) (width float64) {
	f.glyphs(text, func(_ *sfnt.Buffer, _ sfnt.GlyphIndex, wide float64) { width += wide })
	return width
}

// glyphs calls see with each letter. One that the font lacks has index 0 and, as most of these are ideographs, the width of a square.
func (f svgFont) glyphs(text string, see func(b *sfnt.Buffer, glyph sfnt.GlyphIndex, wide float64)) {
	var b sfnt.Buffer
	face := f.face()
	for _, r := range text {
		glyph, err := face.GlyphIndex(&b, r)
		wide, advanceErr := face.GlyphAdvance(&b, glyph, fixed.I(ppem), font.HintingNone)
		switch {
		case err != nil || advanceErr != nil || glyph == 0:
			see(&b, 0, f.size)
		default:
			see(&b, glyph, float64(wide)/64*f.size/ppem)
		}
	}
}

// outline writes the letters of a text from (x, y) on as the data of a path.
func (f svgFont) outline(text string, x, y, spacing float64) string {
	var d strings.Builder
	scale := f.size / ppem / 64
	f.glyphs(text, func(b *sfnt.Buffer, glyph sfnt.GlyphIndex, wide float64) {
		var segments sfnt.Segments
		if glyph != 0 {
			segments, _ = f.face().LoadGlyph(b, glyph, fixed.I(ppem), nil) // none of a letter that cannot be read
		}
		for i, s := range segments {
			if s.Op == sfnt.SegmentOpMoveTo && i > 0 {
				d.WriteString("Z")
			}
			d.WriteByte("MLQC"[s.Op])
			for _, p := range s.Args[:[...]int{1, 1, 2, 3}[s.Op]] { // points of each of these
				fmt.Fprintf(&d, "%.3f %.3f ", x+float64(p.X)*scale, y+float64(p.Y)*scale)
			}
		}
		if len(segments) > 0 {
			d.WriteString("Z")
		}
		x += wide + spacing
	})
	return d.String()
}

// maxSVGClassesOf is how many classes of an element say how its text is set.
const maxSVGClassesOf = 20

// declarationsOf are those about an element, in the order in which they win: of its attributes, its rules, its style.
func declarationsOf(name string, attr []xml.Attr, rules map[string][]string) (all []string) {
	var classes, style string
	for _, a := range attr {
		switch a.Name.Local {
		case "class":
			classes = a.Value
		case "style":
			style = a.Value
		default:
			all = append(all, a.Name.Local+":"+a.Value)
		}
	}
	all = append(all, rules[name]...)
	fields := strings.Fields(classes)
	for _, class := range fields[:min(len(fields), maxSVGClassesOf)] {
		all = append(all, rules["."+class]...)
	}
	return append(all, strings.Split(style, ";")...)
}
