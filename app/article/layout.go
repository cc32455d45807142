package article

import (
	"slices"
	"sort"

	"fyne.io/fyne/v2"

	"kairos/app/bidi"
	"kairos/app/look"
	"kairos/app/typeset"
)

// layout is a compiled article at one width: lines of text, and decorations.
type layout struct {
	*stylesheet
	*compiled
	width, height float32
	tops          []float32 // of the blocks
	lines         []line
	fragments     []typeset.Fragment
	decorations   []decoration
	sideScrolls   []*sideScroll // from top to bottom

	linesByY, decorationsByY spanIndex
}

// decoration is a rectangle, a list marker or a picture.
type decoration struct {
	x, y, w, h float32
	fill, edge fyne.ThemeColorName // "" for none
	radius     float32
	label      *text   // drawn in place of a rectangle
	figure     *figure // drawn in its place once it is loaded
	in         *sideScroll
}

// layouter lays a compiled article out at a width, block by block.
type layouter struct {
	*layout
	left, column float32 // the place of the blocks
	y            float32 // the bottom of the last one
	gutter       float32 // the space beside them, at least
}

// columnIn returns the space beside the column on a page of a width, at least, and the width of the column.
func (s *stylesheet) columnIn(width float32) (gutter, column float32) {
	gutter = min(s.gutter, width/16)
	return gutter, max(1, min(width-2*gutter, s.column))
}

func (s *stylesheet) newLayouter(c *compiled, width float32) layouter {
	gutter, column := s.columnIn(width)
	return layouter{&layout{stylesheet: s, compiled: c, width: width}, round((width - column) / 2), column, gutter, gutter}
}

// layBlocks lays the blocks out that have been compiled since.
func (l *layouter) layBlocks() {
	for i := len(l.tops); i < len(l.blocks); i++ {
		top, y := l.y, l.y
		if i > 0 {
			y += l.space(&l.blocks[i-1], &l.blocks[i])
		}
		l.tops = append(l.tops, y)
		l.y = l.layBlock(i, l.left, top, y, l.column)
	}
	l.height = max(l.height, l.laidHeight())
	l.index()
}

// laidHeight is the height of the page with the blocks that are laid out.
func (l *layouter) laidHeight() float32 { return l.y + l.gutter*1.5 }

// space is the distance between two blocks: smallest within a list, largest above a heading.
func (s *stylesheet) space(above, below *block) float32 {
	em := s.body
	switch {
	case below.kind == fileLinks:
		return round(em * 0.2)
	case below.kind == byline, below.kind == captionBlock && above.kind == pictureBlock:
		return round(em * 0.4)
	case above.kind == ruleBlock || below.kind == ruleBlock:
		return round(em * 1.25)
	case below.kind == heading && below.level <= 2:
		return round(em * 1.75)
	case below.kind == heading:
		return round(em * 1.4)
	case above.kind == heading:
		return round(em * 0.5)
	case above.term:
		return round(em * 0.25)
	case above.indent > 0 && below.indent > 0 && below.kind == paragraph && above.kind == paragraph:
		return round(em * 0.4)
	case above.indent > 0 && below.indent > 0:
		return round(em * 0.7)
	case below.kind != paragraph || above.kind != paragraph:
		return round(em * 1.1)
	}
	return round(em * 0.9)
}

// layBlock lays block i out and returns its bottom. Its quote bars begin at top, where the block before ends, if that one is
// in the same quote.
func (l *layouter) layBlock(i int, left, top, y, column float32) float32 {
	b := &l.blocks[i]
	indent := min(float32(b.quote)*l.quoteIndent+float32(b.indent)*l.listIndent, column/2)
	x, width := left+indent, column-indent
	mirrored := b.dir == bidi.RightToLeft || b.text >= 0 && l.texts[b.text].RTL
	if mirrored {
		x = left
	}
	bottom := l.layContent(i, x, y, width)
	for q := range b.quote {
		from := y
		if i > 0 && l.blocks[i-1].quote > q {
			from = top
		}
		at := float32(q) * min(l.quoteIndent, column/2)
		if mirrored {
			at = column - at - barWidth
		}
		l.quoteBar(left+at, from, bottom)
	}
	if b.marker != nil {
		l.placeMarker(b.marker, x, y+l.markerOffset(b), width, mirrored)
	}
	return bottom
}

// markerOffset is the distance of a marker from the top of its block, so that it is beside the first line.
func (l *layouter) markerOffset(b *block) float32 {
	switch b.kind {
	case codeBlock:
		return l.pad + (l.code*l.stylesheet.listing().leading-l.body*l.leading)/2
	case tableBlock:
		return l.cellPad() * 0.75
	}
	return 0
}

// quoteBar adds the bar beside a quote.
func (l *layouter) quoteBar(x, top, bottom float32) {
	l.decorations = append(l.decorations, decoration{x: x, y: top, w: barWidth, h: bottom - top, fill: look.ColorQuoteBar})
}

// barWidth is the width of the bar beside a quote, in units.
const barWidth = 3

// placeMarker places the marker of a list item beside its text, which is width wide.
func (l *layouter) placeMarker(m *text, x, y, width float32, mirrored bool) {
	_, own := m.Widths()
	at := x - l.body/2 - own
	if mirrored {
		at = x + width + l.body/2
	}
	l.decorations = append(l.decorations, decoration{x: at, y: y, w: own, h: m.leading, label: m})
}

// layContent lays the content of block i out and returns its bottom.
func (l *layouter) layContent(i int, x, y, width float32) float32 {
	b := &l.blocks[i]
	switch b.kind {
	case codeBlock:
		return l.layCode(i, x, y, width)
	case pictureBlock:
		return l.layFigure(b.figure, x, y, width)
	case ruleBlock:
		l.decorations = append(l.decorations, decoration{x: x, y: y, w: width, h: 1, fill: look.ColorSeparator})
		return y + 1
	case tableBlock:
		return l.layTable(i, x, y, width)
	}
	switch {
	case b.text < 0:
		return y + b.marker.leading
	case b.kind == heading:
		return l.wrapEvenly(b.text, x, y, width)
	}
	return l.wrap(b.text, x, y, width)
}

// layCode lays code out on a padded background, without wrapping its lines.
func (l *layouter) layCode(i int, x, y, width float32) float32 {
	b, pad, box := &l.blocks[i], min(l.pad, width/4), len(l.decorations)
	l.decorations = append(l.decorations, decoration{x: x, y: y, w: width, fill: look.ColorCode, radius: l.radius})
	s := l.beginSide(i, x, y, width)
	bottom := y + 2*pad
	if b.text >= 0 {
		end, wide := l.wrapAsAuthored(b.text, x+pad, y+pad, width-2*pad)
		s.ground, s.corner, s.rtl = look.ColorCode, l.radius, l.texts[b.text].RTL
		bottom = l.endSide(s, end, pad, wide+2*pad)
	}
	l.decorations[box].h = bottom - y
	return bottom
}

// index prepares the lookups by height, for what has been laid out since.
func (l *layout) index() {
	l.linesByY.extend(len(l.lines), func(i int) (float32, float32) {
		return l.lines[i].y, l.lines[i].y + l.texts[l.lines[i].text].leading
	})
	l.decorationsByY.extend(len(l.decorations), func(i int) (float32, float32) {
		return l.decorations[i].y, l.decorations[i].y + l.decorations[i].h
	})
}

// spanIndex finds the items between two heights, although the cells of a row are not sorted by height: from[i] is the
// smallest top of item i and those after it, to[i] the largest bottom of item i and those before it. Both are sorted.
type spanIndex struct{ from, to []float32 }

// extend adds items, up to n in all.
func (r *spanIndex) extend(n int, extent func(int) (top, bottom float32)) {
	old := len(r.to)
	r.from, r.to = slices.Grow(r.from, n-old), slices.Grow(r.to, n-old)
	for i := old; i < n; i++ {
		from, to := extent(i)
		if i > 0 {
			to = max(to, r.to[i-1])
		}
		r.from, r.to = append(r.from, from), append(r.to, to)
	}
	for i := n - 2; i >= 0 && (i >= old || r.from[i] > r.from[i+1]); i-- {
		r.from[i] = min(r.from[i], r.from[i+1])
	}
}

// within returns a range that contains all items between two heights.
func (r spanIndex) within(top, bottom float32) (first, last int) {
	first = sort.Search(len(r.to), func(i int) bool { return r.to[i] >= top })
	last = sort.Search(len(r.from), func(i int) bool { return r.from[i] > bottom })
	return first, max(first, last)
}

// center moves the lines to the middle of a height, or a little above.
func (l *layout) center(height float32) {
	down := max(0, round(height*0.42-l.height/2))
	for i := range l.lines {
		l.lines[i].x = round((l.width - l.lines[i].Width) / 2)
		l.lines[i].y += down
	}
	l.height += down
	l.linesByY, l.decorationsByY = spanIndex{}, spanIndex{}
	l.index()
}
