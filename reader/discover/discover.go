// Package discover leads from what a person types, or from a web page, to feeds.
//
// A search goes from certain to likely: the address is itself a feed; the feeds
// of a large site follow from the address alone; the page declares its feeds; it
// names its software; it has links that look like feeds; it links to a page that
// may declare one; feeds stand at well-known paths. The search stops at the first
// of these that finds something, and after a handful of requests.
package discover

import (
	"context"
	"strings"
)

// Page is the answer to one request. URL is the address that answered, after redirects.
type Page struct {
	URL         string
	ContentType string
	Links       []string // its Link header fields (RFC 8288)
	Body        []byte
}

// Get fetches one address. The owner of the HTTP client provides it, so that all
// requests obey the same manners. An error that wraps ErrAbsent says that there is
// nothing at this address; after any other the host is not asked again.
type Get func(ctx context.Context, url string) (Page, error)

// Candidate is a feed that was found.
type Candidate struct {
	URL    string // absolute
	Title  string // one line of text, may be empty
	Format string // "RSS", "Atom", "JSON Feed" …, may be empty
	Page   *Page  // the answer, where it was fetched, so that nobody fetches it again
}

// Find returns the feeds of an address, the main one first, those of comments
// last. A single one was fetched and is a feed; of several that a page or the
// address names only the first may have been. Errors: *Error, that of the first
// request, the context's.
func Find(ctx context.Context, address string, get Get) ([]Candidate, error) {
	start, err := Normalize(address)
	if err != nil {
		return nil, err
	}
	s := search{get: get, asked: map[string]bool{}, unreachable: map[string]bool{}}
	if found := s.onPlatform(ctx, start); len(found) > 0 {
		return found, nil
	}
	page, err := s.fetch(ctx, start)
	if err != nil && ctx.Err() == nil && !hasScheme(address) && strings.HasPrefix(start, "https:") {
		s.asked, s.unreachable = map[string]bool{}, map[string]bool{}
		page, err = s.fetch(ctx, "http:"+strings.TrimPrefix(start, "https:"))
	}
	if err != nil {
		return nil, err
	}
	return s.fromPage(ctx, page)
}
