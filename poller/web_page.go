package poller

import (
	"cmp"
	"context"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/parse"
	"kairos/reader/scrape"
)

// WebPage is a page without a feed that was fetched, to choose how its articles are read.
type WebPage struct {
	URL string // that answered

	answer *answer
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
	return &WebPage{cmp.Or(a.resp.URL, address), a}, nil
}

func (w *WebPage) options() scrape.Options {
	return scrape.Options{URL: w.URL, ContentType: w.answer.resp.ContentType, Now: w.answer.at}
}

// Offers returns the ways in which the page can be read, the surest first. It makes no request. Errors: *scrape.Error.
func (w *WebPage) Offers(ctx context.Context) ([]scrape.Offer, error) {
	return scrape.Offers(ctx, w.answer.resp.Body, w.options())
}

// Read reads the page by a recipe. It makes no request. Errors: *scrape.Error.
func (w *WebPage) Read(ctx context.Context, r scrape.Recipe) (*parse.Feed, error) {
	return scrape.Read(ctx, w.answer.resp.Body, w.options(), r)
}

// StorePage stores what a page holds as a fetch of a feed that is this page, by the recipe that the feed has now. It makes no request:
// the page was fetched to be chosen from. Errors: reader.ErrUnknown, the context's.
func (p *Poller) StorePage(ctx context.Context, feed int64, w *WebPage) (Outcome, error) {
	feeds, err := p.choose(ctx, []int64{feed})
	if err != nil {
		return Outcome{}, err
	}
	subjects, err := p.subjectsOf(ctx, feeds)
	if err != nil {
		return Outcome{}, err
	}
	a, resp := *w.answer, *w.answer.resp // what is stored lets go of the body
	a.resp = &resp
	outcomes := p.jobs.runAll(ctx, []job{{subject: subjects[0], code: Manual, answer: &a}}, nil)
	switch {
	case ctx.Err() != nil:
		return Outcome{}, ctx.Err()
	case len(outcomes) == 0:
		return Outcome{}, reader.ErrUnknown // it was removed meanwhile
	}
	return outcomes[0], nil
}
