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
	maxSize  = 32 << 20
	maxDepth = 64
)

// Errors of Read; both are sentences for people.
var (
	ErrNoList = errors.New("this is not a list of feeds")
	ErrTooBig = errors.New("the list is larger than 32 MB")
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
	text := strings.TrimSpace(string(parse.Text(body, "")))
	lead := len(body) - len(strings.TrimLeft(string(body), " \t\r\n"))
	s := scanner{src: text, line: 1 + strings.Count(string(body[:lead]), "\n")}
	switch {
	case strings.HasPrefix(text, "<"):
		s.run()
	case looksLikeURLs(text):
		s.urls()
	default:
		return List{}, ErrNoList
	}
	if !s.isList {
		return List{}, ErrNoList
	}
	return s.list, nil
}

// add takes a feed into the list, or says why not.
func (s *scanner) add(o Outline, line int) {
	address, reason := subscribable(o.URL)
	if reason != "" {
		s.refuse(line, o.Title, o.URL, reason)
		return
	}
	o.URL = address
	if site, bad := subscribable(o.Site); bad == "" {
		o.Site = site
	} else {
		o.Site = ""
	}
	if o.Title = content.Title(o.Title); o.Title == "" {
		u, _ := url.Parse(address)
		o.Title = u.Host
	}
	s.list.Feeds = append(s.list.Feeds, o)
}

func (s *scanner) refuse(line int, title, address, reason string) {
	text := content.Title(title)
	if text == "" {
		text = address
	}
	s.list.Refused = append(s.list.Refused, Refusal{Line: line, Text: text, Reason: reason})
}

// subscribable returns the address to fetch, or the reason why there is none.
func subscribable(address string) (string, string) {
	a := strings.Join(strings.Fields(address), "%20")
	if a == "" {
		return "", "it has no address"
	}
	lower := strings.ToLower(a)
	for _, p := range []string{"feed:http", "pcast:http", "itpc:http", "rss:http"} {
		if strings.HasPrefix(lower, p) {
			a = a[strings.IndexByte(a, ':')+1:]
		}
	}
	for _, p := range []string{"feed://", "pcast://", "itpc://", "rss://"} {
		if strings.HasPrefix(lower, p) {
			a = "http://" + a[len(p):]
		}
	}
	scheme, _, found := strings.Cut(strings.ToLower(a), "://")
	if !found {
		if host, _, _ := strings.Cut(a, "/"); !strings.Contains(host, ".") || strings.ContainsAny(host, ":@") {
			return "", "its address is not one of the web"
		}
		a, scheme = "https://"+a, "https"
	}
	u, err := url.Parse(a)
	if err == nil && scheme == "file" && strings.HasPrefix(u.Path, "/") {
		return a, ""
	}
	if err != nil || u.Host == "" || scheme != "http" && scheme != "https" {
		return "", "its address is not one of the web"
	}
	return a, ""
}
