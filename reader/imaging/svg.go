package imaging

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"strings"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
)

// SVG is the name of the format of drawings.
const SVG = "svg"

// maxSVGLines is how many lines the shapes of a drawing may come to.
const maxSVGLines = 200_000

func isSVG(body []byte) bool {
	head := string(body[:min(len(body), 4<<10)])
	return strings.HasPrefix(strings.TrimLeft(head, "\ufeff \t\r\n"), "<") && strings.Contains(head, "<svg")
}

// drawSVG draws a document only if the library supports all of it: a picture that
// lacks a part is worse than none. A drawing of too many lines panics.
func drawSVG(body []byte, o Options) (*image.RGBA, error) {
	if len(body) > o.MaxSVG {
		return nil, &Error{Code: SVGTooLarge, Bytes: int64(o.MaxSVG)}
	}
	body, err := simplifySVG(body)
	if syntax := (*xml.SyntaxError)(nil); errors.As(err, &syntax) {
		return nil, broken(err)
	} else if err != nil {
		return nil, &Error{Code: SVGUnsupported, Detail: err.Error()}
	}
	drawing, err := oksvg.ReadReplacingCurrentColor(bytes.NewReader(body), "black", oksvg.StrictErrorMode)
	if err != nil {
		return nil, &Error{Code: SVGUnsupported, Detail: err.Error()}
	}
	box := drawing.ViewBox
	size, err := o.DrawSize(box.W, box.H)
	if err != nil {
		return nil, err
	}
	dst := image.NewRGBA(image.Rectangle{Max: size})
	scale := max(float64(size.X)/box.W, float64(size.Y)/box.H)
	drawing.Transform = rasterx.Identity.Translate(-box.X*scale, -box.Y*scale).Scale(scale, scale)
	for i := range drawing.SVGPaths {
		drawing.SVGPaths[i].LineWidth *= scale // the library scales only the shapes
	}
	scanner := &limitedScanner{rasterx.NewScannerGV(size.X, size.Y, dst, dst.Bounds()), maxSVGLines}
	drawing.Draw(rasterx.NewDasher(size.X, size.Y, scanner), 1)
	return dst, nil
}

// limitedScanner draws lines until there are too many of them.
type limitedScanner struct {
	*rasterx.ScannerGV
	left int
}

// Line implements rasterx.Scanner.
func (s *limitedScanner) Line(to fixed.Point26_6) {
	if s.left--; s.left < 0 {
		panic("a drawing of too many lines")
	}
	s.ScannerGV.Line(to)
}
