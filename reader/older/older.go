// Package older finds where a feed keeps the articles that its document no longer lists: the next page back, as the feed names it,
// or as the program that made it numbers its pages. It makes no requests.
package older

import (
	"net/url"
	"strconv"
	"strings"
)

// Page is a document of a feed, and what it says of older ones.
type Page struct {
	URL       string // that answered
	Named     string // the document with older articles that it names (RFC 5005 prev-archive or next, next_url of JSON Feed); may be ""
	Generator string // the program that made it
	Items     int    // that it lists
}

// Next is the address of a page with older articles.
type Next struct {
	URL     string
	Guessed bool // by the numbers that its program gives pages: where there is none, the server says so
}

// maxAddress is the length of the longest address that is followed, in bytes.
const maxAddress = 2000

// maxPage is the largest number of a page that is guessed.
const maxPage = 10_000

// After returns the next page back; ok is false if there is none. It never leads from https to http.
func (p Page) After() (next Next, ok bool) {
	if p.Named != "" {
		next = Next{URL: p.Named}
	} else if p.Items > 0 {
		next = Next{URL: p.guess(), Guessed: true}
	}
	return next, p.isFit(next.URL)
}

// isFit reports whether an address may be the next page: it is another one of the web, and no less encrypted.
func (p Page) isFit(next string) bool {
	if next == "" || next == p.URL || len(next) > maxAddress {
		return false
	}
	u, err := url.Parse(next)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && strings.HasPrefix(p.URL, "http:")
}

// guess returns the address of the next page by the rules of the program that made the feed; "" if it has none that are known.
func (p Page) guess() string {
	u, err := url.Parse(p.URL)
	if err != nil {
		return ""
	}
	query := u.Query()
	generator := strings.ToLower(p.Generator)
	switch {
	case strings.Contains(generator, "wordpress"):
		// Each page of a blog has a feed, ?feed=rss2&paged=2 or /feed/?paged=2.
		if !step(query, "paged", 1, 1) {
			return ""
		}
	case strings.HasPrefix(generator, "blogger"):
		// start-index is that of the first entry, from 1 on (Blogger's and Google's Data protocol).
		if !step(query, "start-index", 1, p.Items) {
			return ""
		}
	default:
		return ""
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// step adds to a number of a query, which is from where it is missing.
func step(query url.Values, name string, from, by int) bool {
	at := from
	if text := query.Get(name); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < from {
			return false
		}
		at = n
	}
	if by > maxPage-at {
		return false
	}
	query.Set(name, strconv.Itoa(at+by))
	return true
}
