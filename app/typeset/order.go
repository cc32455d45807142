package typeset

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
func (t *Text) resolveDirections() {
	if !bidi.HasRTL(t.Chars) {
		return
	}
	t.RTL, t.Mixed = bidi.IsRTL(t.Chars), len(t.Chars) <= maxReordered
	if !t.Mixed {
		return
	}
	var spans []Span
	old, at := 0, 0
	for rest := t.Chars; rest != ""; {
		n := bidiChunk(rest)
		for _, r := range bidi.Runs(rest[:n], t.RTL) {
			for at += r.Bytes; t.Spans[old].End < at; old++ {
				spans = append(spans, t.Spans[old].part(t.Spans[old].End, r.Level))
			}
			spans = append(spans, t.Spans[old].part(at, r.Level))
			if t.Spans[old].End == at {
				old++
			}
		}
		rest = rest[n:]
	}
	t.Spans = spans
}

// part is the part of a span that ends there, part a level.
func (s Span) part(end int, level uint8) Span {
	s.End, s.Level = end, level
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
func (t *Text) reorder(fragments []Fragment) (width float32) {
	type item struct {
		frag  int // -1 for the space between two
		width float32
		level uint8
	}
	items := make([]item, 0, 2*len(fragments))
	for i := range fragments {
		level := t.Spans[fragments[i].Span].Level
		if i > 0 {
			before := &fragments[i-1]
			items = append(items, item{-1, fragments[i].X - before.X - before.Width, min(level, t.Spans[before.Span].Level)})
		}
		items = append(items, item{i, t.drawnWidth(&fragments[i]), level})
	}
	bidi.Reorder(items, func(it item) uint8 { return it.level })
	x := float32(0)
	for _, it := range items {
		if it.frag >= 0 {
			fragments[it.frag].X, fragments[it.frag].Width = x, it.width
		}
		x += it.width
	}
	return x
}

// splitNeutrals splits neutral characters off the edges of fragments from right to left: the driver takes them for the beginning and
// the end of a line from left to right.
func (t *Text) splitNeutrals(fragments []Fragment) []Fragment {
	out := make([]Fragment, 0, len(fragments)+2)
	for _, f := range fragments {
		s := t.Chars[f.Start:f.End]
		inner := strings.TrimFunc(s, bidi.IsNeutral)
		face := t.Spans[f.Span].Face
		switch {
		case t.Spans[f.Span].Level&1 == 0 || inner == s:
			out = append(out, f)
			continue
		case inner == "":
			f.Neutral = true
			out = append(out, f)
			continue
		}
		lead, tail := f, f
		lead.End = f.Start + strings.Index(s, inner)
		tail.Start = lead.End + len(inner)
		lead.Neutral, tail.Neutral = true, true
		lead.Width, tail.Width = face.Width(t.Chars[f.Start:lead.End]), face.Width(t.Chars[tail.Start:f.End])
		f.Start, f.End = lead.End, tail.Start
		f.X, f.Width = f.X+lead.Width, f.Width-lead.Width-tail.Width
		tail.X = f.X + f.Width
		for _, piece := range []Fragment{lead, f, tail} {
			if piece.Start < piece.End {
				out = append(out, piece)
			}
		}
	}
	return out
}

// drawnWidth is the width of a fragment as it is drawn.
func (t *Text) drawnWidth(f *Fragment) float32 {
	if s := &t.Spans[f.Span]; s.Level&1 == 1 {
		return s.Face.Width(t.Chars[f.Start:f.End])
	}
	return f.Width
}

// Drawn returns what the driver draws of a fragment: neutral characters from right to left are reversed.
func (t *Text) Drawn(f *Fragment) string {
	s := t.Chars[f.Start:f.End]
	if f.Neutral {
		return bidi.Reversed(s)
	}
	return s
}
