package discover

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"kairos/reader/parse"
)

// maxRequests is how many requests one search makes, the first included.
const maxRequests = 6

// search is one search for feeds and the requests it has made.
type search struct {
	get         Get
	requests    int
	asked       map[string]bool // addresses, by SameFeed
	unreachable map[string]bool // hosts that are not asked again
	pages       []Page          // found where a feed was expected
	declaredErr error           // why the only feed that a page declares cannot be had
}

// strategy finds feeds by one kind of evidence in a page.
type strategy func(context.Context, *document) []Candidate

// fromPage finds the feeds a page leads to.
func (s *search) fromPage(ctx context.Context, page Page) ([]Candidate, error) {
	c, err := parseCandidate(ctx, page)
	switch {
	case err == nil:
		return []Candidate{c}, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, parse.ErrBroken), errors.Is(err, parse.ErrNotFeed) && !mayBePage(page):
		return nil, &Error{Code: NoFeed, Cause: err}
	}
	d := scanPage(page)
	strategies := []strategy{s.declared, s.atSoftwarePaths, s.likelyLinks, s.onNextPage, s.atWellKnownPaths}
	switch {
	case isSignInPage(page.URL):
		strategies, err = strategies[:1], &Error{Code: SignInPage}
	case isPlatform(page.URL): // the other strategies know nothing of it
		strategies = strategies[:1]
	}
	for _, find := range strategies {
		if found := find(ctx, d); len(found) > 0 {
			return sortCandidates(fillTitles(found, d)), nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if s.declaredErr != nil {
		err = s.declaredErr
	}
	return nil, &Error{Code: NoFeed, Cause: err}
}

// onPlatform returns the feeds that follow from the address alone.
func (s *search) onPlatform(ctx context.Context, address string) []Candidate {
	list := platformFeeds(address)
	if len(list) == 0 {
		return nil
	}
	page, err := s.fetch(ctx, list[0].URL)
	if err != nil {
		return nil
	}
	if c, err := parseCandidate(ctx, page); err == nil {
		return append([]Candidate{c}, list[1:]...)
	}
	return s.declared(ctx, scanPage(page))
}

// declared returns the feeds that a page declares. A single one is fetched: it is
// likely to be chosen, and then need not be fetched again; if it is dead, the
// search goes on.
func (s *search) declared(ctx context.Context, d *document) []Candidate {
	for _, address := range d.addresses {
		if found := s.onPlatform(ctx, address); len(found) > 0 {
			return found
		}
	}
	list := slices.DeleteFunc(d.declared, func(c Candidate) bool { return s.asked[SameFeed(c.URL)] })
	if len(list) == 0 {
		list = embeddedFeed(d)
	}
	if len(list) != 1 {
		return list
	}
	c, err := s.probe(ctx, list[0])
	if err != nil {
		if !errors.Is(err, ErrNoFeed) { // no request was left
			s.declaredErr = err
		}
		return nil
	}
	return []Candidate{c}
}

// atSoftwarePaths returns the feed at one of the paths of the site's software.
func (s *search) atSoftwarePaths(ctx context.Context, d *document) []Candidate {
	return s.firstFeed(ctx, softwarePaths(d), 2)
}

// maxProbed is how many likely links are fetched.
const maxProbed = 3

// likelyLinks returns the links that prove to be feeds and, once one has, the
// certain ones among those that are too many to be fetched.
func (s *search) likelyLinks(ctx context.Context, d *document) (found []Candidate) {
	for i, l := range d.likely {
		if i < maxProbed {
			if c, err := s.probe(ctx, l.Candidate); err == nil {
				found = append(found, c)
			}
		} else if len(found) > 0 && l.certain {
			found = append(found, l.Candidate)
		}
	}
	return found
}

// onNextPage searches one page that this one leads to: one that was found where
// a feed was expected, or the blog of the site.
func (s *search) onNextPage(ctx context.Context, d *document) []Candidate {
	for _, address := range d.nextPages {
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
	if c, err := parseCandidate(ctx, page); err == nil {
		return []Candidate{c}
	}
	next := scanPage(page)
	for _, find := range []strategy{s.declared, s.atSoftwarePaths, s.likelyLinks} {
		if found := find(ctx, next); len(found) > 0 {
			return fillTitles(found, next)
		}
	}
	return nil
}

// atWellKnownPaths returns the first feed at one of the paths where feeds mostly are.
func (s *search) atWellKnownPaths(ctx context.Context, d *document) []Candidate {
	return s.firstFeed(ctx, wellKnownPaths(d.page), maxRequests)
}

// firstFeed returns the first of some addresses that is a feed, after at most limit requests.
func (s *search) firstFeed(ctx context.Context, addresses []string, limit int) []Candidate {
	for _, address := range addresses[:min(len(addresses), limit)] {
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
	feed, err := parseCandidate(ctx, page)
	if err != nil {
		if errors.Is(err, parse.ErrWebPage) {
			s.pages = append(s.pages, page)
		}
		return Candidate{}, err
	}
	if feed.Title == "" {
		feed.Title = c.Title
	}
	return feed, nil
}

// fetch requests an address unless it was requested before or the limit is
// reached; the error is ErrNoFeed then.
func (s *search) fetch(ctx context.Context, address string) (Page, error) {
	if err := ctx.Err(); err != nil {
		return Page{}, err
	}
	host, key := hostOf(address), SameFeed(address)
	if s.requests >= maxRequests || s.asked[key] || s.unreachable[host] {
		return Page{}, ErrNoFeed
	}
	s.requests++
	s.asked[key] = true
	page, err := s.get(ctx, address)
	if err != nil && !errors.Is(err, ErrAbsent) {
		s.unreachable[host] = true
	}
	if page.URL == "" {
		page.URL = address
	}
	s.asked[SameFeed(page.URL)] = true
	return page, err
}

// parseCandidate returns a page as a candidate if it is a feed. Errors: those of parse.Parse.
func parseCandidate(ctx context.Context, page Page) (Candidate, error) {
	f, err := parse.Parse(ctx, page.Body, parse.Options{URL: page.URL, ContentType: page.ContentType, Now: time.Time{}})
	if err != nil {
		return Candidate{}, err
	}
	return Candidate{URL: page.URL, Title: f.Title, Format: f.Format, Page: &page}, nil
}

// mayBePage reports whether a document that is no feed may be HTML without any of its usual tags.
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
