package article

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
)

// tabStop is a place that Tab goes to: a link with its text, or the beginning of a part that scrolls sideways.
type tabStop struct {
	from, to textPos
	link     string
	side     *sideScroll
}

// links returns the links of the page in reading order. A link over several spans, as with a bold word in it, is one.
func (c *compiled) links() []tabStop {
	var all []tabStop
	for i, t := range c.texts {
		start := 0
		for n, s := range t.Spans {
			from := textPos{i, start}
			start = s.End
			link := t.look(n).link
			if link == "" {
				continue
			}
			if n := len(all) - 1; n >= 0 && all[n].to == from && all[n].link == link {
				all[n].to.off = s.End
				continue
			}
			all = append(all, tabStop{from: from, to: textPos{i, s.End}, link: link})
		}
	}
	return all
}

// tabStops returns the links of the page and the parts that scroll sideways, in reading order.
func (l *layout) tabStops() []tabStop {
	var all []tabStop
	for _, s := range l.sideScrolls {
		at := textPos{text: s.first}
		all = append(all, tabStop{from: at, to: at, side: s})
	}
	all = append(all, l.links()...)
	slices.SortStableFunc(all, func(a, b tabStop) int {
		return cmp.Or(cmp.Compare(a.from.text, b.from.text), cmp.Compare(a.from.off, b.from.off))
	})
	return all
}

// tab goes to the next tab stop of the article, or to the one before. After the last one the focus leaves the view.
func (v *View) tab(back bool) {
	if !v.page.tabTo(back) {
		stay := textPos{}
		if v.page.hasCaret() {
			stay = v.page.head
		}
		v.page.selectRange(stay, stay)
		v.page.hoverLink("")
		c := fyne.CurrentApp().Driver().CanvasForObject(v)
		switch {
		case c == nil:
		case back:
			c.FocusPrevious()
		default:
			c.FocusNext()
		}
	}
}

// AcceptsTab implements fyne.Tabbable: Tab goes through the links and the parts that scroll sideways.
func (v *View) AcceptsTab() bool { return true }

var _ fyne.Tabbable = (*View)(nil)

// tabTo goes to the tab stop after the selection, or to the one before it: it selects a link, or gives the keys Left and
// Right to a part that scrolls sideways, and scrolls it into view. Without a selection it starts at the caret, or at the first
// visible line. It returns false if there is no such stop.
func (p *page) tabTo(back bool) bool {
	if p.lay == nil || p.article == nil {
		return false
	}
	stops := p.lay.tabStops()
	next := p.nextStop(stops, back)
	if next < 0 || next >= len(stops) {
		return false
	}
	at := stops[next]
	p.selectRange(at.from, at.to)
	if at.side != nil {
		p.sideScroller.focused = at.side.id()
		p.scrollIntoView(at.side.y, at.side.y+at.side.h)
		p.fill()
	} else if ln := p.lay.lineOf(at.from); ln != nil {
		p.scrollIntoView(ln.y, ln.y+p.lineHeight())
		p.sideScroller.showRange(at.from, at.to)
	}
	p.hoverLink(linkAddress(at.link))
	return true
}

// scrollIntoView scrolls the page so that the part between two heights is visible, or its beginning if it is higher than
// the viewport.
func (p *page) scrollIntoView(from, to float32) {
	if top, bottom := p.frame.viewport(); from < top || min(to, from+(bottom-top)/2) > bottom {
		p.frame.scrollTo(from - (bottom-top)/3)
	}
}

// nextStop returns the index of the tab stop to go to. It may be outside of stops.
func (p *page) nextStop(stops []tabStop, back bool) int {
	step := 1
	if back {
		step = -1
	}
	if p.sideScroller.focused != 0 {
		if i := slices.IndexFunc(stops, func(at tabStop) bool { return at.side.id() == p.sideScroller.focused }); i >= 0 {
			return i + step
		}
	}
	from, to := p.extent()
	if from == to && !p.hasCaret() { // start at the first visible line
		top, _ := p.frame.viewport()
		for i := range p.lay.lines {
			if ln := &p.lay.lines[i]; ln.y >= top {
				from = textPos{ln.text, ln.Start}
				to = from
				break
			}
		}
	}
	if back {
		for i := len(stops) - 1; i >= 0; i-- {
			if stops[i].from.before(from) {
				return i
			}
		}
		return -1
	}
	for i, l := range stops {
		if !l.from.before(to) {
			return i
		}
	}
	return len(stops)
}

// focusedLink returns the link whose text is selected, "" if none is.
func (p *page) focusedLink() string {
	from, to := p.extent()
	if p.lay == nil || from == to {
		return ""
	}
	for _, l := range p.lay.links() {
		if l.from == from && l.to == to {
			return l.link
		}
	}
	return ""
}
