package bidi

import "golang.org/x/text/unicode/bidi"

// sequence is an isolating run sequence (BD13): the rules for weak and neutral types see its characters only.
type sequence struct {
	*resolver
	at       []int // of its characters
	level    uint8
	sos, eos bidi.Class // what it begins and ends beside (X10)
}

// sequences returns the isolating run sequences of the paragraph (X10).
func (r *resolver) sequences() (all []sequence) {
	var runs [][]int
	runOf := make([]int, len(r.text)) // of each first character
	level := uint8(removed)
	for i, l := range r.levels {
		if l == removed {
			continue
		}
		if l != level {
			runOf[i] = len(runs)
			runs = append(runs, nil)
			level = l
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], i)
		if r.classes[i] == bidi.B {
			level = removed
		}
	}
	for _, run := range runs {
		first := run[0]
		if r.classes[first] == bidi.PDI && r.match[first] >= 0 {
			continue // it goes on where its isolate began
		}
		s := sequence{resolver: r, at: run, level: r.levels[first]}
		for {
			last := s.at[len(s.at)-1]
			if !isInitiator(r.classes[last]) || r.match[last] == len(r.text) {
				break
			}
			s.at = append(s.at[:len(s.at):len(s.at)], runs[runOf[r.match[last]]]...)
		}
		s.sos, s.eos = s.border(first, -1), s.border(s.at[len(s.at)-1], 1)
		all = append(all, s)
	}
	return all
}

// border returns the direction at an end of the sequence: that of the higher level, of its own and that beside it.
func (s *sequence) border(end, by int) bidi.Class {
	beside := s.base
	if by < 0 || !isInitiator(s.classes[end]) {
		for i := end + by; i >= 0 && i < len(s.levels); i += by {
			if s.levels[i] != removed {
				beside = s.levels[i]
				break
			}
		}
	}
	return direction(max(s.level, beside))
}

// direction is the strong class of a level.
func direction(level uint8) bidi.Class {
	if level&1 == 1 {
		return bidi.R
	}
	return bidi.L
}

// resolve resolves the weak and neutral types and the levels.
func (s *sequence) resolve() {
	s.weak()
	s.brackets()
	s.neutrals()
	for _, i := range s.at {
		switch c := s.types[i]; {
		case s.level&1 == 0 && c == bidi.R, s.level&1 == 1 && (c == bidi.L || c == bidi.EN || c == bidi.AN):
			s.levels[i]++ // I1, I2
		case s.level&1 == 0 && (c == bidi.EN || c == bidi.AN):
			s.levels[i] += 2
		}
	}
}

// weak resolves the weak types (W1 to W7).
func (s *sequence) weak() {
	before, strong := s.sos, s.sos
	for _, i := range s.at { // W1 to W3
		switch c := s.types[i]; {
		case c == bidi.NSM:
			s.types[i] = before
		case c == bidi.EN && strong == bidi.AL:
			s.types[i] = bidi.AN
		case c == bidi.L || c == bidi.R || c == bidi.AL:
			strong = c
		}
		if before = s.types[i]; isInitiator(before) || before == bidi.PDI {
			before = bidi.ON
		}
	}
	for _, i := range s.at {
		if s.types[i] == bidi.AL {
			s.types[i] = bidi.R
		}
	}
	s.separators()
	s.terminators()
	strong = s.sos
	for _, i := range s.at { // W7
		switch c := s.types[i]; {
		case c == bidi.L || c == bidi.R:
			strong = c
		case c == bidi.EN && strong == bidi.L:
			s.types[i] = bidi.L
		}
	}
}

// separators makes single separators between numbers part of them (W4).
func (s *sequence) separators() {
	for n := 1; n < len(s.at)-1; n++ {
		before, here, after := s.types[s.at[n-1]], &s.types[s.at[n]], s.types[s.at[n+1]]
		if before == after && (*here == bidi.CS && (before == bidi.EN || before == bidi.AN) || *here == bidi.ES && before == bidi.EN) {
			*here = before
		}
	}
}

// terminators makes terminators beside European numbers part of them; those left, and separators, become neutral (W5, W6).
func (s *sequence) terminators() {
	for n := 0; n < len(s.at); n++ {
		from := n
		for n < len(s.at) && s.types[s.at[n]] == bidi.ET {
			n++
		}
		becomes := bidi.ON
		if from > 0 && s.types[s.at[from-1]] == bidi.EN || n < len(s.at) && s.types[s.at[n]] == bidi.EN {
			becomes = bidi.EN
		}
		for _, i := range s.at[from:n] {
			s.types[i] = becomes
		}
		if n < len(s.at) && (s.types[s.at[n]] == bidi.ES || s.types[s.at[n]] == bidi.CS) {
			s.types[s.at[n]] = bidi.ON
		}
	}
}

// maxBrackets is how many brackets may be open (BD16).
const maxBrackets = 63

// brackets gives pairs of brackets one direction (N0).
func (s *sequence) brackets() {
	closers := s.pairs()
	if len(closers) == 0 {
		return
	}
	before := s.sos // the strong type before n
	for n, i := range s.at {
		if end, opens := closers[n]; opens {
			if d := s.bracketDirection(n, end, before); d != bidi.ON {
				s.setBracket(n, d)
				s.setBracket(end, d)
			}
		}
		if d := strongOf(s.types[i]); d != bidi.ON {
			before = d
		}
	}
}

// pairs returns the closing bracket of each opening one that has one (BD16), as places in the sequence.
func (s *sequence) pairs() map[int]int {
	type bracket struct {
		closer rune
		at     int
	}
	var open []bracket
	closers := map[int]int{}
	for n, i := range s.at {
		if s.types[i] != bidi.ON {
			continue
		}
		p, _ := bidi.LookupRune(s.text[i])
		switch {
		case !p.IsBracket():
		case p.IsOpeningBracket():
			if len(open) == maxBrackets {
				return closers
			}
			open = append(open, bracket{canonical(Mirror(s.text[i])), n})
		default:
			for k := len(open) - 1; k >= 0; k-- {
				if open[k].closer == canonical(s.text[i]) {
					closers[open[k].at] = n
					open = open[:k]
					break
				}
			}
		}
	}
	return closers
}

// canonical returns the bracket that a closing one is canonically equivalent to.
func canonical(c rune) rune {
	if c == '\u232a' {
		return '\u3009'
	}
	return c
}

// strongOf is the direction that a type has for neutral ones beside it, ON for none.
func strongOf(c bidi.Class) bidi.Class {
	switch c {
	case bidi.L:
		return bidi.L
	case bidi.R, bidi.AL, bidi.EN, bidi.AN:
		return bidi.R
	}
	return bidi.ON
}

// bracketDirection is the direction of a pair of brackets, given the strong type before it; ON for none.
func (s *sequence) bracketDirection(open, end int, before bidi.Class) bidi.Class {
	own, found := direction(s.level), bidi.ON
	for _, i := range s.at[open+1 : end] {
		if d := strongOf(s.types[i]); d == own {
			return own
		} else if d != bidi.ON {
			found = d
		}
	}
	if found == bidi.ON || before == found {
		return found
	}
	return own
}

// setBracket gives a bracket a direction, and the marks on it.
func (s *sequence) setBracket(n int, d bidi.Class) {
	s.types[s.at[n]] = d
	for _, i := range s.at[n+1:] {
		if s.classes[i] != bidi.NSM {
			break
		}
		s.types[i] = d
	}
}

// neutrals gives neutral characters the direction on both sides of them, or that of the sequence (N1, N2).
func (s *sequence) neutrals() {
	before := s.sos
	for n := 0; n < len(s.at); n++ {
		from := n
		for n < len(s.at) && strongOf(s.types[s.at[n]]) == bidi.ON {
			n++
		}
		after := s.eos
		if n < len(s.at) {
			after = strongOf(s.types[s.at[n]])
		}
		d := direction(s.level)
		if before == after {
			d = before
		}
		for _, i := range s.at[from:n] {
			s.types[i] = d
		}
		before = after
	}
}
