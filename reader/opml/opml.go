// Package opml reads and writes lists of subscriptions: OPML 2.0
// (opml.org/spec2.opml) and its many broken relatives, and the urls file of
// Newsboat.
package opml

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"kairos/reader/content"
	"kairos/reader/discover"
	"kairos/reader/parse"
)

// Outline is one feed of a list.
type Outline struct {
	Title  string            // one line of text, never empty when read
	URL    string            // absolute: http, https, or file
	Site   string            // address of the web page, may be empty
	Folder string            // path from the top, its parts joined by Separator
	Attrs  map[string]string // attributes in our own namespace, without prefix
}

// Separator parts the folders of a path.
const Separator = " / "

// Namespace is that of our own attributes.
const Namespace = "urn:kairos:opml"

// Refusal is an entry that is no feed we can subscribe to.
type Refusal struct {
	Line   int // 1 is the first
	Text   string
	Reason string
}

// List is what was read.
type List struct {
	Title    string
	Feeds    []Outline
	Refused  []Refusal
	Warnings []string // sentences for people
}

// Bounds of what is read.
const (
	maxSize    = 32 << 20
	maxFeeds   = 10_000 // each of which is planned for
	maxRefused = 10_000
	maxDepth   = 64
	maxTitle   = 500   // characters of a title or the name of a folder
	maxAddress = 8_000 // bytes
	maxOwn     = 32    // attributes in our own namespace
	maxAttrs   = 500   // of one tag
)

// Errors of Read; both are sentences for people.
var (
	ErrNoList = errors.New("this is not a list of feeds")
	ErrTooBig = errors.New("the list is larger than 32 MB")
)

// Reasons to refuse what only another reader can make.
const (
	reasonSearch  = "it is a search of another reader, not a feed"
	reasonProgram = "another reader makes it with a program, which Kairos does not run"
)

// Read reads a list of subscriptions, in any encoding. What is broken in it is
// left out and told in Warnings and Refused; an error (ErrNoList, ErrTooBig, or
// the reader's) means that nothing was read.
func Read(r io.Reader) (List, error) {
	body, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return List{}, fmt.Errorf("the list could not be read: %w", err)
	}
	if len(body) > maxSize {
		return List{}, ErrTooBig
	}
	text := string(parse.Text(body, ""))
	trimmed := strings.TrimLeft(text, " \t\r\n")
	s := scanner{src: trimmed, line: 1 + strings.Count(text[:len(text)-len(trimmed)], "\n")}
	switch {
	case looksLikeFOAF(trimmed):
		s.foaf()
	case strings.HasPrefix(trimmed, "<"):
		s.run()
	case looksLikeURLs(trimmed):
		s.urls()
	}
	if !s.isList {
		return List{}, ErrNoList
	}
	s.summarize()
	return s.list, nil
}

// LooksLikeList tells a list from a feed by the beginning of a file.
func LooksLikeList(head []byte) bool {
	text := strings.TrimSpace(string(parse.Text(head, "")))
	if strings.HasPrefix(text, "<") {
		lower := strings.ToLower(text)
		return strings.Contains(lower, "<opml") || strings.Contains(lower, "<outline")
	}
	return looksLikeURLs(text)
}

// summarize tells what was left out or cannot be kept.
func (s *scanner) summarize() {
	if s.filtered > 0 {
		s.warn("%s filtered by a program in another reader, which Kairos does not run: expect all articles", feeds(s.filtered, "was", "were"))
	}
	if s.tooMany > 0 {
		s.warn("%s left out: the list has more than %d", feeds(s.tooMany, "was", "were"), maxFeeds)
	}
	if s.unlisted > 0 {
		s.warn("%d more entries could not be imported", s.unlisted)
	}
}

func feeds(n int, one, many string) string {
	if n == 1 {
		return "1 feed " + one
	}
	return fmt.Sprintf("%d feeds %s", n, many)
}

// add takes a feed into the list, or says why not.
func (s *scanner) add(o Outline, line int) {
	if len(s.list.Feeds) >= maxFeeds {
		s.tooMany++
		return
	}
	address, reason := subscribable(o.URL)
	if reason != "" {
		s.refuse(line, o.Title, o.URL, reason)
		return
	}
	o.URL = address
	if site, bad := subscribable(o.Site); bad == "" && !strings.HasPrefix(site, fileScheme) {
		o.Site = site
	} else {
		o.Site = ""
	}
	if o.Title = s.short(o.Title); o.Title == "" {
		u, _ := url.Parse(address)
		if o.Title = u.Host; o.Title == "" {
			o.Title = u.Path
		}
	}
	s.list.Feeds = append(s.list.Feeds, o)
}

func (s *scanner) refuse(line int, title, address, reason string) {
	if len(s.list.Refused) >= maxRefused {
		s.unlisted++
		return
	}
	text := s.short(title)
	if text == "" {
		text = s.short(address)
	}
	s.list.Refused = append(s.list.Refused, Refusal{Line: line, Text: text, Reason: reason})
}

// short is a title as one line of text. Where others may have written HTML, we
// write what it says.
func (s *scanner) short(title string) string {
	title = title[:min(len(title), 8*maxTitle)]
	if s.isOurs {
		title = strings.Join(strings.Fields(strings.ToValidUTF8(title, "")), " ")
	} else {
		title = content.Title(title)
	}
	if r := []rune(title); len(r) > maxTitle {
		return string(r[:maxTitle-1]) + "…"
	}
	return title
}

const fileScheme = "file:"

// subscribable returns the address to fetch, or the reason why there is none.
func subscribable(address string) (string, string) {
	if len(address) > maxAddress {
		return "", "its address is too long"
	}
	for strings.Contains(address, "&amp;") { // escaped twice and more
		address = strings.ReplaceAll(address, "&amp;", "&")
	}
	address = strings.Join(strings.Fields(address), "%20")
	scheme, rest, _ := strings.Cut(address, ":")
	switch scheme = strings.ToLower(scheme); {
	case address == "":
		return "", "it has no address"
	case scheme == "query":
		return "", reasonSearch
	case scheme == "exec", scheme == "filter", strings.HasPrefix(address, "|"):
		return "", reasonProgram
	case scheme == "file":
		if u, err := url.Parse(fileScheme + rest); err == nil && strings.HasPrefix(u.Path, "/") {
			return u.String(), ""
		}
	}
	normal, err := discover.Normalize(address)
	if err != nil {
		return "", err.Error()
	}
	return normal, ""
}
