package article

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"kairos/app/look"
)

// maxMatches bounds how many matches are found.
const maxMatches = 9999

// match is a place in the article that matches the query.
type match struct{ text, start, end int }

func (m match) from() textPos { return textPos{m.text, m.start} }

// finder looks for words in the article.
type finder struct {
	query   string
	matches []match // in reading order
	current int     // the one that is gone to
}

// find finds words, ignoring case, and goes to the first match at or below the top of the viewport.
func (p *page) find(query string) {
	p.finder = finder{query: query}
	if p.lay != nil && p.article != nil && query != "" {
		p.matches = p.lay.find(fold(query))
		top, _ := p.view.viewport()
		for i, m := range p.matches {
			if ln := p.lay.lineOf(m.from()); ln != nil && ln.y >= top {
				p.current = i
				break
			}
		}
	}
	p.showMatch()
}

// step goes to the next match, or the one before; it wraps around at the ends.
func (p *page) nextMatch(by int) {
	if n := len(p.matches); n > 0 {
		p.current = ((p.current+by)%n + n) % n
	}
	p.showMatch()
}

// showMatch scrolls the match into the upper half of the viewport, unless it is well visible.
func (p *page) showMatch() {
	if p.current < len(p.matches) {
		top, bottom := p.view.viewport()
		if ln := p.lay.lineOf(p.matches[p.current].from()); ln != nil {
			edge := min(2*p.lineHeight(), (bottom-top)/4)
			if ln.y < top+edge || ln.y+p.lay.texts[ln.text].leading > bottom-edge {
				p.view.scrollTo(ln.y - (bottom-top)/3)
			}
			p.showSideRange(p.matches[p.current].from(), textPos{ln.text, p.matches[p.current].end})
		}
	}
	p.fill()
}

// find returns where a folded text stands on the page.
func (l *layout) find(query string) (found []match) {
	laid := make([]bool, len(l.texts))
	for i := range l.lines {
		laid[l.lines[i].text] = true
	}
	for i, t := range l.texts {
		if !laid[i] || t.notCopied {
			continue
		}
		folded := fold(t.chars)
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

// fold lowers the case of letters and keeps the length of every character, so that offsets are valid in s, too.
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

// lineOf returns the line that holds a spot, nil if it is not laid out.
func (l *layout) lineOf(at textPos) *line {
	for i := range l.lines {
		if ln := &l.lines[i]; ln.text == at.text && at.off >= ln.start && at.off < ln.end {
			return ln
		}
	}
	return nil
}

// paintMatches highlights the matches on a line.
func (p *page) paintMatches(ln *line) {
	fragments := p.painter.target.visibleFragments(p.lay, ln)
	if len(fragments) == 0 {
		return
	}
	begin, end := textPos{ln.text, fragments[0].start}, textPos{ln.text, fragments[len(fragments)-1].end}
	first := sort.Search(len(p.matches), func(i int) bool { m := p.matches[i]; return begin.before(textPos{m.text, m.end}) })
	for i := first; i < len(p.matches); i++ {
		m := p.matches[i]
		if !m.from().before(end) {
			return
		}
		colour := look.ColorMatch
		if i == p.current {
			colour = look.ColorMatchNow
		}
		p.paintMark(ln, m.start, m.end, colour)
	}
}
