package poller

import (
	"cmp"
	"context"
	"time"

	"kairos/poller/fetch"
	"kairos/reader/discover"
	"kairos/reader/parse"
	"kairos/reader/scrape"
)

// WebPage is a page without a feed that was fetched, to choose how its articles are read.
type WebPage struct {
	URL string // that answered

	contentType string
	body        []byte
	at          time.Time
}

// OpenPage fetches a page once, by the user's hand, unless its site asks programs not to read it. Errors: ErrRobots, *fetch.Error,
// *discover.Error, the context's.
func (p *Poller) OpenPage(ctx context.Context, typed string) (*WebPage, error) {
	if err := p.hosts.restore(ctx); err != nil {
		return nil, err
	}
	address, err := discover.Normalize(typed)
	if err != nil {
		return nil, err
	}
	if err := p.jobs.robots.check(ctx, address, true); err != nil {
		return nil, err
	}
	a, err := p.requests.doInTurn(ctx, fetch.Request{URL: address, Accept: pageTypes, Local: fetch.IsLocal(address), ByUser: true})
	if err != nil {
		return nil, err
	}
	if a.err != nil && !a.isPartial() {
		return nil, a.err
	}
	return &WebPage{cmp.Or(a.resp.URL, address), a.resp.ContentType, a.resp.Body, a.at}, nil
}

func (w *WebPage) options() scrape.Options {
	return scrape.Options{URL: w.URL, ContentType: w.contentType, Now: w.at}
}

// Offers returns the ways in which the page can be read, the surest first. It makes no request. Errors: *scrape.Error.
func (w *WebPage) Offers(ctx context.Context) ([]scrape.Offer, error) {
	return scrape.Offers(ctx, w.body, w.options())
}

// Read reads the page by a recipe. It makes no request. Errors: *scrape.Error.
func (w *WebPage) Read(ctx context.Context, r scrape.Recipe) (*parse.Feed, error) {
	return scrape.Read(ctx, w.body, w.options(), r)
}
