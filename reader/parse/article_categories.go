package parse

import (
	"bytes"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"kairos/reader/content"
)

const (
	// maxCategories is how many categories of an article are kept.
	maxCategories = 20
	// maxCategory is how long a category is, in characters; what is longer is no category.
	maxCategory = 80
	// maxCategoryMarkup is how many bytes of an element are looked at for a category.
	maxCategoryMarkup = 1000
)

// noteCategory notes the category that an element of an item names: category of RSS and Atom, or subject of Dublin Core.
// The feed parser is spared them, a sixth of all elements (see isIgnored).
func (r *repairer) noteCategory(t tag) {
	it := &r.items[len(r.items)-1]
	if len(it.categories) == maxCategories {
		return
	}
	name := t.getFold("label")
	if name == "" {
		name = t.getFold("term")
	}
	if name == "" && !t.empty {
		name = beginningText(r.src.rest())
	}
	it.categories = addCategory(it.categories, name)
}

// beginningText returns the text, or the CDATA section, that XML begins with.
func beginningText(xml []byte) string {
	xml = bytes.TrimSpace(xml[:min(len(xml), maxCategoryMarkup)])
	if section, ok := bytes.CutPrefix(xml, []byte("<![CDATA[")); ok {
		text, _, _ := bytes.Cut(section, []byte("]]>"))
		return string(text)
	}
	text, _, _ := bytes.Cut(xml, []byte("<"))
	return html.UnescapeString(string(text))
}

// addCategory adds a category unless it is there already, or none: an address, or what blogs file under nothing.
func addCategory(to []string, name string) []string {
	if len(to) == maxCategories || len(name) > maxCategoryMarkup {
		return to
	}
	name = fixDoubleUTF8Line(content.Title(name))
	if name == "" || utf8.RuneCountInString(name) > maxCategory || strings.Contains(name, "://") || strings.EqualFold(name, "Uncategorized") ||
		slices.ContainsFunc(to, func(other string) bool { return strings.EqualFold(other, name) }) {
		return to
	}
	return append(to, name)
}
