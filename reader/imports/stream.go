package imports

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"kairos/reader/opml"
	"kairos/reader/parse"
)

// streamFormat reads articles as Google Reader's API returns them and its Takeout held them: the starred ones of Google Reader,
// Inoreader, The Old Reader, BazQux, FreshRSS and Kairos. States and labels stand among the categories. feedlyFormat reads the
// saved articles of Feedly, whose API returns nearly the same: times are in milliseconds, and tags have a list of their own.
var (
	streamFormat = format{reader: Stream, find: in("starred.json", "Reader/starred.json"), open: openStream,
		is: func(b *beginning) bool { return b.isJSON() && b.has(`"items"`, `"origin"`) && !b.has(`"originId"`) }}
	feedlyFormat = format{reader: Feedly, find: in("saved.json", "feedly.json"), open: openStream,
		is: func(b *beginning) bool { return b.isJSON() && b.has(`"originId"`, `"origin"`) }}
)

func (b *beginning) isJSON() bool {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(b.bytes, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[')
}

// has reports whether the beginning has all of these texts.
func (b *beginning) has(texts ...string) bool {
	for _, text := range texts {
		if !bytes.Contains(b.bytes, []byte(text)) {
			return false
		}
	}
	return true
}

type streamItem struct {
	ID         string       `json:"id"`
	OriginID   string       `json:"originId"` // of Feedly: the feed's id
	GUID       string       `json:"guid"`     // of FreshRSS
	Title      string       `json:"title"`
	Published  json.Number  `json:"published"`
	Updated    json.Number  `json:"updated"`
	Crawled    json.Number  `json:"crawled"`
	CrawlTime  json.Number  `json:"crawlTimeMsec"`
	Action     json.Number  `json:"actionTimestamp"`
	Canonical  []streamLink `json:"canonical"`
	Alternate  []streamLink `json:"alternate"`
	CanonicalU string       `json:"canonicalUrl"`
	Author     string       `json:"author"`
	Content    streamText   `json:"content"`
	Summary    streamText   `json:"summary"`
	Categories []string     `json:"categories"`
	Keywords   []string     `json:"keywords"`
	Tags       []streamTag  `json:"tags"`
	Unread     *bool        `json:"unread"`
	Enclosure  []streamFile `json:"enclosure"`
	Origin     streamOrigin `json:"origin"`
}

type streamLink struct {
	Href string `json:"href"`
}

// streamText is an object with the text, or the text.
type streamText struct{ text string }

func (t *streamText) UnmarshalJSON(b []byte) error {
	var object struct {
		Content string `json:"content"`
	}
	if json.Unmarshal(b, &object) == nil {
		t.text = object.Content
		return nil
	}
	return json.Unmarshal(b, &t.text)
}

type streamTag struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

type streamFile struct {
	Href   string      `json:"href"`
	Type   string      `json:"type"`
	Length json.Number `json:"length"`
}

type streamOrigin struct {
	StreamID string `json:"streamId"`
	FeedURL  string `json:"feedUrl"`
	Title    string `json:"title"`
	HTMLURL  string `json:"htmlUrl"`
}

func openStream(ctx context.Context, s *file) error {
	return s.readEntries(ctx, func(ctx context.Context, yield func(entry) error) error {
		return s.streamFile(ctx, s.Path, openFile(s.Path), false, yield)
	})
}

// streamFile reads one file; subscribed says that its feeds are subscriptions.
func (s *file) streamFile(ctx context.Context, name string, open func() (io.ReadCloser, error), subscribed bool, yield func(entry) error) error {
	starred := s.Reader == Feedly // all of them are saved
	return s.jsonFile(ctx, name, open, isItems, func(member string, value json.RawMessage) {
		if member == "id" && bytes.Contains(value, []byte("state/com.google/starred")) {
			starred = true
		}
	}, func(value json.RawMessage) error {
		var item streamItem
		if err := json.Unmarshal(value, &item); err != nil {
			return err
		}
		e := item.entry()
		e.Starred, e.subscribed = e.Starred || starred, subscribed
		return yield(e)
	})
}

func (i *streamItem) entry() entry {
	e := entry{feed: opml.Outline{Title: i.Origin.Title, Site: i.Origin.HTMLURL, URL: cmp.Or(i.Origin.FeedURL, strings.TrimPrefix(i.Origin.StreamID, "feed/"))}}
	if !strings.Contains(e.feed.URL, ":") {
		e.feed.URL = "" // a number of the server's
	}
	e.Item = parse.Item{ID: i.id(), Title: i.Title, Author: i.Author, HTML: cmp.Or(i.Content.text, i.Summary.text), Published: instantOf(i.Published)}
	if e.Item.Published.IsZero() {
		e.Item.Published = instantOf(i.Updated)
	}
	for _, links := range [][]streamLink{i.Canonical, i.Alternate} {
		for _, l := range links {
			e.Item.Link = cmp.Or(e.Item.Link, l.Href)
		}
	}
	e.Item.Link = cmp.Or(e.Item.Link, i.CanonicalU)
	e.Seen = instantOf(cmp.Or(i.CrawlTime, i.Crawled))
	e.ReadAt = instantOf(i.Action)
	e.Read = i.Unread != nil && !*i.Unread
	for _, category := range i.Categories {
		e.categorize(category, "")
	}
	for _, tag := range i.Tags {
		e.categorize(tag.ID, tag.Label)
	}
	e.Item.Categories = append(e.Item.Categories, i.Keywords...)
	for _, f := range i.Enclosure {
		length, err := f.Length.Int64()
		if err != nil {
			length = 0
		}
		e.Item.Enclosures = append(e.Item.Enclosures, parse.Enclosure{URL: f.Href, Type: f.Type, Length: max(0, length)})
	}
	return e
}

// id returns the id that the feed gives the article; "" if only the server's is known.
func (i *streamItem) id() string {
	if i.OriginID != "" || i.GUID != "" {
		return cmp.Or(i.GUID, i.OriginID)
	}
	if strings.HasPrefix(i.ID, "tag:google.com,2005:reader/item/") {
		return ""
	}
	if _, err := strconv.ParseUint(i.ID, 16, 64); err == nil {
		return ""
	}
	return i.ID
}

// categorize reads a state, a label or a category.
func (e *entry) categorize(id, label string) {
	user := strings.HasPrefix(id, "user/")
	switch {
	case user && strings.HasSuffix(id, "/state/com.google/read"), user && strings.HasSuffix(id, "/tag/global.read"):
		e.Read = true
	case user && strings.HasSuffix(id, "/state/com.google/starred"), user && strings.HasSuffix(id, "/tag/global.saved"):
		e.Starred = true
	case user && strings.Contains(id, "/label/"):
		_, name, _ := strings.Cut(id, "/label/")
		e.Labels = append(e.Labels, name)
	case user && strings.Contains(id, "/tag/"):
		if label != "" {
			e.Labels = append(e.Labels, label)
		}
	case user:
	default:
		e.Item.Categories = append(e.Item.Categories, id)
	}
}

// instantOf reads a time in seconds, milli- or microseconds; zero if it is none.
func instantOf(n json.Number) time.Time {
	x, err := n.Float64()
	switch {
	case err != nil || x <= 0:
		return time.Time{}
	case x > 1e14:
		return time.UnixMicro(int64(x))
	case x > 1e11:
		return time.UnixMilli(int64(x))
	}
	return time.Unix(int64(x), 0)
}
