package content

import (
	"encoding/base64"
	"regexp"
	"strings"

	"kairos/reader/imaging"
)

// maxDrawing is the length of the longest drawing that an address may hold itself, in bytes.
const maxDrawing = 64 << 10

// drawing returns an address that holds an SVG document, in Base64; "" where that is too long or shows nothing, as what stands in until a
// script loads a picture. Whoever shows it as a picture runs no script in it and loads nothing for it (SVG Integration, secure static
// mode), nor does reader/imaging.
func drawing(address string) string {
	if len(address) > 3*maxDrawing {
		return ""
	}
	body, _, err := imaging.DataURL(address)
	if err != nil || len(body) > maxDrawing || !shape.Match(body) {
		return ""
	}
	return drawingPrefix + base64.StdEncoding.EncodeToString(body)
}

const drawingPrefix = "data:image/svg+xml;base64,"

func isDrawing(address string) bool { return strings.HasPrefix(address, "data:image/svg+xml") }

// shape is an element that shows something; a rectangle alone is mostly a gray box.
var shape = regexp.MustCompile(`(?s)<svg\b.*<(?:path|circle|ellipse|line|polygon|polyline|text)\b`)
