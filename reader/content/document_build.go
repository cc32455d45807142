package content

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"
)

// Limits of a document, which no real one comes near. Deeper blocks are flattened,
// more blocks are left out.
const (
	maxBlocks = 20000
	maxIndent = 24
	maxQuote  = 24
	maxTables = 8
	maxLinked = 2 * MaxHTML // bytes of the addresses of all runs and pictures; one link may have many of them
)

// Parse turns sanitized HTML into blocks. It follows the tokens without building a
// tree, so that hostile depth costs nothing, and accepts unbalanced tags as
// browsers do.
func Parse(clean string) Document {
	b := builder{}
	b.run(truncate(clean))
	return Document{Blocks: b.blocks}
}

// builder builds the blocks of a document from its tokens.
type builder struct {
	blocks  []Block
	runs    []Run
	open    Run    // the run that is being built, without its text
	buf     []byte // its text
	last    byte   // of the open block, 0 at its start
	style   [8]int // how many elements are open for each flag of Style
	link    string
	linked  int // see maxLinked
	heading int
	pre     int
	caption int
	quote   int
	lists   []list
	marker  string
	tables  []table
	term    bool // of a list of definitions
	folds   []fold
	deeper  int          // <details> that are open beyond maxFolds
	sources []pictureSet // of the picture that is open
	targets []string     // names for the block that is open, or comes next

	scopes   []scope     // elements with a direction
	autos    []Direction // of the elements whose letters decide
	written  writtenScopes
	controls bool      // the open block has some
	boundary int       // how many starts and ends of blocks were read
	dir      Direction // of the open block
	auto     int
}

func (b *builder) run(s string) {
	z := xhtml.NewTokenizer(strings.NewReader(s))
	for len(b.blocks) < maxBlocks {
		switch z.Next() {
		case xhtml.ErrorToken:
			b.finish()
			return
		case xhtml.TextToken:
			b.text(WithoutOverrides(string(z.Text())))
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			b.start(z.Token())
		case xhtml.EndTagToken:
			name, _ := z.TagName()
			b.end(string(name))
		}
	}
	b.finish()
}

// WithoutOverrides drops the characters that override a direction, with which text can be shown as another, as titles drop them. An
// author who means it writes <bdo>.
func WithoutOverrides(s string) string { return overrides.Replace(s) }

var overrides = strings.NewReplacer("\u202d", "", "\u202e", "")

func (b *builder) finish() {
	b.flush()
	for len(b.tables) > 0 {
		b.endTable()
	}
	if last := len(b.blocks) - 1; last >= 0 {
		b.blocks[last].Targets = append(b.blocks[last].Targets, b.targets...)
	}
	b.resolve(b.blocks)
}

// styles are the elements that only change the look of text.
var styles = map[string]Style{
	"b": Bold, "strong": Bold, "i": Italic, "em": Italic, "cite": Italic, "dfn": Italic, "var": Italic,
	"code": Mono, "kbd": Mono, "samp": Mono, "tt": Mono, "s": Strike, "strike": Strike, "del": Strike,
	"u": Underline, "ins": Underline, "sup": Sup, "sub": Sub, "mark": Marked,
}

// addStyle opens an element of a style, or closes one with -1.
func (b *builder) addStyle(s Style, by int) {
	for i := range b.style {
		if s == 1<<i {
			b.style[i] = max(0, b.style[i]+by)
		}
	}
}

func (b *builder) currentStyle() Style {
	var s Style
	for i, n := range b.style {
		if n > 0 {
			s |= 1 << i
		}
	}
	return s
}

func (b *builder) start(t xhtml.Token) {
	b.startElement(t)
	b.startScope(t)
}

func (b *builder) startElement(t xhtml.Token) {
	if s, ok := styles[t.Data]; ok {
		b.addStyle(s, 1)
		return
	}
	switch t.Data {
	case "a":
		b.link = attribute(t, "href")
	case "br":
		b.lineBreak()
	case "picture":
		b.sources = nil
	case "source":
		b.source(t)
	case "img":
		b.image(t)
	case "q":
		b.text("“")
	case "wbr":
		b.addTarget(attribute(t, "id"))
	case "hr":
		b.flush()
		b.emit(Block{Kind: Rule})
	case "ul", "ol", "li", "dl", "dt", "dd":
		b.startList(t)
	case "table", "tr", "td", "th", "caption":
		b.startTable(t)
	case "details", "summary":
		b.startFold(t)
	default:
		b.startBlock(t.Data)
	}
}

func (b *builder) startBlock(name string) {
	level := headingLevel(name)
	if level == 0 && !isBlock(name) {
		return
	}
	b.flush()
	switch {
	case level > 0:
		b.heading = level
	case name == "blockquote":
		b.quote = min(b.quote+1, maxQuote)
	case name == "pre":
		b.pre++
	case name == "figcaption":
		b.caption++
	}
}

func (b *builder) end(name string) {
	b.endElement(name)
	b.endScope(name)
}

func (b *builder) endElement(name string) {
	if s, ok := styles[name]; ok {
		b.addStyle(s, -1)
		return
	}
	switch name {
	case "a":
		b.link = ""
	case "q":
		b.text("”")
	case "ul", "ol", "li", "dl", "dt", "dd":
		b.endList(name)
	case "table", "tr", "td", "th", "caption":
		b.endTablePart(name)
	case "details", "summary":
		b.endFold(name)
	default:
		b.endBlock(name)
	}
}

func (b *builder) endBlock(name string) {
	level := headingLevel(name)
	if level == 0 && !isBlock(name) {
		return
	}
	b.flush()
	switch {
	case level > 0:
		b.heading = 0
	case name == "blockquote":
		b.quote = max(0, b.quote-1)
	case name == "pre":
		b.pre = max(0, b.pre-1)
	case name == "figcaption":
		b.caption = max(0, b.caption-1)
	}
}

func headingLevel(name string) int {
	if len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' {
		return int(name[1] - '0')
	}
	return 0
}

func isBlock(name string) bool {
	switch name {
	case "p", "div", "section", "article", "header", "footer", "aside", "main", "figure", "figcaption",
		"blockquote", "pre", "center", "thead", "tbody", "tfoot":
		return true
	}
	return false
}

func (b *builder) lineBreak() {
	if b.last == 0 {
		return
	}
	if b.last == ' ' && b.pre == 0 {
		b.dropSpace()
	}
	b.add("\n")
	b.written = b.written[:0] // the end of a line ends all
}

// dropSpace removes the space at the end of a line.
func (b *builder) dropSpace() {
	if n := len(b.buf); n > 0 {
		b.buf = bytes.TrimSuffix(b.buf, []byte(" ")) // behind it may be the end of a scope
	} else if n := len(b.runs); n > 0 {
		if b.runs[n-1].Text = strings.TrimSuffix(b.runs[n-1].Text, " "); b.runs[n-1].Text == "" {
			b.runs = b.runs[:n-1]
		}
	}
}

func (b *builder) image(t xhtml.Token) {
	m := imageOf(t)
	m.sizes, b.sources = sizesOf(b.sources, attribute(t, "srcset")), nil
	m.Link = b.counted(b.link)
	if m.URL == "" {
		return
	}
	if m.isInLine(b.last != 0 && b.last != '\n') {
		b.text(m.Alt)
		return
	}
	b.flush()
	b.emit(Block{Kind: Picture, Image: m})
}

func imageOf(t xhtml.Token) Image {
	m := Image{URL: attribute(t, "src"), Alt: attribute(t, "alt"), Title: attribute(t, "title")}
	m.Width, _ = strconv.Atoi(attribute(t, "width"))
	m.Height, _ = strconv.Atoi(attribute(t, "height"))
	return m
}

// Sides of pictures that belong to a line of text, in pixels of CSS: of a smiley or an emoji, of one without a text that says what it
// is, which is a decoration, and of a formula after text.
const (
	smileySide    = 32
	ornamentSide  = 24
	formulaHeight = 40
)

// isInLine reports whether a picture belongs to the line of text that it stands in, which would be torn apart by it: its
// alternative text then stands for it, nothing for a decoration that has none.
func (m *Image) isInLine(afterText bool) bool {
	within := func(side, most int) bool { return side > 0 && side <= most }
	switch {
	case m.Alt == "":
		return afterText && within(m.Width, ornamentSide) && within(m.Height, ornamentSide)
	case within(m.Width, smileySide), within(m.Height, smileySide):
		return len(m.Alt) < 32 || afterText
	}
	return afterText && within(m.Height, formulaHeight)
}

func attribute(t xhtml.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// text adds text as browsers do: white space is one space, and none at the start or
// end of a line; inside <pre> everything stays.
func (b *builder) text(s string) {
	if b.pre > 0 {
		b.add(strings.ReplaceAll(s, "\r", ""))
		return
	}
	var line []byte
	for s != "" {
		if isSpace(s[0]) {
			if b.last != 0 && b.last != ' ' && b.last != '\n' {
				line = append(line, ' ')
				b.last = ' '
			}
			s = strings.TrimLeft(s, " \t\n\r\f")
			continue
		}
		end := strings.IndexAny(s, " \t\n\r\f")
		if end < 0 {
			end = len(s)
		}
		line = append(line, s[:end]...)
		b.last = s[end-1]
		s = s[end:]
	}
	b.add(string(line))
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// add adds text in the current style.
func (b *builder) add(s string) {
	if s == "" {
		return
	}
	if len(b.buf) == 0 && len(b.runs) == 0 {
		b.dir, b.auto = b.blockScope()
	}
	style := b.currentStyle()
	b.last = s[len(s)-1]
	if b.open.Style != style || b.open.Link != b.link {
		b.closeRun()
		b.open = Run{Style: style, Link: b.link}
	}
	b.beginText(s)
	b.buf = append(b.buf, s...)
}

func (b *builder) closeRun() {
	if len(b.buf) > 0 {
		b.open.Text = string(b.buf)
		b.open.Link = b.counted(b.open.Link)
		b.runs = append(b.runs, b.open)
	}
	b.open, b.buf = Run{}, b.buf[:0]
}

// counted returns the address of a link, as long as those of a document are not too long together.
func (b *builder) counted(link string) string {
	if b.linked += len(link); b.linked > maxLinked {
		return ""
	}
	return link
}

// flush ends the open block.
func (b *builder) flush() {
	b.closeRun()
	runs := b.directRuns(b.runs, b.dir, b.auto)
	b.runs, b.last, b.written = nil, 0, b.written[:0]
	b.boundary++
	runs = trimRuns(runs, b.pre > 0)
	if len(runs) == 0 {
		return
	}
	k := Block{Kind: Paragraph, Runs: runs, Dir: b.dir, auto: b.auto}
	switch {
	case b.inSummary():
		k.Kind = Summary
	case b.pre > 0:
		k.Kind = Code
	case b.heading > 0:
		k.Kind, k.Level = Heading, b.heading
	case b.term:
		k.Kind = Term
	case len(b.lists) > 0 || b.marker != "":
		k.Kind = Item
	case b.caption > 0:
		k.Kind = Caption
	}
	b.emit(k)
}

func (b *builder) emit(k Block) {
	k.Quote = b.quote
	k.Indent = min(len(b.lists), maxIndent)
	if k.Kind == Term {
		k.Indent = max(0, k.Indent-1)
	}
	b.putInFold(&k)
	if b.marker != "" {
		k.Marker, k.Indent = b.marker, max(1, k.Indent)
		b.marker = ""
	}
	k.Targets, b.targets = b.targets, nil
	b.blocks = append(b.blocks, k)
}

// trimRuns removes white space at both ends; nil where nothing else is left. In pre
// it removes only empty lines.
func trimRuns(runs []Run, pre bool) []Run {
	space := " \n\t\u00a0"
	if !slices.ContainsFunc(runs, func(r Run) bool { return strings.TrimSpace(r.Text) != "" }) {
		return nil
	}
	if pre {
		space = "\n"
	}
	for strings.TrimLeft(runs[0].Text, space) == "" {
		runs = runs[1:]
	}
	for strings.TrimRight(runs[len(runs)-1].Text, space) == "" {
		runs = runs[:len(runs)-1]
	}
	if pre {
		runs[0].Text = strings.TrimPrefix(runs[0].Text, "\n")
	} else {
		runs[0].Text = strings.TrimLeft(runs[0].Text, space)
	}
	last := &runs[len(runs)-1]
	last.Text = strings.TrimRight(last.Text, space)
	return runs
}
