// Package parse turns the bytes of a feed (RSS 0.9 to 2.0, RDF, Atom, JSON
// Feed) into what the reader stores, and loses as little as possible of broken
// ones: it decodes bytes into UTF-8, repairs the markup into well-formed XML,
// lets gofeed read it, and makes of each item an article with a key, a link, a
// date and a body that is safe to show. Warnings say what was lost or repaired.
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

// Options tell where a document comes from.
type Options struct {
	URL         string    // the address that answered, after redirects
	ContentType string    // of the HTTP answer
	Now         time.Time // no article is published later than this; zero sets no limit
	Truncated   bool      // the document is known to be cut off
	Whole       int64     // bytes of the whole document, 0 where unknown

	keepsAll bool // gofeed reads what goes around it otherwise, too: what tests compare with
}

// Feed is what a document says about itself, and its articles in the document's order.
type Feed struct {
	Format    string // "RSS 2.0", "Atom 1.0", "JSON Feed 1.1" …
	Title     string // one line of text
	Site      string // address of the web page it belongs to
	Icon      string // address of an image
	Hub       string // WebSub hub (W3C WebSub §4)
	Older     string // document with older articles (RFC 5005 §4 prev-archive, §3 next; next_url of JSON Feed)
	Generator string // program that made it, one line
	TTL       time.Duration
	SkipHours []int // 0 to 23, UTC, ascending
	SkipDays  []time.Weekday
	Articles  []Article
	Warnings  []Warning
}

// Article is one entry of a feed.
type Article struct {
	Key         string // unique within the feed
	Title       string // one line of text; empty where nothing can stand for it
	Link        string // http or https, may be empty
	Author      string
	Published   time.Time // UTC; zero where undated
	Updated     time.Time // UTC; zero where unknown
	HTML        string    // see content.Sanitize
	Summary     string    // one line of text
	CommentsURL string
	Categories  []string // at most maxCategories, each once
	Enclosures  []Enclosure
	Chapters    string // address of the chapters of an episode (Podcasting 2.0), for ReadChapters; "" for none
}

// Enclosure is a file that comes with an article.
type Enclosure struct {
	URL    string
	Type   string
	Length int64 // bytes, 0 where unknown

	Seconds int64 // how long it plays, at most a week; 0 where unknown
}

// Parse reads a feed. A document that is broken or ends early gives the
// articles that are complete, with a warning; an error means that it gave none.
// Errors: *Error, the context's.
func Parse(ctx context.Context, body []byte, o Options) (*Feed, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := classifyBinary(body); err != nil {
		return nil, err
	}
	p := parser{ctx: ctx, options: o, bytesRead: int64(len(body))}
	binary := http.DetectContentType(body) == "application/octet-stream"
	text, warning := decode(body, o.ContentType)
	body, p.encoding = nil, warning // body is as large as text
	syntax, start, err := locateFeed(text)
	if binary && errors.Is(err, ErrEmpty) {
		err = &Error{Code: BinaryData}
	}
	if err != nil {
		return nil, err
	}
	if syntax == jsonSyntax {
		err = p.readJSON(text[start:])
	} else {
		err = p.readXML(text, start)
	}
	if err != nil {
		return nil, err
	}
	return p.finish()
}

// parser parses one document.
type parser struct {
	ctx       context.Context
	options   Options
	bytesRead int64
	encoding  *Warning // about the encoding
	feed      *Feed
	source    *gofeed.Feed
	rss       *rss.Feed
	atom      *atom.Feed
	items     []itemMeta // parallel to source.Items; of JSON there are none
	base      string     // what the feed's own addresses are relative to
	authors   string     // of the feed, for articles that name none
	drafts    []draft
}

func (p *parser) readXML(text []byte, start int) error {
	repaired := repairXML(text[start:], p.options.URL, p.options.keepsAll)
	if repaired.endsEarly && len(repaired.items) == 0 {
		return &Error{Code: NoCompleteArticle}
	}
	if err := p.readGofeed(repaired); err != nil {
		return &Error{Code: Broken, Detail: err.Error()}
	}
	repaired.xml = nil // as large as the feed
	missing := len(repaired.items) - len(p.source.Items)
	if missing != 0 && !p.options.keepsAll {
		p.options.keepsAll = true
		return p.readXML(text, start)
	}
	if p.items = repaired.items; missing != 0 {
		p.items = make([]itemMeta, len(p.source.Items)) // of which item each is cannot be told
	}
	p.base = repaired.base
	p.feed = &Feed{Format: cmp.Or(repaired.format, formatOf(p.source)), Site: web(repaired.base, repaired.site)}
	p.warnIncomplete(len(repaired.items), repaired.endsEarly, repaired.limitReached, repaired.unread)
	p.warnRepairs(repaired, text[:start])
	if missing != 0 {
		p.warn(Warning{Code: DamagedArticles, Articles: max(missing, -missing)})
	}
	p.warnEncoding()
	p.describeFeed()
	return p.draftItems()
}

// readGofeed lets the library read well-formed XML. A panic in it costs only this document.
func (p *parser) readGofeed(repaired repairedXML) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in gofeed: %v", p)
		}
	}()
	if repaired.isAtom {
		if p.atom, err = (&atom.Parser{}).Parse(bytes.NewReader(repaired.xml)); err != nil {
			return err
		}
		p.source, err = (&gofeed.DefaultAtomTranslator{}).Translate(p.atom)
		return err
	}
	if p.rss, err = (&rss.Parser{}).Parse(bytes.NewReader(repaired.xml)); err != nil {
		return err
	}
	p.source, err = (&gofeed.DefaultRSSTranslator{DisableContentImageScan: true}).Translate(p.rss)
	return err
}

func formatOf(f *gofeed.Feed) string {
	name := map[string]string{"rss": "RSS", "atom": "Atom"}[f.FeedType]
	version := content.Text(f.FeedVersion, 12)
	if strings.HasPrefix(version, "2.") {
		version = "2.0" // 2.01 and 2.0.1 are the same specification
	}
	return strings.TrimSpace(name + " " + version)
}

// finish gives every article its key.
func (p *parser) finish() (*Feed, error) {
	p.feed.Icon, p.feed.Hub, p.feed.Older = p.withoutLocal(p.feed.Icon), p.withoutLocal(p.feed.Hub), p.withoutLocal(p.feed.Older)
	p.feed.Articles = assignKeys(p.drafts)
	return p.feed, nil
}
