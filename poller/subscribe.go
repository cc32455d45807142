package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/parse"
)

// Login is a user and password for one feed.
type Login struct{ User, Password string }

// Candidate is a feed that was found at an address, and the answer it came
// with, so that subscribing does not ask again.
type Candidate struct {
	URL, Title, Format string
	SameHost           bool // of the host that was typed: a login for that one is for this feed
	answer             *answer
}

// Discover finds the feeds of what a person typed: the address of a feed or of a
// site, a feed: address, a local file. Errors: *reader.DuplicateError if it is
// subscribed already, *fetch.Error with a sentence and a kind (Auth: ask for a
// login), discover.ErrNoFeed, parse's kinds.
func (p *Poller) Discover(ctx context.Context, typed string, login Login) ([]Candidate, error) {
	if err := p.hosts.restore(ctx); err != nil {
		return nil, err
	}
	if name, ok := findFile(typed); ok {
		return p.discoverFile(ctx, name)
	}
	address, err := discover.Normalize(typed)
	if err != nil {
		return nil, err
	}
	if f, err := p.store.Feeds.ByURL(ctx, address); err == nil {
		return nil, &reader.DuplicateError{Feed: f}
	}
	answers := map[string]*answer{}
	found, err := discover.Find(ctx, address, p.getter(address, login, answers))
	if err != nil {
		return nil, err
	}
	var candidates []Candidate
	for _, c := range found {
		out := Candidate{URL: c.URL, Title: c.Title, Format: c.Format, SameHost: sameHost(address, c.URL)}
		if c.Page != nil {
			out.answer = answers[c.Page.URL]
		}
		candidates = append(candidates, out)
	}
	if len(candidates) == 1 {
		if f, err := p.store.Feeds.ByURL(ctx, candidates[0].URL); err == nil {
			return nil, &reader.DuplicateError{Feed: f}
		}
	}
	return candidates, nil
}

// getter fetches for discovery and remembers the answers by their address. Its
// requests take their turns with those of the feeds. The login is for the host of
// own alone: a page may name addresses of any other. Into the local network it leads only if
// own lies there, which is what the user typed.
func (p *Poller) getter(own string, login Login, answers map[string]*answer) discover.Get {
	return func(ctx context.Context, address string) (discover.Page, error) {
		r := fetch.Request{URL: address, Local: fetch.IsLocal(own), ByUser: true}
		if sameHost(own, address) {
			r.User, r.Password = login.User, login.Password
		}
		a, err := p.requests.doInTurn(ctx, r)
		if err != nil {
			return discover.Page{}, err
		}
		if a.err != nil && !a.isPartial() {
			if isMissing(a.err) {
				return discover.Page{}, fmt.Errorf("%w: %w", discover.ErrAbsent, a.err)
			}
			return discover.Page{}, a.err
		}
		answers[a.resp.URL] = a
		return discover.Page{URL: a.resp.URL, ContentType: a.resp.ContentType, Links: a.resp.Links, Body: a.resp.Body}, nil
	}
}

// sameHost tells whether an address belongs to the host of own and is no less encrypted.
func sameHost(own, address string) bool {
	return fetch.Host(address) == fetch.Host(own) && (strings.HasPrefix(address, "https:") || strings.HasPrefix(own, "http:"))
}

// isMissing tells what a server does not have, or not for us, from what it does not give now.
func isMissing(err error) bool {
	var fe *fetch.Error
	return errors.As(err, &fe) && (fe.Code == fetch.ClientError || fe.Code == fetch.Gone)
}

func (p *Poller) discoverFile(ctx context.Context, name string) ([]Candidate, error) {
	address, err := fileAddress(name)
	if err != nil {
		return nil, err
	}
	if f, err := p.store.Feeds.ByURL(ctx, address); err == nil {
		return nil, &reader.DuplicateError{Feed: f}
	}
	a := openFile(address, p.now())
	if a.err != nil {
		return nil, a.err
	}
	feed, err := parse.Parse(ctx, a.resp.Body, parse.Options{Now: a.at, Truncated: a.resp.Truncated})
	if err != nil {
		return nil, err
	}
	return []Candidate{{URL: address, Title: feed.Title, Format: feed.Format, answer: a}}, nil
}

// Subscribe stores a subscription to a candidate with what the user chose for it
// and makes its first fetch, of the answer discovery brought if there is one.
// keep, if not nil, is called with the new feed's id before the fetch, to keep
// its login; if it fails there is no subscription. One stands even if the fetch fails;
// its outcome says so. Errors: *reader.DuplicateError, keep's.
func (p *Poller) Subscribe(ctx context.Context, c Candidate, chosen reader.Feed, keep func(feed int64) error) (reader.Feed, Outcome, error) {
	chosen.URL, chosen.Title = c.URL, c.Title
	p.signals.subscribing(+1)
	defer p.signals.subscribing(-1)
	var id int64
	err := p.store.Write(ctx, func(tx *sql.Tx) (err error) {
		id, err = reader.Subscribe(ctx, tx, chosen, p.now())
		return err
	})
	if err == nil && keep != nil {
		err = p.unsubscribeOn(ctx, id, keep(id))
	}
	if err != nil {
		return reader.Feed{}, Outcome{}, err
	}
	f, err := p.store.Feeds.Get(ctx, id)
	if err != nil {
		return f, Outcome{}, err
	}
	outcomes := p.jobs.runAll(ctx, []job{{feed: f, code: First, answer: c.answer}}, nil)
	p.Changed()
	if len(outcomes) == 0 {
		return f, Outcome{}, ctx.Err()
	}
	f, err = p.store.Feeds.Get(ctx, id)
	return f, outcomes[0], err
}

// unsubscribeOn takes a subscription back if its login could not be kept. That is no part of the
// transaction: a keyring may ask its user for the password first, and nobody could write.
func (p *Poller) unsubscribeOn(ctx context.Context, id int64, err error) error {
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	return errors.Join(err, p.store.Write(ctx, func(tx *sql.Tx) error { return reader.Unsubscribe(ctx, tx, id, p.now()) }))
}

// Address checks an address a feed is to be moved to.
func Address(typed string) (string, error) {
	if name, ok := findFile(typed); ok {
		return fileAddress(name)
	}
	return discover.Normalize(typed)
}
