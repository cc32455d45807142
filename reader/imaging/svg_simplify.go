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
// cut off what lies outside the picture anyway.
var (
	svgDrawn = []string{"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs", "linearGradient",
		"radialGradient", "stop", "style"}
	svgSkipped = []string{"title", "desc", "metadata", "clipPath"}
)

const svgNamespace = "http://www.w3.org/2000/svg"

var (
	// svgMediaQuery matches the parts of a style sheet for dark mode, wide windows and print.
	svgMediaQuery = regexp.MustCompile(`@media[^{}]*\{([^{}]*\{[^{}]*\})*[^{}]*\}`)
	// svgClasses matches the only style sheets the library supports: rules for classes.
	svgClasses = regexp.MustCompile(`^\s*(\.[\w-]+\s*(,\s*\.[\w-]+\s*)*\{[^{}@]*\}\s*)*$`)
	// svgRelative matches lengths relative to the element around a drawing.
	svgRelative = regexp.MustCompile(`^(width|height):.*(%|em|ex|vw|vh)$`)
	svgDashes   = regexp.MustCompile(`stroke-dasharray\s*:\s*[\d.]`)
)

// simplifySVG rewrites a document with what the library supports; its error names
// what the library does not.
func simplifySVG(ctx context.Context, body []byte) ([]byte, error) {
	in := xml.NewDecoder(&patient{ctx, body})
	in.CharsetReader = charset.NewReaderLabel
	var out bytes.Buffer
	w := svgWriter{to: xml.NewEncoder(&out)}
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
		return w.to.EncodeToken(xml.EndElement{Name: xml.Name{Local: t.Name.Local}})
	case xml.CharData:
		if !w.inStyle {
			return nil
		}
		t = svgMediaQuery.ReplaceAll(t, nil)
		if !svgClasses.Match(t) {
			return errors.New("a drawing with a style sheet")
		}
		w.classes += bytes.Count(t, []byte("."))
		w.declarations += bytes.Count(t, []byte(";")) + bytes.Count(t, []byte("{"))
		return w.to.EncodeToken(t)
	}
	return nil
}

func (w *svgWriter) start(in *xml.Decoder, t xml.StartElement) error {
	name := t.Name.Local
	foreign := t.Name.Space != "" && t.Name.Space != svgNamespace
	if foreign || slices.Contains(svgSkipped, name) {
		return in.Skip()
	}
	if !slices.Contains(svgDrawn, name) {
		return fmt.Errorf("a drawing with <%s>", name)
	}
	w.inStyle = name == "style"
	if w.shapes++; name == "stop" {
		w.stops++
	}
	out := xml.StartElement{Name: xml.Name{Local: name}}
	for _, a := range t.Attr {
		pair := a.Name.Local + ":" + a.Value
		if a.Name.Space != "" || a.Name.Local == "xmlns" || name == "svg" && svgRelative.MatchString(pair) {
			continue
		}
		if svgDashes.MatchString(pair) {
			return errors.New("a drawing with dashes")
		}
		w.evenOdd = w.evenOdd || strings.Contains(a.Value, "evenodd") && a.Name.Local != "clip-rule"
		w.holes = w.holes || a.Name.Local == "d" && strings.Count(strings.ToLower(a.Value), "m") > 1
		out.Attr = append(out.Attr, a)
	}
	out.Attr = append(out.Attr, missingRadius(t.Attr)...)
	return w.to.EncodeToken(out)
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
