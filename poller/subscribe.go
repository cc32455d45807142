package poller

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/opml"
	"kairos/reader/parse"
	"kairos/reader/scrape"
)

// Login is a user and password for one feed.
type Login struct{ User, Password string }

// Candidate is a feed that was found at an address, with the answer that it came in, so that
// subscribing makes no second request.
type Candidate struct {
	URL, Title, Format string
	SameHost           bool  // as the typed address: the login for that is for this feed
	Login              Login // that was typed in the address, if it is for this feed
	Source             reader.Source
	answer             *answer
}

// Discover finds the feeds at what the user typed: the address of a feed or of a site, a
// feed: address, a local file. Errors: *reader.DuplicateError if there is a subscription
// already, *fetch.Error (with fetch.Auth a login is needed), *discover.Error, *parse.Error,
// *FileError.
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
	var inAddress Login
	address, inAddress.User, inAddress.Password = discover.SplitLogin(address)
	if login == (Login{}) {
		login = inAddress
	}
	if f, err := p.store.Feeds.ByURL(ctx, address); err == nil {
		return nil, &reader.DuplicateError{Feed: f}
	}
	answers := map[string]*answer{}
	found, err := discover.Find(ctx, address, p.getter(address, login, answers))
	lists := listsIn(answers)
	if errors.Is(err, errIsList) {
		return p.unknown(ctx, lists)
	}
	if err != nil && (len(lists) == 0 || !errors.Is(err, discover.ErrNoFeed)) {
		return nil, err
	}
	var candidates []Candidate
	for _, c := range found {
		out := Candidate{URL: c.URL, Title: c.Title, Format: c.Format, SameHost: sameHost(address, c.URL)}
		if out.SameHost {
			out.Login = inAddress
		}
		if c.Page != nil {
			out.answer = answers[c.Page.URL]
		}
		candidates = append(candidates, out)
	}
	return p.unknown(ctx, append(candidates, lists...))
}

// unknown returns candidates, unless the only one is subscribed to already.
func (p *Poller) unknown(ctx context.Context, candidates []Candidate) ([]Candidate, error) {
	if len(candidates) == 1 {
		if f, err := p.store.Feeds.ByURL(ctx, candidates[0].URL); err == nil {
			return nil, &reader.DuplicateError{Feed: f}
		}
	}
	return candidates, nil
}

// errIsList ends discovery where a list of feeds was typed: that is what was meant, and no feed of its host.
var errIsList = errors.New("it is a list of feeds")

// getter makes the requests of discovery, in turn with those of feeds, and stores the answers
// by address. The login is only for the host of typed: a page may name addresses of others.
// Requests go into the local network only if the typed address is there.
func (p *Poller) getter(typed string, login Login, answers map[string]*answer) discover.Get {
	return func(ctx context.Context, address string) (discover.Page, error) {
		r := fetch.Request{URL: address, Local: fetch.IsLocal(typed), ByUser: true}
		if sameHost(typed, address) {
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
		first := len(answers) == 0
		if answers[a.resp.URL] = a; first && seemsList(a) && len(listsIn(answers)) == 1 {
			return discover.Page{}, errIsList
		}
		return discover.Page{URL: a.resp.URL, ContentType: a.resp.ContentType, Links: a.resp.Links, Body: a.resp.Body}, nil
	}
}

// sameHost reports whether an address belongs to the host of typed and is no less encrypted.
func sameHost(typed, address string) bool {
	return fetch.Host(address) == fetch.Host(typed) && (strings.HasPrefix(address, "https:") || strings.HasPrefix(typed, "http:"))
}

// isMissing reports whether a server does not have a page, or does not allow it, rather than
// failing at the moment.
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

// Subscribe stores a subscription to a candidate with what the user chose for it and makes
// its first fetch, from the answer of discovery if there is one. storeLogin, if not nil, is
// called with the new feed's id before the fetch; if it fails there is no subscription. The
// subscription stays even if the fetch fails. Errors: *reader.DuplicateError, storeLogin's.
func (p *Poller) Subscribe(ctx context.Context, c Candidate, chosen reader.Feed, storeLogin func(feed int64) error) (reader.Feed, Outcome, error) {
	chosen.URL, chosen.Title, chosen.Source = c.URL, c.Title, cmp.Or(chosen.Source, c.Source)
	if chosen.Source.IsList() { // what it names comes into a folder of its own
		chosen.Folder = reader.Within(chosen.Folder, opml.Path(cmp.Or(c.Title, fetch.Host(c.URL))))
	}
	p.signals.subscribing(+1)
	defer p.signals.subscribing(-1)
	var id int64
	err := p.store.Write(ctx, func(tx *sql.Tx) (err error) {
		id, err = reader.Subscribe(ctx, tx, chosen, p.now())
		return err
	})
	if err == nil && storeLogin != nil {
		err = p.unsubscribeOn(ctx, id, storeLogin(id))
	}
	if err != nil {
		return reader.Feed{}, Outcome{}, err
	}
	f, err := p.store.Feeds.Get(ctx, id)
	if err != nil {
		return f, Outcome{}, err
	}
	of, err := p.subjectsOf(ctx, []reader.Feed{f})
	if err != nil {
		return f, Outcome{}, err
	}
	outcomes := p.jobs.runAll(ctx, []job{{subject: of[0], code: First, answer: c.answer}}, nil)
	p.Changed()
	if len(outcomes) == 0 {
		return f, Outcome{}, ctx.Err()
	}
	f, err = p.store.Feeds.Get(ctx, id)
	return f, outcomes[0], err
}

// unsubscribeOn undoes a subscription if storing its login failed with err. That is not part
// of the transaction: a keyring may ask its user for a password, which would block writing.
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

// seemsList reports whether an answer seems to be a list of feeds.
func seemsList(a *answer) bool { return opml.IsList(a.resp.Body[:min(len(a.resp.Body), 4096)]) }

// listsIn returns the lists of feeds among the answers of discovery, and those that its pages name as their blogroll.
func listsIn(answers map[string]*answer) (lists []Candidate) {
	source := reader.NewListSource(reader.ListSource{Gone: reader.GoneKeep})
	for address, a := range answers {
		if seemsList(a) {
			if list, err := opml.Read(bytes.NewReader(a.resp.Body)); err == nil && len(list.Feeds) > 0 {
				lists = append(lists, Candidate{URL: address, Title: list.Title, Format: "OPML", Source: source, answer: a})
			}
			continue
		}
		for _, l := range scrape.Blogrolls(a.resp.Body, a.resp.URL) {
			lists = append(lists, Candidate{URL: l.URL, Title: l.Title, Format: "OPML", Source: source})
		}
	}
	slices.SortFunc(lists, func(a, b Candidate) int { return strings.Compare(a.URL, b.URL) })
	return slices.CompactFunc(lists, func(a, b Candidate) bool { return a.URL == b.URL })
}
