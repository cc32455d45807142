package content

import (
	"regexp"
	"strings"
)

// maxIndentation is how many bytes stand in front of a document's lines for the lists and quotes around them, more than in any real
// one. What is over is written as if it were in one list and one quote: short lines in deep lists would take forty times their length.
const maxIndentation = 1 << 20

// Markdown returns the document as CommonMark with GitHub's tables. It writes the blocks rather than their HTML, so that
// a selected part of a document can be written, too.
func (d Document) Markdown() string {
	var b strings.Builder
	var above Block
	left := maxIndentation
	for _, k := range d.Blocks {
		text := k.markdown()
		if text == "" {
			continue
		}
		if left -= (3*k.Indent + 2*k.Quote) * (1 + strings.Count(text, "\n")); left < 0 {
			k.Indent, k.Quote = min(k.Indent, 1), min(k.Quote, 1)
		}
		if b.Len() > 0 {
			b.WriteString(markdownSeparator(above, k))
		}
		prefix := strings.Repeat("> ", k.Quote)
		for n, line := range strings.Split(text, "\n") {
			if n > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(strings.TrimRight(prefix+k.markdownIndent(n == 0)+line, " "))
		}
		above = k
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// markdownSeparator returns what stands between two blocks: no blank line between items, and a quote continues through it.
func markdownSeparator(above, below Block) string {
	if above.Kind == Item && below.Kind == Item && below.Marker != "" && above.Quote == below.Quote {
		return "\n"
	}
	if n := min(above.Quote, below.Quote); n > 0 {
		return "\n" + strings.TrimRight(strings.Repeat("> ", n), " ") + "\n"
	}
	return "\n\n"
}

// markdownIndent returns the indentation of a line of a list item, with the marker on the first. Three spaces suit
// every marker.
func (k Block) markdownIndent(first bool) string {
	if k.Indent == 0 {
		return ""
	}
	outer := strings.Repeat("   ", k.Indent-1)
	switch {
	case k.Marker == "" || !first:
		return outer + "   "
	case strings.HasSuffix(k.Marker, "."):
		return outer + k.Marker + " "
	}
	return outer + "-  "
}

func (k Block) markdown() string {
	switch k.Kind {
	case Heading:
		return strings.Repeat("#", max(1, min(k.Level, 6))) + " " + headingEnd.ReplaceAllString(strings.ReplaceAll(inlineMarkdown(k.Runs), "\\\n", " "), `\$1`)
	case Code:
		return fencedCode(k.Runs)
	case Rule:
		return "---"
	case Picture:
		return k.Image.markdown()
	case Table:
		return tableMarkdown(k.Rows)
	}
	return blockMark.ReplaceAllString(inlineMarkdown(k.Runs), `$1\$2`)
}

// blockMark matches what would begin another kind of block at the start of a line.
var blockMark = regexp.MustCompile(`(?m)^(\d{0,9})([#+>.)=-])`)

// headingEnd matches what would end a heading.
var headingEnd = regexp.MustCompile(`(#)$`)

// fencedCode writes code between fences that are longer than any in it.
func fencedCode(runs []Run) string {
	var b strings.Builder
	writeRuns(&b, runs)
	fence := strings.Repeat("`", max(3, 1+longestTicks(b.String())))
	return fence + "\n" + strings.TrimRight(b.String(), "\n") + "\n" + fence
}

func (m Image) markdown() string {
	alt := escapeMarkdown(strings.Join(strings.Fields(m.Alt), " "))
	text := "![" + alt + "](" + markdownAddress(m.URL)
	if title := strings.Join(strings.Fields(m.Title), " "); title != "" {
		text += ` "` + strings.ReplaceAll(escapeMarkdown(title), `"`, `\"`) + `"`
	}
	text += ")"
	if m.Link != "" {
		text = "[" + text + "](" + markdownAddress(m.Link) + ")"
	}
	return text
}

// markdownAddress escapes an address for parentheses.
func markdownAddress(address string) string {
	return strings.NewReplacer(" ", "%20", "\n", "", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E").Replace(address)
}

func tableMarkdown(rows [][]Cell) string {
	cols := 0
	for _, row := range rows {
		cols = max(cols, len(row))
	}
	if cols == 0 {
		return ""
	}
	var b strings.Builder
	write := func(row []Cell, cols int) { // rows may have fewer cells than the first one, but not none
		for x := range max(1, cols) {
			b.WriteString("| ")
			if x < len(row) && len(row[x].Runs) > 0 {
				cell := strings.ReplaceAll(inlineMarkdown(row[x].Runs), "\\\n", " ")
				b.WriteString(strings.ReplaceAll(cell, "|", `\|`) + " ")
			}
		}
		b.WriteString("|")
	}
	if !isHeader(rows[0]) { // Markdown requires one
		write(nil, cols)
	} else {
		write(rows[0], cols)
		rows = rows[1:]
	}
	b.WriteString("\n" + strings.Repeat("| --- ", cols) + "|")
	for _, row := range rows {
		b.WriteByte('\n')
		write(row, len(row))
	}
	return b.String()
}

func isHeader(row []Cell) bool {
	for _, c := range row {
		if !c.Header {
			return false
		}
	}
	return len(row) > 0
}

// inlineMarkdown writes the text of a block, link by link.
func inlineMarkdown(runs []Run) string {
	var b strings.Builder
	for i := 0; i < len(runs); {
		n := i + 1
		for n < len(runs) && runs[n].Link == runs[i].Link {
			n++
		}
		var text strings.Builder
		for _, r := range runs[i:n] {
			text.WriteString(r.markdown())
		}
		if link := runs[i].Link; link != "" && strings.TrimSpace(text.String()) != "" {
			before, words, after := splitSpace(text.String())
			b.WriteString(before + "[" + words + "](" + markdownAddress(link) + ")" + after)
		} else {
			b.WriteString(text.String())
		}
		i = n
	}
	return strings.ReplaceAll(b.String(), "\n", "\\\n")
}

// splitSpace separates the white space around a text: marks of emphasis must touch what they emphasize.
func splitSpace(s string) (before, text, after string) {
	text = strings.TrimLeft(s, " \n")
	before = s[:len(s)-len(text)]
	s = text
	text = strings.TrimRight(s, " \n")
	return before, text, s[len(text):]
}

func (r Run) markdown() string {
	before, text, after := splitSpace(r.Text)
	if text == "" {
		return r.Text
	}
	if r.Style&Mono != 0 {
		text = codeSpan(text)
	} else {
		text = escapeMarkdown(text)
	}
	for _, m := range []struct {
		style       Style
		open, close string
	}{{Sub, "<sub>", "</sub>"}, {Sup, "<sup>", "</sup>"}, {Underline, "<u>", "</u>"}, {Marked, "<mark>", "</mark>"}, {Strike, "~~", "~~"}, {Italic, "*", "*"}, {Bold, "**", "**"}} {
		if r.Style&m.style != 0 {
			text = m.open + text + m.close
		}
	}
	return before + text + after
}

// codeSpan writes text between more backticks than it holds.
func codeSpan(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	ticks := strings.Repeat("`", 1+longestTicks(s))
	if len(ticks) > 1 || strings.HasPrefix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// longestTicks returns how many backticks follow each other at most.
func longestTicks(s string) (most int) {
	n := 0
	for i := range len(s) {
		if n++; s[i] != '`' {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "~", `\~`, "&", `\&`)

func escapeMarkdown(s string) string { return escapes.Replace(s) }
