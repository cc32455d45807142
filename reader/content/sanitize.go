package content

import (
	"bytes"
	"html"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
)

// MaxHTML is how much HTML of one article is kept, in bytes. The longest real
// articles are books of about 2 MB.
const MaxHTML = 4 << 20

// elements are those that are kept, with the attributes they may have beside their direction; any other
// loses its tags and keeps its text. A span with a direction becomes a <bdi>; where a link within the document leads to, there is a <wbr>.
var elements = map[string][]string{
	"a": {"href", "title"}, "abbr": {"title"}, "article": nil, "aside": nil, "b": nil, "bdi": nil, "bdo": nil,
	"blockquote": nil, "br": nil, "caption": nil, "center": nil, "cite": nil, "code": nil,
	"dd": nil, "del": nil, "details": {"open"}, "dfn": nil, "div": nil, "dl": nil, "dt": nil,
	"em": nil, "figcaption": nil, "figure": nil, "footer": nil, "h1": nil, "h2": nil,
	"h3": nil, "h4": nil, "h5": nil, "h6": nil, "header": nil, "hr": nil, "i": nil,
	"img": {"src", "alt", "title", "width", "height", "srcset"}, "ins": nil, "kbd": nil,
	"li": {"value"}, "main": nil, "mark": nil, "ol": {"start", "reversed"}, "p": nil,
	"picture": nil, "pre": nil, "q": nil, "s": nil, "samp": nil, "section": nil, "small": nil, "source": {"media", "srcset"},
	"strike": nil, "strong": nil, "sub": nil, "summary": nil, "sup": nil, "table": nil,
	"tbody": nil, "td": {"colspan", "rowspan", "align"}, "tfoot": nil, "th": {"colspan", "rowspan", "align"},
	"thead": nil, "tr": {"align"}, "tt": nil, "u": nil, "ul": nil, "var": nil, "wbr": {"id"},
}

// linkSchemes are the schemes that a link may have.
var linkSchemes = []string{"http", "https", "mailto", "tel", "xmpp", "magnet", "gemini", "ftp", "geo", "data"}

// alignments are those that a cell may have.
var alignments = regexp.MustCompile(`^(left|center|right)$`)

// directions are those that all elements with text may have.
var directions = regexp.MustCompile(`^(ltr|rtl|auto)$`)

// policy decides what is safe: it reads all that the rewriter writes, and nothing active
// comes out.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	for name, attrs := range elements {
		p.AllowElements(name)
		p.AllowNoAttrs().OnElements(name)
		if !hasNoContent(name) {
			p.AllowAttrs("dir").Matching(directions).OnElements(name)
		}
		for _, a := range attrs {
			switch a {
			case "href", "src", "title", "alt":
				p.AllowAttrs(a).OnElements(name)
			case "srcset":
				p.AllowAttrs(a).Matching(srcsetAttribute).OnElements(name)
			case "media":
				p.AllowAttrs(a).Matching(mediaAttribute).OnElements(name)
			case "id":
				p.AllowAttrs(a).Matching(fragments).OnElements(name)
			case "align":
				p.AllowAttrs(a).Matching(alignments).OnElements(name)
			default:
				p.AllowAttrs(a).Matching(bluemonday.Integer).OnElements(name)
			}
		}
	}
	p.AllowURLSchemes(linkSchemes...)
	p.AllowDataURIImages() // narrows "data" to base64 pictures
	p.RequireParseableURLs(true)
	return p
})

// Sanitize turns the HTML or plain text of a feed into HTML that is safe to store.
// Nothing in it is active (script, style, handler, form or frame); links and
// pictures are absolute (RFC 3986 §5), and none lead to this machine or its network
// unless the HTML comes from there; tracking pixels are removed, lazily loaded
// pictures are real, frames and videos are links.
// It never fails and is safe for concurrent use. HTML longer than MaxHTML is cut.
func Sanitize(s string, origin Origin) string { return sanitize(s, origin, nil) }

// SanitizeWithText is Sanitize, and returns the Text of the safe HTML besides, which costs
// little on the way.
func SanitizeWithText(s string, origin Origin, max int) (clean, text string) {
	l := newLine(s, max)
	clean = sanitize(s, origin, l)
	return clean, l.cut()
}

// sanitize is Sanitize, and adds the text to l unless that is nil.
func sanitize(s string, origin Origin, l *line) string {
	s = truncate(s)
	out := newOutput(l)
	if strings.Contains(s, "<") {
		w := rewriter{Origin: origin, out: out, attrs: out.attrs[:0], targets: targetsOf(s)}
		w.run(s)
		out.attrs = w.attrs
		return out.sanitized()
	}
	if strings.Contains(s, "&") {
		s = escapeText(html.UnescapeString(s))
	}
	out.written.WriteString(paragraphs(s))
	return out.sanitized()
}

// FromText turns plain text into HTML: blank lines separate paragraphs, line ends
// are kept, addresses become links where Sanitize keeps them. The HTML is as safe, and
// its Text is returned besides.
func FromText(s string, origin Origin, max int) (clean, text string) {
	l := newLine(s, max)
	out := newOutput(l)
	b := &out.written
	for _, p := range splitParagraphs(dropControls(truncate(s))) {
		b.WriteString("<p>")
		for i, line := range strings.Split(strings.TrimSpace(p), "\n") {
			if i > 0 {
				b.WriteString("<br>")
			}
			linkify(b, line, origin)
		}
		b.WriteString("</p>")
	}
	clean = out.sanitized()
	return clean, l.cut()
}

// truncate cuts text that is too long, or would be with every "&" as "&amp;".
func truncate(s string) string {
	end := MaxHTML
	if strings.Count(s, "&") > MaxHTML/8 {
		end /= len("&amp;")
	}
	return CutBytes(s, end)
}

var textEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func escapeText(s string) string { return textEscaper.Replace(s) }

// paragraphs turns the blank lines of text without tags into paragraphs.
func paragraphs(s string) string {
	s = strings.TrimSpace(s)
	if !strings.Contains(s, "\n") {
		return s
	}
	parts := splitParagraphs(s)
	if len(parts) < 2 {
		return s
	}
	return "<p>" + strings.Join(parts, "</p><p>") + "</p>"
}

func splitParagraphs(s string) []string {
	var parts []string
	start, blank := 0, true
	flush := func(end int) {
		if p := strings.TrimSpace(s[start:end]); p != "" {
			parts = append(parts, p)
		}
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\n':
			if blank {
				flush(i)
				start = i + 1
			}
			blank = true
		case ' ', '\t', '\r':
		default:
			blank = false
		}
	}
	flush(len(s))
	return parts
}

// linkify writes text whose addresses become links.
func linkify(b *bytes.Buffer, s string, origin Origin) {
	for {
		i := strings.Index(s, "http")
		if i < 0 || !strings.HasPrefix(s[i:], "http://") && !strings.HasPrefix(s[i:], "https://") {
			if i < 0 {
				b.WriteString(escapeText(s))
				return
			}
			b.WriteString(escapeText(s[:i+4]))
			s = s[i+4:]
			continue
		}
		b.WriteString(escapeText(s[:i]))
		s = s[i:]
		end := strings.IndexAny(s, " \t\r\"<>")
		if end < 0 {
			end = len(s)
		}
		end = len(strings.TrimRight(s[:end], ".,;:!?)]'»”"))
		link := s[:end]
		if u, err := url.Parse(link); err == nil && u.Host != "" && origin.Link(link) != "" {
			b.WriteString(`<a href="` + html.EscapeString(origin.Link(link)) + `">` + escapeText(link) + "</a>")
		} else {
			b.WriteString(escapeText(link))
		}
		s = s[end:]
	}
}
