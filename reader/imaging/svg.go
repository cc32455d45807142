package imaging

import (
	"context"
	"encoding/xml"
	"errors"
	"image"
	"strings"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
)

// SVG is the name of the format of drawings.
const SVG = "svg"

func isSVG(body []byte) bool {
	head := string(body[:min(len(body), 4<<10)])
	return strings.HasPrefix(strings.TrimLeft(head, "\ufeff \t\r\n"), "<") && strings.Contains(head, "<svg")
}

// drawSVG draws a document only if the library supports all of it: a picture that
// lacks a part is worse than none.
func drawSVG(ctx context.Context, body []byte, o Options) (*image.RGBA, error) {
	if len(body) > o.MaxSVG {
		return nil, &Error{Code: SVGTooLarge, Bytes: int64(o.MaxSVG)}
	}
	return bounded(ctx, func(ctx context.Context) (*image.RGBA, error) {
		drawing, err := readSVG(ctx, body)
		if err != nil {
			return nil, err
		}
		size, err := o.DrawSize(drawing.ViewBox.W, drawing.ViewBox.H)
		if err != nil {
			return nil, err
		}
		return paintSVG(ctx, drawing, size), nil
	})
}

// readSVG reads a document.
func readSVG(ctx context.Context, body []byte) (*oksvg.SvgIcon, error) {
	body, err := simplifySVG(ctx, body)
	if syntax := (*xml.SyntaxError)(nil); errors.As(err, &syntax) {
		return nil, broken(err)
	} else if known := (*Error)(nil); errors.As(err, &known) {
		return nil, known
	} else if err != nil {
		return nil, &Error{Code: SVGUnsupported, Detail: err.Error()}
	}
	drawing, err := oksvg.ReadReplacingCurrentColor(&patient{ctx, body}, "black", oksvg.StrictErrorMode)
	if err != nil {
		return nil, &Error{Code: SVGUnsupported, Detail: err.Error()}
	}
	return drawing, nil
}

// paintSVG paints a drawing in some size, in pixels.
func paintSVG(ctx context.Context, drawing *oksvg.SvgIcon, size image.Point) *image.RGBA {
	box, dst := drawing.ViewBox, image.NewRGBA(image.Rectangle{Max: size})
	scale := max(float64(size.X)/box.W, float64(size.Y)/box.H)
	drawing.Transform = rasterx.Identity.Translate(-box.X*scale, -box.Y*scale).Scale(scale, scale)
	for i := range drawing.SVGPaths {
		drawing.SVGPaths[i].LineWidth *= scale // the library scales only the shapes
	}
	drawing.Draw(rasterx.NewDasher(size.X, size.Y, newSVGCanvas(ctx, dst, stopsOf(drawing))), 1)
	return dst
}

// stopsOf is how many stops the gradient of a drawing with the most of them has.
func stopsOf(drawing *oksvg.SvgIcon) (most int) {
	for _, g := range drawing.Grads {
		most = max(most, len(g.Stops))
	}
	return most
}
