package typeset

import (
	"strings"

	"kairos/app/bidi"
)

// leftToRightMark keeps the driver from joining what stands on both sides of it.
const leftToRightMark = "\u200e"

// Visual returns a text of one line in the order in which it is drawn, for widgets of Fyne, which hand their text to the driver
// whole: from left to right, its parts kept apart. It is what is drawn only; people who cannot see it get s.
func Visual(s string) string {
	t := Text{Chars: s, Spans: []Span{{End: len(s)}}}
	t.resolveDirections(bidi.Auto)
	if !t.Mixed {
		return s
	}
	var parts []Fragment
	start := 0
	for i, span := range t.Spans {
		letters := start + len(strings.TrimRight(s[start:span.End], " "))
		for _, end := range []int{letters, span.End} { // beside letters the driver draws blanks from left to right
			if end > start {
				parts = append(parts, Fragment{Start: start, End: end, Span: i})
				start = end
			}
		}
	}
	bidi.Reorder(parts, func(f Fragment) uint8 { return t.Spans[f.Span].level })
	drawn := make([]string, len(parts))
	for i := range parts {
		drawn[i] = t.Drawn(&parts[i])
	}
	return strings.Join(drawn, leftToRightMark)
}
