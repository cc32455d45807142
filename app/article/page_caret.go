package article

import (
	"sort"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"kairos/app/look"
	"kairos/app/primary"
	"kairos/app/typeset"
)

// Whoever reads with a screen reader, or without a mouse, moves a caret through the article: by character, word, line and
// paragraph. It is the head of the selection. F7 shows and hides it, as in browsers; while a screen reader listens it is
// there. Tab takes it from link to link.

// caret is whether the view has a caret, and where it is going.
type caret struct {
	on    bool
	goal  float32 // the place on a line that Up and Down keep, from the left of the page
	going bool    // by Up and Down
}

// caretWidth is the width of the caret, in units.
const caretWidth = 2

// paintCaret draws the caret, if it is on a line.
func (p *page) paintCaret(ln *line) {
	if p.head.text != ln.text || p.lay.lineNear(p.head) != ln {
		return
	}
	p.painter.rectAbove(ln.x+p.lay.offsetX(ln, p.head.off), ln.y, caretWidth, p.lay.texts[ln.text].leading, look.ColorText)
}

// hasCaret reports whether the page shows the caret.
func (p *page) hasCaret() bool {
	return p.view.caret.on && p.view.focus.focused && p.view.page == p && p.article != nil
}

// lineNear returns the line that contains a position, or else the last one of its text; nil if that is not laid out.
func (l *layout) lineNear(at textPos) *line {
	if i := l.lineIndex(at); i >= 0 {
		return &l.lines[i]
	}
	return nil
}

func (l *layout) lineIndex(at textPos) int {
	last := -1
	for i := range l.lines {
		if ln := &l.lines[i]; ln.text == at.text {
			if last = i; at.off < ln.End {
				return i
			}
		}
	}
	return last
}

// caretKey moves the caret; false if the key does something else.
func (p *page) caretKey(key fyne.KeyName, held fyne.KeyModifier) bool {
	if !p.view.caret.on || p.lay == nil || p.article == nil || len(p.lay.lines) == 0 {
		return false
	}
	at, ok := p.head, true
	if at.text < len(p.lay.texts) && p.lay.texts[at.text].RTL {
		key = turnedKey(key)
	}
	far := held&fyne.KeyModifierShortcutDefault != 0
	level := false
	switch {
	case key == fyne.KeyRight && far:
		at = p.lay.wordAfter(at)
	case key == fyne.KeyLeft && far:
		at = p.lay.wordBefore(at)
	case key == fyne.KeyRight:
		at, ok = p.lay.after(at)
	case key == fyne.KeyLeft:
		at, ok = p.lay.beforePos(at)
	case key == fyne.KeyDown && far:
		at = p.lay.paragraphBeside(at, 1)
	case key == fyne.KeyUp && far:
		at = p.lay.paragraphBeside(at, -1)
	case key == fyne.KeyPageDown && far:
		at = p.lay.headingBeside(at, 1)
	case key == fyne.KeyPageUp && far:
		at = p.lay.headingBeside(at, -1)
	case key == fyne.KeyDown:
		level, at = true, p.lineBeside(at, 1)
	case key == fyne.KeyUp:
		level, at = true, p.lineBeside(at, -1)
	case key == fyne.KeyHome && far:
		at = textPos{p.lay.lines[0].text, 0}
	case key == fyne.KeyEnd && far:
		last := &p.lay.lines[len(p.lay.lines)-1]
		at = textPos{last.text, len(p.lay.texts[last.text].Chars)}
	case key == fyne.KeyHome:
		at.off = p.lay.lineNear(at).Start
	case key == fyne.KeyEnd:
		at.off = p.lay.endOf(p.lay.lineNear(at))
	default:
		return false
	}
	if ok {
		extend := held&fyne.KeyModifierShift != 0
		if p.moveCaret(at, extend); extend {
			primary.Set(p.selected())
		}
		p.view.caret.going = level
		p.view.chosen()
	}
	return true
}

// turnedKey exchanges left and right, for text that is read from right to left.
func turnedKey(key fyne.KeyName) fyne.KeyName {
	switch key {
	case fyne.KeyLeft:
		return fyne.KeyRight
	case fyne.KeyRight:
		return fyne.KeyLeft
	}
	return key
}

// moveCaret moves the caret and scrolls to it; extend keeps the other end of the selection.
func (p *page) moveCaret(to textPos, extend bool) {
	if p.lay == nil || to.text >= len(p.lay.texts) {
		return
	}
	if !extend {
		p.anchor, p.anchorEnd = to, to
	}
	p.head, p.headEnd = to, to
	p.sideScroller.focused = 0
	p.showPos(to)
	p.fill()
	p.hoverLink(linkAddress(p.linkAtCaret()))
}

// linkAtCaret returns the link that the caret is in, "" without one.
func (p *page) linkAtCaret() string {
	if p.lay == nil || p.head.text >= len(p.lay.texts) {
		return ""
	}
	t := p.lay.texts[p.head.text]
	for i, s := range t.Spans {
		if p.head.off < s.End {
			return t.look(i).link
		}
	}
	return ""
}

// figureAtCaret returns the picture whose text the caret is in, nil without one.
func (p *page) figureAtCaret() *figure {
	for _, f := range p.pictures.figures() {
		if f.label == p.head.text {
			return f
		}
	}
	return nil
}

// endOf is the last place on a line: before the white space at which it ends, unless the text ends there.
func (l *layout) endOf(ln *line) int {
	chars := l.texts[ln.text].Chars
	if ln.End == len(chars) || ln.End == ln.Start {
		return ln.End
	}
	_, size := utf8.DecodeLastRuneInString(chars[:ln.End])
	return ln.End - size
}

// after is the place behind the next character; false at the end.
func (l *layout) after(at textPos) (textPos, bool) {
	if chars := l.texts[at.text].Chars; at.off < len(chars) {
		return textPos{at.text, at.off + typeset.ClusterLength(chars[at.off:])}, true
	}
	next := l.paragraphBeside(at, 1)
	return next, next.text != at.text
}

// beforePos is the place before the character before; false at the beginning.
func (l *layout) beforePos(at textPos) (textPos, bool) {
	if at.off == 0 {
		i := l.lineIndex(at)
		if i <= 0 {
			return at, false
		}
		before := l.lines[i-1].text
		return textPos{before, len(l.texts[before].Chars)}, true
	}
	chars, off := l.texts[at.text].Chars[:at.off], 0
	// Characters are as long as they are read from some beginning; the one of the line is near.
	if ln := l.lineNear(at); ln != nil && ln.Start < at.off {
		off = ln.Start
	}
	for {
		n := typeset.ClusterLength(chars[off:])
		if off+n >= len(chars) {
			return textPos{at.text, off}, true
		}
		off += n
	}
}

// wordAfter is where the next word begins.
func (l *layout) wordAfter(at textPos) textPos {
	for {
		chars := l.texts[at.text].Chars
		if at.off >= len(chars) {
			next, ok := l.after(at)
			if !ok {
				return at
			}
			at = next
			if at.off == 0 && l.startsWord(at) {
				return at
			}
			continue
		}
		_, at = l.wordAround(at)
		if l.startsWord(at) {
			return at
		}
	}
}

// wordBefore is where the word before begins, or the one that a position is in.
func (l *layout) wordBefore(at textPos) textPos {
	for {
		before, ok := l.beforePos(at)
		if !ok {
			return at
		}
		if at = before; at.off == len(l.texts[at.text].Chars) && at.off > 0 {
			continue // the end of the text before
		}
		if at, _ = l.wordAround(at); l.startsWord(at) {
			return at
		}
	}
}

// startsWord reports whether a word begins at a position, and no white space.
func (l *layout) startsWord(at textPos) bool {
	chars := l.texts[at.text].Chars
	if at.off >= len(chars) {
		return false
	}
	c, _ := utf8.DecodeRuneInString(chars[at.off:])
	return wordClass(c) > 1
}

// paragraphBeside is the beginning of the next text, or of this one or the one before it if step is negative; at the last
// text its end.
func (l *layout) paragraphBeside(at textPos, step int) textPos {
	i := l.lineIndex(at)
	if i < 0 {
		return at
	}
	if step < 0 && at.off > 0 {
		return textPos{at.text, 0}
	}
	for ; i >= 0 && i < len(l.lines); i += step {
		if to := l.lines[i].text; to != at.text {
			return textPos{to, 0}
		}
	}
	if step > 0 {
		return textPos{at.text, len(l.texts[at.text].Chars)}
	}
	return textPos{at.text, 0}
}

// headingBeside is the beginning of the next heading, or of this one or the one before it if step is negative; without one
// the position stays.
func (l *layout) headingBeside(at textPos, step int) textPos {
	found := at
	for i := range l.blocks {
		b := &l.blocks[i]
		if b.kind != heading {
			continue
		}
		to := textPos{text: b.text}
		switch {
		case step > 0 && at.text < to.text:
			return to
		case step < 0 && to.before(at):
			found = to
		}
	}
	return found
}

// lineBeside is the place on the next line, or the one before, that is at the same distance from the left.
func (p *page) lineBeside(at textPos, step int) textPos {
	l := p.lay
	i := l.lineIndex(at)
	if i < 0 || i+step < 0 || i+step >= len(l.lines) {
		return at
	}
	if !p.view.caret.going {
		p.view.caret.goal = l.lines[i].x + l.offsetX(&l.lines[i], at.off)
	}
	to := &l.lines[i+step]
	off := l.offsetAt(to, p.view.caret.goal-to.x)
	return textPos{to.text, min(off, l.endOf(to))}
}

// held are the modifiers that are held.
func held() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// caretAtTop puts the caret to the first line on screen, if it is out of sight.
func (p *page) caretAtTop() {
	top, bottom := p.frame.viewport()
	if p.lay == nil || len(p.lay.lines) == 0 {
		return
	}
	if ln := p.lay.lineNear(p.head); ln != nil && ln.y >= top && ln.y < bottom {
		return
	}
	i := sort.Search(len(p.lay.lines), func(i int) bool { return p.lay.lines[i].y >= top })
	ln := &p.lay.lines[min(i, len(p.lay.lines)-1)]
	p.anchor = textPos{ln.text, ln.Start}
	p.anchorEnd, p.head, p.headEnd = p.anchor, p.anchor, p.anchor
}
