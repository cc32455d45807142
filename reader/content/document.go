// Package content turns the HTML of feeds, which anybody may have written, into
// HTML that is safe to store, into one line of text for lists, and into a small
// model of blocks and runs that a window can draw.
package content

import "strings"

// Document is the body of an article as a window draws it: blocks from top to bottom.
type Document struct{ Blocks []Block }

// Kind is the kind of a block.
type Kind uint8

// The kinds of blocks. An Item is a paragraph of a list item; the first one of an
// item has its Marker.
const (
	Paragraph Kind = iota
	Heading
	Item
	Code
	Rule
	Picture
	Table
	Caption // of the picture or table next to it
	Term    // of a list of definitions, above its Items
	Summary // above the blocks of a <details>, which have a greater Fold
)

// Block is one piece of a document.
type Block struct {
	Kind    Kind
	Level   int      // of a Heading, 1 to 6
	Quote   int      // depth of the quotes around it, 0 outside
	Indent  int      // depth of the lists around it, 1 at the top, 0 outside
	Marker  string   // "•" or "3." on the first block of a list item
	Fold    int      // depth of the <details> around it, 0 outside
	Open    bool     // of a Summary: what it stands above is shown at first
	Runs    []Run    // text of Paragraph, Heading, Item, Code, Caption, Term and Summary
	Image   Image    // of a Picture
	Rows    [][]Cell // of a Table
	Dir     Direction
	Targets []string // names by which links within the document lead here

	auto int // which of the document's directions Dir is, while that is not known
}

// Style is a set of flags for the look of a run.
type Style uint8

// The flags of Style.
const (
	Bold Style = 1 << iota
	Italic
	Mono
	Strike
	Underline
	Sup
	Sub
	Marked // with a marker pen, as of <mark>
)

// Run is a stretch of text of one style. Text may hold "\n" where the author broke
// the line, and controls of Unicode where parts of a line have directions of their own (UAX #9 §2.7).
type Run struct {
	Text  string
	Style Style
	Link  string // absolute address, empty where the text is no link
}

// Image is a picture of a document. Width and Height are in CSS pixels as the
// author gave them, 0 where unknown. Of a picture in several sizes, URL is the one to be shown (Document.FitPictures).
type Image struct {
	URL, Alt, Title string
	Width, Height   int
	Link            string // opened by a click on it, may be empty
	sizes           *sizes // nil: the author gives one file
}

// Cell is one cell of a table. Cells stand at their column: one that spans others is followed, in its row and in those
// below, by cells that it covers, which are empty.
type Cell struct {
	Runs          []Run
	Header        bool
	Align         Align
	Columns, Rows int // that it spans, if more than one
	Covered       bool
	Dir           Direction

	auto int // as that of a Block
}

// Span is how many columns and rows a cell spans, 1 at least.
func (c *Cell) Span() (columns, rows int) { return max(1, c.Columns), max(1, c.Rows) }

// Align is where the lines of a cell stand.
type Align uint8

// The alignments of a cell.
const (
	AlignStart Align = iota // where its text begins: left, or right of text from right to left
	AlignLeft
	AlignCenter
	AlignRight
)

// PlainText returns the document as text for copying and searching: blank lines
// separate blocks, line ends items with their markers, tabs the cells of a row.
func (d Document) PlainText() string {
	var b strings.Builder
	var above Block
	for _, k := range d.Blocks {
		if k.Kind == Picture && k.Image.Alt == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(separator(above, k))
		}
		k.writeText(&b)
		above = k
	}
	return b.String()
}

func separator(above, below Block) string {
	if above.Kind == Item && below.Kind == Item && below.Marker != "" {
		return "\n"
	}
	return "\n\n"
}

func (k Block) writeText(b *strings.Builder) {
	for range k.Quote {
		b.WriteString("> ")
	}
	for range k.Indent - 1 {
		b.WriteString("  ")
	}
	if k.Marker != "" {
		b.WriteString(k.Marker + " ")
	}
	switch k.Kind {
	case Rule:
		b.WriteString("———")
	case Picture:
		b.WriteString(k.Image.Alt)
	case Table:
		for i, row := range k.Rows {
			if i > 0 {
				b.WriteByte('\n')
			}
			for j, c := range row {
				if j > 0 {
					b.WriteByte('\t')
				}
				writeRuns(b, c.Runs)
			}
		}
	default:
		writeRuns(b, k.Runs)
	}
}

func writeRuns(b *strings.Builder, runs []Run) {
	for _, r := range runs {
		b.WriteString(r.Text)
	}
}
