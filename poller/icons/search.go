package icons

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kairos/poller/dispatch"
	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/icon"
)

// search looks for the icon of a feed, one request at a time, so that requests for feeds
// come between.
type search struct {
	feed     reader.Feed
	sources  []string // still to be asked
	holds    string   // the source that no other search may ask meanwhile; "" none
	row      row      // of the source being asked
	icon     *icon.Search
	received fetch.Validators // of the last response
	reached  bool             // a server has answered, whatever it said
}

// state is how a search stands after a turn.
type state int

const (
	done    state = iota
	goesOn        // another turn is wanted
	waiting       // for another search that asks the same source
)

// sourcesOf returns where a feed's icon may be, the best first: the picture it names for
// itself, the first page of its host, which its feeds share, and where that has none its
// own page: blogs in a folder may have nothing above them.
func sourcesOf(f reader.Feed) (sources []string) {
	site := icon.Origin(f.Site)
	if site == "" {
		site = icon.Origin(f.URL)
	}
	page := ""
	if icon.Origin(f.Site) != "" {
		page, _, _ = strings.Cut(f.Site, "#")
	}
	for _, s := range []string{f.Icon, site, page} {
		if s != "" && !slices.Contains(sources, s) {
			sources = append(sources, s)
		}
	}
	return sources
}

// address is where the next request goes.
func (s *search) address() string {
	switch {
	case s.icon != nil:
		return s.icon.Next()
	case len(s.sources) > 0:
		return s.sources[0]
	}
	return ""
}

// ask begins to look at the source of a row; where its icon was found before is asked
// first.
func (s *search) ask(r row) {
	s.row = r
	switch r.source {
	case s.feed.Icon:
		s.icon = icon.SearchImage(r.source)
	case icon.Origin(r.source):
		s.icon = icon.SearchSite(r.source, r.address)
	default:
		s.icon = icon.SearchPage(r.source, r.address)
	}
}

// assign gives the feed the icon of the source that was looked at last.
func (s *search) assign(ctx context.Context, tx *sql.Tx, now time.Time) error {
	if !s.row.found {
		return assign(ctx, tx, s.feed.ID, 0, now)
	}
	return assign(ctx, tx, s.feed.ID, s.row.id, now)
}

// startSearch begins to look for a feed's icon, unless that is under way.
func (f *Fetcher) startSearch(ctx context.Context, id int64) error {
	f.mu.Lock()
	searching := f.searching[id]
	f.mu.Unlock()
	if searching {
		return nil
	}
	feed, err := f.o.Store.Feeds.Get(ctx, id)
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.searching[id] = true
	f.mu.Unlock()
	f.enqueue(ctx, &search{feed: feed, sources: sourcesOf(feed)})
	return nil
}

// enqueue queues a search's next turn with the requests to its host.
func (f *Fetcher) enqueue(ctx context.Context, s *search) {
	group := f.o.Group(s.address())
	f.o.Queue.Add(dispatch.Task{Context: ctx, Group: group, Priority: dispatch.Idle, Run: func() bool {
		state, asked := f.turn(ctx, s, group)
		if state == waiting {
			return asked // the search it waits for queues it again
		}
		if state == done || s.icon == nil {
			f.release(ctx, s)
		}
		if state == goesOn {
			f.enqueue(ctx, s)
			return asked
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.searching, s.feed.ID)
		return asked
	}})
}

// turn makes a search's next request if it goes to a group, and reports whether a server
// was asked.
func (f *Fetcher) turn(ctx context.Context, s *search, group string) (state state, asked bool) {
	now := f.o.Now()
	if ctx.Err() != nil || !f.allowed(ctx, now) {
		return done, false
	}
	if s.icon == nil {
		state, err := f.chooseSource(ctx, s, now)
		f.failed(ctx, err)
		if state != goesOn || f.o.Group(s.address()) != group {
			return state, false
		}
	}
	line := Line{Feed: s.feed.ID, Title: s.feed.Title, Site: Site(s.row.source), At: now}
	err := s.icon.Step(ctx, f.get(s, &line))
	if ctx.Err() != nil {
		return done, line.Asked
	}
	state, err = f.conclude(context.WithoutCancel(ctx), s, line, err)
	f.failed(ctx, err)
	return state, line.Asked
}

// chooseSource turns to the first source that was not asked within the month. If one that
// was has the icon, or none is left, that is the feed's.
func (f *Fetcher) chooseSource(ctx context.Context, s *search, now time.Time) (state, error) {
	for len(s.sources) > 0 {
		if !f.hold(s, s.sources[0]) {
			return waiting, nil
		}
		r, err := f.icons.row(ctx, s.sources[0])
		if err != nil {
			return done, err
		}
		s.row, s.sources = r, s.sources[1:]
		if !r.isFresh(now) {
			s.ask(r)
			return goesOn, nil
		}
		f.release(ctx, s)
		if r.found {
			break
		}
	}
	return done, f.o.Store.Write(ctx, func(tx *sql.Tx) error { return s.assign(ctx, tx, now) })
}

// hold reserves a source for a search; it reports false if another one has it, which this
// one then waits for: the feeds of one site do not ask it together.
func (f *Fetcher) hold(s *search, source string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	waiting, held := f.sources[source]
	if held {
		f.sources[source] = append(waiting, s)
		return false
	}
	f.sources[source], s.holds = nil, source
	return true
}

// release gives up the source that a search holds, and lets the searches go on that wait
// for it.
func (f *Fetcher) release(ctx context.Context, s *search) {
	f.mu.Lock()
	waiting := f.sources[s.holds]
	delete(f.sources, s.holds)
	s.holds = ""
	f.mu.Unlock()
	for _, other := range waiting {
		f.enqueue(ctx, other)
	}
}

// ErrOtherSite says that another site answered, as where one has to sign in to the network.
var ErrOtherSite = errors.New("another site answered, as where one has to sign in")

// get makes the requests of a search; where the icon was found before it is asked for
// with its validators.
func (f *Fetcher) get(s *search, line *Line) icon.Get {
	return func(ctx context.Context, r icon.Request) (icon.Answer, error) {
		ctx, cancel := context.WithTimeout(ctx, requestTimeout)
		defer cancel()
		a := f.o.Get(ctx, fetch.Request{URL: r.URL, Accept: r.Accept, MaxBody: r.MaxBody,
			Local:      fetch.IsLocal(s.feed.URL) && fetch.IsLocal(s.row.source), // a site of the web names no icon in the local network
			Validators: s.row.validators, ValidatorsURL: s.row.address})
		line.At, line.Asked = a.At, !a.Response.StartedAt.IsZero()
		line.Status, line.Bytes, line.Took = a.Status, a.Bytes, a.Took
		s.received, s.reached = a.Validators, s.reached || line.Status != 0
		var fe *fetch.Error
		switch {
		case errors.As(a.Err, &fe) && (line.Status == 0 || fe.Code == fetch.Busy):
			return icon.Answer{}, fmt.Errorf("%w: %w", icon.ErrUnreachable, a.Err)
		case a.Err != nil:
			return icon.Answer{}, a.Err
		case a.Portal:
			return icon.Answer{}, ErrOtherSite
		case a.NotModified:
			return icon.Answer{}, icon.ErrUnchanged
		}
		return icon.Answer{URL: a.URL, Body: a.Body, Truncated: a.Truncated}, nil
	}
}

// conclude stores what came of a request.
func (f *Fetcher) conclude(ctx context.Context, s *search, line Line, cause error) (state, error) {
	line.Result, line.Err = None, cause
	next, save := done, func(*sql.Tx) error { return nil }
	switch found := s.icon.Found(); {
	case isOffline(cause):
		line.Result = Offline
		f.pause()
	case notAsked(cause) && !s.reached && (s.row.found || len(s.sources) == 0):
		save = func(tx *sql.Tx) error { return postpone(ctx, tx, s.feed.ID, line.At.Add(retryAfter-refetchAfter)) }
	case notAsked(cause) && !s.reached:
		s.icon, next = nil, goesOn
	case found == nil && s.icon.Next() != "":
		next = goesOn
	default:
		line.Result = resultOf(found)
		if found == nil && !s.row.found && len(s.sources) > 0 {
			next = goesOn
		}
		s.icon = nil
		save = func(tx *sql.Tx) error {
			if err := s.row.write(ctx, tx, line.At, found, s.received); err != nil || next == goesOn {
				return err
			}
			return s.assign(ctx, tx, line.At)
		}
	}
	if err := f.o.Commit(ctx, line, save); err != nil {
		return done, err
	}
	return next, nil
}

func resultOf(found *icon.Found) Result {
	switch {
	case found == nil:
		return None
	case found.Unchanged:
		return Unchanged
	}
	return Stored
}

// isOffline reports whether there is no network.
func isOffline(err error) bool {
	var fe *fetch.Error
	return errors.As(err, &fe) && fe.BlamesMachine() && !fe.Code.Unresolved()
}

// notAsked reports whether no server was asked: it wants to be left alone, or its name is
// not known right now.
func notAsked(err error) bool {
	var fe *fetch.Error
	return errors.As(err, &fe) && (fe.Code == fetch.Waiting || fe.Code.Unresolved())
}

// Site is the host of an address without "www.".
func Site(address string) string {
	return strings.TrimPrefix(fetch.Host(address), "www.")
}
