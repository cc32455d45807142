// Package icon finds the icon of a site or feed within a handful of requests, and
// makes a small square PNG of it.
package icon

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"kairos/reader/imaging"
)

// Size is the side in pixels of the largest icon stored: an icon of 16 units of
// the window at 200 %. A smaller one is not enlarged.
const Size = 32

// Limits of a search.
const (
	maxRequests   = 5
	maxPageBytes  = 512 << 10 // enough for the head of a page
	maxImageBytes = 512 << 10
	maxTries      = 8 // of the icons of a page, those within it among them
	maxLinks      = 2 // icons of a page that are tried, the best first
)

// Request is one request that a search needs.
type Request struct {
	URL     string
	Accept  string // media types
	MaxBody int64  // bytes
}

// Answer is the answer to a request. URL is the address that answered, after redirects.
type Answer struct {
	URL       string
	Body      []byte
	Truncated bool // at MaxBody
}

// Get makes one request. The owner of the HTTP client provides it, so that all
// requests obey the same manners. A search acts on the errors ErrUnchanged and
// ErrUnreachable; any other means that there is nothing at the address.
type Get func(ctx context.Context, r Request) (Answer, error)

// Errors of Get.
var (
	ErrUnchanged   = errors.New("the icon has not changed")   // since it was found
	ErrUnreachable = errors.New("the server does not answer") // and is asked nothing more
)

// Search looks for one icon, one request per step, so that its caller can leave
// time between the requests.
type Search struct {
	pending []target
	asked   []string
	page    bool // only what the page itself names is looked for
	found   *Found
}

// Found is the result of a search.
type Found struct {
	URL       string // of the image; "" if it stands in the page itself
	PNG       []byte // nil if Unchanged
	Unchanged bool
}

// target is something to fetch.
type target struct {
	url   string
	kind  targetKind
	color string // that a mask is filled with
}

type targetKind int

const (
	isImage targetKind = iota
	isPage
	isManifest
)

// SearchSite searches for the icon of a site: one that its page names, else its
// favicon.ico. known is where the icon was found before and is asked first; it may
// be empty.
func SearchSite(address, known string) *Search {
	s := &Search{}
	s.add(target{url: known})
	s.add(target{url: address, kind: isPage})
	s.add(favicon(address))
	return s
}

// SearchPage is SearchSite for a page that is not the first of its site: of all that stands at its address only what the page
// names is looked for.
func SearchPage(address, known string) *Search {
	s := &Search{page: true}
	s.add(target{url: known})
	s.add(target{url: address, kind: isPage})
	return s
}

// SearchImage searches for an icon at the address of an image only.
func SearchImage(address string) *Search { return &Search{pending: []target{{url: address}}} }

func favicon(page string) target { return target{url: Origin(page) + "favicon.ico"} }

// Origin returns the root of the site an address belongs to, "" for an address
// that is not http or https.
func Origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + strings.ToLower(u.Host) + "/"
}

// add appends a target that is neither pending nor asked already.
func (s *Search) add(t target) {
	listed := slices.ContainsFunc(s.pending, func(other target) bool { return other.url == t.url })
	if !listed && !slices.Contains(s.asked, t.url) && Origin(t.url) != "" {
		s.pending = append(s.pending, t)
	}
}

// Next returns the address of the next request, "" when the search is over.
func (s *Search) Next() string {
	if s.found != nil || len(s.pending) == 0 || len(s.asked) == maxRequests {
		return ""
	}
	return s.pending[0].url
}

// Found returns the result, nil if nothing was found.
func (s *Search) Found() *Found { return s.found }

// Step makes the request that Next names. Its error says why that found nothing;
// the search may go on all the same.
func (s *Search) Step(ctx context.Context, get Get) error {
	t := s.pending[0]
	s.pending = s.pending[1:]
	s.asked = append(s.asked, t.url)
	a, err := get(ctx, t.request())
	switch {
	case errors.Is(err, ErrUnchanged):
		s.found = &Found{URL: t.url, Unchanged: true}
		return nil
	case errors.Is(err, ErrUnreachable):
		s.dropOrigin(t.url)
		return err
	case err != nil:
		return err
	case t.kind == isPage:
		return s.readPage(ctx, t.url, a)
	case t.kind == isManifest:
		s.try(ctx, manifestLinks(a), "")
		return nil
	case a.Truncated:
		return &imaging.Error{Code: imaging.FileTooLarge, Bytes: maxImageBytes}
	}
	return s.accept(ctx, a.Body, a.URL, t.color)
}

func (t target) request() Request {
	switch t.kind {
	case isPage:
		return Request{URL: t.url, Accept: "text/html, application/xhtml+xml;q=0.9, */*;q=0.1", MaxBody: maxPageBytes}
	case isManifest:
		return Request{URL: t.url, Accept: "application/manifest+json, application/json;q=0.9, */*;q=0.1", MaxBody: maxPageBytes}
	}
	return Request{URL: t.url, Accept: "image/png, image/webp;q=0.9, image/svg+xml;q=0.8, image/*;q=0.8, */*;q=0.1", MaxBody: maxImageBytes}
}

// dropOrigin removes what was pending on a server that does not answer.
func (s *Search) dropOrigin(address string) {
	origin := Origin(address)
	s.pending = slices.DeleteFunc(s.pending, func(t target) bool { return Origin(t.url) == origin })
}

// errSignIn says that a page wants somebody to sign in elsewhere, whose icon is not that of the site.
var errSignIn = errors.New("the page asks to sign in")

// readPage queues the icons that a page names, else those of its manifest, then its favicon.ico.
func (s *Search) readPage(ctx context.Context, asked string, page Answer) error {
	if Origin(asked) != Origin(page.URL) && isSignIn(page) {
		return errSignIn
	}
	s.pending = nil
	links, manifest := iconLinks(page)
	own := ""
	if !s.page {
		own = page.URL
	}
	if len(links) == 0 && manifest != "" {
		s.add(target{url: manifest, kind: isManifest})
	}
	s.try(ctx, links, own)
	return nil
}

// isSignIn reports whether a page has a field for a password.
func isSignIn(page Answer) bool {
	z := html.NewTokenizer(bytes.NewReader(page.Body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.StartTagToken, html.SelfClosingTagToken:
			if t := z.Token(); t.Data == "input" && strings.EqualFold(attribute(t, "type"), "password") {
				return true
			}
		}
	}
}

// try queues the best of links before what is pending, and last the favicon.ico of page, if that is not "".
func (s *Search) try(ctx context.Context, links []link, page string) {
	later := s.pending
	s.pending = nil
	for tried, l := range links {
		if len(s.pending) == maxLinks || tried == maxTries {
			break
		}
		if body, isData, err := imaging.DataURL(l.url); !isData {
			s.add(target{url: l.url, color: l.color})
		} else if err == nil && len(s.pending) == 0 && s.accept(ctx, body, "", l.color) == nil {
			return
		}
	}
	for _, t := range later {
		s.add(t)
	}
	if page != "" {
		s.add(favicon(page))
	}
}

// accept makes the icon of an image, filled with a color if that is not "", and ends the search.
func (s *Search) accept(ctx context.Context, body []byte, address, fill string) error {
	png, err := squarePNG(ctx, body, fill)
	if err != nil {
		return err
	}
	s.found = &Found{URL: address, PNG: png}
	return nil
}
