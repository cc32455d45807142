package article

// lineOf returns the line that contains a position, nil if it is not laid out.
func (l *layout) lineOf(at textPos) *line {
	for i := range l.lines {
		if ln := &l.lines[i]; ln.text == at.text && at.off >= ln.Start && at.off < ln.End {
			return ln
		}
	}
	return nil
}

// lineAt returns the line nearest to a point, nil on an empty page. level reports whether it is at the height of the point.
func (l *layout) lineAt(x, y float32) (best *line, level bool) {
	first, last := l.linesByY.within(y, y)
	for i := first; i < last; i++ {
		ln := &l.lines[i]
		if y < ln.y || y >= ln.y+l.texts[ln.text].leading {
			continue
		}
		if best == nil || ln.distance(x) < best.distance(x) {
			best = ln
		}
	}
	if best != nil {
		return best, true
	}
	for i := max(0, first-1); i < min(first+1, len(l.lines)); i++ {
		ln := &l.lines[i]
		if best == nil || l.gapTo(ln, y) < l.gapTo(best, y) {
			best = ln
		}
	}
	return best, false
}

// from returns the distance of a point of the page from the start of the line.
func (ln *line) from(x float32) float32 { return ln.in.contentX(x) - ln.x }

// distance is how far beside the line a point is, 0 within it.
func (ln *line) distance(x float32) float32 { return max(0, -ln.from(x), ln.from(x)-ln.Width) }

// gapTo is how far above or below a line a height is.
func (l *layout) gapTo(ln *line, y float32) float32 {
	return max(0, ln.y-y, y-ln.y-l.texts[ln.text].leading)
}

// positionAt returns the position nearest to a point.
func (l *layout) positionAt(x, y float32) textPos {
	ln, _ := l.lineAt(x, y)
	if ln == nil {
		return textPos{}
	}
	return textPos{ln.text, l.offsetAt(ln, ln.from(x))}
}

// linkAt returns the link at a point and its text. Both are "" without text there; only the link is without a link.
func (l *layout) linkAt(x, y float32) (url, on string) {
	ln, level := l.lineAt(x, y)
	if ln == nil || !level || !ln.in.isVisible(x) {
		return "", ""
	}
	t, at := l.texts[ln.text], ln.from(x)
	for _, f := range l.fragmentsOf(ln) {
		if at >= f.X && at < f.X+f.Width {
			return t.look(f.Span).link, t.SpanText(f.Span)
		}
	}
	if ln.distance(x) == 0 {
		return "", t.Chars
	}
	return "", ""
}

// figureAt returns the figure at a point of the page, nil without one.
func (l *layout) figureAt(x, y float32) *figure {
	first, last := l.decorationsByY.within(y, y)
	for i := first; i < last; i++ {
		if m := &l.decorations[i]; m.figure != nil && y >= m.y && y < m.y+m.h && x >= m.x && x < m.x+m.w {
			return m.figure
		}
	}
	return nil
}
