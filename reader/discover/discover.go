// Package discover leads from what a person types, or from a web page, to feeds.
//
// A search goes from what is certain to what is likely: the address is itself a
// feed; the feeds of a large site follow from the address alone; the page names
// its feeds in its head; it says with which software it is made; it has links
// that look like feeds; it has a link to a page that may name one; feeds stand
// at usual places. It stops at the first of them that brings something, and
// after a handful of requests.
package discover

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"kairos/reader/parse"
)

// Page is the answer to one request. URL is the address that answered, after redirects.
type Page struct {
	URL         string
	ContentType string
	Links       []string // the fields "Link" of its header (RFC 8288)
	Body        []byte
}

// Get fetches one address. Whoever owns the HTTP client gives it, so that all
// requests obey the same manners. An error that wraps ErrAbsent says that there
// is nothing at this address; after any other the host is not asked again.
type Get func(ctx context.Context, url string) (Page, error)

// Candidate is a feed that was found.
type Candidate struct {
	URL    string // absolute
	Title  string // one line of text, may be empty
	Format string // "RSS", "Atom", "JSON Feed" …, may be empty
	Page   *Page  // the answer, where it was fetched already, so that nobody asks twice
}

// Errors of Find and Get.
var (
	// ErrNoFeed says that neither the address nor what it leads to is a feed. It
	// comes wrapped with what was there instead, where that helps.
	ErrNoFeed = errors.New("no feed was found")
	// ErrAbsent says that a server has nothing, or nothing for us, at an address.
	ErrAbsent = errors.New("there is nothing at this address")
)

var errWall = errors.New("the site shows a page to sign in or to agree to something instead")

// maxRequests is how many addresses one search asks for, the first included.
const maxRequests = 6

// Find returns the feeds of an address, the main one first, those of comments
// last. A single one was fetched and is a feed; of several that a page or the
// address names only the first may have been. Errors: that of Normalize, that
// of the first request, ErrNoFeed, the context's.
func Find(ctx context.Context, address string, get Get) ([]Candidate, error) {
	start, err := Normalize(address)
	if err != nil {
		return nil, err
	}
	s := search{get: get, asked: map[string]bool{}, silent: map[string]bool{}}
	if found := s.known(ctx, start); len(found) > 0 {
		return found, nil
	}
	page, err := s.fetch(ctx, start)
	if err != nil && ctx.Err() == nil && !hasScheme(address) && strings.HasPrefix(start, "https:") {
		s.asked, s.silent = map[string]bool{}, map[string]bool{}
		page, err = s.fetch(ctx, "http:"+strings.TrimPrefix(start, "https:"))
	}
	if err != nil {
		return nil, err
	}
	return s.from(ctx, page)
}

// search is one search and what it has asked for.
type search struct {
	get    Get
	asked  map[string]bool // addresses, as SameFeed writes them
	silent map[string]bool // hosts that are not asked again
	pages  []Page          // that stood where a feed was expected
	dead   error           // why what the page names as its feed cannot be had
	number int             // of requests
}

// from finds the feeds a page leads to.
func (s *search) from(ctx context.Context, page Page) ([]Candidate, error) {
	c, err := candidateOf(ctx, page)
	switch {
	case err == nil:
		return []Candidate{c}, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, parse.ErrBroken), errors.Is(err, parse.ErrNotFeed) && !mayBePage(page):
		return nil, fmt.Errorf("%w: %w", ErrNoFeed, err)
	}
	d := read(page)
	looks := []func(context.Context, *document) []Candidate{s.named, s.made, s.linked, s.onward, s.usual}
	switch {
	case isWall(page.URL):
		looks, err = looks[:1], errWall
	case isPlatform(page.URL): // is like no other site
		looks = looks[:1]
	}
	for _, look := range looks {
		if found := look(ctx, d); len(found) > 0 {
			return rank(entitle(found, d)), nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if s.dead != nil {
		err = s.dead
	}
	// What is there instead tells a person more than that nothing was found.
	return nil, fmt.Errorf("%w: %w", ErrNoFeed, err)
}

// known returns the feeds that follow from the address alone.
func (s *search) known(ctx context.Context, address string) []Candidate {
	list := platform(address)
	if len(list) == 0 {
		return nil
	}
	page, err := s.fetch(ctx, list[0].URL)
	if err != nil {
		return nil
	}
	if c, err := candidateOf(ctx, page); err == nil {
		return append([]Candidate{c}, list[1:]...)
	}
	return s.named(ctx, read(page))
}

// named returns the feeds that a page names. One alone is asked for: if it is
// chosen, which is likely, the answer is there already, and if it is dead, the
// search goes on.
func (s *search) named(ctx context.Context, d *document) []Candidate {
	for _, address := range d.addresses {
		if found := s.known(ctx, address); len(found) > 0 {
			return found
		}
	}
	list := slices.DeleteFunc(d.named, func(c Candidate) bool { return s.asked[SameFeed(c.URL)] })
	if len(list) == 0 {
		list = said(d)
	}
	if len(list) != 1 {
		return list
	}
	c, err := s.probe(ctx, list[0])
	if err != nil {
		s.dead = err
		return nil
	}
	return []Candidate{c}
}

// made returns the feed at one of the places where the software of the site has it.
func (s *search) made(ctx context.Context, d *document) []Candidate {
	return s.first(ctx, software(d), 2)
}

// maxTried is how many of the links that look like feeds are asked for.
const maxTried = 3

// linked returns the links that prove to be feeds and, once one has, those that
// look like it and are too many to be asked for.
func (s *search) linked(ctx context.Context, d *document) (found []Candidate) {
	for i, l := range d.likely {
		if i < maxTried {
			if c, err := s.probe(ctx, l.Candidate); err == nil {
				found = append(found, c)
			}
		} else if len(found) > 0 && l.sure {
			found = append(found, l.Candidate)
		}
	}
	return found
}

// onward looks in one page that this one leads to: one that stood where a feed
// was expected, or the blog of the site.
func (s *search) onward(ctx context.Context, d *document) []Candidate {
	for _, address := range d.onward {
		if len(s.pages) > 0 {
			break
		}
		if page, err := s.fetch(ctx, address); err == nil {
			s.pages = append(s.pages, page)
		}
	}
	if len(s.pages) == 0 {
		return nil
	}
	page := s.pages[0]
	if c, err := candidateOf(ctx, page); err == nil {
		return []Candidate{c}
	}
	next := read(page)
	for _, look := range []func(context.Context, *document) []Candidate{s.named, s.made, s.linked} {
		if found := look(ctx, next); len(found) > 0 {
			return entitle(found, next)
		}
	}
	return nil
}

// usual returns the first feed at one of the usual places.
func (s *search) usual(ctx context.Context, d *document) []Candidate {
	return s.first(ctx, usualPlaces(d.page), maxRequests)
}

// first returns the first of some addresses that is a feed; tries are how many may be asked for.
func (s *search) first(ctx context.Context, addresses []string, tries int) []Candidate {
	for _, address := range addresses[:min(len(addresses), tries)] {
		if c, err := s.probe(ctx, Candidate{URL: address}); err == nil {
			return []Candidate{c}
		}
	}
	return nil
}

// probe fetches a candidate and returns it if it is a feed, with its own title if it has one.
func (s *search) probe(ctx context.Context, c Candidate) (Candidate, error) {
	page, err := s.fetch(ctx, c.URL)
	if err != nil {
		return Candidate{}, err
	}
	feed, err := candidateOf(ctx, page)
	if err != nil {
		if errors.Is(err, parse.ErrHTML) {
			s.pages = append(s.pages, page)
		}
		return Candidate{}, err
	}
	if feed.Title == "" {
		feed.Title = c.Title
	}
	return feed, nil
}

// fetch asks for an address, if it was not asked for and there are requests left.
func (s *search) fetch(ctx context.Context, address string) (Page, error) {
	if err := ctx.Err(); err != nil {
		return Page{}, err
	}
	host, key := hostOf(address), SameFeed(address)
	if s.number >= maxRequests || s.asked[key] || s.silent[host] {
		return Page{}, ErrNoFeed
	}
	s.number++
	s.asked[key] = true
	page, err := s.get(ctx, address)
	if err != nil && !errors.Is(err, ErrAbsent) {
		s.silent[host] = true
	}
	if page.URL == "" {
		page.URL = address
	}
	s.asked[SameFeed(page.URL)] = true
	return page, err
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

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
