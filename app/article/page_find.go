package article

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"kairos/app/look"
)

// maxMatches is the largest number of matches that are found.
const maxMatches = 9999

// match is a part of a text that matches the query.
type match struct{ text, start, end int }

func (m match) from() textPos { return textPos{m.text, m.start} }

// finder finds words in the article.
type finder struct {
	page    *page
	query   string
	matches []match // in reading order
	current int     // index of the one that is shown
}

// find finds words, in upper or lower case, and shows the first match at or below the top of the viewport.
func (f *finder) find(query string) {
	f.search(query)
	f.show()
}

// search finds words without showing them.
func (f *finder) search(query string) {
	p := f.page
	*f = finder{page: p, query: query}
	if p.lay != nil && p.article != nil && query != "" {
		f.matches = p.lay.find(fold(query))
		top, _ := p.frame.viewport()
		for i, m := range f.matches {
			if ln := p.lay.lineOf(m.from()); ln != nil && ln.y >= top {
				f.current = i
				break
			}
		}
	}
}

// next shows the next match, or the one before if by is -1. It wraps around at the ends.
func (f *finder) next(by int) {
	if n := len(f.matches); n > 0 {
		f.current = ((f.current+by)%n + n) % n
	}
	f.show()
}

// show scrolls the current match into the upper half of the viewport, unless it is well visible.
func (f *finder) show() {
	p := f.page
	if f.current < len(f.matches) {
		m := f.matches[f.current]
		top, bottom := p.frame.viewport()
		if ln := p.lay.lineOf(m.from()); ln != nil {
			edge := min(2*p.lineHeight(), (bottom-top)/4)
			if ln.y < top+edge || ln.y+p.lay.texts[ln.text].leading > bottom-edge {
				p.frame.scrollTo(ln.y - (bottom-top)/3)
			}
			p.sideScroller.showRange(m.from(), textPos{ln.text, m.end})
		}
	}
	p.fill()
}

// find returns the matches of a folded query, in reading order.
func (l *layout) find(query string) (found []match) {
	laid := make([]bool, len(l.texts))
	for i := range l.lines {
		laid[l.lines[i].text] = true
	}
	for i, t := range l.texts {
		if !laid[i] || t.notCopied {
			continue
		}
		folded := fold(t.Chars)
		for at := 0; ; {
			n := strings.Index(folded[at:], query)
			if n < 0 {
				break
			}
			found = append(found, match{i, at + n, at + n + len(query)})
			if at += n + len(query); len(found) == maxMatches {
				return found
			}
		}
	}
	return found
}

// fold makes letters lower case, where that keeps their length: offsets in the result are valid in s.
func fold(s string) string {
	ascii := true
	for i := 0; i < len(s) && ascii; i++ {
		ascii = s[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(s)
	}
	return strings.Map(func(r rune) rune {
		if lower := unicode.ToLower(r); utf8.RuneLen(lower) == utf8.RuneLen(r) {
			return lower
		}
		return r
	}, s)
}

// paint highlights the matches on a line.
func (f *finder) paint(ln *line) {
	p := f.page
	fragments := p.painter.target.visibleFragments(p.lay, ln)
	if len(fragments) == 0 {
		return
	}
	begin, end := textPos{ln.text, fragments[0].Start}, textPos{ln.text, fragments[len(fragments)-1].End}
	first := sort.Search(len(f.matches), func(i int) bool { m := f.matches[i]; return begin.before(textPos{m.text, m.end}) })
	for i := first; i < len(f.matches); i++ {
		m := f.matches[i]
		if !m.from().before(end) {
			return
		}
		color := look.ColorMatch
		if i == f.current {
			color = look.ColorCurrentMatch
		}
		p.paintMark(ln, m.start, m.end, color)
	}
}
