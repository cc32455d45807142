// Package parse turns the bytes of a feed (RSS 0.9 to 2.0, RDF, Atom, JSON
// Feed) into what the reader stores, and loses as little as it can of those
// that are broken: bytes become UTF-8 (decode), markup becomes well-formed
// (mend), gofeed reads it, and each item becomes an article with a key, a
// link, a date and a body that is safe to show.
package parse

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/atom"
	"github.com/mmcdole/gofeed/rss"

	"kairos/reader/content"
)

// Options says where the bytes came from.
type Options struct {
	URL         string    // the address that answered, after redirects
	ContentType string    // of the HTTP answer
	Now         time.Time // no article is published later than this; zero sets no bound
	Truncated   bool      // the bytes are known to end early
	Whole       int64     // bytes there would have been, 0 where unknown
}

// Feed is what a document says of itself and its articles, in the document's order.
type Feed struct {
	Format    string // "RSS 2.0", "Atom 1.0", "JSON Feed 1.1" …
	Title     string // one line of text
	Site      string // address of the web page it belongs to
	Self      string // address it gives for itself
	Icon      string // address of a picture
	Hub       string // WebSub hub (W3C WebSub §4)
	TTL       time.Duration
	SkipHours []int // 0 to 23, UTC, ascending
	SkipDays  []time.Weekday
	Articles  []Article
	Warnings  []string // sentences for people
}

// Article is one entry of a feed.
type Article struct {
	Key         string // unique within the feed
	Title       string // one line of text; empty where there is nothing to call it by
	Link        string // http or https, may be empty
	Author      string
	Published   time.Time // UTC; zero where undated
	Updated     time.Time // UTC; zero where unknown
	HTML        string    // see content.Sanitize
	Summary     string    // one line of text
	CommentsURL string
	Enclosures  []Enclosure
}

// Enclosure is a file that comes with an article.
type Enclosure struct {
	URL    string
	Type   string
	Length int64 // bytes, 0 where unknown
}

// Parse reads a feed. A document that is broken or ends early gives the
// articles that are complete, with a warning; an error means that it gave none.
// Errors: *Error, the context's.
func Parse(ctx context.Context, body []byte, o Options) (*Feed, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := foreign(body); err != nil {
		return nil, err
	}
	r := reading{ctx: ctx, o: o, read: int64(len(body))}
	binary := http.DetectContentType(body) == "application/octet-stream"
	text, note := decode(body, o.ContentType)
	body, r.note = nil, note // as large as the text
	k, start, err := locate(text)
	if binary && errors.Is(err, ErrEmpty) {
		err = &Error{Code: BinaryData}
	}
	if err != nil {
		return nil, err
	}
	if k == kindJSON {
		err = r.json(text[start:])
	} else {
		err = r.xml(text, start)
	}
	if err != nil {
		return nil, err
	}
	return r.finish()
}

// reading is one document on its way.
type reading struct {
	ctx     context.Context
	o       Options
	read    int64  // bytes that came
	note    string // on its encoding
	feed    *Feed
	source  *gofeed.Feed
	rss     *rss.Feed
	atom    *atom.Feed
	items   []itemMeta // beside source.Items
	base    string     // what the feed's own addresses are relative to
	authors string     // of the feed, for articles that name none
	raw     []draft
}

func (r *reading) xml(text []byte, start int) error {
	m := mend(text[start:], r.o.URL)
	if m.early && len(m.items) == 0 {
		return &Error{Code: NoCompleteArticle}
	}
	if err := r.gofeed(m); err != nil {
		return &Error{Code: Broken, Detail: err.Error()}
	}
	m.xml = nil // as large as the feed
	if r.items = m.items; len(m.items) != len(r.source.Items) {
		r.items = nil
	}
	r.base = m.base
	r.feed = &Feed{Format: cmp.Or(m.format, formatOf(r.source)), Site: web(m.base, m.site)}
	r.told(len(m.items), m.early, m.full, m.lost)
	r.mended(m, text[:start])
	r.describe()
	return r.articles()
}

// gofeed lets the library read well-formed XML. A panic in it costs this document only.
func (r *reading) gofeed(m mended) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the parser gave up: %v", p)
		}
	}()
	if m.atom {
		if r.atom, err = (&atom.Parser{}).Parse(bytes.NewReader(m.xml)); err != nil {
			return err
		}
		r.source, err = (&gofeed.DefaultAtomTranslator{}).Translate(r.atom)
		return err
	}
	if r.rss, err = (&rss.Parser{}).Parse(bytes.NewReader(m.xml)); err != nil {
		return err
	}
	r.source, err = (&gofeed.DefaultRSSTranslator{DisableContentImageScan: true}).Translate(r.rss)
	return err
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func formatOf(f *gofeed.Feed) string {
	name := map[string]string{"rss": "RSS", "atom": "Atom"}[f.FeedType]
	version := content.Text(f.FeedVersion, 12)
	if strings.HasPrefix(version, "2.") {
		version = "2.0" // 2.01 and 2.0.1 are the same specification
	}
	return strings.TrimSpace(name + " " + version)
}

// finish gives every article its own key.
func (r *reading) finish() (*Feed, error) {
	r.feed.Icon, r.feed.Hub = r.remote(r.feed.Icon), r.remote(r.feed.Hub)
	r.feed.Articles = distinct(r.raw)
	return r.feed, nil
}
