package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sanitizerVectors counts the sanitizer vectors of which nothing active is left, each
// as the body of an article in three formats.
func sanitizerVectors(t *testing.T) line {
	var all []string
	for _, f := range load(t, "xss") {
		all = append(all, splitVectors(f)...)
	}
	return halved(100, all, func(list []string) (r result) {
		for _, v := range list {
			for _, feed := range feedsWith(v) {
				f, err := read([]byte(feed))
				if err != nil {
					continue // the vector breaks the feed
				}
				for _, a := range f.Articles {
					found := activeContent(a.HTML)
					r.count(found == "", "%s survives of %q in %q", found, v, a.HTML)
				}
			}
		}
		return r
	})
}

// splitVectors returns the vectors of a file: itself, its lines, or the texts of its JSON.
func splitVectors(f file) []string {
	list := []string{string(f.body)}
	var v any
	if json.Unmarshal(f.body, &v) == nil {
		return append(list, textsIn(v)...)
	}
	return append(list, strings.Split(string(f.body), "\n")...)
}

func textsIn(v any) (list []string) {
	switch v := v.(type) {
	case string:
		list = []string{v}
	case []any:
		for _, x := range v {
			list = append(list, textsIn(x)...)
		}
	case map[string]any:
		for _, x := range v {
			list = append(list, textsIn(x)...)
		}
	}
	return list
}

// feedsWith returns feeds with a body in three formats.
func feedsWith(v string) []string {
	return []string{
		`<rss><channel><item><title>t</title><description>` + html.EscapeString(v) + `</description></item></channel></rss>`,
		`<rss xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><item><title>t</title><content:encoded><![CDATA[` +
			strings.ReplaceAll(v, "]]>", "]]]]><![CDATA[>") + `]]></content:encoded></item></channel></rss>`,
		`<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>t</title><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">` + v + `</div></content></entry></feed>`,
	}
}

var (
	allowedElement   = regexp.MustCompile(`^(?:html|head|body|a|abbr|article|aside|b|bdi|bdo|blockquote|br|caption|center|cite|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|footer|h[1-6]|header|hr|i|img|ins|kbd|li|main|mark|ol|p|pre|q|s|samp|section|small|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr)$`)
	allowedAttribute = regexp.MustCompile(`^(?:href|src|srcset|alt|title|width|height|value|start|reversed|colspan|rowspan|align|open|dir)$`)
	scheme           = regexp.MustCompile(`^([a-z][a-z0-9+.-]*):`)
	localHost        = regexp.MustCompile(`^(?:localhost|.*\.local|127\..*|10\..*|192\.168\..*|169\.254\..*|0\.0\.0\.0|::1)$`)
)

// activeContent returns what a browser would run, embed, or load from the local network,
// "" for nothing. It reads the tree that a browser builds and shares nothing with the
// sanitizer.
func activeContent(clean string) string {
	nodes, err := xhtml.ParseFragment(strings.NewReader(clean), &xhtml.Node{Type: xhtml.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return err.Error()
	}
	for len(nodes) > 0 {
		n := nodes[len(nodes)-1]
		nodes = nodes[:len(nodes)-1]
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			nodes = append(nodes, c)
		}
		switch {
		case n.Type == xhtml.CommentNode, n.Type == xhtml.DoctypeNode:
			return "a comment or doctype"
		case n.Type == xhtml.ElementNode && (!allowedElement.MatchString(n.Data) || n.Namespace != ""):
			return "element " + n.Data
		}
		for _, a := range n.Attr {
			if found := activeAttr(n.Data, a); found != "" {
				return found
			}
		}
	}
	return ""
}

func activeAttr(element string, a xhtml.Attribute) string {
	if element == "wbr" && a.Key == "id" && a.Namespace == "" {
		return "" // where links of the article lead to
	}
	if !allowedAttribute.MatchString(a.Key) || a.Namespace != "" {
		return "attribute " + a.Key
	}
	switch a.Key {
	case "href", "src":
		return activeAddress(element, a.Val)
	case "srcset": // each address is followed by a space and its width or density
		for candidate := range strings.SplitSeq(a.Val, ", ") {
			address, _, _ := strings.Cut(candidate, " ")
			if found := activeAddress(element, address); found != "" {
				return found
			}
		}
	}
	return ""
}

func activeAddress(element, address string) string {
	given := address
	address = strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, address))
	found := scheme.FindStringSubmatch(address)
	if found == nil {
		return "relative address " + given
	}
	switch found[1] {
	case "http", "https":
		u, err := url.Parse(address)
		if err != nil || localHost.MatchString(u.Hostname()) {
			return "address " + given
		}
		return ""
	case "mailto", "tel", "xmpp", "magnet", "gemini", "ftp", "geo":
		if element == "a" {
			return ""
		}
	case "data":
		if element == "img" && strings.HasPrefix(address, "data:image/") && (!strings.HasPrefix(address, "data:image/svg") || strings.HasPrefix(address, "data:image/svg+xml;base64,")) {
			return ""
		}
	}
	return "address " + given
}

// TestActiveContent: active content is found.
func TestActiveContent(t *testing.T) {
	for _, s := range []string{"<script>x</script>", "<p onclick=x>", "<p style=x>", "<a href=' java&#10;script:x'>", "<img src=x>", "<svg></svg>",
		"<img src='data:image/svg+xml,x'>", "<a href='data:text/html,x'>", "<!-- x -->", "<iframe src=http://x/>", "<img src=http://127.0.0.1/x>", "<img src=ftp://x/y>",
		"<img srcset='http://x/a 1x, http://127.0.0.1/x 2x'>", "<img srcset='javascript:x 2x'>", "<img srcset=y>"} {
		if activeContent(s) == "" {
			t.Errorf("%s passes as harmless", s)
		}
	}
	if found := activeContent(`<p>a <a href="http://x/">b</a> <img src="data:image/png;base64,AA=="></p>`); found != "" {
		t.Error(found)
	}
	if !bytes.Contains([]byte(fmt.Sprint(feedsWith("]]>"))), []byte("]]]]><![CDATA[>")) {
		t.Error("a CDATA section ends too early")
	}
}
