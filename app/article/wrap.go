package article

// line is one line of a text. Its bytes include the white space it ends with, so that the lines of a text, joined,
// are the text.
type line struct {
	text        int // index into layout.texts
	start, end  int
	first, last int // its fragments are layout.frags[first:last]
	x, y, width float32
}

// frag is a stretch of a line in one look, drawn by one object.
type frag struct {
	start, end int
	span       int
	x, width   float32 // x from the start of the line
	neutral    bool    // signs without a direction of their own, among text read from right to left
}

// wrapper breaks one text into lines no wider than width, greedily: a paragraph on a screen is read once, at a width
// that changes with the window, and is not worth the cost of the best breaks.
type wrapper struct {
	out   *layout
	text  *text
	index int
	width float32

	cur line
	x   float32 // where the next word would go
	gap float32 // white space before it
}

// wrap appends the lines of text number index to l, with its top left corner at x, y. It returns the bottom.
func (l *layout) wrap(index int, x, y, width float32) float32 {
	t := l.texts[index]
	w := wrapper{out: l, text: t, index: index, width: width}
	w.cur = line{text: index, first: len(l.frags), x: x, y: y}
	for i := 0; i < len(t.words); {
		next, wide := w.unit(i)
		if w.x > 0 && w.x+w.gap+wide > width {
			w.flush(t.words[i].start)
		}
		for ; i < next; i++ {
			w.place(t.words[i], wide <= width)
			if t.words[i].after == hard {
				w.flush(t.wordStart(i + 1))
			}
		}
	}
	return w.cur.y
}

// unit returns the end of the words from i that stay together, and their width.
func (w *wrapper) unit(i int) (next int, width float32) {
	for words := w.text.words; i < len(words); i++ {
		width += words[i].width
		if words[i].after != joined {
			return i + 1, width
		}
	}
	return i, width
}

// place puts a word at the end of the line, in pieces if its unit is wider than a whole line.
func (w *wrapper) place(t word, fits bool) {
	if fits || w.x+w.gap+t.width <= w.width {
		w.put(t.start, t.end, t.span, t.width)
	} else {
		w.shred(t)
	}
	w.gap = t.gap
}

// shred breaks a word between characters. A line takes at least one, however narrow it is.
func (w *wrapper) shred(t word) {
	ruler, start, width := w.text.spans[t.span].ruler, t.start, float32(0)
	for i := t.start; i < t.end; {
		n := cluster(w.text.str[i:t.end])
		step := ruler.width(w.text.str[i : i+n])
		if w.x+w.gap+width+step > w.width && (w.x > 0 || width > 0) {
			if i > start {
				w.put(start, i, t.span, width)
			}
			w.flush(i)
			start, width = i, 0
		}
		width += step
		i += n
	}
	w.put(start, t.end, t.span, width)
}

// put adds a piece of text to the line: to its last fragment when that looks the same, for each costs a draw call.
func (w *wrapper) put(start, end, span int, width float32) {
	if end == start {
		return
	}
	at := w.x
	if w.x > 0 {
		at += w.gap
	}
	w.x = at + width
	w.cur.width = w.x
	frags := w.out.frags
	if n := len(frags); n > w.cur.first && frags[n-1].span == span {
		frags[n-1].end, frags[n-1].width = end, w.x-frags[n-1].x
		return
	}
	w.out.frags = append(frags, frag{start: start, end: end, span: span, x: at, width: width})
}

// flush ends the line before byte end and begins the next.
func (w *wrapper) flush(end int) {
	w.cur.end, w.cur.last = end, len(w.out.frags)
	ln := w.cur
	if w.text.mixed {
		w.out.frags = append(w.out.frags[:ln.first], w.text.cutNeutrals(w.out.frags[ln.first:])...)
		ln.last = len(w.out.frags)
		w.cur.last = ln.last
		ln.width = w.text.reorder(w.out.frags[ln.first:])
	}
	if w.text.rtl {
		ln.x += max(0, w.width-ln.width)
	}
	w.out.lines = append(w.out.lines, ln)
	w.cur = line{text: w.index, start: end, first: w.cur.last, x: w.cur.x, y: w.cur.y + w.text.leading}
	w.x, w.gap = 0, 0
}
