package reading

import (
	"testing"
)

func TestFileName(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org/a/cat.png?x=1":      "cat.png",
		"https://example.org/a%2F..%2Fb:c|d.png": "b_c_d.png",
		"https://example.org/":                   "picture",
		"https://example.org/..":                 "picture",
		"data:image/png;base64,AAAA":             "picture",
		"https://example.org/.hidden":            "hidden",
		"https://example.org/%00%01.png":         "png",
		"://":                                    "picture",
	} {
		if got := fileName(address, "picture"); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
