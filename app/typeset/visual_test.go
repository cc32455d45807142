package typeset

import (
	"strings"
	"testing"
)

// TestVisual expects the parts of a text from left to right; the driver draws the letters of each Hebrew or Arabic one from right
// to left.
func TestVisual(t *testing.T) {
	for text, want := range map[string]string{
		"plain: words":            "plain: words",
		"אב: גד":                  "גד| |:|אב",
		"News: אב, גד":            "News:| |גד| |,|אב",
		"أزمة: ألمانيا":           "ألمانيا| |:|أزمة",
		"אב \U0001f1e9\U0001f1ea": "\U0001f1e9\U0001f1ea| |אב", // a flag stays whole
	} {
		if got := strings.ReplaceAll(Visual(text), leftToRightMark, "|"); got != want {
			t.Errorf("%q is drawn as %q, want %q", text, got, want)
		}
	}
}
