package parse

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
)

// kind is what a document turns out to be.
type kind int

const (
	kindXML kind = iota
	kindJSON
)

// locate finds where the feed begins in decoded text and of which kind it is,
// or the error that says what it is instead.
func locate(text []byte) (kind, int, error) {
	rest := bytes.TrimLeft(text, " \t\r\n\ufeff")
	if len(rest) == 0 {
		return 0, 0, ErrEmpty
	}
	if rest[0] == '{' {
		return kindJSON, len(text) - len(rest), nil
	}
	if i := rootOf(text); i >= 0 {
		return kindXML, i, nil
	}
	return 0, 0, whatItIs(rest)
}

// rootOf returns where the start tag of a feed is. In what is a web page a
// feed counts only if it comes with the marks of one, since pages may hold
// elements of any name.
func rootOf(text []byte) int {
	page, hasItem := false, bytes.Contains(text, []byte("<item"))
	for i := 0; i < len(text); {
		j := bytes.IndexByte(text[i:], '<')
		if j < 0 {
			return -1
		}
		i += j
		switch {
		case bytes.HasPrefix(text[i:], []byte("<!--")):
			end := bytes.Index(text[i+4:], []byte("-->"))
			if end < 0 {
				return -1
			}
			i += 4 + end + 3
			continue
		case bytes.HasPrefix(text[i:], []byte("<![CDATA[")):
			end := bytes.Index(text[i:], []byte("]]>"))
			if end < 0 {
				return -1
			}
			i += end
			continue
		}
		name := tagName(text[i+1:])
		switch strings.ToLower(localName(name)) {
		case "html", "head", "body":
			page = true
		case "rss", "rdf", "feed":
			if !page || marked(text[i:]) {
				return i
			}
		case "channel":
			if !page && hasItem {
				return i
			}
		}
		i++
	}
	return -1
}

// marked tells the root of a feed by its version or namespace.
func marked(tag []byte) bool {
	end := bytes.IndexByte(tag[:min(len(tag), 4096)], '>')
	if end < 0 {
		return false
	}
	return bytes.Contains(tag[:end], []byte("xmlns")) || bytes.Contains(tag[:end], []byte("version"))
}

// whatItIs returns an error that says what was served in place of a feed.
func whatItIs(b []byte) error {
	head := strings.ToLower(string(b[:min(len(b), 2048)]))
	for _, mark := range []string{"<!doctype html", "<html", "<head", "<body", "<title>", "<script", "<meta "} {
		if strings.Contains(head, mark) {
			return ErrHTML
		}
	}
	return fmt.Errorf("%w: %s", ErrNotFeed, describe(b, head))
}

func describe(b []byte, head string) string {
	switch {
	case strings.Contains(head, "<opml"):
		return "a list of feeds (OPML)"
	case strings.Contains(head, "<urlset"), strings.Contains(head, "<sitemapindex"):
		return "a sitemap"
	case strings.Contains(head, "<svg"):
		return "a picture"
	case strings.HasPrefix(head, "<"):
		return "another kind of XML"
	}
	sniffed, _, _ := strings.Cut(http.DetectContentType(b), ";")
	family, _, _ := strings.Cut(sniffed, "/")
	switch {
	case family == "image":
		return "a picture"
	case family == "audio":
		return "a sound"
	case family == "video":
		return "a video"
	case sniffed == "application/pdf":
		return "a PDF document"
	case strings.Contains(sniffed, "zip"), strings.Contains(sniffed, "rar"), strings.Contains(sniffed, "compress"):
		return "an archive"
	case family == "text":
		return "plain text"
	}
	return "binary data"
}

// foreign recognises, by its first bytes, what is no text at all.
func foreign(b []byte) error {
	sniffed, _, _ := strings.Cut(http.DetectContentType(b), ";")
	family, _, _ := strings.Cut(sniffed, "/")
	if family == "image" || family == "audio" || family == "video" || family == "font" ||
		family == "application" && sniffed != "application/octet-stream" {
		return fmt.Errorf("%w: %s", ErrNotFeed, describe(b, ""))
	}
	return nil
}
