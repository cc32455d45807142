package article

import (
	"strings"
	"unicode/utf8"

	"kairos/app/bidi"
)

// Text from right to left is cut into spans of one direction and script, whose places on a line package bidi finds.

const (
	maxBidi      = 8 << 10  // bytes that are resolved together; longer paragraphs are cut at a blank
	maxReordered = 64 << 10 // bytes of the longest text that is reordered
)

// resolveDirections finds the directions of a text and cuts its spans where they change.
func (t *text) resolveDirections() {
	if !bidi.HasRTL(t.chars) {
		return
	}
	t.rtl, t.isMixed = bidi.IsRTL(t.chars), len(t.chars) <= maxReordered
	if !t.isMixed {
		return
	}
	var spans []span
	old, at := 0, 0
	for rest := t.chars; rest != ""; {
		n := bidiChunk(rest)
		for _, r := range bidi.Runs(rest[:n], t.rtl) {
			for at += r.Bytes; t.spans[old].end < at; old++ {
				spans = append(spans, t.spans[old].part(t.spans[old].end, r.Level))
			}
			spans = append(spans, t.spans[old].part(at, r.Level))
			if t.spans[old].end == at {
				old++
			}
		}
		rest = rest[n:]
	}
	t.spans = spans
}

// part is the part of a span that ends there, part a level.
func (s span) part(end int, level uint8) span {
	s.end, s.level = end, level
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

// reorder sets the places of the fragments of a line (UAX #9, L2) and returns the width of the line. The fragments stay in the
// order of the text. Text from right to left is measured whole, as it is drawn: its letters are joined, and its blanks come from
// a font of their own.
func (t *text) reorder(fragments []fragment) (width float32) {
	type item struct {
		frag  int // -1 for the space between two
		width float32
		level uint8
	}
	items := make([]item, 0, 2*len(fragments))
	for i := range fragments {
		level := t.spans[fragments[i].span].level
		if i > 0 {
			before := &fragments[i-1]
			items = append(items, item{-1, fragments[i].x - before.x - before.width, min(level, t.spans[before.span].level)})
		}
		items = append(items, item{i, t.drawnWidth(&fragments[i]), level})
	}
	bidi.Reorder(items, func(it item) uint8 { return it.level })
	x := float32(0)
	for _, it := range items {
		if it.frag >= 0 {
			fragments[it.frag].x, fragments[it.frag].width = x, it.width
		}
		x += it.width
	}
	return x
}

// splitNeutrals splits neutral characters off the edges of fragments from right to left: the driver takes them for the beginning and
// the end of a line from left to right.
func (t *text) splitNeutrals(fragments []fragment) []fragment {
	out := make([]fragment, 0, len(fragments)+2)
	for _, f := range fragments {
		s := t.chars[f.start:f.end]
		inner := strings.TrimFunc(s, bidi.IsNeutral)
		measurer := t.spans[f.span].measurer
		switch {
		case t.spans[f.span].level&1 == 0 || inner == s:
			out = append(out, f)
			continue
		case inner == "":
			f.neutral = true
			out = append(out, f)
			continue
		}
		lead, tail := f, f
		lead.end = f.start + strings.Index(s, inner)
		tail.start = lead.end + len(inner)
		lead.neutral, tail.neutral = true, true
		lead.width, tail.width = measurer.width(t.chars[f.start:lead.end]), measurer.width(t.chars[tail.start:f.end])
		f.start, f.end = lead.end, tail.start
		f.x, f.width = f.x+lead.width, f.width-lead.width-tail.width
		tail.x = f.x + f.width
		for _, piece := range []fragment{lead, f, tail} {
			if piece.start < piece.end {
				out = append(out, piece)
			}
		}
	}
	return out
}

// drawnWidth is the width of a fragment as it is drawn.
func (t *text) drawnWidth(f *fragment) float32 {
	if s := &t.spans[f.span]; s.level&1 == 1 {
		return s.measurer.width(t.chars[f.start:f.end])
	}
	return f.width
}

// xOf is the distance of a byte offset in a fragment from the start of the line.
func (t *text) xOf(f *fragment, off int) float32 {
	w := t.spans[f.span].measurer.width(t.chars[f.start:off])
	if t.spans[f.span].level&1 == 1 {
		return f.x + f.width - w
	}
	return f.x + w
}

// forStretches calls draw with the places of a line between two offsets of its text: one, or in a line of several directions
// one for each fragment.
func (l *layout) forStretches(ln *line, from, to int, draw func(left, right float32)) {
	t := l.texts[ln.text]
	if !t.isMixed {
		draw(l.offsetX(ln, from), l.offsetX(ln, to))
		return
	}
	for i := ln.first; i < ln.last; i++ {
		f := &l.fragments[i]
		if start, end := max(from, f.start), min(to, f.end); start < end {
			a, b := t.xOf(f, start), t.xOf(f, end)
			draw(min(a, b), max(a, b))
		}
	}
}

// mixedOffsetAt is offsetAt for a line of several directions.
func (l *layout) mixedOffsetAt(ln *line, x float32) int {
	t := l.texts[ln.text]
	var near *fragment
	away := func(f *fragment) float32 { return max(0, f.x-x, x-f.x-f.width) }
	for i := ln.first; i < ln.last; i++ {
		if f := &l.fragments[i]; near == nil || away(f) < away(near) {
			near = f
		}
	}
	if near == nil {
		return ln.start
	}
	if t.spans[near.span].level&1 == 1 {
		return t.offsetIn(near, near.x+near.width-x)
	}
	return t.offsetIn(near, x-near.x)
}
