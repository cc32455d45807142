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
	d := composeDraft(i, from)
	d.Key = i.ID
	return d.Article
}

// ComposeKeyed is Compose, but the key is that which Parse would give an item of a feed with this ID: by the ID, else by the link,
// else by title and date. ok is false if nothing would be left of the item.
func ComposeKeyed(i Item, from Source) (a Article, ok bool) {
	d := composeDraft(i, from)
	if !d.Published.IsZero() {
		d.published = []string{d.Published.Format(time.RFC3339)}
	}
	list := assignKeys([]draft{*d})
	if len(list) == 0 {
		return Article{}, false
	}
	return list[0], true
}

func composeDraft(i Item, from Source) *draft {
	p := &parser{options: Options{URL: from.URL, Now: from.Now}, feed: &Feed{Site: from.Site}}
	d := draft{id: i.ID, title: i.Title, base: from.Site, links: []string{i.Link}, bodies: []body{{text: i.HTML}}, publishedAlt: &i.Published,
		hasContent: i.Title+i.Link+i.HTML != "" || len(i.Enclosures) > 0}
	if d.base == "" {
		d.base = from.URL
	}
	d.Author, d.CommentsURL = i.Author, i.CommentsURL
	for _, c := range i.Categories {
		d.Categories = addCategory(d.Categories, html.EscapeString(c))
	}
	for _, e := range i.Enclosures {
		if len(d.Enclosures) < maxFiles {
			e.Seconds = PlayingTime(float64(e.Seconds))
			d.Enclosures = append(d.Enclosures, e)
		}
	}
	p.finishDraft(&d)
	return &d
}
