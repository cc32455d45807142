package article

import (
	"fyne.io/fyne/v2"

	"kairos/reader/content"
)

// Markdown returns the selection as Markdown; without one, the whole article.
func (v *View) Markdown() string {
	if d := v.page.selectedDocument(); len(d.Blocks) > 0 {
		return d.Markdown()
	}
	return v.page.wholeDocument().Markdown()
}

// CopyMarkdown copies what Markdown returns to the clipboard, and returns it.
func (v *View) CopyMarkdown() (text string) {
	if text = v.Markdown(); text != "" {
		v.copyText(text)
	}
	return text
}

// wholeDocument returns the article with its title and byline.
func (p *page) wholeDocument() content.Document {
	if p.article == nil {
		return content.Document{}
	}
	var head []content.Block
	for _, b := range p.doc.blocks {
		if b.text >= 0 && p.doc.texts[b.text].block < 0 && !p.doc.texts[b.text].notCopied && (b.kind == heading || b.kind == byline) {
			head = append(head, p.headBlock(p.doc.texts[b.text], p.doc.texts[b.text].runs))
		}
	}
	return content.Document{Blocks: append(head, p.whole.Body.Blocks...)}
}

// headBlock returns the block of a text outside of the body: a heading for the title, else a paragraph.
func (p *page) headBlock(t *text, runs []content.Run) content.Block {
	if t == p.doc.texts[0] && p.article.Title != "" {
		return content.Block{Kind: content.Heading, Level: 1, Runs: runs}
	}
	return content.Block{Runs: runs}
}

// selectedDocument returns the selection as blocks.
func (p *page) selectedDocument() (d content.Document) {
	from, to := p.extent()
	if p.lay == nil || p.article == nil || from == to {
		return d
	}
	table := -1 // the block that is the last one of d, if it is a table
	last := len(p.article.Body.Blocks)
	for i := from.text; i <= to.text; i++ {
		t := p.lay.texts[i]
		start, end := 0, len(t.Chars)
		if i == from.text {
			start = from.off
		}
		if i == to.text {
			end = to.off
		}
		if t.notCopied || start >= end {
			continue
		}
		runs := cutRuns(t.runs, start, end)
		if t.block < 0 {
			d.Blocks = append(d.Blocks, p.headBlock(t, runs))
			continue
		}
		for ; last < t.block; last++ { // rules have no text
			if between := p.article.Body.Blocks[last]; between.Kind == content.Rule {
				d.Blocks = append(d.Blocks, between)
			}
		}
		last = t.block + 1
		b := p.article.Body.Blocks[t.block]
		switch {
		case b.Kind == content.Picture:
			if n := len(d.Blocks); n > 0 && d.Blocks[n-1].Kind == content.Picture && d.Blocks[n-1].Image == b.Image {
				continue // its second text
			}
		case b.Kind == content.Table && table == t.block:
			open := &d.Blocks[len(d.Blocks)-1]
			open.Rows = putCell(open.Rows, b.Rows, t.cell, runs)
			continue
		case b.Kind == content.Table:
			table = t.block
			b.Rows = putCell(nil, b.Rows, t.cell, runs)
		default:
			b.Runs = runs
			if start > 0 && b.Kind == content.Item { // the rest of an item has no marker
				b.Kind, b.Marker, b.Indent = content.Paragraph, "", 0
			}
		}
		d.Blocks = append(d.Blocks, b)
	}
	return d
}

// putCell adds a cell to the selected part of a table.
func putCell(rows, all [][]content.Cell, at [2]int, runs []content.Run) [][]content.Cell {
	source := all[at[0]]
	n := len(rows) - 1
	if n < 0 || at[1] == 0 || len(rows[n]) > at[1] {
		rows, n = append(rows, nil), n+1
	}
	for len(rows[n]) < at[1] {
		rows[n] = append(rows[n], content.Cell{Header: source[len(rows[n])].Header})
	}
	rows[n] = append(rows[n], content.Cell{Header: source[at[1]].Header, Runs: runs})
	return rows
}

// cutRuns returns the runs between two offsets of their normalized text.
func cutRuns(runs []content.Run, start, end int) (out []content.Run) {
	at := 0
	for _, r := range runs {
		words := normalize(r.Text)
		from, to := max(start-at, 0), min(end-at, len(words))
		if from < to {
			r.Text = words[from:to]
			out = append(out, r)
		}
		at += len(words)
	}
	return out
}

// copyText puts a text on the clipboard.
func (v *View) copyText(text string) {
	fyne.CurrentApp().Clipboard().SetContent(text)
	if v.OnCopied != nil {
		v.OnCopied(text)
	}
}
