package parse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mmcdole/gofeed"

	"kairos/reader/content"
)

// json reads a JSON Feed (jsonfeed.org, versions 1 and 1.1). Values of the
// wrong type are made right or left out before gofeed, which would turn the
// whole document down, sees them.
func (r *reading) json(text []byte) error {
	r.feed = &Feed{}
	doc, early, err := decodeJSON(text)
	if err != nil {
		return err
	}
	items, isFeed := doc["items"].([]any)
	if version, _ := doc["version"].(string); !isFeed && !strings.Contains(version, "jsonfeed") {
		return fmt.Errorf("%w: JSON data", ErrNotFeed)
	}
	var objects []map[string]any
	for _, it := range items {
		if o, ok := it.(map[string]any); ok {
			objects = append(objects, tidyItem(o))
		}
	}
	clean := pick(doc, "version", "title", "home_page_url", "feed_url", "icon", "favicon", "language")
	clean["items"] = objects
	packed, err := json.Marshal(clean)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if r.source, err = gofeed.NewParser().Parse(bytes.NewReader(packed)); err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	r.feed.Format = formatOf(r.source)
	r.base = r.o.URL
	r.describe()
	r.feed.Icon = web(r.base, text1(doc["favicon"], doc["icon"]))
	r.feed.Hub = web(r.base, hubOf(doc))
	r.authors = jsonAuthors(doc)
	if early || r.o.Truncated {
		n := len(objects)
		r.warnf("the feed ended early: %d complete %s kept", n, plural(n, "article", "articles"))
	}
	return r.jsonArticles(objects)
}

func (r *reading) jsonArticles(objects []map[string]any) error {
	for i, item := range r.source.Items {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		d := r.draft(i, item)
		o := objects[i]
		d.plain = true
		d.Author = jsonAuthors(o)
		d.links = []string{item.Link, text1(o["external_url"]), firstWeb(item.GUID)}
		d.bodies = []body{{text: text1(o["content_html"])}, {text1(o["content_text"]), true}, {text: text1(o["summary"])}}
		d.pictures = []string{text1(o["image"]), text1(o["banner_image"])}
		r.raw = append(r.raw, r.settle(d))
	}
	return nil
}

// decodeJSON reads an object; one that ends early is cut behind its last whole item.
func decodeJSON(text []byte) (doc map[string]any, early bool, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err = d.Decode(&doc); err == nil {
		return doc, false, nil
	}
	mended, ok := cutJSON(text)
	if !ok {
		if !bytes.Contains(text, []byte("jsonfeed.org")) {
			return nil, false, fmt.Errorf("%w: broken JSON", ErrNotFeed)
		}
		return nil, false, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	d = json.NewDecoder(bytes.NewReader(mended))
	d.UseNumber()
	if again := d.Decode(&doc); again != nil {
		return nil, false, fmt.Errorf("%w: %w", ErrBroken, errors.Join(err, again))
	}
	return doc, true, nil
}

// cutJSON returns text up to the last object that is whole inside an array of
// the outermost object, closed again.
func cutJSON(text []byte) ([]byte, bool) {
	depth, last := 0, -1
	inString := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if inString {
			switch c {
			case '\\':
				i++
			case '"':
				inString = false
			}
			continue
		}
		switch c {
		case '"':
			inString = true
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if c == '}' && depth == 2 {
				last = i
			}
		}
	}
	if last < 0 {
		return nil, false
	}
	return append(append([]byte{}, text[:last+1]...), "]}"...), true
}

func tidyItem(in map[string]any) map[string]any {
	out := pick(in, "id", "url", "external_url", "title", "content_html", "content_text", "summary", "image",
		"banner_image", "date_published", "date_modified")
	for _, k := range []string{"author", "authors"} {
		if v, ok := in[k]; ok && jsonAuthors(map[string]any{k: v}) != "" {
			out[k] = v
		}
	}
	author := jsonAuthors(out)
	delete(out, "author")
	delete(out, "authors")
	if author != "" {
		out["author"] = map[string]any{"name": author}
	}
	var files []map[string]any
	for _, a := range list(in["attachments"]) {
		if o, ok := a.(map[string]any); ok {
			file := pick(o, "url", "mime_type")
			file["size_in_bytes"] = o["size_in_bytes"]
			files = append(files, file)
		}
	}
	if files != nil {
		out["attachments"] = files
	}
	return out
}

// pick copies the named members that are, or can be, strings.
func pick(in map[string]any, names ...string) map[string]any {
	out := map[string]any{}
	for _, n := range names {
		if s := text1(in[n]); s != "" {
			out[n] = s
		}
	}
	return out
}

// text1 returns the first of the values that is a string or a number.
func text1(values ...any) string {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			if v != "" {
				return v
			}
		case json.Number:
			return v.String()
		}
	}
	return ""
}

func list(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case nil:
		return nil
	}
	return []any{v}
}

func jsonAuthors(o map[string]any) string {
	var all []string
	for _, a := range append(list(o["authors"]), list(o["author"])...) {
		switch a := a.(type) {
		case string:
			all = append(all, a)
		case map[string]any:
			all = append(all, content.Title(text1(a["name"])))
		}
	}
	return names(all)
}

func hubOf(doc map[string]any) string {
	for _, h := range list(doc["hubs"]) {
		if o, ok := h.(map[string]any); ok {
			return text1(o["url"])
		}
	}
	return ""
}
