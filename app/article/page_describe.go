package article

import (
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/typeset"
)

// An article is told as a document of headings, paragraphs, lists, quotes, code, tables and pictures, from what was laid
// out: all of it, so that it can be read to its end, and each text with its lines as they are drawn.

// told is what was told about the texts of a page last. It is rebuilt when the page is laid out again.
type told struct {
	of    *layout
	lines int // of that layout: a long article grows
	first int // level of the headings of the author that are above all others
	texts []toldText
}

// toldText is one text as it is told: the marker of a list item and a space, and the characters.
type toldText struct {
	text        *accessible.Text
	lead        int // characters of the marker
	first, last int // its lines are layout.lines[first:last]
	at          fyne.Position
	size        fyne.Size
	links       []tabStop
}

// partKey names a part of an article; group is what it is told as, 0 for a text.
type partKey struct {
	article *Article
	group   accessible.Role
	index   int
}

// Describe implements describe.Describer.
func (p *page) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleDocument, Name: lang.L("Article"), States: accessible.Focusable | accessible.ReadOnly | accessible.MultiLine}}
	n.Key = p
	n.Focus = func() { p.view.focusOn(p.view) }
	n.States = n.States.With(accessible.Focused, p.view.page == p).With(accessible.Busy, p.building != nil)
	if p.lay == nil {
		return n
	}
	if p.article != nil {
		n.Key, n.URL = p.article, p.article.Link // its title is the heading, which is read next
	}
	t := teller{page: p, key: n.Key}
	t.prepare()
	n.Parts = t.blocks(0, len(p.lay.tops), 0)
	return n
}

// teller tells the parts of a page.
type teller struct {
	*page
	key any
}

// prepare makes what is told about the texts, if the page was laid out since.
func (t teller) prepare() {
	l := t.lay
	if t.told.of == l && t.told.lines == len(l.lines) {
		return
	}
	t.told = told{of: l, lines: len(l.lines), first: 6, texts: make([]toldText, len(l.texts))}
	for i := range l.blocks {
		if b := &l.blocks[i]; b.kind == heading && b.level > 0 {
			t.page.told.first = min(t.page.told.first, b.level)
		}
	}
	for i := 0; i < len(l.lines); {
		first, text := i, l.lines[i].text
		for i < len(l.lines) && l.lines[i].text == text {
			i++
		}
		t.page.told.texts[text] = l.tell(text, first, i)
	}
	for _, link := range l.links() {
		if one := &t.page.told.texts[link.from.text]; one.text != nil && link.from.text == link.to.text {
			one.links = append(one.links, link)
		}
	}
}

// tell makes what is told about a text with these lines.
func (l *layout) tell(index, first, last int) toldText {
	t := l.texts[index]
	lead := t.leadText()
	out := toldText{lead: utf8.RuneCountInString(lead), first: first, last: last,
		text: &accessible.Text{Content: lead + t.Chars, Caret: -1}}
	count := counter{s: t.Chars, runes: out.lead}
	area := noArea
	for i := first; i < last; i++ {
		ln := &l.lines[i]
		area = area.with(ln.pageX(ln.x), ln.y, ln.Width, t.leading)
		if i > first {
			out.text.Lines = append(out.text.Lines, count.at(ln.Start))
		}
	}
	out.at, out.size = area.place()
	count = counter{s: t.Chars, runes: out.lead}
	start := out.lead
	for i := range t.Spans {
		s, end := t.look(i), count.at(t.Spans[i].End)
		style := t.Spans[i].Face.Style
		r := accessible.Run{From: start, To: end, Bold: style.Bold, Italic: style.Italic, Mono: style.Monospace, Underline: s.underline != "" && s.link == "", Strikethrough: s.struckThrough}
		start = end
		if bare := (accessible.Run{From: r.From, To: r.To}); r != bare && r.From < r.To {
			out.text.Runs = append(out.text.Runs, r)
		}
	}
	return out
}

// leadText is what is told before the characters of a text: the marker of a list item.
func (t *text) leadText() string { return t.marker }

// counter converts rising offsets in bytes to characters.
type counter struct {
	s     string
	byte  int
	runes int
}

func (c *counter) at(off int) int {
	c.runes += utf8.RuneCountInString(c.s[c.byte:off])
	c.byte = off
	return c.runes
}

// toldOffset converts an offset in bytes of a text to characters of what is told about it, and fromTold converts it back.
func (t teller) toldOffset(at textPos) int {
	return t.page.told.texts[at.text].lead + utf8.RuneCountInString(t.lay.texts[at.text].Chars[:at.off])
}

func (t teller) fromTold(index, offset int) textPos {
	chars := t.lay.texts[index].Chars
	offset -= t.page.told.texts[index].lead
	at := 0
	for ; offset > 0 && at < len(chars); offset-- {
		_, size := utf8.DecodeRuneInString(chars[at:])
		at += size
	}
	return textPos{index, at}
}

// pageX converts a place of the line to one on the page, where its part may be scrolled sideways.
func (ln *line) pageX(x float32) float32 {
	if ln.in == nil {
		return x
	}
	return x - ln.in.at
}

// extents is a rectangle of the page that grows.
type extents struct{ left, top, right, bottom float32 }

var noArea = extents{left: typeset.Unlimited, top: typeset.Unlimited}

func (a extents) with(x, y, w, h float32) extents {
	return extents{min(a.left, x), min(a.top, y), max(a.right, x+max(w, 1)), max(a.bottom, y+max(h, 1))}
}

func (a extents) place() (fyne.Position, fyne.Size) {
	if a == noArea {
		return fyne.Position{}, fyne.Size{}
	}
	return fyne.NewPos(a.left, a.top), fyne.NewSize(a.right-a.left, a.bottom-a.top)
}

// blocks tells a range of blocks; those in deeper quotes than quote, and lists, are put together.
func (t teller) blocks(from, to, quote int) (nodes []describe.Node) {
	all := t.lay.blocks
	for i := from; i < to; {
		end := i + 1
		switch b := &all[i]; {
		case b.quote > quote:
			for end < to && all[end].quote > quote {
				end++
			}
			nodes = t.appendGroup(nodes, accessible.RoleBlockQuote, i, t.blocks(i, end, quote+1))
		case b.indent > 0:
			for end < to && all[end].indent > 0 && all[end].quote == b.quote {
				end++
			}
			nodes = t.appendGroup(nodes, accessible.RoleList, i, t.items(i, end))
		default:
			if n, ok := t.block(i); ok {
				nodes = append(nodes, n)
			}
		}
		i = end
	}
	return nodes
}

// items tells the blocks of a list.
func (t teller) items(from, to int) (nodes []describe.Node) {
	for i := from; i < to; i++ {
		n, ok := t.block(i)
		if !ok {
			continue
		}
		if b := &t.lay.blocks[i]; b.marker != nil && n.Role == accessible.RoleParagraph {
			n.Role, n.Level = accessible.RoleListItem, b.indent
		}
		nodes = append(nodes, n)
	}
	size, at := 0, 0
	for i := range nodes {
		if nodes[i].Role == accessible.RoleListItem {
			size++
		}
	}
	for i := range nodes {
		if nodes[i].Role == accessible.RoleListItem {
			at++
			nodes[i].PosInSet, nodes[i].SetSize = at, size
		}
	}
	return nodes
}

// appendGroup adds what holds some nodes, as large as they are.
func (t teller) appendGroup(to []describe.Node, role accessible.Role, index int, parts []describe.Node) []describe.Node {
	if len(parts) == 0 {
		return to
	}
	n := t.part(role, role, index)
	n.Parts = parts
	n.At, n.Size = around(parts)
	return append(to, n)
}

func around(parts []describe.Node) (fyne.Position, fyne.Size) {
	area := noArea
	for i := range parts {
		area = area.with(parts[i].At.X, parts[i].At.Y, parts[i].Size.Width, parts[i].Size.Height)
	}
	return area.place()
}

func (t teller) part(role, group accessible.Role, index int) describe.Node {
	return describe.Node{Node: accessible.Node{Role: role}, Key: partKey{t.article, group, index}}
}

// textRoles are what the blocks with a text are told as.
var textRoles = map[blockKind]accessible.Role{paragraph: accessible.RoleParagraph, heading: accessible.RoleHeading, byline: accessible.RoleParagraph,
	codeBlock: accessible.RoleCode, captionBlock: accessible.RoleCaption, fileLinks: accessible.RoleParagraph}

// block tells a block; false if there is nothing to report it.
func (t teller) block(i int) (describe.Node, bool) {
	b := &t.lay.blocks[i]
	switch b.kind {
	case tableBlock:
		return t.table(i), true
	case pictureBlock:
		return t.picture(b.figure, i), true
	}
	if b.text < 0 {
		return describe.Node{}, false
	}
	n := t.text(textRoles[b.kind], b.text)
	if b.kind == heading {
		n.Name, n.Level = t.lay.texts[b.text].Chars, t.level(b)
	}
	return n, n.Text != nil
}

// level is that of a heading below the title, which has the first: authors begin with any, and none is left out.
func (t teller) level(b *block) int {
	if b.level == 0 {
		return 1
	}
	return min(6, b.level-t.page.told.first+2)
}

// text tells a text with its links.
func (t teller) text(role accessible.Role, index int) describe.Node {
	n := t.part(role, 0, index)
	one := &t.page.told.texts[index]
	if one.text == nil {
		return n
	}
	n.Text, n.At, n.Size = one.text, one.at, one.size
	n.States = accessible.ReadOnly | accessible.MultiLine
	t.addCaret(&n, index)
	for _, link := range one.links {
		n.Parts = append(n.Parts, t.link(link))
	}
	n.Focus = func() {
		t.view.focusOn(t.view)
		t.moveCaret(textPos{text: index}, false)
	}
	n.SelectText = func(from, to int) { t.selectTold(index, from, to) }
	n.ScrollTo = func(from, _ int) { t.showPos(t.fromTold(index, from)) }
	n.TextBounds = func(from, to int) (fyne.Position, fyne.Size) {
		return t.boundsOf(t.fromTold(index, from), t.fromTold(index, to))
	}
	n.OffsetAt = func(at fyne.Position) (int, bool) {
		pos := t.lay.positionAt(at.X, at.Y)
		if pos.text != index {
			return 0, false
		}
		return t.toldOffset(pos), true
	}
	return n
}

// caretIn reports whether the caret is in a text.
func (t teller) caretIn(index int) bool {
	return t.view.caret.on && t.view.page == t.page && t.head.text == index
}

// addCaret adds the caret and what is selected, where they are in a text. The text with the caret has the focus. A link that
// Tab has led to is drawn as selected, but it is the link that has the focus.
func (t teller) addCaret(n *describe.Node, index int) {
	from, to := t.extent()
	caret, onLink := t.caretIn(index), t.focusedLink() != ""
	selected := !onLink && from != to && from.text <= index && index <= to.text
	if !caret && !selected {
		return
	}
	text := *n.Text
	if selected {
		text.Select = [2]int{0, utf8.RuneCountInString(text.Content)}
		if from.text == index {
			text.Select[0] = t.toldOffset(from)
		}
		if to.text == index {
			text.Select[1] = t.toldOffset(to)
		}
	}
	if caret {
		text.Caret = t.toldOffset(t.head)
		if onLink {
			text.Caret = t.toldOffset(from)
		}
		n.States |= accessible.Focusable | accessible.Focused
		if !selected {
			text.Select = [2]int{text.Caret, text.Caret}
		}
	}
	n.Text = &text
}

func (t teller) link(link tabStop) describe.Node {
	words := t.lay.texts[link.from.text].Chars[link.from.off:link.to.off]
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleLink, Name: words, URL: linkAddress(link.link), States: accessible.Focusable},
		Key: struct {
			article *Article
			at      textPos
		}{t.article, link.from}}
	if from, to := t.extent(); from == link.from && to == link.to && t.view.page == t.page {
		n.States |= accessible.Focused
	}
	n.Span = [2]int{t.toldOffset(link.from), t.toldOffset(link.to)}
	n.At, n.Size = t.boundsOf(link.from, link.to)
	if from, to := t.extent(); t.view.page == t.page && from == link.from && to == link.to {
		n.States |= accessible.Focused // Tab has gone to it, and Enter opens it
	}
	n.Act("press", lang.L("Open"), func() { t.view.activateLink(link.link) })
	n.Focus = func() {
		t.view.focusOn(t.view)
		t.selectRange(link.from, link.to)
		t.showPos(link.from)
	}
	n.ScrollTo = func(int, int) { t.showPos(link.from) }
	return n
}

// picture tells a picture by what its author says of it, which is a text, too: whoever reads line by line, or has all
// said, comes upon it there.
func (t teller) picture(f *figure, index int) describe.Node {
	n := t.part(accessible.RoleImage, accessible.RoleImage, index)
	n.Name, n.URL = pictureLabel(f.image), f.image.URL
	if title := oneLine(f.image.Title); title != n.Name {
		n.Description = title
	}
	n.At, n.Size = fyne.NewPos(f.x, f.y), fyne.NewSize(max(1, f.w), max(1, f.h))
	n.Text = &accessible.Text{Content: n.Name, Caret: -1}
	for _, index := range []int{f.label, f.notice, f.title} {
		if index < 0 || index != f.label && t.lay.texts[index].Chars == "" {
			continue
		}
		if index != f.label {
			n.Text.Content += "\n" + t.lay.texts[index].Chars
		}
		if t.caretIn(index) {
			n.Text.Caret = utf8.RuneCountInString(n.Text.Content) - utf8.RuneCountInString(t.lay.texts[index].Chars)
			n.States |= accessible.Focusable | accessible.Focused
		}
	}
	n.Act("press", lang.L("Open"), func() { t.tapFigure(f) })
	n.ScrollTo = func(int, int) { t.scrollIntoView(f.y, f.y+f.h) }
	return n
}

// table tells a table row by row.
func (t teller) table(index int) describe.Node {
	b := &t.lay.blocks[index]
	n := t.part(accessible.RoleTable, accessible.RoleTable, index)
	for y, row := range b.rows {
		r := t.part(accessible.RoleTableRow, accessible.RoleTableRow, index<<16|y)
		for x, c := range row {
			if c.covered {
				continue
			}
			text := c.text
			cell := t.part(accessible.RoleTableCell, accessible.RoleTableCell, index<<32|y<<16|x)
			if text >= 0 {
				cell = t.text(accessible.RoleTableCell, text)
			}
			if y < b.headers {
				cell.Role = accessible.RoleColumnHeader
				if text >= 0 {
					cell.Name = t.lay.texts[text].Chars // as of a heading: headers are called, not read
				}
			}
			cell.Cell = &accessible.Cell{Row: y, Column: x, RowSpan: c.rows, ColumnSpan: c.columns}
			r.Parts = append(r.Parts, cell)
		}
		var filled []describe.Node
		for _, cell := range r.Parts {
			if cell.Text != nil {
				filled = append(filled, cell)
			}
		}
		r.At, r.Size = around(filled)
		for x := range r.Parts {
			if r.Parts[x].Text == nil {
				r.Parts[x].At, r.Parts[x].Size = r.At, r.Size
			}
		}
		n.Parts = append(n.Parts, r)
	}
	n.At, n.Size = around(n.Parts)
	return n
}

// boundsOf is where the text between two positions of one text is drawn.
func (t teller) boundsOf(from, to textPos) (fyne.Position, fyne.Size) {
	one, area := &t.page.told.texts[from.text], noArea
	leading := t.lay.texts[from.text].leading
	for i := one.first; i < one.last; i++ {
		ln := &t.lay.lines[i]
		if from.off >= ln.End && i+1 < one.last || to.off < ln.Start || to.off == ln.Start && from.off < to.off {
			continue
		}
		start, end := max(from.off, ln.Start), min(to.off, ln.End)
		add := func(left, right float32) { area = area.with(ln.pageX(ln.x+left), ln.y, right-left, leading) }
		if t.lay.forStretches(ln, start, end, add); start == end {
			add(t.lay.offsetX(ln, start), t.lay.offsetX(ln, start))
		}
	}
	return area.place()
}

// selectTold selects characters of a text as it is told, or moves the caret.
func (t teller) selectTold(index, from, to int) {
	start, end := t.fromTold(index, from), t.fromTold(index, to)
	t.selectRange(start, end)
	t.showPos(end)
}

// showPos scrolls to a position.
func (p *page) showPos(at textPos) {
	if ln := p.lay.lineNear(at); ln != nil {
		p.scrollIntoView(ln.y, ln.y+p.lay.texts[ln.text].leading)
		p.sideScroller.showRange(at, at)
	}
}
