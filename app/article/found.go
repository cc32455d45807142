package article

import (
	"fyne.io/fyne/v2"

	"kairos/app/look"
	"kairos/reader/search"
)

// found are the words of the search that led to the article. They are looked for when a text is first painted: nobody
// waits for what is not on screen.
type found struct {
	marks search.Marks
	at    map[int][]search.Range // by text
}

// Mark marks what a search looks for, in this article and in those shown after it; marks of nothing take that away.
// While words are being looked for in the article, those alone are marked.
func (v *View) Mark(m search.Marks) {
	if m.Empty() && v.page.found.marks.Empty() {
		return
	}
	v.page.found = found{marks: m}
	v.page.fill()
}

// stretchesFound returns where a text is marked.
func (p *page) stretchesFound(text int) []search.Range {
	at, known := p.found.at[text]
	if known {
		return at
	}
	switch t := p.lay.texts[text]; {
	case t.silent || p.article == nil:
	case t.block >= 0:
		at = p.found.marks.In(t.str)
	case p.isTitle(text):
		at = p.found.marks.InTitle(t.str)
	}
	if p.found.at == nil {
		p.found.at = map[int][]search.Range{}
	}
	p.found.at[text] = at
	return at
}

func (p *page) isTitle(text int) bool {
	for i := range p.doc.blocks {
		if b := &p.doc.blocks[i]; b.text == text {
			return b.shape == headline
		}
	}
	return false
}

// paintFound marks what the search found on a line.
func (p *page) paintFound(ln *line) {
	for _, s := range p.stretchesFound(ln.text) {
		if s.End <= ln.start || s.Start >= ln.end {
			continue
		}
		p.paintMark(ln, s.Start, s.End, look.ColorMatch)
	}
}

// paintMark marks a part of a text as far as it is on a line.
func (p *page) paintMark(ln *line, start, end int, colour fyne.ThemeColorName) {
	p.lay.stretches(ln, max(start, ln.start), min(end, ln.end), func(left, right float32) {
		r := p.easel.under(ln.x+left, ln.y, right-left, p.lay.texts[ln.text].leading, colour)
		r.CornerRadius = 3
	})
}
