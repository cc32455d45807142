package article

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/app/look"
	"kairos/reader/content"
)

// foldMark marks the link of a summary, before the index of its block.
const foldMark = actionMark + "fold "

// folds says which <details> of an article the user has opened, or closed, by the index of their summary.
type folds map[int]bool

// isOpen reports whether what a summary stands above is shown.
func (f folds) isOpen(i int, b *content.Block) bool {
	if open, chosen := f[i]; chosen {
		return open
	}
	return b.Open
}

// openAll opens all <details>, and reports whether one was closed.
func (f folds) openAll(blocks []content.Block) (changed bool) {
	for i := range blocks {
		if b := &blocks[i]; b.Kind == content.Summary && !f.isOpen(i, b) {
			f[i], changed = true, true
		}
	}
	return changed
}

// shown returns the article without what is folded away. Its summaries are links that open and close.
func (f folds) shown(a *Article) *Article {
	blocks := a.Body.Blocks
	folded := false
	for i := range blocks {
		folded = folded || blocks[i].Kind == content.Summary
	}
	if !folded {
		return a
	}
	one := *a
	one.Body.Blocks = nil
	closed := -1 // the depth below which blocks are hidden, -1 for none
	for i := range blocks {
		b := blocks[i]
		if closed >= 0 && b.Fold > closed {
			continue
		}
		closed = -1
		if b.Kind == content.Summary {
			if b.Open = f.isOpen(i, &blocks[i]); !b.Open {
				closed = b.Fold
			}
			b.Runs = foldLink(b.Runs, i)
		}
		one.Body.Blocks = append(one.Body.Blocks, b)
	}
	return &one
}

// foldLink makes a summary the link that opens and closes what it stands above. One without words gets the word that browsers
// show.
func foldLink(runs []content.Run, summary int) []content.Run {
	if len(runs) == 0 {
		runs = []content.Run{{Text: lang.L("Details"), Style: content.Bold}}
	}
	linked := make([]content.Run, len(runs))
	for i, r := range runs {
		linked[i] = content.Run{Text: r.Text, Style: r.Style, Link: foldMark + strconv.Itoa(summary)}
	}
	return linked
}

// compileSummary adds a summary with a triangle that says whether it is open.
func (s *stylesheet) compileSummary(c *compiled, out block, b content.Block) {
	b.Marker = "▸"
	if b.Open {
		b.Marker = "▾"
	}
	out.marker = s.marker(b)
	t := s.text(b.Runs, s.running().in(b.Dir))
	if t == nil {
		return
	}
	for i := range t.looks { // the triangle says what a click does
		t.looks[i].color, t.looks[i].underline = look.ColorText, ""
	}
	t.runs = make([]content.Run, len(b.Runs))
	for i, r := range b.Runs {
		t.runs[i] = content.Run{Text: r.Text, Style: r.Style}
	}
	c.addText(out, t)
}

// toggleFold opens or closes what a summary stands above, which keeps its place on screen.
func (p *page) toggleFold(link string) {
	i, err := strconv.Atoi(strings.TrimPrefix(link, foldMark))
	if err != nil || p.whole == nil || i >= len(p.whole.Body.Blocks) {
		return
	}
	focused := p.focusedLink() == link
	if p.folds == nil {
		p.folds = folds{}
	}
	p.folds[i] = !p.folds.isOpen(i, &p.whole.Body.Blocks[i])
	p.showFolds()
	if focused {
		for _, at := range p.lay.links() {
			if at.link == link {
				p.selectRange(at.from, at.to)
			}
		}
	}
}

// unfold opens all there is to open, where words are looked for.
func (p *page) unfold() {
	if p.folds == nil {
		p.folds = folds{}
	}
	if p.whole != nil && p.folds.openAll(p.whole.Body.Blocks) {
		p.showFolds()
	}
}

// showFolds shows the article with what is open now.
func (p *page) showFolds() {
	all := p.pictures.loadAll
	p.view.replaceInPlace(p, p.whole, p.folds)
	if all {
		p.pictures.loadAll = true
		p.pictures.update()
	}
}
