package parse

import (
	"encoding/json"
	"html"
	"slices"
	"strings"

	"kairos/reader/content"
)

// jsonItem is an item of a JSON Feed (jsonfeed.org, versions 1 and 1.1) or of RSS
// in JSON. Its values are raw: the library rejects a whole feed for one value of
// another type.
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
	Tags        json.RawMessage

	GUID        json.RawMessage
	Link        json.RawMessage
	Description json.RawMessage
	PubDate     json.RawMessage
	Enclosure   json.RawMessage
	Comments    json.RawMessage
	Category    json.RawMessage
}

func (p *parser) readJSON(text []byte) error {
	s := &jsonScanner{text: text}
	doc := jsonDoc{head: map[string]json.RawMessage{}}
	doc.scan(s, 0)
	switch {
	case !doc.isFeed():
		return &Error{Code: OtherJSON}
	case s.endsEarly && len(doc.items) == 0:
		return &Error{Code: NoCompleteArticle}
	}
	p.base = p.options.URL
	p.feed = &Feed{
		Format: doc.format(),
		Title:  content.PlainTitle(doc.text("title")),
		Site:   web(p.base, doc.text("home_page_url", "link")),
		Icon:   web(p.base, doc.text("favicon", "icon")),
		Hub:    web(p.base, hubOf(doc.head["hubs"])),
		Older:  web(p.base, doc.text("next_url")),
	}
	p.authors = jsonAuthors(doc.head["authors"], doc.head["author"])
	p.warnIncomplete(len(doc.items), s.endsEarly, doc.limitReached, len(text)-doc.end)
	if doc.broken > 0 {
		p.warn(Warning{Code: DamagedArticles, Articles: doc.broken})
	}
	p.warnEncoding()
	return p.draftJSONItems(&doc)
}

// jsonDoc is what is read of a document.
type jsonDoc struct {
	head         map[string]json.RawMessage
	items        []jsonItem
	isRSS        bool // RSS in JSON
	limitReached bool // reading ended at a limit
	broken       int  // items that are not JSON
	end          int  // position behind the last complete item
}

// isFeed tells a feed from other data by its version or the members of its items.
func (d *jsonDoc) isFeed() bool {
	return strings.Contains(d.text("version"), "jsonfeed") || slices.ContainsFunc(d.items, func(it jsonItem) bool {
		return firstText(it.ID, it.URL, it.GUID, it.Link, it.Title, it.HTML, it.Text, it.Description) != ""
	})
}

func (d *jsonDoc) text(names ...string) string {
	for _, n := range names {
		if s := firstText(d.head[n]); s != "" {
			return s
		}
	}
	return ""
}

func (d *jsonDoc) format() string {
	version := d.text("version")
	if d.isRSS {
		return strings.TrimSpace("RSS in JSON " + content.Text(version, 12))
	}
	return strings.TrimSpace("JSON Feed " + content.Text(version[strings.LastIndexByte(version, '/')+1:], 12))
}

// scan reads the items and all other members of the feed, which may be nested.
func (d *jsonDoc) scan(s *jsonScanner, depth int) {
	s.each(func(key string, value byte) bool {
		name := strings.ToLower(key)
		switch {
		case value == '{' && depth < 2 && (name == "rss" || name == "channel"):
			d.isRSS = true
			d.scan(s, depth+1)
			return true
		case value == '[' && (name == "items" || name == "item" && d.isRSS):
			d.end = s.pos
			s.each(func(_ string, value byte) bool { return d.addItem(s, value) })
			return true
		case value == '{' && name == "item" && d.isRSS:
			return d.addItem(s, value)
		case len(d.head) < maxAttrs:
			if raw := repairJSON(s.value()); json.Valid(raw) {
				d.head[name] = raw
			}
			return true
		}
		return false
	})
}

// addItem reads one item, unless it is no object. It always returns true: the value is read.
func (d *jsonDoc) addItem(s *jsonScanner, value byte) bool {
	if len(d.items) == maxItems {
		d.limitReached = true
		s.pos = len(s.text)
		return true
	}
	raw := s.value()
	if s.endsEarly {
		return true
	}
	d.end = s.pos
	if value != '{' || len(raw) <= len("{ }") {
		return true
	}
	var it jsonItem
	if json.Unmarshal(raw, &it) != nil && json.Unmarshal(repairJSON(raw), &it) != nil {
		d.broken++
		return true
	}
	d.items = append(d.items, it)
	return true
}

func (p *parser) draftJSONItems(doc *jsonDoc) error {
	for i, it := range doc.items {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		doc.items[i] = jsonItem{} // keep large feeds in memory once, not twice
		d := draft{id: firstText(it.ID, it.GUID), title: firstText(it.Title), hasContent: true, plainTitle: !doc.isRSS, base: p.base}
		d.Author = jsonAuthors(it.Authors, it.Author)
		d.CommentsURL = firstText(it.Comments)
		d.links = []string{firstText(it.URL), firstText(it.Link), firstText(it.ExternalURL), webOrEmpty(d.id)}
		d.bodies = []body{{text: firstText(it.HTML)}, {firstText(it.Text), true}, {text: firstText(it.Description)}, {text: firstText(it.Summary)}}
		d.pictures = []string{firstText(it.Image), firstText(it.Banner)}
		d.published = []string{firstText(it.Published, it.PubDate)}
		d.updated = []string{firstText(it.Modified)}
		for _, tag := range append(arrayOf(it.Tags), arrayOf(it.Category)...) {
			d.Categories = addCategory(d.Categories, html.EscapeString(firstText(tag)))
		}
		for _, a := range append(arrayOf(it.Attachments), arrayOf(it.Enclosure)...) {
			var file struct {
				URL      json.RawMessage
				MIMEType json.RawMessage `json:"mime_type"`
				Type     json.RawMessage
				Size     json.RawMessage `json:"size_in_bytes"`
				Length   json.RawMessage
				Duration json.RawMessage `json:"duration_in_seconds"`
			}
			if json.Unmarshal(a, &file) == nil {
				d.addEnclosure(firstText(file.URL), firstText(file.MIMEType, file.Type), firstText(file.Size, file.Length), firstText(file.Duration))
			}
		}
		p.finishDraft(&d)
		p.drafts = append(p.drafts, d)
	}
	return nil
}

// firstText returns the first of the values that is or holds a string or a number:
// in an array, or in an object as converters from XML write it.
func firstText(values ...json.RawMessage) string {
	for _, raw := range values {
		if s := scalar(raw); s != "" {
			return s
		}
		var inner []json.RawMessage
		switch {
		case len(raw) == 0:
		case raw[0] == '[':
			inner = arrayOf(raw)
		case raw[0] == '{':
			var wrapped struct {
				Value json.RawMessage `json:"#value"`
				Text  json.RawMessage `json:"#text"`
			}
			json.Unmarshal(raw, &wrapped) //nolint:errcheck // missing values are empty
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
		json.Unmarshal(raw, &s) //nolint:errcheck // a broken value is empty
		return s
	}
	if raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' {
		return string(raw)
	}
	return ""
}

// arrayOf returns the members of an array, at most maxAttrs, or a value that stands
// for an array of one.
func arrayOf(raw json.RawMessage) (all []json.RawMessage) {
	switch {
	case len(raw) == 0:
	case raw[0] != '[':
		return []json.RawMessage{raw}
	default:
		s := jsonScanner{text: raw}
		s.each(func(string, byte) bool {
			if all = append(all, s.value()); len(all) == maxAttrs {
				s.pos = len(s.text)
			}
			return true
		})
	}
	return all
}

func jsonAuthors(values ...json.RawMessage) string {
	var names []string
	for _, v := range values {
		for _, a := range arrayOf(v) {
			var person struct{ Name json.RawMessage }
			if json.Unmarshal(a, &person) == nil {
				names = append(names, content.Title(firstText(person.Name)))
			} else {
				names = append(names, firstText(a))
			}
		}
	}
	return joinNames(names)
}

func hubOf(hubs json.RawMessage) string {
	for _, h := range arrayOf(hubs) {
		var hub struct{ URL json.RawMessage }
		if json.Unmarshal(h, &hub) == nil {
			return firstText(hub.URL)
		}
	}
	return ""
}
