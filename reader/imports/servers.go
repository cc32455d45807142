package imports

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"kairos/reader/opml"
	"kairos/reader/parse"
)

// minifluxFormat reads entries as the API of Miniflux returns them (GET /v1/entries?starred=true). ttrssFormat reads the XML that
// the plugin import_export of Tiny Tiny RSS writes of starred and archived articles.
var (
	minifluxFormat = format{reader: Miniflux, find: in("miniflux.json", "entries.json"), open: openMiniflux,
		is: func(b *beginning) bool { return b.isJSON() && b.has(`"entries"`, `"feed_id"`) }}
	ttrssFormat = format{reader: TTRSS, find: in("TinyTinyRSS_exported.xml", "ttrss.xml"), open: openTTRSS,
		is: func(b *beginning) bool { return b.has("<articles", "schema-version") }}
)

type minifluxEntry struct {
	Status      string   `json:"status"`
	Starred     bool     `json:"starred"`
	Title       string   `json:"title"`
	URL         string   `json:"url"`
	CommentsURL string   `json:"comments_url"`
	Author      string   `json:"author"`
	Content     string   `json:"content"`
	Published   string   `json:"published_at"`
	Created     string   `json:"created_at"`
	Changed     string   `json:"changed_at"`
	Tags        []string `json:"tags"`
	Enclosures  []struct {
		URL  string `json:"url"`
		Type string `json:"mime_type"`
		Size int64  `json:"size"`
	} `json:"enclosures"`
	Feed struct {
		URL      string `json:"feed_url"`
		Site     string `json:"site_url"`
		Title    string `json:"title"`
		Category struct {
			Title string `json:"title"`
		} `json:"category"`
	} `json:"feed"`
}

func openMiniflux(ctx context.Context, s *file) error {
	return s.readEntries(ctx, func(ctx context.Context, yield func(entry) error) error {
		isList := func(member string) bool { return member == "entries" }
		return s.jsonFile(ctx, s.Path, openFile(s.Path), isList, noHead, func(value json.RawMessage) error {
			var one minifluxEntry
			if err := json.Unmarshal(value, &one); err != nil {
				return err
			}
			return yield(one.entry())
		})
	})
}

func (m *minifluxEntry) entry() entry {
	e := entry{feed: opml.Outline{URL: m.Feed.URL, Site: m.Feed.Site, Title: plain(m.Feed.Title), Folder: opml.Path(plain(m.Feed.Category.Title))}, subscribed: m.Feed.URL != ""}
	e.Item = parse.Item{Title: plain(m.Title), Link: m.URL, Author: m.Author, HTML: m.Content, CommentsURL: m.CommentsURL, Categories: m.Tags, Published: rfc3339(m.Published)}
	e.Read, e.Starred, e.Seen = m.Status == "read", m.Starred, rfc3339(m.Created)
	if e.Read { // a change since it came is the mark
		if e.ReadAt = rfc3339(m.Changed); e.ReadAt.Sub(e.Seen) < time.Minute {
			e.ReadAt = time.Time{}
		}
	}
	for _, f := range m.Enclosures {
		e.Item.Enclosures = append(e.Item.Enclosures, parse.Enclosure{URL: f.URL, Type: f.Type, Length: max(0, f.Size)})
	}
	return e
}

type ttrssArticle struct {
	GUID      string `xml:"guid"`
	Title     string `xml:"title"`
	Content   string `xml:"content"`
	Marked    string `xml:"marked"`
	Link      string `xml:"link"`
	Labels    string `xml:"label_cache"`
	Tags      string `xml:"tag_cache"`
	FeedTitle string `xml:"feed_title"`
	FeedURL   string `xml:"feed_url"`
	Updated   string `xml:"updated"`
}

func openTTRSS(ctx context.Context, s *file) error {
	return s.readEntries(ctx, func(ctx context.Context, yield func(entry) error) error {
		f, err := os.Open(s.Path)
		if err != nil {
			return &Error{Code: Damaged, File: s.Path, Err: err}
		}
		defer f.Close()
		m := &meter{r: contextReader{ctx, f}}
		d := xml.NewDecoder(m)
		d.Strict = false
		for n := 0; ; {
			m.read = 0
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return nil
			}
			start, is := token.(xml.StartElement)
			if err == nil && (!is || start.Name.Local != "article") {
				continue
			}
			var one ttrssArticle
			if err == nil {
				err = d.DecodeElement(&one, &start)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				s.note(damaged(s.Path, fmt.Sprintf("after entry %d", n), err))
				return nil
			}
			n++
			if err := yield(one.entry()); err != nil {
				return err
			}
		}
	})
}

func (a *ttrssArticle) entry() entry {
	e := entry{feed: opml.Outline{URL: strings.TrimSpace(a.FeedURL), Title: plain(a.FeedTitle)}}
	e.Item = parse.Item{ID: ttrssID(a.GUID), Title: a.Title, Link: a.Link, HTML: a.Content}
	e.Starred, e.Read = a.Marked == "1" || a.Marked == "true" || a.Marked == "t", true
	if at, err := time.Parse("2006-01-02 15:04:05", strings.TrimSpace(a.Updated)); err == nil {
		e.Item.Published = at
	}
	for tag := range strings.SplitSeq(a.Tags, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			e.Item.Categories = append(e.Item.Categories, plain(tag))
		}
	}
	var labels [][]any // id, name and colors of each
	if json.Unmarshal([]byte(a.Labels), &labels) == nil {
		for _, label := range labels {
			if len(label) > 1 {
				e.Labels = append(e.Labels, text(label[1]))
			}
		}
	}
	return e
}

// ttrssID takes off what Tiny Tiny RSS puts before the feed's id: the number of the user. Of later versions only a hash is known.
func ttrssID(guid string) string {
	if strings.HasPrefix(guid, "{") || strings.HasPrefix(guid, "SHA1:") {
		return ""
	}
	number, rest, cut := strings.Cut(guid, ",")
	if !cut || strings.Trim(number, "0123456789") != "" {
		return guid
	}
	if strings.HasPrefix(rest, "SHA1:") {
		return ""
	}
	return rest
}
