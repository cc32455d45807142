package bidi

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// The rules are called as in UAX #9, revision 48.

// Direction is that of a paragraph.
type Direction uint8

// The directions.
const (
	Auto        Direction = iota // of the first strong character, left to right without one (P2, P3)
	LeftToRight                  // whatever the text is
	RightToLeft
)

// maxDepth is how deep embeddings and isolates may be (BD2).
const maxDepth = 125

// removed is the level, for now, of a character that the rules ignore (X9).
const removed = 0xff

// resolver finds the levels of a paragraph.
type resolver struct {
	text    []rune
	classes []bidi.Class // as given
	types   []bidi.Class // as the rules have changed them
	levels  []uint8
	match   []int // of an isolate initiator its PDI, len(text) without one; of a PDI its initiator, -1 without one
	base    uint8
}

// resolve returns the level of each character of a paragraph, and that of the paragraph.
func resolve(text []rune, dir Direction) (levels []uint8, base uint8) {
	r := resolver{text: text, classes: make([]bidi.Class, len(text)), levels: make([]uint8, len(text)), match: make([]int, len(text))}
	for i, c := range text {
		r.classes[i] = class(c)
	}
	r.types = slices.Clone(r.classes)
	r.matchIsolates()
	switch dir {
	case RightToLeft:
		r.base = 1
	case Auto:
		r.base = r.firstStrong(0, len(text))
	}
	r.explicit()
	for _, s := range r.sequences() {
		s.resolve()
	}
	r.keepRemoved()
	r.resetBlanks()
	return r.levels, r.base
}

func class(c rune) bidi.Class {
	p, _ := bidi.LookupRune(c)
	return p.Class()
}

func isInitiator(c bidi.Class) bool { return c == bidi.LRI || c == bidi.RLI || c == bidi.FSI }

// isRemoved reports whether the rules after X9 ignore a character.
func isRemoved(c bidi.Class) bool {
	switch c {
	case bidi.LRE, bidi.RLE, bidi.LRO, bidi.RLO, bidi.PDF, bidi.BN:
		return true
	}
	return false
}

// matchIsolates finds the pairs of isolate initiators and PDIs (BD9).
func (r *resolver) matchIsolates() {
	var open []int
	for i, c := range r.classes {
		switch {
		case isInitiator(c):
			r.match[i] = len(r.text)
			open = append(open, i)
		case c == bidi.PDI && len(open) > 0:
			last := open[len(open)-1]
			open = open[:len(open)-1]
			r.match[i], r.match[last] = last, i
		case c == bidi.PDI:
			r.match[i] = -1
		case c == bidi.B:
			open = open[:0]
		}
	}
}

// firstStrong returns the level that the first strong character between two places gives, outside of isolates (P2, P3).
func (r *resolver) firstStrong(from, to int) uint8 {
	for i := from; i < to; i++ {
		switch c := r.classes[i]; {
		case c == bidi.L:
			return 0
		case c == bidi.R, c == bidi.AL:
			return 1
		case isInitiator(c):
			i = r.match[i]
		}
	}
	return 0
}

// status is an entry of the directional status stack.
type status struct {
	level    uint8
	override bidi.Class // ON for none
	isolate  bool
}

// statusStack is what X1 to X8 keep.
type statusStack struct {
	entries                            []status
	overIsolates, overEmbeds, isolates int // overflow isolates, overflow embeddings, valid isolates
}

func (s *statusStack) top() status { return s.entries[len(s.entries)-1] }

func (s *statusStack) pop() { s.entries = s.entries[:len(s.entries)-1] }

// push adds an entry at the next odd or even level; false if that is too deep.
func (s *statusStack) push(odd uint8, override bidi.Class, isolate bool) bool {
	level := s.top().level + 1
	if level&1 != odd {
		level++
	}
	if level > maxDepth || s.overIsolates > 0 || s.overEmbeds > 0 {
		return false
	}
	s.entries = append(s.entries, status{level, override, isolate})
	return true
}

// endIsolate closes an isolate (X6a).
func (s *statusStack) endIsolate() {
	switch {
	case s.overIsolates > 0:
		s.overIsolates--
	case s.isolates > 0:
		s.overEmbeds = 0
		for !s.top().isolate {
			s.pop()
		}
		s.pop()
		s.isolates--
	}
}

// endEmbedding closes an embedding or override (X7).
func (s *statusStack) endEmbedding() {
	switch {
	case s.overIsolates > 0:
	case s.overEmbeds > 0:
		s.overEmbeds--
	case !s.top().isolate && len(s.entries) > 1:
		s.pop()
	}
}

// explicit applies the explicit levels and directions (X1 to X9).
func (r *resolver) explicit() {
	fresh := statusStack{entries: []status{{r.base, bidi.ON, false}}}
	s := fresh
	for i, c := range r.classes {
		if c == bidi.PDI {
			s.endIsolate()
		}
		r.levels[i] = s.top().level
		if o := s.top().override; o != bidi.ON && c != bidi.B && !isRemoved(c) {
			r.types[i] = o
		}
		if isRemoved(c) {
			r.levels[i] = removed
		}
		switch c {
		case bidi.RLE, bidi.RLO, bidi.LRE, bidi.LRO:
			if !s.push(embedding(c)) && s.overIsolates == 0 {
				s.overEmbeds++
			}
		case bidi.RLI, bidi.LRI, bidi.FSI:
			if s.push(r.isolateLevel(i), bidi.ON, true) {
				s.isolates++
			} else {
				s.overIsolates++
			}
		case bidi.PDF:
			s.endEmbedding()
		case bidi.B:
			r.levels[i] = r.base
			s = fresh
		}
	}
}

// embedding is what an embedding or override pushes.
func embedding(c bidi.Class) (odd uint8, override bidi.Class, isolate bool) {
	switch c {
	case bidi.RLE:
		return 1, bidi.ON, false
	case bidi.RLO:
		return 1, bidi.R, false
	case bidi.LRO:
		return 0, bidi.L, false
	}
	return 0, bidi.ON, false
}

// isolateLevel is the parity of the level within an isolate.
func (r *resolver) isolateLevel(i int) uint8 {
	switch r.classes[i] {
	case bidi.RLI:
		return 1
	case bidi.FSI:
		return r.firstStrong(i+1, r.match[i])
	}
	return 0
}

// keepRemoved gives the characters that were ignored the level of the one before.
func (r *resolver) keepRemoved() {
	level := r.base
	for i, l := range r.levels {
		if l == removed {
			r.levels[i] = level
		}
		level = r.levels[i]
	}
}

// resetBlanks gives separators, and the blanks before them and at the end, the level of the paragraph (L1). Lines need no more: the
// blanks at their ends are not drawn.
func (r *resolver) resetBlanks() {
	atEnd := true
	for i, c := range slices.Backward(r.classes) {
		switch {
		case c == bidi.B || c == bidi.S:
			atEnd = true
		case c != bidi.WS && c != bidi.PDI && !isInitiator(c) && !isRemoved(c):
			atEnd = false
		}
		if atEnd {
			r.levels[i] = r.base
		}
	}
}
