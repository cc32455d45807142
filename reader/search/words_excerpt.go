package search

import (
	"strings"
	"unicode/utf8"
)

// Lengths of excerpts, in characters.
const (
	excerptLead = 24  // the most that stands before the first place
	excerptSize = 300 // the whole excerpt
)

// Excerpt returns a part of a text that shows the first place that In finds, after a few words that stand before it; "" if
// there is none, or so near the beginning that the beginning shows it.
func (m Marks) Excerpt(text string) string {
	found := m.In(text)
	if len(found) == 0 {
		return ""
	}
	at := found[0].Start
	start := at
	for range excerptLead {
		if start == 0 {
			return ""
		}
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	if blank := strings.IndexByte(text[start:at], ' '); blank >= 0 {
		start += blank + 1
	}
	end := start
	for range excerptSize {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return "…" + text[start:end]
}
