package imaging

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"
)

// Elements that the library draws, and those that are left out: most clip paths only
// cut off what lies outside the picture anyway. Text becomes the outlines of its letters (svg_text.go).
var (
	svgDrawn = []string{"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs", "linearGradient",
		"radialGradient", "stop", "style"}
	svgSkipped = []string{"title", "desc", "metadata", "clipPath", "script", "animate", "animateTransform", "animateMotion", "set"}
)

const svgNamespace = "http://www.w3.org/2000/svg"

var (
	// svgMediaQuery matches the parts of a style sheet for dark mode, wide windows and print.
	svgMediaQuery = regexp.MustCompile(`@media[^{}]*\{([^{}]*\{[^{}]*\})*[^{}]*\}`)
	// svgRules matches the only style sheets that are drawn: rules for classes, which the library supports, and for text.
	svgRules = regexp.MustCompile(`^\s*((\.[\w-]+|text|tspan)\s*(,\s*(\.[\w-]+|text|tspan)\s*)*\{[^{}@]*\}\s*)*$`)
	svgRule  = regexp.MustCompile(`([^{}]*)\{([^{}]*)\}`)
	// svgRelative matches lengths relative to the element around a drawing.
	svgRelative = regexp.MustCompile(`^(width|height):.*(%|em|ex|vw|vh)$`)
	svgComment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	svgScale    = regexp.MustCompile(`scale\(\s*([-+.\deE]+)\s*\)`)
	svgDashes   = regexp.MustCompile(`stroke-dasharray\s*:\s*[\d.]`)
)

// simplifySVG rewrites a document with what the library supports; its error names
// what the library does not.
func simplifySVG(ctx context.Context, body []byte) ([]byte, error) {
	in := xml.NewDecoder(&patient{ctx, body})
	in.CharsetReader = charset.NewReaderLabel
	var out bytes.Buffer
	w := svgWriter{to: xml.NewEncoder(&out), rules: map[string][]string{}}
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := w.token(in, token); err != nil {
			return nil, err
		}
	}
	if w.shapes*w.stops > maxSVGStops || w.classes*w.declarations > maxSVGClasses {
		return nil, &Error{Code: TooMuchWork, Detail: "the gradients or styles of a drawing"}
	}
	if w.holes && w.evenOdd {
		return nil, errors.New("a drawing with holes by the even-odd rule")
	}
	err := w.to.Close()
	return out.Bytes(), err
}

// svgWriter writes a simplified document.
type svgWriter struct {
	to             *xml.Encoder
	inStyle        bool // within a style sheet
	holes, evenOdd bool // a path has several outlines; some shape fills by the even-odd rule

	shapes, stops, classes, declarations int

	width, height float64             // of the drawing, in its units
	fonts         []svgFont           // of the elements that are open
	rules         map[string][]string // declarations by ".class" and element
	letters       int                 // of text
}

// The library copies the stops of a gradient for each shape, and the declarations of a rule for each of its classes.
const (
	maxSVGStops   = 1_000_000 // for all shapes together
	maxSVGClasses = 100_000   // declarations for all classes together
)

func (w *svgWriter) token(in *xml.Decoder, token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return w.start(in, t)
	case xml.EndElement:
		w.inStyle = false
		w.fonts = w.fonts[:max(0, len(w.fonts)-1)]
		return w.to.EncodeToken(xml.EndElement{Name: xml.Name{Local: drawnAs(t.Name.Local)}})
	case xml.CharData:
		if w.inStyle {
			return w.styleSheet(string(t))
		}
	}
	return nil
}

// styleSheet writes the rules for classes, and keeps those that say how text is set.
func (w *svgWriter) styleSheet(sheet string) error {
	sheet = svgComment.ReplaceAllString(svgMediaQuery.ReplaceAllString(sheet, ""), "")
	if !svgRules.MatchString(sheet) {
		return errors.New("a drawing with a style sheet")
	}
	var classes strings.Builder
	for _, rule := range svgRule.FindAllStringSubmatch(sheet, -1) {
		declarations := strings.Split(rule[2], ";")
		w.declarations += len(declarations)
		w.classes += strings.Count(rule[1], ",") + 1
		if w.classes*w.declarations > maxSVGClasses {
			return &Error{Code: TooMuchWork, Detail: "the styles of a drawing"}
		}
		for selector := range strings.SplitSeq(rule[1], ",") {
			selector = strings.TrimSpace(selector)
			w.rules[selector] = append(w.rules[selector], declarations...)
			if strings.HasPrefix(selector, ".") {
				fmt.Fprintf(&classes, "%s{%s}", selector, rule[2])
			}
		}
	}
	return w.to.EncodeToken(xml.CharData(classes.String()))
}

// drawnAs is the name of what the library draws in the place of an element.
func drawnAs(name string) string {
	if name == "a" {
		return "g"
	}
	return name
}

func (w *svgWriter) start(in *xml.Decoder, t xml.StartElement) error {
	name := drawnAs(t.Name.Local)
	foreign := t.Name.Space != "" && t.Name.Space != svgNamespace
	switch {
	case foreign || slices.Contains(svgSkipped, name):
		return in.Skip()
	case name == "text":
		return w.text(in, t)
	case !slices.Contains(svgDrawn, name):
		return fmt.Errorf("a drawing with <%s>", name)
	}
	w.inStyle = name == "style"
	if w.shapes++; name == "stop" {
		w.stops++
	}
	if name == "svg" && len(w.fonts) == 0 {
		w.measure(t.Attr)
	}
	w.fonts = append(w.fonts, w.font().in(declarationsOf(name, t.Attr, w.rules)))
	attr, err := w.attributes(name, t.Attr)
	if err != nil {
		return err
	}
	return w.to.EncodeToken(xml.StartElement{Name: xml.Name{Local: name}, Attr: append(attr, missingRadius(t.Attr)...)})
}

// font is how text is set in the element that is open.
func (w *svgWriter) font() svgFont {
	if n := len(w.fonts); n > 0 {
		return w.fonts[n-1]
	}
	return usualSVGFont
}

// measure notes the size of the drawing.
func (w *svgWriter) measure(attr []xml.Attr) {
	for _, a := range attr {
		switch box := strings.Fields(strings.ReplaceAll(a.Value, ",", " ")); {
		case a.Name.Local == "viewBox" && len(box) == 4:
			w.width, w.height = svgLength(box[2], 0, 0, 0), svgLength(box[3], 0, 0, 0)
		case a.Name.Local == "width" && w.width == 0:
			w.width = svgLength(a.Value, 0, 0, 0)
		case a.Name.Local == "height" && w.height == 0:
			w.height = svgLength(a.Value, 0, 0, 0)
		}
	}
}

// attributes are those of an element that the library supports.
func (w *svgWriter) attributes(name string, attr []xml.Attr) (out []xml.Attr, err error) {
	for _, a := range attr {
		pair := a.Name.Local + ":" + a.Value
		if a.Name.Space != "" || a.Name.Local == "xmlns" || name == "svg" && svgRelative.MatchString(pair) {
			continue
		}
		if svgDashes.MatchString(pair) {
			return nil, errors.New("a drawing with dashes")
		}
		w.evenOdd = w.evenOdd || strings.Contains(a.Value, "evenodd") && a.Name.Local != "clip-rule"
		w.holes = w.holes || a.Name.Local == "d" && strings.Count(strings.ToLower(a.Value), "m") > 1
		if a.Name.Local == "transform" {
			a.Value = svgScale.ReplaceAllString(a.Value, "scale($1,$1)") // the library takes a missing factor for 0
		}
		out = append(out, a)
	}
	return out, nil
}

// missingRadius returns the corner radius that a shape leaves out because it equals the other one.
func missingRadius(attr []xml.Attr) []xml.Attr {
	x := slices.IndexFunc(attr, func(a xml.Attr) bool { return a.Name.Local == "rx" })
	y := slices.IndexFunc(attr, func(a xml.Attr) bool { return a.Name.Local == "ry" })
	switch {
	case x >= 0 && y < 0:
		return []xml.Attr{{Name: xml.Name{Local: "ry"}, Value: attr[x].Value}}
	case y >= 0 && x < 0:
		return []xml.Attr{{Name: xml.Name{Local: "rx"}, Value: attr[y].Value}}
	}
	return nil
}
