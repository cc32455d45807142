package text

import (
	"strings"
	"testing"
)

func TestMissingFont(t *testing.T) {
	for packages, want := range map[string]string{
		"":               "No font for Chinese is installed, so its letters cannot be shown. Install one and start Kairos again.",
		"fonts-noto-cjk": "No font for Chinese is installed, so its letters cannot be shown. Install the package fonts-noto-cjk and start Kairos again.",
	} {
		if got := English().MissingFonts([]string{"chinese"}, strings.Fields(packages)); got != want {
			t.Errorf("%q", got)
		}
	}
	for packages, want := range map[string]string{
		"":                               "No fonts for Thai and Devanagari are installed, so their letters cannot be shown. Install them and start Kairos again.",
		"fonts-noto-core fonts-noto-cjk": "No fonts for Thai and Devanagari are installed, so their letters cannot be shown. Install the packages fonts-noto-core and fonts-noto-cjk and start Kairos again.",
	} {
		if got := English().MissingFonts([]string{"thai", "devanagari"}, strings.Fields(packages)); got != want {
			t.Errorf("%q", got)
		}
	}
}
