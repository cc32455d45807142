package content

import (
	"regexp"
	"strings"
)

// Markdown returns the document as CommonMark with GitHub's tables. It is written from the blocks rather than from the
// HTML they came from, so that a part of a document, as somebody selects it, can be written, too.
func (d Document) Markdown() string {
	var b strings.Builder
	var above Block
	for i, k := range d.Blocks {
		text := k.markdown()
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(parting(above, k))
		}
		prefix := strings.Repeat("> ", k.Quote)
		for n, line := range strings.Split(text, "\n") {
			if n > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(strings.TrimRight(prefix+k.hang(n == 0)+line, " "))
		}
		above = d.Blocks[i]
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// parting is what stands between two blocks: items follow one another closely, and a quote goes on through the gap.
func parting(above, below Block) string {
	if above.Kind == Item && below.Kind == Item && below.Marker != "" && above.Quote == below.Quote {
		return "\n"
	}
	if n := min(above.Quote, below.Quote); n > 0 {
		return "\n" + strings.TrimRight(strings.Repeat("> ", n), " ") + "\n"
	}
	return "\n\n"
}

// hang is what sets a line of a list item in: its marker on the first one. Three blanks are within every marker's width.
func (k Block) hang(first bool) string {
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
		return strings.Repeat("#", max(1, min(k.Level, 6))) + " " + atEnd.ReplaceAllString(strings.ReplaceAll(inlineMarkdown(k.Runs), "\\\n", " "), `\$1`)
	case Code:
		return fenced(k.Runs)
	case Rule:
		return "---"
	case Picture:
		return k.Image.markdown()
	case Table:
		return tableMarkdown(k.Rows)
	}
	return atStart.ReplaceAllString(inlineMarkdown(k.Runs), `$1\$2`)
}

// atStart is what begins another kind of block where a line begins with it.
var atStart = regexp.MustCompile(`(?m)^(\d{0,9})([#+>.)=-])`)

// atEnd would be taken for the end of a heading.
var atEnd = regexp.MustCompile(`(#)$`)

func fenced(runs []Run) string {
	var b strings.Builder
	writeRuns(&b, runs)
	fence := "```"
	for strings.Contains(b.String(), fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(b.String(), "\n") + "\n" + fence
}

func (m Image) markdown() string {
	alt := escapeMarkdown(strings.Join(strings.Fields(m.Alt), " "))
	text := "![" + alt + "](" + target(m.URL)
	if title := strings.Join(strings.Fields(m.Title), " "); title != "" {
		text += ` "` + strings.ReplaceAll(escapeMarkdown(title), `"`, `\"`) + `"`
	}
	text += ")"
	if m.Link != "" {
		text = "[" + text + "](" + target(m.Link) + ")"
	}
	return text
}

// target is an address between brackets or parentheses.
func target(address string) string {
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
	write := func(row []Cell) {
		for x := range cols {
			b.WriteString("| ")
			if x < len(row) && len(row[x].Runs) > 0 {
				cell := strings.ReplaceAll(inlineMarkdown(row[x].Runs), "\\\n", " ")
				b.WriteString(strings.ReplaceAll(cell, "|", `\|`) + " ")
			}
		}
		b.WriteString("|")
	}
	if !isHeader(rows[0]) { // it has to have one
		write(nil)
	} else {
		write(rows[0])
		rows = rows[1:]
	}
	b.WriteString("\n" + strings.Repeat("| --- ", cols) + "|")
	for _, row := range rows {
		b.WriteByte('\n')
		write(row)
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

// inlineMarkdown writes the text of a block, a link at a time.
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
			before, words, after := spaced(text.String())
			b.WriteString(before + "[" + words + "](" + target(link) + ")" + after)
		} else {
			b.WriteString(text.String())
		}
		i = n
	}
	return strings.ReplaceAll(b.String(), "\n", "\\\n")
}

// spaced parts the blanks around a text from it: marks of emphasis must touch what they emphasise.
func spaced(s string) (before, text, after string) {
	text = strings.TrimLeft(s, " \n")
	before = s[:len(s)-len(text)]
	s = text
	text = strings.TrimRight(s, " \n")
	return before, text, s[len(text):]
}

func (r Run) markdown() string {
	before, text, after := spaced(r.Text)
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
	}{{Sub, "<sub>", "</sub>"}, {Sup, "<sup>", "</sup>"}, {Underline, "<u>", "</u>"}, {Strike, "~~", "~~"}, {Italic, "*", "*"}, {Bold, "**", "**"}} {
		if r.Style&m.style != 0 {
			text = m.open + text + m.close
		}
	}
	return before + text + after
}

// codeSpan puts a text between more backticks than are in it.
func codeSpan(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	ticks := "`"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	if len(ticks) > 1 || strings.HasPrefix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "~", `\~`, "&", `\&`)

func escapeMarkdown(s string) string { return escapes.Replace(s) }
