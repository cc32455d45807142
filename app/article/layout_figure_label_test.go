package article

import (
	"testing"

	"kairos/reader/content"
)

// A picture without a text is named by its file, or by its server where the name of the file says nothing to people.
func TestPictureLabel(t *testing.T) {
	for address, want := range map[string]string{
		"https://e.org/img/a%20cat.jpg?w=9":                                         "a cat.jpg",
		"https://e.org/IMG_2034.jpg":                                                "IMG_2034.jpg",
		"https://e.org/international-space-station-at-night.webp":                   "international-space-station-at-night.webp",
		"https://proxy.test/proxy/x/aHR0cHM6Ly9leGFtcGxlLm9yZy9jYXQuanBn":           "proxy.test",
		"https://proxy.test/proxy/aHR0cHM6Ly9leGFtcGxlLm9yZy9-_2F0LmpwZ2RmZ2Rm.png": "proxy.test",
		"https://e.org/p/https%3A%2F%2Fother.test%2Fcat.jpg":                        "cat.jpg",
		"https://e.org/1b4e28ba-2fa1-11d2-883f-0016d3cca427.jpeg":                   "e.org",
		"https://e.org/":             "e.org",
		"data:image/png;base64,aaaa": "Image",
	} {
		if got := pictureLabel(content.Image{URL: address}); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	if got := pictureLabel(content.Image{URL: "https://e.org/a.jpg", Alt: "A cat"}); got != "A cat" {
		t.Error(got)
	}
}
