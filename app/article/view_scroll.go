package article

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// ownScroll is the frame of a page that has a scroll of its own.
type ownScroll struct {
	scroll *container.Scroll
	page   *page
}

var _ frame = (*ownScroll)(nil)

func newOwnScroll(p *page) *ownScroll {
	s := &ownScroll{container.NewVScroll(p), p}
	s.scroll.OnScrolled = func(fyne.Position) { p.drawVisible() }
	return s
}

func (s *ownScroll) viewport() (top, bottom float32) {
	return s.scroll.Offset.Y, s.scroll.Offset.Y + s.scroll.Size().Height
}

func (s *ownScroll) scrollTo(y float32) bool {
	y = max(0, min(y, s.page.MinSize().Height-s.scroll.Size().Height))
	if diff := y - s.scroll.Offset.Y; diff < 0.5 && diff > -0.5 {
		return false
	}
	s.scroll.ScrollToOffset(fyne.NewPos(0, y))
	s.page.drawVisible()
	return true
}

func (s *ownScroll) keepTop(y float32) {
	s.scroll.Offset.Y = max(0, min(y, s.page.height()-s.page.viewSize.Height))
}

func (s *ownScroll) resized() { s.scroll.Refresh() }

func (s *ownScroll) scrolled(ev *fyne.ScrollEvent) {
	before := s.scroll.Offset
	if s.scroll.Scrolled(ev); s.scroll.Offset != before {
		s.page.view.chosen()
	}
}

// resize gives the page and its scroll a size; the scroll asks the page for its height.
func (s *ownScroll) resize(size fyne.Size) {
	s.page.resize(size)
	s.scroll.Resize(size)
	s.page.drawVisible()
}
