package parse

import (
	"html"
	"time"
)

// Item is an entry of a feed as somebody else has parsed it: a server that the feed is read from.
type Item struct {
	ID          string
	Title       string // HTML
	Link        string
	Author      string
	HTML        string    // not sanitized
	Published   time.Time // zero where undated
	CommentsURL string
	Categories  []string
	Enclosures  []Enclosure
}

// Source is what is known of the feed of an Item.
type Source struct {
	URL  string
	Site string
	Now  time.Time // no article is published later than this
}

// Compose makes of an item the article that Parse would make of it. Its key is the item's ID.
func Compose(i Item, from Source) Article {
	p := &parser{options: Options{URL: from.URL, Now: from.Now}, feed: &Feed{Site: from.Site}}
	d := draft{id: i.ID, title: i.Title, base: from.Site, links: []string{i.Link}, bodies: []body{{text: i.HTML}}, publishedAlt: &i.Published}
	if d.base == "" {
		d.base = from.URL
	}
	d.Author, d.CommentsURL = i.Author, i.CommentsURL
	for _, c := range i.Categories {
		d.Categories = addCategory(d.Categories, html.EscapeString(c))
	}
	for _, e := range i.Enclosures {
		if len(d.Enclosures) < maxFiles {
			d.Enclosures = append(d.Enclosures, e)
		}
	}
	p.finishDraft(&d)
	d.Key = i.ID
	return d.Article
}
