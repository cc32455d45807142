package article

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textPos is a place between two characters: a text and a byte offset in it.
type textPos struct{ text, off int }

func (a textPos) before(b textPos) bool { return a.text < b.text || a.text == b.text && a.off < b.off }

// selection runs between two spots in either order. While words or whole texts are selected by several clicks, the
// first of them is kept whole: it runs from anchor to anchorEnd.
type selection struct {
	anchor, anchorEnd, head textPos
	headEnd                 textPos
}

// extent returns the selection in reading order.
func (s selection) extent() (from, to textPos) {
	from, to = s.anchor, s.anchorEnd
	if s.head.before(from) {
		from = s.head
	}
	if to.before(s.headEnd) {
		to = s.headEnd
	}
	return from, to
}

func (p *page) selectRange(from, to textPos) {
	p.anchor, p.anchorEnd, p.head, p.headEnd = from, from, to, to
	p.sideScroller.focused = 0
	p.fill()
}

func (p *page) selectAll() {
	if p.lay == nil || len(p.lay.texts) == 0 || p.article == nil {
		return
	}
	end := len(p.lay.texts) - 1
	p.selectRange(textPos{}, textPos{end, len(p.lay.texts[end].chars)})
}

// selected returns the selection as text.
func (p *page) selected() string {
	from, to := p.extent()
	if p.lay == nil || from == to {
		return ""
	}
	if from.text == to.text {
		if p.lay.texts[from.text].notCopied {
			return ""
		}
		return p.lay.texts[from.text].chars[from.off:to.off]
	}
	var b strings.Builder
	for i := from.text; i <= to.text; i++ {
		t := p.lay.texts[i]
		if t.notCopied {
			continue
		}
		start, end := 0, len(t.chars)
		if i == from.text {
			start = from.off
		} else {
			b.WriteString(t.separator)
		}
		if i == to.text {
			end = to.off
		}
		if start == 0 && end > 0 {
			b.WriteString(t.marker)
		}
		b.WriteString(t.chars[start:end])
	}
	return b.String()
}

// lineAt returns the line nearest to a point and whether it is at the point's height; nil on an empty page.
func (l *layout) lineAt(x, y float32) (best *line, level bool) {
	first, last := l.linesByY.within(y, y)
	for i := first; i < last; i++ {
		ln := &l.lines[i]
		if y < ln.y || y >= ln.y+l.texts[ln.text].leading {
			continue
		}
		if best == nil || ln.distance(x) < best.distance(x) {
			best = ln
		}
	}
	if best != nil {
		return best, true
	}
	for i := max(0, first-1); i < min(first+1, len(l.lines)); i++ {
		ln := &l.lines[i]
		if best == nil || l.gapTo(ln, y) < l.gapTo(best, y) {
			best = ln
		}
	}
	return best, false
}

// from is how far from the start of the line a point of the page is.
func (ln *line) from(x float32) float32 { return ln.in.content(x) - ln.x }

func (ln *line) distance(x float32) float32 { return max(0, -ln.from(x), ln.from(x)-ln.width) }

func (l *layout) gapTo(ln *line, y float32) float32 {
	return max(0, ln.y-y, y-ln.y-l.texts[ln.text].leading)
}

// spotAt returns the spot nearest to a point.
func (l *layout) spotAt(x, y float32) textPos {
	ln, _ := l.lineAt(x, y)
	if ln == nil {
		return textPos{}
	}
	return textPos{ln.text, l.offsetAt(ln, ln.from(x))}
}

// linkAt returns the link at a point, "" where there is none, and the text it stands on, "" where there is no text.
func (l *layout) linkAt(x, y float32) (url, on string) {
	ln, level := l.lineAt(x, y)
	if ln == nil || !level || !ln.in.seen(x) {
		return "", ""
	}
	t, at := l.texts[ln.text], ln.from(x)
	for _, f := range l.fragments[ln.first:ln.last] {
		if at >= f.x && at < f.x+f.width {
			return t.spans[f.span].link, t.spanText(f.span)
		}
	}
	if ln.distance(x) == 0 {
		return "", t.chars
	}
	return "", ""
}

// offsetAt returns the byte offset nearest to x, which counts from the start of the line.
func (l *layout) offsetAt(ln *line, x float32) int {
	t := l.texts[ln.text]
	if t.isMixed {
		return l.mixedOffsetAt(ln, x)
	}
	fragments, end := l.fragments[ln.first:ln.last], float32(0)
	n := 0
	for ; n < len(fragments) && x >= (end+fragments[n].x)/2; n++ {
		end = fragments[n].x + fragments[n].width
	}
	if n == 0 {
		return ln.start
	}
	return t.offsetIn(&fragments[n-1], x-fragments[n-1].x)
}

// offsetIn searches the characters of a fragment. Prefixes are measured whole, for letters are kerned.
func (t *text) offsetIn(f *fragment, x float32) int {
	s := t.chars[f.start:f.end]
	var stops []int
	for i := 0; i < len(s); i += clusterLength(s[i:]) {
		stops = append(stops, i)
	}
	stops = append(stops, len(s))
	measurer := t.spans[f.span].measurer
	n := sort.Search(len(stops), func(i int) bool { return measurer.width(s[:stops[i]]) >= x })
	switch {
	case n == 0:
		return f.start
	case n == len(stops):
		return f.end
	}
	left, right := measurer.width(s[:stops[n-1]]), measurer.width(s[:stops[n]])
	if x-left < right-x {
		n--
	}
	return f.start + stops[n]
}

// offsetX returns how far from the start of the line a byte offset is.
func (l *layout) offsetX(ln *line, off int) float32 {
	fragments := l.fragments[ln.first:ln.last]
	n := sort.Search(len(fragments), func(i int) bool { return off < fragments[i].end })
	if n < len(fragments) && off >= fragments[n].start {
		return l.texts[ln.text].xOf(&fragments[n], off)
	}
	if n == 0 {
		return 0
	}
	return fragments[n-1].x + fragments[n-1].width
}

// wordAround returns the ends of the word at a spot: letters and digits, or one kind of anything else.
func (l *layout) wordAround(at textPos) (from, to textPos) {
	s := l.texts[at.text].chars
	if at.off >= len(s) {
		at.off = len(s)
		_, n := utf8.DecodeLastRuneInString(s)
		at.off -= n
	}
	c, _ := utf8.DecodeRuneInString(s[at.off:])
	kind := kindOf(c)
	start, end := at.off, at.off
	for start > 0 {
		c, n := utf8.DecodeLastRuneInString(s[:start])
		if kindOf(c) != kind {
			break
		}
		start -= n
	}
	for end < len(s) {
		c, n := utf8.DecodeRuneInString(s[end:])
		if kindOf(c) != kind {
			break
		}
		end += n
	}
	return textPos{at.text, start}, textPos{at.text, end}
}

func kindOf(c rune) int {
	switch {
	case c == '\n':
		return 0
	case isBlank(c):
		return 1
	case isSquare(c):
		return 2
	case unicode.IsLetter(c), unicode.IsDigit(c), unicode.IsMark(c), c == '_', c == '’', c == '\'':
		return 3
	}
	return 4
}

// startX is where a stretch begins that begins at an offset: at the very edge of the line if that is its first.
func (l *layout) startX(ln *line, off int) float32 {
	if off == ln.start {
		return 0
	}
	return l.offsetX(ln, off)
}
