// Package imaging decodes the images of the web for icons and pictures alike. It
// reads the size of an image first, so that a caller can refuse one before it
// takes memory.
package imaging

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"slices"
)

// Error says why an image cannot be used.
type Error struct {
	Code   Code   `json:"code"`
	Width  int    `json:"width,omitempty"`  // pixels
	Height int    `json:"height,omitempty"` // pixels
	Bytes  int64  `json:"bytes,omitempty"`  // the limit that was exceeded
	Detail string `json:"detail,omitempty"` // technical English, for logs
}

// Code names one reason.
type Code string

// Why an image cannot be used.
const (
	UnknownFormat  Code = "unknown-format"  // of the formats that are read
	BrowserFormat  Code = "browser-format"  // AVIF or HEIF, which is not read here
	Broken         Code = "broken"          // Detail is the decoder's error
	TooManyPixels  Code = "too-many-pixels" // Width, Height
	FileTooLarge   Code = "file-too-large"  // more than Bytes
	TooMuchWork    Code = "too-much-work"   // Detail names what would take too long
	SVGTooLarge    Code = "svg-too-large"   // more than Bytes
	SVGWithoutSize Code = "svg-without-size"
	SVGUnsupported Code = "svg-unsupported" // Detail names what cannot be drawn
	NotSquare      Code = "not-square"      // Width, Height; for an icon only
	TooSmall       Code = "too-small"       // Width, Height; for an icon only
	Transparent    Code = "transparent"     // nothing in it is visible; for an icon only
)

// Error describes the reason for logs.
func (e *Error) Error() string {
	text := "unusable image: " + string(e.Code)
	if e.Code == TooManyPixels || e.Code == NotSquare || e.Code == TooSmall {
		text += fmt.Sprintf(" (%d × %d)", e.Width, e.Height)
	}
	if e.Bytes > 0 {
		text += fmt.Sprintf(" (over %d bytes)", e.Bytes)
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

func broken(err error) error { return &Error{Code: Broken, Detail: err.Error()} }

// Options say which images a caller accepts.
type Options struct {
	// Accept is asked before a raster image is decoded: with its size and the
	// bytes that decoding takes.
	Accept func(size image.Point, memory int64) error
	// DrawSize returns how many pixels an SVG drawing of some width and height gets.
	DrawSize func(width, height float64) (image.Point, error)
	// MaxSVG is the largest size of an SVG document, in bytes.
	MaxSVG int
	// IconSide, unless it is 0, makes Decode read the formats of favicons too,
	// BMP and ICO. Of the images of an ICO file it takes the smallest with at
	// least this side, in pixels, or else the largest.
	IconSide int
}

// Decode decodes an image by what it contains, whatever its server calls it, and
// returns the name of its format. It ends soon after ctx does, and after a few
// seconds whatever the image asks for. A broken file may make reading its
// pixels panic later; callers defer Recover. Errors: *Error, those of Options'
// functions, the context's.
func Decode(ctx context.Context, body []byte, o Options) (img image.Image, format string, err error) {
	defer Recover(&err)
	img, format, err = decode(ctx, body, o)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err() // decoders hide those of their readers
	}
	return img, format, err
}

func decode(ctx context.Context, body []byte, o Options) (image.Image, string, error) {
	if o.IconSide > 0 && bytes.HasPrefix(body, []byte(icoMagic)) {
		img, err := decodeICO(ctx, body, o)
		return img, "ico", err
	}
	readable := rasterFormats
	if o.IconSide > 0 {
		readable = append(slices.Clone(readable), bmpFormat)
	}
	for _, f := range readable {
		if f.matches(body) {
			img, err := f.decode(ctx, body, o)
			return img, f.name, err
		}
	}
	if isSVG(body) {
		img, err := drawSVG(ctx, body, o)
		return img, SVG, err
	}
	if slices.ContainsFunc(browserFormats, func(f rasterFormat) bool { return f.matches(body) }) {
		return nil, "", &Error{Code: BrowserFormat}
	}
	return nil, "", &Error{Code: UnknownFormat}
}

// Recover turns the panic of a decoder into an *Error. It is to be deferred.
func Recover(err *error) {
	if p := recover(); p != nil {
		if *err = reason(p); *err == nil {
			*err = &Error{Code: Broken, Detail: fmt.Sprint("decoder panic: ", p)}
		}
	}
}
