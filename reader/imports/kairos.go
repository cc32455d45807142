package imports

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"time"

	"kairos/reader/export"
	"kairos/reader/opml"
	"kairos/reader/parse"
)

// kairosFormat reads a JSON Feed (jsonfeed.org/version/1.1) from a file: those that Kairos exports, with what the extension _kairos
// says of each article, and any other.
var kairosFormat = format{reader: Kairos, open: openJSONFeed, is: func(b *beginning) bool { return b.isJSON() && b.has("jsonfeed.org/version/") }}

type jsonFeedItem struct {
	ID          any               `json:"id"` // a text, though many write a number
	URL         string            `json:"url"`
	ExternalURL string            `json:"external_url"`
	Title       string            `json:"title"`
	HTML        string            `json:"content_html"`
	Text        string            `json:"content_text"`
	Summary     string            `json:"summary"`
	Published   string            `json:"date_published"`
	Modified    string            `json:"date_modified"`
	Author      jsonFeedAuthor    `json:"author"` // of version 1
	Authors     []jsonFeedAuthor  `json:"authors"`
	Tags        []string          `json:"tags"`
	Attachments []jsonFeedFile    `json:"attachments"`
	Kairos      *export.Extension `json:"_kairos"`
}

type jsonFeedAuthor struct {
	Name string `json:"name"`
}

type jsonFeedFile struct {
	URL  string  `json:"url"`
	Type string  `json:"mime_type"`
	Size float64 `json:"size_in_bytes"`

	Seconds any `json:"duration_in_seconds"` // a number, though some write a text
}

// starredTitle is the title under which earlier versions of Kairos exported the starred articles, without saying so of each.
const starredTitle = "Starred articles"

func openJSONFeed(ctx context.Context, s *file) error {
	feed, err := s.jsonFeedHead(ctx)
	if err != nil {
		return err
	}
	starred := feed.URL == "" && feed.Title == starredTitle
	return s.readEntries(ctx, func(ctx context.Context, yield func(entry) error) error {
		return s.jsonFile(ctx, s.Path, openFile(s.Path), isItems, noHead, func(value json.RawMessage) error {
			var item jsonFeedItem
			if err := json.Unmarshal(value, &item); err != nil {
				return err
			}
			e := item.entry(feed)
			e.Starred = e.Starred || starred
			return yield(e)
		})
	})
}

// jsonFeedHead reads what a JSON Feed says of itself, which may stand behind its items.
func (s *file) jsonFeedHead(ctx context.Context) (feed opml.Outline, err error) {
	into := map[string]*string{"title": &feed.Title, "feed_url": &feed.URL, "home_page_url": &feed.Site}
	err = s.jsonFile(ctx, s.Path, openFile(s.Path), isItems, func(member string, value json.RawMessage) {
		if to := into[member]; to != nil {
			json.Unmarshal(value, to) //nolint:errcheck // what is no text says nothing
		}
	}, func(json.RawMessage) error { return nil })
	s.Problems = nil // they are met again with the articles
	return feed, err
}

func (i *jsonFeedItem) entry(feed opml.Outline) entry {
	e := entry{feed: feed, subscribed: feed.URL != ""}
	e.Item = parse.Item{Title: plain(i.Title), Link: cmp.Or(i.URL, i.ExternalURL), HTML: i.HTML, Categories: i.Tags, Published: rfc3339(cmp.Or(i.Published, i.Modified))}
	switch id := i.ID.(type) {
	case string:
		e.Item.ID = id
	case float64:
		e.Item.ID = strconv.FormatFloat(id, 'f', -1, 64)
	}
	if e.Item.HTML == "" {
		e.Item.HTML = plain(cmp.Or(i.Text, i.Summary))
	}
	for _, a := range append([]jsonFeedAuthor{i.Author}, i.Authors...) {
		if e.Item.Author == "" {
			e.Item.Author = a.Name
		}
	}
	for _, a := range i.Attachments {
		seconds, _ := a.Seconds.(float64)
		e.Item.Enclosures = append(e.Item.Enclosures, parse.Enclosure{URL: a.URL, Type: a.Type, Length: int64(max(0, a.Size)), Seconds: parse.PlayingTime(seconds)})
	}
	k := i.Kairos
	if k == nil {
		return e
	}
	if k.FeedURL != "" {
		e.feed = opml.Outline{URL: k.FeedURL, Title: plain(k.Feed)}
	}
	e.Key, e.Read, e.Starred, e.Labels = k.Key, k.Read, k.Starred, k.Labels
	if k.Seen != nil {
		e.Seen = *k.Seen
	}
	if k.Key == "" && feed.URL == "" { // of an export of starred or labeled articles
		e.Item.ID, e.Item.Categories, e.Labels = "", nil, i.Tags
	}
	return e
}

func rfc3339(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return at
}
