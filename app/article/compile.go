package article

import (
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2/lang"

	"kairos/app/bidi"
	"kairos/app/look"
	"kairos/reader/content"
)

// compiled is an article as measured texts and their blocks, before it is laid out at a width.
type compiled struct {
	texts   []*text
	blocks  []block
	figures []*figure
	madeBy  *stylesheet
}

// block is one part of the page.
type block struct {
	kind          blockKind
	level         int // of a heading; 0 is the title
	quote, indent int
	marker        *text
	text          int  // index of its text, -1 without
	term          bool // of a list of definitions
	rows          [][]tableCell
	cols          int
	headers       int // how many rows at the top of a table are headers
	figure        *figure
	dir           bidi.Direction
	scrolled      float32 // how far it is scrolled sideways from where reading begins, in em
}

// blockKind is how a block is laid out.
type blockKind uint8

const (
	paragraph blockKind = iota // or a list item
	heading
	byline
	codeBlock // code
	ruleBlock
	pictureBlock
	captionBlock
	fileLinks // the actions of a file
	tableBlock
)

// compileInto compiles an article into c, and calls grown after each part. It measures every word, which is the costly part of
// showing an article.
func (s *stylesheet) compileInto(c *compiled, a *Article, grown func()) {
	s.direction = directionOf(a)
	s.compileHead(c, a)
	grown()
	for i, b := range a.Body.Blocks {
		first := len(c.texts)
		s.compileBlock(c, a.linked(b))
		for _, t := range c.texts[first:] {
			t.block = i
		}
		grown()
	}
	if len(a.Body.Blocks) == 0 && len(a.Files) == 0 {
		s.compileNothing(c, a)
	}
	s.compileFiles(c, a.Files)
	grown()
}

// directionOf is the direction of most of an article: that of its language.
func directionOf(a *Article) bidi.Direction {
	const enough = 4000
	var b strings.Builder
	b.WriteString(a.Title)
	for _, block := range a.Body.Blocks {
		for _, run := range block.Runs {
			if b.Len() > enough {
				return bidi.Mostly(b.String())
			}
			b.WriteString(run.Text)
		}
	}
	return bidi.Mostly(b.String())
}

// compileHead adds the title, the byline and the actions of what can be played.
func (s *stylesheet) compileHead(c *compiled, a *Article) {
	title := s.text([]content.Run{{Text: oneLine(a.Title), Link: a.Link}}, s.headline(0))
	if title != nil {
		for i := range title.looks { // the title does not look like a link although it is one
			title.looks[i].color, title.looks[i].underline = look.ColorText, ""
		}
		c.add(block{kind: heading}, title)
	}
	var parts []string
	for _, part := range []string{a.Feed, a.Author, a.Date} {
		if part = oneLine(part); part != "" {
			parts = append(parts, part)
		}
	}
	caption := s.caption()
	if title != nil && title.RTL {
		caption.dir = bidi.RightToLeft
	}
	if caption.dir == bidi.RightToLeft || slices.ContainsFunc(parts, bidi.HasRTL) {
		for i := range parts {
			parts[i] = bidi.IsolateEach(parts[i])
		}
	}
	if line := s.text([]content.Run{{Text: strings.Join(parts, " · ")}}, caption); line != nil {
		c.add(block{kind: byline}, line)
	}
	if line := s.text([]content.Run{{Text: oneLine(a.Filed)}}, caption); line != nil {
		c.add(block{kind: byline}, line)
	}
	s.compilePlayer(c, a)
	if len(c.blocks) > 0 {
		c.add(block{kind: ruleBlock}, nil)
	}
}

// compileNothing adds a note that the article has no text.
func (s *stylesheet) compileNothing(c *compiled, a *Article) {
	r := s.running()
	r.tint, r.italic = look.ColorMuted, true
	runs := []content.Run{{Text: lang.L("The feed has no text for this article.")}}
	if a.Link != "" {
		runs = append(runs, content.Run{Text: " "}, content.Run{Text: lang.L("Open the original"), Link: a.Link})
	}
	c.add(block{kind: paragraph}, s.text(runs, r))
}

func (s *stylesheet) compileBlock(c *compiled, b content.Block) {
	out := block{level: b.Level, quote: max(0, b.Quote), indent: max(0, b.Indent) + b.Fold, dir: asked(b.Dir)}
	if b.Marker != "" {
		out.marker = s.marker(b)
	}
	switch b.Kind {
	case content.Heading:
		out.kind, out.level = heading, max(1, b.Level)
		c.addText(out, s.text(b.Runs, s.headline(out.level).in(b.Dir)))
	case content.Code:
		out.kind = codeBlock
		c.addText(out, s.text(unstyled(b.Runs), s.listingOf(b.Runs).in(b.Dir)))
	case content.Rule:
		out.kind = ruleBlock
		c.add(out, nil)
	case content.Picture:
		s.compilePicture(c, out, b.Image)
	case content.Caption:
		out.kind = captionBlock
		c.addText(out, s.text(b.Runs, s.caption().in(b.Dir)))
	case content.Summary:
		out.indent++
		s.compileSummary(c, out, b)
	case content.Term:
		out.term = true
		c.addText(out, s.text(b.Runs, s.running().in(b.Dir)))
	case content.Table:
		out.kind = tableBlock
		s.compileTable(c, out, b.Rows)
	default:
		c.addText(out, s.text(b.Runs, s.running().in(b.Dir)))
	}
}

// asked is the direction that an author asks for, bidi.Auto for none.
func asked(d content.Direction) bidi.Direction {
	switch d {
	case content.LeftToRight:
		return bidi.LeftToRight
	case content.RightToLeft:
		return bidi.RightToLeft
	}
	return bidi.Auto
}

// in is the role in the direction that an author asks for, as it is if there is none.
func (r role) in(d content.Direction) role {
	if d != content.AnyDirection {
		r.dir = asked(d)
	}
	return r
}

// listingOf is the role of a listing: code is read from left to right whatever text it stands in, and what has no Latin letter,
// such as a poem, as other text.
func (s *stylesheet) listingOf(runs []content.Run) role {
	r := s.listing()
	latin := func(c rune) bool { return unicode.Is(unicode.Latin, c) }
	if slices.ContainsFunc(runs, func(run content.Run) bool { return strings.ContainsFunc(run.Text, latin) }) {
		r.dir = bidi.LeftToRight
	}
	return r
}

// marker is the marker of a list item, which is read in the direction of its text.
func (s *stylesheet) marker(b content.Block) *text {
	var words strings.Builder
	for _, run := range b.Runs {
		words.WriteString(run.Text)
	}
	r := s.running().in(b.Dir)
	if r.dir == bidi.Auto {
		r.dir = bidi.Paragraph(words.String(), s.direction)
	}
	return s.text([]content.Run{{Text: b.Marker}}, r)
}

// addText adds a block of text. A block without text is left out unless it has a marker.
func (c *compiled) addText(b block, t *text) {
	if t != nil || b.marker != nil {
		c.add(b, t)
	}
}

// add adds a block with its text, which may be nil.
func (c *compiled) add(b block, t *text) {
	b.text = -1
	if t != nil {
		t.separator = c.separatorBefore(b)
		if b.marker != nil {
			t.marker = strings.Repeat("  ", max(0, b.indent-1)) + b.marker.Chars + " "
		}
		b.text = c.addLoose(t)
	}
	c.blocks = append(c.blocks, b)
}

// addLoose adds a text that is not the text of a block, and returns its index.
func (c *compiled) addLoose(t *text) int {
	c.texts = append(c.texts, t)
	return len(c.texts) - 1
}

// separatorBefore is what separates b from the block before it when both are copied.
func (c *compiled) separatorBefore(b block) string {
	switch n := len(c.blocks); {
	case n == 0:
		return ""
	case b.kind == byline, b.marker != nil && c.blocks[n-1].indent > 0 && c.blocks[n-1].kind == paragraph:
		return "\n"
	}
	return "\n\n"
}

func (s *stylesheet) compileTable(c *compiled, b block, rows [][]content.Cell) {
	parting := c.separatorBefore(b)
	for y, row := range rows {
		line := make([]tableCell, len(row))
		b.cols = max(b.cols, len(row))
		heads := len(row) > 0
		for x, cell := range row {
			r := s.running()
			if cell.Header {
				r = s.header()
			}
			r = r.in(cell.Dir)
			heads = heads && cell.Header
			line[x] = tableCell{text: -1, align: cell.Align, covered: cell.Covered}
			line[x].columns, line[x].rows = cell.Span()
			if t := s.text(cell.Runs, r); t != nil {
				t.separator, t.cell = parting, [2]int{y, x}
				line[x].text = c.addLoose(t)
			}
			s.pace.did(cellCost)
			parting = "\t"
		}
		parting = "\n"
		if heads && y == b.headers {
			b.headers++
		}
		b.rows = append(b.rows, line)
	}
	if b.cols > 0 {
		b.text = -1
		c.blocks = append(c.blocks, b)
	}
}

// unstyled removes the styles that code does not need; links stay.
func unstyled(runs []content.Run) []content.Run {
	out := make([]content.Run, len(runs))
	for i, r := range runs {
		out[i] = content.Run{Text: r.Text, Link: r.Link, Style: r.Style &^ (content.Mono | content.Sup | content.Sub)}
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// compileMessage compiles a message in place of an article.
func (s *stylesheet) compileMessage(message string) *compiled {
	c := &compiled{}
	r := s.running()
	r.tint = look.ColorMuted
	c.addText(block{kind: paragraph}, s.text([]content.Run{{Text: message}}, r))
	return c
}
