package article

import (
	"kairos/reader/search"
)

// highlights are the words of the search that led to the article. A text is searched when it is first painted.
type highlights struct {
	marks  search.Marks
	ranges map[int][]search.Range // by text
}

// Mark highlights the words of a search, in this article and those shown after it; empty marks highlight nothing. While words
// are searched in the article itself, only those are highlighted.
func (v *View) Mark(m search.Marks) {
	if m.Empty() && v.page.highlights.marks.Empty() {
		return
	}
	for _, p := range v.pages() {
		p.highlights = highlights{marks: m}
		p.fill()
	}
}

// of returns the ranges to highlight in a text of c.
func (h *highlights) of(c *compiled, text int) []search.Range {
	ranges, known := h.ranges[text]
	if known {
		return ranges
	}
	switch t := c.texts[text]; {
	case t.notCopied:
	case t.block >= 0:
		ranges = h.marks.In(t.Chars)
	case c.isTitle(text):
		ranges = h.marks.InTitle(t.Chars)
	}
	if h.ranges == nil {
		h.ranges = map[int][]search.Range{}
	}
	h.ranges[text] = ranges
	return ranges
}

// isTitle reports whether a text is the title of the article.
func (c *compiled) isTitle(text int) bool {
	for i := range c.blocks {
		if b := &c.blocks[i]; b.text == text {
			return b.kind == heading
		}
	}
	return false
}
