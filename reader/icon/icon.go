// Package icon finds the picture a site or a feed is known by, a handful of
// requests away, and makes a small square PNG of what the web serves as one.
package icon

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Size is the side in pixels of the largest picture kept: an icon of 16 units of
// the window at 200 %. A smaller one is kept as it is.
const Size = 32

// Bounds of what is asked for.
const (
	maxRequests = 5
	maxPage     = 512 << 10 // bytes: enough for the head of a page
	maxPicture  = 512 << 10 // bytes
	maxLinks    = 2         // icons that a page names, the best first
)

// Request is one request that a search wants made.
type Request struct {
	URL     string
	Accept  string // media types
	MaxBody int64  // bytes
}

// Answer is what came. URL is the address that answered, after redirects.
type Answer struct {
	URL       string
	Body      []byte
	Truncated bool // at MaxBody
}

// Get makes one request. Whoever owns the HTTP client gives it, so that all requests
// obey the same manners. Errors: ErrUnchanged and ErrUnreachable mean something to a
// search, any other that there is nothing at the address.
type Get func(ctx context.Context, r Request) (Answer, error)

// What Get may answer with.
var (
	ErrUnchanged   = errors.New("the picture has not changed") // since it was found
	ErrUnreachable = errors.New("the server does not answer")  // nothing more is asked of it
)

// Search is the way to one icon, a request a step, so that whoever makes the
// requests can leave space between them.
type Search struct {
	todo  []want
	asked []string
	found *Found
}

// Found is what a search came to.
type Found struct {
	URL       string // of the picture; "" if it stands in the page itself
	PNG       []byte // nil if Unchanged
	Unchanged bool
}

// want is something to be asked for.
type want struct {
	url  string
	page bool
}

// Site searches for the icon of a site: what its page names as one, else its
// favicon.ico. known is where it was found before, which is asked first; "" nowhere.
func Site(address, known string) *Search {
	s := &Search{}
	s.add(want{url: known})
	s.add(want{url: address, page: true})
	s.add(usual(address))
	return s
}

// Picture searches at one address of a picture.
func Picture(address string) *Search { return &Search{todo: []want{{url: address}}} }

// usual is where a site's icon is if its page names none.
func usual(page string) want { return want{url: Origin(page) + "favicon.ico"} }

// Origin is the root of the site an address belongs to, "" if it is none of the web.
func Origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + strings.ToLower(u.Host) + "/"
}

// add puts something last that is not asked for twice.
func (s *Search) add(w want) {
	listed := slices.ContainsFunc(s.todo, func(other want) bool { return other.url == w.url })
	if !listed && !slices.Contains(s.asked, w.url) && Origin(w.url) != "" {
		s.todo = append(s.todo, w)
	}
}

// Next is the address of the next request, "" when the search is over.
func (s *Search) Next() string {
	if s.found != nil || len(s.todo) == 0 || len(s.asked) == maxRequests {
		return ""
	}
	return s.todo[0].url
}

// Found is what the search came to, nil if it has found nothing.
func (s *Search) Found() *Found { return s.found }

// Step makes the request that Next names. Its error says why it brought nothing; the
// search may go on all the same.
func (s *Search) Step(ctx context.Context, get Get) error {
	w := s.todo[0]
	s.todo = s.todo[1:]
	s.asked = append(s.asked, w.url)
	a, err := get(ctx, w.request())
	switch {
	case errors.Is(err, ErrUnchanged):
		s.found = &Found{URL: w.url, Unchanged: true}
		return nil
	case errors.Is(err, ErrUnreachable):
		s.forget(w.url)
		return err
	case err != nil:
		return err
	case w.page:
		s.read(a)
		return nil
	case a.Truncated:
		return fmt.Errorf("%w: it has over %d kB", ErrPicture, maxPicture>>10)
	}
	return s.take(a.Body, a.URL)
}

func (w want) request() Request {
	if w.page {
		return Request{URL: w.url, Accept: "text/html, application/xhtml+xml;q=0.9, */*;q=0.1", MaxBody: maxPage}
	}
	return Request{URL: w.url, Accept: "image/png, image/webp;q=0.9, image/svg+xml;q=0.8, image/*;q=0.8, */*;q=0.1", MaxBody: maxPicture}
}

// forget strikes what a server that does not answer was still to be asked for.
func (s *Search) forget(address string) {
	origin := Origin(address)
	s.todo = slices.DeleteFunc(s.todo, func(w want) bool { return Origin(w.url) == origin })
}

// read looks where a page says that its icon is, then at the usual address.
func (s *Search) read(page Answer) {
	s.todo = nil
	for _, address := range linked(page) {
		if len(s.todo) == maxLinks {
			break
		}
		if body, ok := inline(address); !ok {
			s.add(want{url: address})
		} else if len(s.todo) == 0 && s.take(body, "") == nil {
			return
		}
	}
	s.add(usual(page.URL))
}

// take makes the icon of a picture.
func (s *Search) take(body []byte, address string) error {
	png, err := small(body)
	if err != nil {
		return err
	}
	s.found = &Found{URL: address, PNG: png}
	return nil
}
