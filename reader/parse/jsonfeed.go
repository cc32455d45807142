package parse

import (
	"encoding/json"
	"slices"
	"strings"

	"kairos/reader/content"
)

// jsonItem is an item of a JSON Feed (jsonfeed.org, versions 1 and 1.1) or of RSS
// in JSON. Values are kept as they came: the library turns a whole feed down for
// one of another type.
type jsonItem struct {
	ID          json.RawMessage
	URL         json.RawMessage
	ExternalURL json.RawMessage `json:"external_url"`
	Title       json.RawMessage
	HTML        json.RawMessage `json:"content_html"`
	Text        json.RawMessage `json:"content_text"`
	Summary     json.RawMessage
	Image       json.RawMessage
	Banner      json.RawMessage `json:"banner_image"`
	Published   json.RawMessage `json:"date_published"`
	Modified    json.RawMessage `json:"date_modified"`
	Author      json.RawMessage
	Authors     json.RawMessage
	Attachments json.RawMessage

	GUID        json.RawMessage
	Link        json.RawMessage
	Description json.RawMessage
	PubDate     json.RawMessage
	Enclosure   json.RawMessage
	Comments    json.RawMessage
}

func (r *reading) json(text []byte) error {
	s := &jsonScan{b: text}
	doc := jsonDoc{head: map[string]json.RawMessage{}}
	doc.walk(s, 0)
	switch {
	case !doc.isFeed():
		return &Error{Code: OtherJSON}
	case s.early && len(doc.items) == 0:
		return &Error{Code: NoCompleteArticle}
	}
	r.base = r.o.URL
	r.feed = &Feed{
		Format: doc.format(),
		Title:  content.PlainTitle(doc.text("title")),
		Site:   web(r.base, doc.text("home_page_url", "link")),
		Self:   web(r.base, doc.text("feed_url")),
		Icon:   web(r.base, doc.text("favicon", "icon")),
		Hub:    web(r.base, hubOf(doc.head["hubs"])),
	}
	r.authors = jsonAuthors(doc.head["authors"], doc.head["author"])
	r.told(len(doc.items), s.early, doc.full, len(text)-doc.end)
	if doc.broken > 0 {
		r.warnf("%d %s broken beyond mending and left out.", doc.broken, plural(doc.broken, "article is", "articles are"))
	}
	r.noted()
	return r.jsonArticles(&doc)
}

// jsonDoc is what was found in a document.
type jsonDoc struct {
	head   map[string]json.RawMessage
	items  []jsonItem
	rss    bool // RSS in JSON
	full   bool // reading ended at a bound
	broken int  // items that are no JSON
	end    int  // of the last whole item
}

// isFeed tells a feed, by its version or by what its items have, from other data.
func (d *jsonDoc) isFeed() bool {
	return strings.Contains(d.text("version"), "jsonfeed") || slices.ContainsFunc(d.items, func(it jsonItem) bool {
		return text1(it.ID, it.URL, it.GUID, it.Link, it.Title, it.HTML, it.Text, it.Description) != ""
	})
}

func (d *jsonDoc) text(names ...string) string {
	for _, n := range names {
		if s := text1(d.head[n]); s != "" {
			return s
		}
	}
	return ""
}

func (d *jsonDoc) format() string {
	version := d.text("version")
	if d.rss {
		return strings.TrimSpace("RSS in JSON " + content.Text(version, 12))
	}
	return strings.TrimSpace("JSON Feed " + content.Text(version[strings.LastIndexByte(version, '/')+1:], 12))
}

// walk goes into what may hold the feed and notes what else is there.
func (d *jsonDoc) walk(s *jsonScan, depth int) {
	s.each(func(key string, value byte) bool {
		name := strings.ToLower(key)
		switch {
		case value == '{' && depth < 2 && (name == "rss" || name == "channel"):
			d.rss = true
			d.walk(s, depth+1)
			return true
		case value == '[' && (name == "items" || name == "item" && d.rss):
			d.end = s.i
			s.each(func(_ string, value byte) bool { return d.item(s, value) })
			return true
		case value == '{' && name == "item" && d.rss:
			return d.item(s, value)
		case len(d.head) < maxAttrs:
			if raw := tidyJSON(s.value()); json.Valid(raw) {
				d.head[name] = raw
			}
			return true
		}
		return false
	})
}

// item reads one item; what is no object is none.
func (d *jsonDoc) item(s *jsonScan, value byte) bool {
	if len(d.items) == maxItems {
		d.full = true
		s.i = len(s.b)
		return true
	}
	raw := s.value()
	if s.early {
		return true
	}
	d.end = s.i
	if value != '{' || len(raw) <= len("{ }") {
		return true
	}
	var it jsonItem
	if json.Unmarshal(raw, &it) != nil && json.Unmarshal(tidyJSON(raw), &it) != nil {
		d.broken++
		return true
	}
	d.items = append(d.items, it)
	return true
}

func (r *reading) jsonArticles(doc *jsonDoc) error {
	for i, it := range doc.items {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		doc.items[i] = jsonItem{} // large feeds exist once, not twice
		d := draft{id: text1(it.ID, it.GUID), title: text1(it.Title), filled: true, plain: !doc.rss, base: r.base}
		d.Author = jsonAuthors(it.Authors, it.Author)
		d.CommentsURL = text1(it.Comments)
		d.links = []string{text1(it.URL), text1(it.Link), text1(it.ExternalURL), firstWeb(d.id)}
		d.bodies = []body{{text: text1(it.HTML)}, {text1(it.Text), true}, {text: text1(it.Description)}, {text: text1(it.Summary)}}
		d.pictures = []string{text1(it.Image), text1(it.Banner)}
		d.published = []string{text1(it.Published, it.PubDate)}
		d.updated = []string{text1(it.Modified)}
		for _, a := range append(list(it.Attachments), list(it.Enclosure)...) {
			var file struct {
				URL      json.RawMessage
				MIMEType json.RawMessage `json:"mime_type"`
				Type     json.RawMessage
				Size     json.RawMessage `json:"size_in_bytes"`
				Length   json.RawMessage
			}
			if json.Unmarshal(a, &file) == nil {
				d.enclose(text1(file.URL), text1(file.MIMEType, file.Type), text1(file.Size, file.Length))
			}
		}
		r.settle(&d)
		r.raw = append(r.raw, d)
	}
	return nil
}

// text1 returns the first of the values that is a string or a number, or has one
// within: in an array, or in an object as translations of XML write them.
func text1(values ...json.RawMessage) string {
	for _, raw := range values {
		if s := scalar(raw); s != "" {
			return s
		}
		var inner []json.RawMessage
		switch {
		case len(raw) == 0:
		case raw[0] == '[':
			inner = list(raw)
		case raw[0] == '{':
			var wrapped struct {
				Value json.RawMessage `json:"#value"`
				Text  json.RawMessage `json:"#text"`
			}
			json.Unmarshal(raw, &wrapped) //nolint:errcheck // what is not there is empty
			inner = []json.RawMessage{wrapped.Value, wrapped.Text}
		}
		for _, v := range inner {
			if s := scalar(v); s != "" {
				return s
			}
		}
	}
	return ""
}

// scalar returns a string or a number as text, "" for anything else.
func scalar(raw json.RawMessage) (s string) {
	if len(raw) == 0 {
		return ""
	}
	if raw[0] == '"' {
		json.Unmarshal(raw, &s) //nolint:errcheck // what is broken is empty
		return s
	}
	if raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' {
		return string(raw)
	}
	return ""
}

// list returns the members of an array, no more than anybody needs, or a value
// that stands for an array of one.
func list(raw json.RawMessage) (all []json.RawMessage) {
	switch {
	case len(raw) == 0:
	case raw[0] != '[':
		return []json.RawMessage{raw}
	default:
		s := jsonScan{b: raw}
		s.each(func(string, byte) bool {
			if all = append(all, s.value()); len(all) == maxAttrs {
				s.i = len(s.b)
			}
			return true
		})
	}
	return all
}

func jsonAuthors(values ...json.RawMessage) string {
	var all []string
	for _, v := range values {
		for _, a := range list(v) {
			var person struct{ Name json.RawMessage }
			if json.Unmarshal(a, &person) == nil {
				all = append(all, content.Title(text1(person.Name)))
			} else {
				all = append(all, text1(a))
			}
		}
	}
	return names(all)
}

func hubOf(hubs json.RawMessage) string {
	for _, h := range list(hubs) {
		var hub struct{ URL json.RawMessage }
		if json.Unmarshal(h, &hub) == nil {
			return text1(hub.URL)
		}
	}
	return ""
}
