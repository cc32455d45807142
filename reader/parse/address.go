package parse

import (
	"html"
	"net/url"
	"path"
	"strings"

	"kairos/reader/content"
)

// isWeb recognizes an absolute http or https address.
func isWeb(s string) bool {
	s = strings.TrimSpace(s)
	return hasPrefixFold(s, "http://") || hasPrefixFold(s, "https://")
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// webOrEmpty returns s if it is a web address, else "".
func webOrEmpty(s string) string {
	if isWeb(s) {
		return s
	}
	return ""
}

// web returns ref as an absolute http or https address, or "".
func web(base, ref string) string {
	if strings.HasPrefix(strings.TrimSpace(ref), "www.") {
		ref = "http://" + strings.TrimSpace(ref)
	}
	if ref == "" {
		return ""
	}
	return webOrEmpty(content.Resolve(base, ref))
}

// resolve returns ref against base, or ref where that cannot be done.
func resolve(base, ref string) string {
	if u := content.Resolve(base, ref); u != "" {
		return u
	}
	return strings.TrimSpace(ref)
}

func sameHost(a, b string) bool {
	u, err := url.Parse(a)
	v, other := url.Parse(b)
	return err == nil && other == nil && strings.EqualFold(u.Host, v.Host)
}

// firstLink returns the first web address that a sanitized body links to, for an
// item that has no address of its own.
func firstLink(body string) string {
	const mark = `<a href="`
	for {
		i := strings.Index(body, mark)
		if i < 0 {
			return ""
		}
		body = body[i+len(mark):]
		if end := strings.IndexByte(body, '"'); end >= 0 && isWeb(body[:end]) {
			return html.UnescapeString(body[:end])
		}
	}
}

// fileName returns the name of the file at an address, without its extension.
func fileName(address string) string {
	address, _, _ = strings.Cut(address, "?")
	address, _, _ = strings.Cut(address, "#")
	name := path.Base(strings.TrimRight(address, "/"))
	return content.PlainTitle(strings.TrimSuffix(name, path.Ext(name)))
}
