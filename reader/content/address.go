package content

import (
	"net/url"
	"slices"
	"strings"
)

// resolver makes the addresses of one document absolute.
type resolver struct {
	base string
	url  *url.URL // parsed base, nil until it is needed and where there is none
	done bool
}

// link returns an absolute address, or "" where ref leads nowhere we go.
func (r *resolver) link(ref string) string {
	ref = tidyAddress(ref)
	if scheme, ok := schemeOf(ref); ok {
		if scheme != "data" && slices.Contains(linkSchemes, scheme) {
			return ref
		}
		return ""
	}
	return r.resolve(ref)
}

// image returns the absolute address of a picture, or "".
func (r *resolver) image(ref string) string {
	ref = tidyAddress(ref)
	scheme, ok := schemeOf(ref)
	switch {
	case !ok:
		return r.resolve(ref)
	case scheme == "http", scheme == "https":
		return ref
	case scheme == "data" && strings.HasPrefix(ref, "data:image/"):
		return ref
	}
	return ""
}

func (r *resolver) resolve(ref string) string {
	if ref == "" {
		return ""
	}
	if !r.done {
		r.done = true
		if u, err := url.Parse(strings.TrimSpace(r.base)); err == nil && u.Host != "" {
			r.url = u
		}
	}
	if r.url == nil {
		if strings.HasPrefix(ref, "//") {
			return "https:" + ref
		}
		return ""
	}
	u, err := r.url.Parse(ref)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// tidyAddress drops what browsers drop (WHATWG URL §4.4: blanks at the ends,
// tabs and line ends anywhere) and escapes blanks within.
func tidyAddress(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' || r == '\u00a0' || r == '\ufeff' })
	if !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ReplaceAll(s, " ", "%20"))
}

// schemeOf returns the scheme of an address in lower case (RFC 3986 §3.1).
func schemeOf(s string) (string, bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == ':':
			return strings.ToLower(s[:i]), i > 0
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return "", false
		}
	}
	return "", false
}
