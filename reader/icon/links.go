package icon

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// link is an icon that a page names (HTML §4.6.6.9).
type link struct {
	url   string
	kind  linkKind
	size  int    // pixels of its side; 0 if it does not say
	color string // that a mask is filled with, as CSS writes it; "" for an icon with its own colors
}

// linkKind orders links by their worth: an icon that is large enough, one without a
// size, a drawing (not all of SVG is supported), what phones show, one that is too small, an outline to be filled.
type linkKind int

const (
	largeIcon linkKind = iota
	unsizedIcon
	vectorIcon
	touchIcon
	tinyIcon
	maskIcon
)

// iconLinks returns the icons a page names in its head, the best first, and the address of its web app manifest, "" if it has none.
func iconLinks(page Answer) (links []link, manifest string) {
	base, err := url.Parse(page.URL)
	if err != nil {
		return nil, ""
	}
	z := html.NewTokenizer(bytes.NewReader(page.Body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return sortLinks(links), manifest
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch t.Data {
			case "body":
				return sortLinks(links), manifest
			case "base":
				if u, err := base.Parse(attribute(t, "href")); err == nil {
					base = u
				}
			case "link":
				if l, ok := parseLink(t, base); ok {
					links = append(links, l)
				} else if u, err := base.Parse(attribute(t, "href")); err == nil && strings.EqualFold(attribute(t, "rel"), "manifest") {
					manifest = u.String()
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
	mask := slices.Contains(rel, "mask-icon")
	href := attribute(t, "href")
	if !icon && !phone && !mask || href == "" || strings.Contains(attribute(t, "media"), "dark") {
		return l, false
	}
	l, ok = newLink(base, href, attribute(t, "type"), attribute(t, "sizes"))
	switch {
	case mask:
		l.kind, l.color = maskIcon, cmp.Or(attribute(t, "color"), "black")
	case phone && l.kind != vectorIcon:
		l.kind = touchIcon
	}
	return l, ok
}

// newLink returns the link to an icon of a media type and sizes, both as they are named; ok is false where that is no address.
func newLink(base *url.URL, href, mediaType, sizes string) (l link, ok bool) {
	u, err := base.Parse(href)
	if err != nil || u.Scheme != "data" && Origin(u.String()) == "" {
		return l, false
	}
	u.Fragment, u.RawFragment = "", ""
	l.url, l.size = u.String(), largestSize(sizes)
	switch {
	case strings.Contains(mediaType, "svg"), strings.HasSuffix(strings.ToLower(u.Path), ".svg"), strings.HasPrefix(l.url, "data:image/svg"):
		l.kind = vectorIcon
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

// manifestLinks returns the icons that a web app manifest names, the best first (https://www.w3.org/TR/appmanifest/#icons-member).
func manifestLinks(manifest Answer) (links []link) {
	base, err := url.Parse(manifest.URL)
	if err != nil {
		return nil
	}
	var m struct {
		Icons []struct{ Src, Sizes, Type, Purpose string }
	}
	if err := json.Unmarshal(manifest.Body, &m); err != nil {
		return nil
	}
	for _, i := range m.Icons {
		if purposes := strings.Fields(i.Purpose); len(purposes) > 0 && !slices.Contains(purposes, "any") {
			continue // a mask, or with a margin that a phone cuts off
		}
		if l, ok := newLink(base, i.Src, i.Type, i.Sizes); ok {
			links = append(links, l)
		}
	}
	return sortLinks(links)
}

// sortLinks sorts links, the best first, and leaves each address once. Of those large enough the smallest is best.
func sortLinks(links []link) []link {
	slices.SortStableFunc(links, func(a, b link) int {
		bySize := cmp.Compare(a.size, b.size)
		if a.kind == tinyIcon {
			bySize = -bySize
		}
		return cmp.Or(cmp.Compare(a.kind, b.kind), bySize)
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(links, func(l link) bool {
		again := seen[l.url]
		seen[l.url] = true
		return again
	})
}
