package article

import "fyne.io/fyne/v2"

// passage is a link of the page: what it stands on, and where it leads.
type passage struct {
	from, to spot
	link     string
}

// links are the links of the page in reading order. One that runs over several spans, as
// where a word of it is bold, is one.
func (c *compiled) links() []passage {
	var all []passage
	for i, t := range c.texts {
		start := 0
		for _, s := range t.spans {
			from := spot{i, start}
			start = s.end
			if s.link == "" {
				continue
			}
			if n := len(all) - 1; n >= 0 && all[n].to == from && all[n].link == s.link {
				all[n].to.off = s.end
				continue
			}
			all = append(all, passage{from, spot{i, s.end}, s.link})
		}
	}
	return all
}

// typedTab chooses the next link of the article, or the one before; past the last the focus
// goes on as everywhere.
func (v *View) typedTab(back bool) {
	if !v.page.stepLink(back) {
		v.page.selectRange(spot{}, spot{})
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

// AcceptsTab implements fyne.Tabbable: Tab goes through the links.
func (v *View) AcceptsTab() bool { return true }

var _ fyne.Tabbable = (*View)(nil)

// stepLink selects the link after, or before, what is selected, or the first that is seen, and
// brings it into sight. It reports whether there is one.
func (p *page) stepLink(back bool) bool {
	if p.lay == nil || p.article == nil {
		return false
	}
	links := p.lay.links()
	next := p.linkBeside(links, back)
	if next < 0 || next >= len(links) {
		return false
	}
	l := links[next]
	p.selectRange(l.from, l.to)
	if ln := p.lay.lineOf(l.from); ln != nil {
		top, bottom := p.view.viewport()
		if ln.y < top || ln.y+p.lineHeight() > bottom {
			p.view.scrollTo(ln.y - (bottom-top)/3)
		}
	}
	if p.view.OnHover != nil {
		p.view.OnHover(address(l.link))
	}
	return true
}

// linkBeside is the number of the link to go to; it may lie outside of links.
func (p *page) linkBeside(links []passage, back bool) int {
	from, to := p.extent()
	if from == to { // begin where one looks
		top, _ := p.view.viewport()
		for i := range p.lay.lines {
			if ln := &p.lay.lines[i]; ln.y >= top {
				from = spot{ln.text, ln.start}
				to = from
				break
			}
		}
	}
	if back {
		for i := len(links) - 1; i >= 0; i-- {
			if links[i].from.before(from) {
				return i
			}
		}
		return -1
	}
	for i, l := range links {
		if !l.from.before(to) {
			return i
		}
	}
	return len(links)
}

// chosenLink is the link that is selected as a whole, "" for none.
func (p *page) chosenLink() string {
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
