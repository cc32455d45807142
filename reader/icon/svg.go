package icon

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
	"golang.org/x/net/html/charset"
)

// Bounds of a drawing: bytes of an icon's text, lines its shapes come to.
const (
	maxSVG   = 64 << 10
	maxLines = 200_000
)

// decodeSVG draws a picture if the library draws all of it: half a logo is worse than
// the site's other icons.
func decodeSVG(body []byte) (image.Image, error) {
	if len(body) > maxSVG {
		return nil, fmt.Errorf("%w: a drawing of over %d kB", ErrPicture, maxSVG>>10)
	}
	return Draw(body, func(w, h float64) (image.Point, error) {
		return middle(w, h, Size).Size(), fits(w, h)
	})
}

// IsSVG reports whether a body looks like an SVG document.
func IsSVG(body []byte) bool { return isSVG(body) }

// Draw draws an SVG document if it can draw all of it. pixels is asked, with the
// drawing's own width and height, how many pixels it is to have. A drawing of too many
// lines panics. Errors: ErrPicture, that of pixels.
func Draw(body []byte, pixels func(w, h float64) (image.Point, error)) (*image.RGBA, error) {
	body, err := plain(body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPicture, err)
	}
	drawing, err := oksvg.ReadReplacingCurrentColor(bytes.NewReader(body), "black", oksvg.StrictErrorMode)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPicture, err)
	}
	box := drawing.ViewBox
	size, err := pixels(box.W, box.H)
	if err != nil {
		return nil, err
	}
	dst := image.NewRGBA(image.Rectangle{Max: size})
	scale := max(float64(size.X)/box.W, float64(size.Y)/box.H)
	drawing.Transform = rasterx.Identity.Translate(-box.X*scale, -box.Y*scale).Scale(scale, scale)
	for i := range drawing.SVGPaths {
		drawing.SVGPaths[i].LineWidth *= scale // the library scales the shapes alone
	}
	scanner := &scanner{rasterx.NewScannerGV(size.X, size.Y, dst, dst.Bounds()), maxLines}
	drawing.Draw(rasterx.NewDasher(size.X, size.Y, scanner), 1)
	return dst, nil
}

// scanner draws lines as long as there are not too many of them.
type scanner struct {
	*rasterx.ScannerGV
	left int
}

// Line implements rasterx.Scanner.
func (s *scanner) Line(to fixed.Point26_6) {
	if s.left--; s.left < 0 {
		panic("a drawing of too many lines")
	}
	s.ScannerGV.Line(to)
}

// Elements the library draws, and those that show nothing.
var (
	drawn = []string{"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs", "linearGradient",
		"radialGradient", "stop", "style"}
	unseen = []string{"title", "desc", "metadata", "clipPath"} // what is cut off lies outside the picture mostly
)

const svgSpace = "http://www.w3.org/2000/svg"

var (
	// queries are the parts of a style sheet for dark windows, wide ones and paper.
	queries = regexp.MustCompile(`@media[^{}]*\{([^{}]*\{[^{}]*\})*[^{}]*\}`)
	// classes are the only style sheets the library knows.
	classes = regexp.MustCompile(`^\s*(\.[\w-]+\s*(,\s*\.[\w-]+\s*)*\{[^{}@]*\}\s*)*$`)
	// relative are lengths that depend on what a drawing stands in.
	relative = regexp.MustCompile(`^(width|height):.*(%|em|ex|vw|vh)$`)
	dashes   = regexp.MustCompile(`stroke-dasharray\s*:\s*[\d.]`)
)

// plain writes a drawing with what the library knows, and says what it does not know.
func plain(body []byte) ([]byte, error) {
	in := xml.NewDecoder(bytes.NewReader(body))
	in.CharsetReader = charset.NewReaderLabel
	var out bytes.Buffer
	w := writer{to: xml.NewEncoder(&out)}
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
	if w.holes && w.evenodd {
		return nil, errors.New("a drawing with holes by the even-odd rule")
	}
	err := w.to.Close()
	return out.Bytes(), err
}

// writer writes a plain drawing.
type writer struct {
	to             *xml.Encoder
	style          bool // within a style sheet
	holes, evenodd bool
}

func (w *writer) token(in *xml.Decoder, token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return w.start(in, t)
	case xml.EndElement:
		w.style = false
		return w.to.EncodeToken(xml.EndElement{Name: xml.Name{Local: t.Name.Local}})
	case xml.CharData:
		if !w.style {
			return nil
		}
		t = queries.ReplaceAll(t, nil)
		if !classes.Match(t) {
			return errors.New("a drawing with a style sheet")
		}
		return w.to.EncodeToken(t)
	}
	return nil
}

func (w *writer) start(in *xml.Decoder, t xml.StartElement) error {
	name := t.Name.Local
	foreign := t.Name.Space != "" && t.Name.Space != svgSpace
	if foreign || slices.Contains(unseen, name) {
		return in.Skip()
	}
	if !slices.Contains(drawn, name) {
		return fmt.Errorf("a drawing with <%s>", name)
	}
	w.style = name == "style"
	out := xml.StartElement{Name: xml.Name{Local: name}}
	for _, a := range t.Attr {
		said := a.Name.Local + ":" + a.Value
		if a.Name.Space != "" || a.Name.Local == "xmlns" || name == "svg" && relative.MatchString(said) {
			continue
		}
		if dashes.MatchString(said) {
			return errors.New("a drawing with dashes")
		}
		w.evenodd = w.evenodd || strings.Contains(a.Value, "evenodd") && a.Name.Local != "clip-rule"
		w.holes = w.holes || a.Name.Local == "d" && strings.Count(strings.ToLower(a.Value), "m") > 1
		out.Attr = append(out.Attr, a)
	}
	out.Attr = append(out.Attr, corners(t.Attr)...)
	return w.to.EncodeToken(out)
}

// corners is the radius that a shape leaves out because it is as large as the other one.
func corners(attr []xml.Attr) []xml.Attr {
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
