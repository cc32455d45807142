package text

import "testing"

func TestMissingFont(t *testing.T) {
	for pkg, want := range map[string]string{
		"":               "No font for Chinese is installed, so its letters cannot be shown. Install one and start Kairos again.",
		"fonts-noto-cjk": "No font for Chinese is installed, so its letters cannot be shown. Install the package fonts-noto-cjk and start Kairos again.",
	} {
		if got := English().MissingFont("chinese", pkg); got != want {
			t.Errorf("%q", got)
		}
	}
}
