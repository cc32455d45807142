package parse

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
)

// syntax is how a feed is written.
type syntax int

const (
	xmlSyntax syntax = iota
	jsonSyntax
)

// locateFeed finds where the feed begins in decoded text and how it is written.
// Errors: *Error, which says what the document is instead.
func locateFeed(text []byte) (syntax, int, error) {
	rest := bytes.TrimLeft(text, " \t\r\n\ufeff")
	if len(rest) == 0 {
		return 0, 0, &Error{Code: Empty}
	}
	if rest[0] == '{' {
		return jsonSyntax, len(text) - len(rest), nil
	}
	if rest[0] == '[' && !bytes.Contains(rest[:min(len(rest), 4096)], []byte("<")) {
		return 0, 0, &Error{Code: OtherJSON}
	}
	if i := findRoot(text); i >= 0 {
		return xmlSyntax, i, nil
	}
	return 0, 0, classify(rest)
}

// findRoot returns where the start tag of a feed is, -1 without one. In a web page
// only a root with a version or namespace counts, since pages may hold elements of
// any name. A lone channel or entry is a feed where it is the first element.
func findRoot(text []byte) int {
	page, first, hasItem := false, true, bytes.Contains(text, []byte("<item"))
	closed := map[string]bool{"-->": true, "]]>": true}
	for i := 0; i < len(text); {
		j := bytes.IndexByte(text[i:], '<')
		if j < 0 {
			return -1
		}
		i += j
		if size := commentSize(text[i:], closed); size > 0 {
			i += size
			continue
		}
		name := tagName(text[i+1:])
		switch strings.ToLower(localName(name)) {
		case "html", "head", "body":
			page = true
		case "rss", "rdf", "feed":
			if !page || hasVersion(text[i:]) {
				return i
			}
		case "channel":
			if first || !page && hasItem {
				return i
			}
		case "entry":
			if first {
				return i
			}
		}
		first = first && len(name) == 0
		i++
	}
	return -1
}

// commentSize returns the size of the comment or CDATA section that begins here, or
// of its mark if it never ends; closed says which ends there still are.
func commentSize(text []byte, closed map[string]bool) int {
	for _, mark := range [][2]string{{"<!--", "-->"}, {"<![CDATA[", "]]>"}} {
		open, end := mark[0], mark[1]
		if !bytes.HasPrefix(text, []byte(open)) {
			continue
		}
		if closed[end] {
			if i := bytes.Index(text, []byte(end)); i >= 0 {
				return i + len(end)
			}
			closed[end] = false
		}
		return len(open)
	}
	return 0
}

// hasVersion reports whether a root has a version or namespace.
func hasVersion(tag []byte) bool {
	tag = tag[1:min(len(tag), 4096)]
	if end := bytes.IndexAny(tag, "<>"); end >= 0 {
		tag = tag[:end]
	}
	return bytes.Contains(tag, []byte("xmlns")) || bytes.Contains(tag, []byte("version"))
}

// classify returns an error that says what a document is instead of a feed.
func classify(b []byte) error {
	head := strings.ToLower(string(b[:min(len(b), 2048)]))
	if strings.Contains(head, "<opml") && !strings.Contains(head, "<html") {
		return classifyContent(b, head)
	}
	for _, mark := range []string{"<!doctype html", "<html", "<head", "<body", "<title>", "<script", "<meta "} {
		if strings.Contains(head, mark) {
			if passwordInput.Match(b) {
				return &Error{Code: LoginPage}
			}
			return &Error{Code: WebPage}
		}
	}
	return classifyContent(b, head)
}

var passwordInput = regexp.MustCompile(`(?i)<input\s[^>]*\btype\s*=\s*["']?password\b`)

// classifyContent classifies a document that is not a web page; head is its beginning in lower case.
func classifyContent(b []byte, head string) error {
	switch {
	case strings.Contains(head, "<opml"):
		return &Error{Code: FeedList}
	case strings.Contains(head, "<urlset"), strings.Contains(head, "<sitemapindex"):
		return &Error{Code: Sitemap}
	case strings.Contains(head, "<svg"):
		return &Error{Code: Picture}
	case strings.HasPrefix(head, "<"):
		return &Error{Code: OtherXML}
	}
	sniffed, _, _ := strings.Cut(http.DetectContentType(b), ";")
	family, _, _ := strings.Cut(sniffed, "/")
	switch {
	case family == "image":
		return &Error{Code: Picture}
	case family == "audio":
		return &Error{Code: Sound}
	case family == "video":
		return &Error{Code: Video}
	case family == "font":
		return &Error{Code: Font}
	case sniffed == "application/pdf":
		return &Error{Code: PDF}
	case strings.Contains(sniffed, "zip"), strings.Contains(sniffed, "rar"), strings.Contains(sniffed, "compress"):
		return &Error{Code: Archive}
	case family == "text":
		return &Error{Code: PlainText}
	}
	return &Error{Code: BinaryData}
}

// classifyBinary recognizes a document that is no text by its first bytes; it returns nil for text.
func classifyBinary(b []byte) error {
	sniffed, _, _ := strings.Cut(http.DetectContentType(b), ";")
	family, _, _ := strings.Cut(sniffed, "/")
	if family == "image" || family == "audio" || family == "video" || family == "font" ||
		family == "application" && sniffed != "application/octet-stream" {
		return classifyContent(b, "")
	}
	return nil
}
