package article

import (
	"strings"

	"kairos/app/primary"
)

// textPos is a position between two characters: the index of a text and a byte offset in it.
type textPos struct{ text, off int }

func (a textPos) before(b textPos) bool { return a.text < b.text || a.text == b.text && a.off < b.off }

// selection is the text between an anchor and a head, in either order. When a multiple click selects words or whole texts,
// each of the two is a range itself, and both stay selected.
type selection struct {
	anchor, anchorEnd, head textPos
	headEnd                 textPos
}

// extent returns the ends of the selection in reading order.
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

// selectRange selects the text between two positions; equal ones clear the selection.
func (p *page) selectRange(from, to textPos) {
	p.anchor, p.anchorEnd, p.head, p.headEnd = from, from, to, to
	p.sideScroller.focused = 0
	p.fill()
}

// selectAll selects the whole article.
func (p *page) selectAll() {
	if p.lay == nil || len(p.lay.texts) == 0 || p.article == nil {
		return
	}
	end := len(p.lay.texts) - 1
	p.selectRange(textPos{}, textPos{end, len(p.lay.texts[end].Chars)})
	primary.Set(p.selected())
}

// selected returns the selected text.
func (p *page) selected() string {
	from, to := p.extent()
	if p.lay == nil || from == to {
		return ""
	}
	if from.text == to.text {
		if p.lay.texts[from.text].notCopied {
			return ""
		}
		return p.lay.texts[from.text].Chars[from.off:to.off]
	}
	var b strings.Builder
	for i := from.text; i <= to.text; i++ {
		t := p.lay.texts[i]
		if t.notCopied {
			continue
		}
		start, end := 0, len(t.Chars)
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
		b.WriteString(t.Chars[start:end])
	}
	return b.String()
}
