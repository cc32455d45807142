// Package discover leads from what a person types, or from a web page, to feeds.
package discover

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kairos/reader/parse"
)

// Page is the answer to one request. URL is the address that answered, after redirects.
type Page struct {
	URL         string
	ContentType string
	Body        []byte
}

// Get fetches one address. Whoever owns the HTTP client gives it, so that all
// requests obey the same manners.
type Get func(ctx context.Context, url string) (Page, error)

// Candidate is a feed that was found.
type Candidate struct {
	URL    string // absolute
	Title  string // one line of text, may be empty
	Format string // "RSS", "Atom", "JSON Feed" …, may be empty
	Page   *Page  // the answer, where it was fetched already, so that nobody asks twice
}

// ErrNoFeed says that neither the address nor what it links to is a feed. It
// comes wrapped with what was there instead, where that helps.
var ErrNoFeed = errors.New("no feed was found")

// maxProbes is how many addresses one search may ask for beyond the first.
const maxProbes = 8

// Find returns the feeds of an address: the address itself if it is one; else
// those the page names in its head; else its links that look like feeds and
// prove to be; else the first of the usual paths that is one. The main feed
// comes first, feeds of comments last. Errors: that of Normalize, that of the
// first request, ErrNoFeed, the context's.
func Find(ctx context.Context, address string, get Get) ([]Candidate, error) {
	start, err := Normalize(address)
	if err != nil {
		return nil, err
	}
	s := search{get: get, asked: map[string]bool{}}
	if known := knownFeed(start); known != "" {
		if c, err := s.probe(ctx, known); err == nil {
			return []Candidate{c}, nil
		}
	}
	page, err := s.fetch(ctx, start)
	if err != nil && ctx.Err() == nil && !hasScheme(address) && strings.HasPrefix(start, "https:") {
		page, err = s.fetch(ctx, "http:"+strings.TrimPrefix(start, "https:"))
	}
	if err != nil {
		return nil, err
	}
	c, err := candidateOf(ctx, page)
	switch {
	case err == nil:
		return []Candidate{c}, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, parse.ErrBroken), errors.Is(err, parse.ErrNotFeed) && !mayBePage(page):
		return nil, fmt.Errorf("%w: %w", ErrNoFeed, err)
	}
	found, none := s.inPage(ctx, page)
	if errors.Is(none, ErrNoFeed) {
		// What is there instead tells a person more than that nothing was found.
		return nil, fmt.Errorf("%w: %w", ErrNoFeed, err)
	}
	return found, none
}

// search is one search and what it has asked for.
type search struct {
	get    Get
	asked  map[string]bool
	probes int
}

func (s *search) inPage(ctx context.Context, page Page) ([]Candidate, error) {
	l := read(page)
	if len(l.named) > 0 {
		return rank(l.named), nil
	}
	var found []Candidate
	for _, a := range l.likely {
		if c, err := s.probe(ctx, a.URL); err == nil {
			if c.Title == "" {
				c.Title = a.Title
			}
			found = append(found, c)
		}
	}
	if len(found) > 0 {
		return rank(found), nil
	}
	for _, address := range usualPaths(page.URL, l.base) {
		if c, err := s.probe(ctx, address); err == nil {
			return []Candidate{c}, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, ErrNoFeed
}

func (s *search) fetch(ctx context.Context, address string) (Page, error) {
	s.asked[SameFeed(address)] = true
	page, err := s.get(ctx, address)
	if page.URL == "" {
		page.URL = address
	}
	return page, err
}

// probe fetches an address and returns it if it is a feed.
func (s *search) probe(ctx context.Context, address string) (Candidate, error) {
	if err := ctx.Err(); err != nil {
		return Candidate{}, err
	}
	if s.probes >= maxProbes || s.asked[SameFeed(address)] {
		return Candidate{}, ErrNoFeed
	}
	s.probes++
	page, err := s.fetch(ctx, address)
	if err != nil {
		return Candidate{}, err
	}
	return candidateOf(ctx, page)
}

func candidateOf(ctx context.Context, page Page) (Candidate, error) {
	f, err := parse.Parse(ctx, page.Body, parse.Options{URL: page.URL, ContentType: page.ContentType, Now: time.Time{}})
	if err != nil {
		return Candidate{}, err
	}
	return Candidate{URL: page.URL, Title: f.Title, Format: f.Format, Page: &page}, nil
}

// mayBePage tells what is no feed but may be a page of HTML without any of its marks.
func mayBePage(p Page) bool {
	return strings.Contains(p.ContentType, "html") || strings.Contains(string(p.Body[:min(len(p.Body), 4096)]), "<")
}
