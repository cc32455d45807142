package icon

import (
	"bytes"
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// link is an icon that a page names (HTML §4.6.6.9).
type link struct {
	url  string
	kind linkKind
	size int // pixels of its side; 0 if it does not say
}

// linkKind orders links by their worth: an icon that is large enough, one without a
// size, a drawing (not all of SVG is supported), what phones show, one that is too small.
type linkKind int

const (
	largeIcon linkKind = iota
	unsizedIcon
	vectorIcon
	touchIcon
	tinyIcon
)

// iconLinks returns the addresses of the icons a page names in its head, the best first.
func iconLinks(page Answer) []string {
	base, err := url.Parse(page.URL)
	if err != nil {
		return nil
	}
	var links []link
	z := html.NewTokenizer(bytes.NewReader(page.Body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return sortLinks(links)
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch t.Data {
			case "body":
				return sortLinks(links)
			case "base":
				if u, err := base.Parse(attribute(t, "href")); err == nil {
					base = u
				}
			case "link":
				if l, ok := parseLink(t, base); ok {
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

// parseLink reads a <link> element; ok is false if it names no icon for a light window.
func parseLink(t html.Token, base *url.URL) (l link, ok bool) {
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
	l.url, l.size = u.String(), largestSize(attribute(t, "sizes"))
	switch {
	case strings.Contains(attribute(t, "type"), "svg"), strings.HasSuffix(strings.ToLower(u.Path), ".svg"), strings.HasPrefix(l.url, "data:image/svg"):
		l.kind = vectorIcon
	case phone:
		l.kind = touchIcon
	case l.size == 0:
		l.kind = unsizedIcon
	case l.size < Size:
		l.kind = tinyIcon
	}
	return l, true
}

// largestSize reads the largest of the sizes of a link, such as "16x16 32x32".
func largestSize(sizes string) int {
	largest := 0
	for _, s := range strings.Fields(strings.ToLower(sizes)) {
		w, _, _ := strings.Cut(s, "x")
		if n, err := strconv.Atoi(w); err == nil {
			largest = max(largest, n)
		}
	}
	return largest
}

// sortLinks returns the addresses of links, the best first and each once. Of those large
// enough the smallest is best.
func sortLinks(links []link) (addresses []string) {
	slices.SortStableFunc(links, func(a, b link) int {
		bySize := cmp.Compare(a.size, b.size)
		if a.kind == tinyIcon {
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
