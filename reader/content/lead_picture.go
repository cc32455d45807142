package content

import (
	"html"
	"strings"
)

// LeadPicture returns the address of the first picture in sanitized HTML (see FitHTML), "" if there is
// none.
func LeadPicture(sanitized string) string {
	const tag, source = "<img ", `src="`
	for rest := sanitized; ; {
		at := strings.Index(rest, tag)
		if at < 0 {
			return ""
		}
		rest = rest[at+len(tag):]
		inner, _, _ := strings.Cut(rest, ">")
		if at := strings.Index(inner, source); at >= 0 && (at == 0 || inner[at-1] == ' ') {
			address, _, _ := strings.Cut(inner[at+len(source):], `"`)
			return html.UnescapeString(address)
		}
	}
}
