package article

import (
	"net/url"
	"slices"
	"strings"
)

// jump scrolls to what a link within the article leads to, such as a footnote, and puts the caret there. It returns false for links
// that lead elsewhere.
func (p *page) jump(address string) bool {
	to, fragment, _ := strings.Cut(address, "#")
	if p.whole == nil || fragment == "" || !samePage(to, p.whole.Link) {
		return false
	}
	if _, ok := p.whole.Body.Target(fragment); !ok {
		return false
	}
	p.unfold() // it may be folded away
	p.whenWhole(func() {
		target, _ := p.article.Body.Target(fragment)
		at := textPos{text: slices.IndexFunc(p.lay.texts, func(t *text) bool { return t.block >= target })}
		if ln := p.lay.lineNear(at); at.text >= 0 && ln != nil {
			p.selectRange(at, at)
			from, _, known := p.view.Place()
			p.frame.scrollTo(ln.y - p.lineHeight())
			if to, _, _ := p.view.Place(); known && p.view.OnJump != nil {
				p.view.OnJump(from, to)
			}
			p.hoverLink("") // the pointer has not moved, but the link has
		}
	})
	p.finish()
	return true
}

// samePage reports whether two addresses are those of one page, whatever a feed adds to its links to count clicks.
func samePage(a, b string) bool {
	x, errX := url.Parse(a)
	y, errY := url.Parse(b)
	if errX != nil || errY != nil || !strings.EqualFold(x.Hostname(), y.Hostname()) || strings.Trim(x.Path, "/") != strings.Trim(y.Path, "/") {
		return false
	}
	return x.RawQuery == y.RawQuery || x.RawQuery == "" || y.RawQuery == ""
}
