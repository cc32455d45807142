package content

import (
	"html"
	"strings"
)

// Links returns the addresses that sanitized HTML links to, in order, each once and most of them at most.
func Links(sanitized string, most int) (links []string) {
	const tag, target = "<a ", `href="`
	seen := map[string]bool{}
	for rest := sanitized; len(links) < most; {
		at := strings.Index(rest, tag)
		if at < 0 {
			break
		}
		rest = rest[at+len(tag):]
		inner, _, _ := strings.Cut(rest, ">")
		if at := strings.Index(inner, target); at >= 0 && (at == 0 || inner[at-1] == ' ') {
			address, _, _ := strings.Cut(inner[at+len(target):], `"`)
			if address = html.UnescapeString(address); !seen[address] {
				seen[address] = true
				links = append(links, address)
			}
		}
	}
	return links
}
