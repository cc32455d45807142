package poller

import (
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"runtime"

	"kairos/poller/fetch"
	"kairos/reader/parse"
	"kairos/reader/scrape"
)

// parser is parse.Parse.
type parser func(ctx context.Context, body []byte, o parse.Options) (*parse.Feed, error)

// documents parses answers, only a few at once, so that the documents of many feeds are
// not all held in memory.
type documents struct {
	parse  parser
	memory *fetch.MemoryBudget
	slots  chan struct{} // one for each document that is parsed
	large  chan struct{} // and one for a large document, which takes a second and a multiple of its size
}

func newDocuments(gentle bool, memory *fetch.MemoryBudget) *documents {
	return &documents{parse: parse.Parse, memory: memory, slots: make(chan struct{}, parsers(gentle)), large: make(chan struct{}, 1)}
}

// parsers is how many feeds are parsed at once. One more than there are processors keeps
// them busy while another is stored; a program with a window keeps one of them for it.
func parsers(gentle bool) int {
	n := runtime.GOMAXPROCS(0)
	if gentle {
		return max(1, n-1)
	}
	return n + 1
}

// isLarge reports whether it takes much to parse a body, by its length and by how many
// items seem to be in it: few feeds have half a megabyte or a thousand.
func isLarge(body []byte) bool {
	return len(body) > 512<<10 || bytes.Count(body, []byte("<item"))+bytes.Count(body, []byte("<entry")) > 1000 ||
		bytes.HasPrefix(body, []byte("{")) && bytes.Count(body, []byte("{")) > 10_000
}

// errSame says that the document is the one that is stored.
var errSame = errors.New("unchanged")

// feed parses an answer; errSame if there is nothing new in it, as the digest is that of
// the stored one. It does not keep the body. When ctx ends it returns at once, with ctx's
// error, and leaves a long document to be parsed for nothing. received is called before a
// large document has to wait for the one before it. The caller calls done when the feed is
// stored, so that no more feeds are held in memory than there are slots.
func (d *documents) feed(ctx context.Context, a *answer, digest int64, received func()) (feed *parse.Feed, done func(), err error) {
	slots := d.slots
	if isLarge(a.resp.Body) {
		slots = d.large
		received()
	}
	select {
	case slots <- struct{}{}:
		if slots == d.large {
			a.lease.Reserve(2 * int64(len(a.resp.Body)))
		}
	case <-ctx.Done():
		return nil, func() {}, ctx.Err()
	}
	done = func() { <-slots }
	var read *parse.Feed
	var failed error
	parsed := make(chan struct{})
	go func() {
		defer close(parsed)
		read, failed = d.read(ctx, a, digest)
	}()
	select {
	case <-parsed:
		return read, done, failed
	case <-ctx.Done():
		go func() { <-parsed; done() }()
		return nil, func() {}, ctx.Err()
	}
}

func (d *documents) read(ctx context.Context, a *answer, digest int64) (*parse.Feed, error) {
	if a.err != nil && !a.isPartial() {
		return nil, a.err
	}
	if a.resp.NotModified {
		return nil, errSame
	}
	a.digest = bodyDigest(a.resp.Body)
	if a.err == nil && digest == a.digest {
		return nil, errSame
	}
	partial, body := a.isPartial(), a.resp.Body
	a.resp.Body = nil
	feed, err := d.parseAs(ctx, a, body)
	a.lease.Release()
	if err != nil && partial {
		return nil, a.err
	}
	return feed, err
}

// parseAs parses a body as its source says: as a feed, a web page without one, or a list of feeds.
func (d *documents) parseAs(ctx context.Context, a *answer, body []byte) (*parse.Feed, error) {
	if recipe, ok := a.source.Page(); ok {
		return scrape.Read(ctx, body, scrape.Options{URL: a.resp.URL, ContentType: a.resp.ContentType, Now: a.at}, recipe)
	}
	if _, ok := a.source.List(); ok {
		return a.readList(body)
	}
	return d.parse(ctx, body, parse.Options{URL: a.resp.URL, ContentType: a.resp.ContentType, Now: a.at, Truncated: a.resp.Truncated})
}

// bodyDigest tells bodies apart; it is never 0.
func bodyDigest(body []byte) int64 {
	h := fnv.New64a()
	h.Write(body) //nolint:errcheck // a hash cannot fail
	return int64(h.Sum64()) | 1
}
