package typeset

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kairos/app/bidi"
	"kairos/app/glyphs"
)

// Text from right to left is cut into spans that the driver draws well, whose places on a line package bidi finds.

const (
	maxBidi      = 8 << 10  // bytes that are resolved together; longer paragraphs are cut at a blank
	maxReordered = 64 << 10 // bytes of the longest text that is reordered
)

// resolveDirections finds the directions of a text and cuts its spans where they change.
func (t *Text) resolveDirections(dir bidi.Direction) {
	if dir != bidi.RightToLeft && !bidi.HasRTL(t.Chars) {
		return
	}
	t.RTL, t.Mixed = dir == bidi.RightToLeft || dir == bidi.Auto && bidi.IsRTL(t.Chars), len(t.Chars) <= maxReordered
	if !t.Mixed {
		return
	}
	var spans []Span
	old, at := 0, 0
	for rest := t.Chars; rest != ""; {
		n := bidiChunk(rest)
		for _, r := range drawable(rest[:n], bidi.Runs(rest[:n], t.RTL)) {
			for at += r.Bytes; t.Spans[old].End < at; old++ {
				spans = append(spans, t.Spans[old].part(t.Spans[old].End, r))
			}
			spans = append(spans, t.Spans[old].part(at, r))
			if t.Spans[old].End == at {
				old++
			}
		}
		rest = rest[n:]
	}
	t.Spans = spans
}

// drawable cuts runs from right to left where letters begin or end that no font has: the driver draws these in another font, and
// fonts in the order of the string.
func drawable(s string, runs []bidi.Run) (cut []bidi.Run) {
	for _, r := range runs {
		text := s[:r.Bytes]
		s = s[r.Bytes:]
		if r.Level&1 == 0 || glyphs.Missing(text) == "" {
			cut = append(cut, r)
			continue
		}
		start, before := 0, false
		for i, c := range text {
			missing := glyphs.Missing(string(c)) != ""
			if i > start && missing != before && !isCombining(c) {
				cut = append(cut, bidi.Run{Bytes: i - start, Level: r.Level, Turn: r.Turn})
				start = i
			}
			before = missing
		}
		cut = append(cut, bidi.Run{Bytes: len(text) - start, Level: r.Level, Turn: r.Turn})
	}
	return cut
}

// part is the part of a span that ends there, in a run.
func (s Span) part(end int, r bidi.Run) Span {
	s.End, s.level, s.turned = end, r.Level, r.Turn
	return s
}

// bidiChunk is the length of the beginning of s that is resolved together: a line, or a part of a long one.
func bidiChunk(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 && n < maxBidi {
		return n + 1
	}
	if len(s) <= maxBidi {
		return len(s)
	}
	if n := strings.LastIndexByte(s[:maxBidi], ' '); n > 0 {
		return n + 1
	}
	n := maxBidi
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// reorder sets the places of the fragments of a line (UAX #9, L2). They stay in the order of the text.
func (t *Text) reorder(fragments []Fragment) {
	type item struct {
		frag  int // -1 for the space between two
		width float32
		level uint8
	}
	items := make([]item, 0, 2*len(fragments))
	for i, f := range fragments {
		level := t.Spans[f.Span].level
		if i > 0 {
			before := &fragments[i-1]
			items = append(items, item{-1, f.X - before.X - before.Width, t.levelBetween(before, &f)})
		}
		items = append(items, item{i, f.Width, level})
	}
	bidi.Reorder(items, func(it item) uint8 { return it.level })
	x := float32(0)
	for _, it := range items {
		if it.frag >= 0 {
			fragments[it.frag].X = x
		}
		x += it.width
	}
}

// levelBetween is the level of the white space between two fragments, which may be lower than those of both: that between a
// number and an English word in Hebrew is.
func (t *Text) levelBetween(before, f *Fragment) uint8 {
	level := min(t.Spans[before.Span].level, t.Spans[f.Span].level)
	for i := before.Span; i <= f.Span; i++ {
		if t.Spans[i].End > before.End && (i == 0 || t.Spans[i-1].End < f.Start) {
			level = min(level, t.Spans[i].level)
		}
	}
	return level
}

// Drawn returns what the driver draws of a fragment.
func (t *Text) Drawn(f *Fragment) string {
	s := t.Chars[f.Start:f.End]
	if f.Hyphen {
		s += "-"
	}
	if !t.Spans[f.Span].turned {
		return bidi.WithoutControls(s)
	}
	var b strings.Builder
	end := len(s)
	for _, start := range slices.Backward(clusterStarts(s)) {
		c, size := utf8.DecodeRuneInString(s[start:])
		b.WriteRune(bidi.Mirror(c))
		b.WriteString(s[start+size : end])
		end = start
	}
	return bidi.WithoutControls(b.String())
}
