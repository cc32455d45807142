package content

import (
	"strings"

	xhtml "golang.org/x/net/html"
	"golang.org/x/text/unicode/bidi"
)

// Direction is the direction in which an author has a text begin, by the attribute dir (HTML §3.2.6.4).
type Direction uint8

// The directions of a text.
const (
	AnyDirection Direction = iota // the author says nothing
	LeftToRight
	RightToLeft
)

// maxScopes bounds how deep elements with a direction are nested. Deeper ones have that of what they stand in.
const maxScopes = 64

// scope is an open element with a direction.
type scope struct {
	name     string
	nested   int // open elements of the name in it that have none
	dir      Direction
	auto     int    // of the first strong letter in it: its place in builder.autos, counted from 1; 0: dir is known
	inLine   bool   // it is a part of a line; then:
	open     string // begins it, by Unicode's controls (UAX #9 §2.7)
	close    string // ends it
	override bool   // its letters do not decide
	block    int    // the boundary of blocks that it was opened behind
	lists    int    // open around it
	tables   int
	pre      bool // it is a listing, or in one
}

// writtenScopes are the scopes in the open line whose beginnings are written, as their places in builder.scopes.
type writtenScopes []int

// startScope opens an element, with a direction or without.
func (b *builder) startScope(t xhtml.Token) {
	dir := attribute(t, "dir")
	if len(b.scopes) == 0 && t.Data != "bdi" && dir == "" || hasNoContent(t.Data) {
		return
	}
	block := !isInline(t.Data)
	if block {
		b.endImplied(t.Data)
	}
	s := scope{name: t.Data, inLine: !block, block: b.boundary, lists: len(b.lists), tables: len(b.tables), pre: b.pre > 0 || t.Data == "pre"}
	if !b.direct(&s, dir) || len(b.scopes) >= maxScopes {
		if at := b.scopeOf(t.Data); at >= 0 {
			b.scopes[at].nested++
		}
	} else {
		b.scopes = append(b.scopes, s)
	}
	if n := len(b.tables); t.Data == "table" && n > 0 {
		b.tables[n-1].dir, b.tables[n-1].auto = b.blockScope()
	}
}

func hasNoContent(name string) bool {
	switch name {
	case "br", "img", "picture", "source", "wbr":
		return true
	}
	return false
}

// direct gives a scope what its attribute says, and reports whether it has a direction then.
func (b *builder) direct(s *scope, dir string) bool {
	const pop, popIsolate = "\u202c", "\u2069"
	s.close = popIsolate
	switch {
	case dir == "ltr":
		s.dir, s.open = LeftToRight, "\u2066"
	case dir == "rtl":
		s.dir, s.open = RightToLeft, "\u2067"
	case dir == "auto", s.name == "bdi":
		s.open = "\u2068"
		b.autos = append(b.autos, AnyDirection)
		s.auto = len(b.autos)
	default:
		return false
	}
	if s.name == "bdo" && s.auto == 0 {
		s.override, s.close = true, pop+popIsolate
		s.open += map[Direction]string{LeftToRight: "\u202d", RightToLeft: "\u202e"}[s.dir]
	}
	return true
}

// scopeOf returns the place of the innermost open scope of a name, -1 if there is none.
func (b *builder) scopeOf(name string) int {
	for i := len(b.scopes) - 1; i >= 0; i-- {
		if b.scopes[i].name == name {
			return i
		}
	}
	return -1
}

// endScope closes an element, and what was left open in it.
func (b *builder) endScope(name string) {
	if len(b.scopes) == 0 {
		return
	}
	if !isInline(name) {
		b.endLine()
		if name != "p" {
			b.endParagraph()
		}
	}
	switch at := b.scopeOf(name); {
	case at < 0:
	case b.scopes[at].nested > 0:
		b.scopes[at].nested--
	default:
		b.cutScopes(at)
	}
	switch name {
	case "ul", "ol", "dl", "table": // their items and cells need no end tag
		for n := len(b.scopes); n > 0 && (b.scopes[n-1].lists > len(b.lists) || b.scopes[n-1].tables > len(b.tables)); n-- {
			b.cutScopes(n - 1)
		}
	}
}

// endLine closes what was left open in the block that has ended.
func (b *builder) endLine() {
	for n := len(b.scopes); n > 0 && b.scopes[n-1].inLine && b.scopes[n-1].block == b.boundary-1; n-- {
		b.cutScopes(n - 1)
	}
}

// endImplied closes what ends where an element starts.
func (b *builder) endImplied(name string) {
	b.endParagraph()
	ends := ""
	switch name {
	case "li":
		ends = " li "
	case "dt", "dd":
		ends = " dt dd "
	case "td", "th":
		ends = " td th "
	case "tr", "tbody", "tfoot":
		ends = " td th tr tbody thead "
	}
	for n := len(b.scopes); n > 0 && ends != ""; n-- {
		if s := &b.scopes[n-1]; s.lists != len(b.lists) || s.tables != len(b.tables) || !strings.Contains(ends, " "+s.name+" ") {
			return
		}
		b.cutScopes(n - 1)
	}
}

// endParagraph closes an open paragraph: no block is in one.
func (b *builder) endParagraph() {
	for i := len(b.scopes) - 1; i >= 0; i-- {
		switch s := &b.scopes[i]; {
		case s.name == "p":
			b.cutScopes(i)
			return
		case !s.inLine:
			return
		}
	}
}

// cutScopes closes all scopes but the first n.
func (b *builder) cutScopes(n int) {
	for i := len(b.written); i > 0 && b.written[i-1] >= n; i-- {
		b.buf = append(b.buf, b.scopes[b.written[i-1]].close...)
		b.written = b.written[:i-1]
	}
	b.scopes = b.scopes[:n]
}

// beginText gives the open block its direction at the first text in it, and begins the scopes that are parts of its line.
func (b *builder) beginText(s string) {
	if len(b.scopes) == 0 || s == "\n" {
		return
	}
	if top := &b.scopes[len(b.scopes)-1]; top.auto > 0 && b.autos[top.auto-1] == AnyDirection {
		b.autos[top.auto-1] = firstStrong(s)
	}
	for i := range b.scopes {
		s := &b.scopes[i]
		if !s.inLine || s.block != b.boundary && !s.override || len(b.written) > 0 && b.written[len(b.written)-1] >= i {
			continue
		}
		b.buf = append(b.buf, s.open...)
		b.written, b.controls = append(b.written, i), true
	}
}

// blockScope returns the direction of a block that starts here: that of the innermost element around it. A listing has that of
// itself only, as code is read from left to right whatever it stands in.
func (b *builder) blockScope() (dir Direction, auto int) {
	for i := len(b.scopes) - 1; i >= 0; i-- {
		if s := &b.scopes[i]; !s.inLine || s.block != b.boundary {
			if b.pre > 0 && !s.pre {
				break
			}
			return s.dir, s.auto
		}
	}
	return AnyDirection, 0
}

// firstStrong returns the direction of the first letter of s that has one (UAX #9, P2).
func firstStrong(s string) Direction {
	for _, r := range s {
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.L:
			return LeftToRight
		case bidi.R, bidi.AL:
			return RightToLeft
		}
	}
	return AnyDirection
}

// directRuns takes the controls out of a block that needs none, as all of its text runs one way; nil where nothing else is in it.
func (b *builder) directRuns(runs []Run, dir Direction, auto int) []Run {
	if !b.controls {
		return runs
	}
	b.controls = false
	text, turns := false, dir == RightToLeft || auto > 0 && b.autos[auto-1] != LeftToRight
	for _, r := range runs {
		for _, c := range r.Text {
			p, _ := bidi.LookupRune(c)
			switch p.Class() {
			case bidi.R, bidi.AL, bidi.AN, bidi.RLI, bidi.RLO:
				turns = true
			}
		}
		text = text || strings.TrimSpace(undirected(r.Text)) != ""
	}
	if !text {
		return nil
	}
	if turns {
		return runs
	}
	var kept []Run
	for _, r := range runs {
		if r.Text = undirected(r.Text); r.Text != "" {
			kept = append(kept, r)
		}
	}
	return kept
}

// undirected takes out of a text what begins and ends scopes.
func undirected(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '\u202c' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' {
			return -1
		}
		return r
	}, s)
}

// resolve gives blocks the directions that are known at the end only. One without letters is read from left to right.
func (b *builder) resolve(blocks []Block) {
	if len(b.autos) == 0 {
		return
	}
	known := func(dir *Direction, auto *int) {
		if *auto > 0 {
			*dir, *auto = max(LeftToRight, b.autos[*auto-1]), 0
		}
	}
	for i := range blocks {
		k := &blocks[i]
		known(&k.Dir, &k.auto)
		for _, row := range k.Rows {
			for x := range row {
				known(&row[x].Dir, &row[x].auto)
			}
		}
	}
}
