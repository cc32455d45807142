package icon

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// link is an icon that a page names (HTML §4.6.6.9).
type link struct {
	url  string
	kind int
	size int // pixels of its side; 0 if it does not say
}

// Kinds of link, the best first: an icon that is large enough, one that does not say,
// a drawing (not all of SVG is understood), what phones show, an icon that is too small.
const (
	large = iota
	unsized
	vector
	touch
	tiny
)

// linked returns the addresses of the icons a page names in its head, the best first.
func linked(page Answer) []string {
	base, err := url.Parse(page.URL)
	if err != nil {
		return nil
	}
	var links []link
	z := html.NewTokenizer(bytes.NewReader(page.Body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ranked(links)
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch t.Data {
			case "body":
				return ranked(links)
			case "base":
				if u, err := base.Parse(attribute(t, "href")); err == nil {
					base = u
				}
			case "link":
				if l, ok := linkOf(t, base); ok {
					links = append(links, l)
				}
			}
		}
	}
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// linkOf reads a <link>; it is not ok if it names no icon for a light window.
func linkOf(t html.Token, base *url.URL) (l link, ok bool) {
	rel := strings.Fields(strings.ToLower(attribute(t, "rel")))
	icon := slices.Contains(rel, "icon")
	phone := slices.Contains(rel, "apple-touch-icon") || slices.Contains(rel, "apple-touch-icon-precomposed")
	href := attribute(t, "href")
	if !icon && !phone || href == "" || strings.Contains(attribute(t, "media"), "dark") {
		return l, false
	}
	u, err := base.Parse(href)
	if err != nil || u.Scheme != "data" && Origin(u.String()) == "" {
		return l, false
	}
	u.Fragment, u.RawFragment = "", ""
	l.url, l.size = u.String(), side(attribute(t, "sizes"))
	switch {
	case strings.Contains(attribute(t, "type"), "svg"), strings.HasSuffix(strings.ToLower(u.Path), ".svg"), strings.HasPrefix(l.url, "data:image/svg"):
		l.kind = vector
	case phone:
		l.kind = touch
	case l.size == 0:
		l.kind = unsized
	case l.size < Size:
		l.kind = tiny
	}
	return l, true
}

// side is the largest of the sizes a link tells, such as "16x16 32x32".
func side(sizes string) int {
	most := 0
	for _, s := range strings.Fields(strings.ToLower(sizes)) {
		w, _, _ := strings.Cut(s, "x")
		if n, err := strconv.Atoi(w); err == nil {
			most = max(most, n)
		}
	}
	return most
}

// ranked sorts links by their worth and drops what was named before. Of those large
// enough the smallest is best.
func ranked(links []link) (addresses []string) {
	slices.SortStableFunc(links, func(a, b link) int {
		bySize := cmp.Compare(a.size, b.size)
		if a.kind == tiny {
			bySize = -bySize
		}
		return cmp.Or(cmp.Compare(a.kind, b.kind), bySize)
	})
	for _, l := range links {
		if !slices.Contains(addresses, l.url) {
			addresses = append(addresses, l.url)
		}
	}
	return addresses
}

// inline returns the picture that stands in a data: address (RFC 2397); it is not ok
// if the address is no such.
func inline(address string) (body []byte, ok bool) {
	rest, ok := strings.CutPrefix(address, "data:")
	if !ok {
		return nil, false
	}
	kind, data, _ := strings.Cut(rest, ",")
	text, err := url.PathUnescape(data)
	if err != nil {
		return nil, true
	}
	if !strings.HasSuffix(kind, ";base64") {
		return []byte(text), true
	}
	body, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return nil, true
	}
	return body, true
}
