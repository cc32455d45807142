package article

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"kairos/app/primary"
	"kairos/app/widgets"
	"kairos/reader/discover"
)

var (
	_ desktop.Mouseable      = (*page)(nil)
	_ desktop.Hoverable      = (*page)(nil)
	_ desktop.Cursorable     = (*page)(nil)
	_ fyne.Draggable         = (*page)(nil)
	_ fyne.Tappable          = (*page)(nil)
	_ fyne.SecondaryTappable = (*page)(nil)
	_ fyne.Scrollable        = (*page)(nil)
)

// Clicks closer together than these are one multiple click. The double tap of the driver is not used: with it every tap, and
// so every link, would wait whether a second one follows.
const (
	multiClickTime = 400 * time.Millisecond
	multiClickMove = 4
)

// clickCounter counts the presses of a multiple click: 1 places the selection, 2 select a word, 3 a whole text.
type clickCounter struct {
	count int
	at    time.Time
	pos   fyne.Position
	down  bool
}

func (c *clickCounter) press(at time.Time, pos fyne.Position) {
	d := pos.Subtract(c.pos)
	near := max(d.X, -d.X) < multiClickMove && max(d.Y, -d.Y) < multiClickMove
	if !near || at.Sub(c.at) > multiClickTime || c.count == 3 {
		c.count = 0
	}
	c.count++
	c.at, c.pos, c.down = at, pos, true
}

// MouseDown implements desktop.Mouseable. It takes the focus and begins a selection, or extends it with Shift.
func (p *page) MouseDown(ev *desktop.MouseEvent) {
	p.view.focusByMouse()
	p.view.choose(p)
	if ev.Button != desktop.MouseButtonPrimary || p.lay == nil || p.article == nil {
		return
	}
	p.view.chosen()
	if p.sideScroller.startDrag(ev.Position) {
		return
	}
	extend := ev.Modifier&fyne.KeyModifierShift != 0 && len(p.lay.texts) > 0
	p.click.press(p.now(), ev.Position)
	from, to := p.selectionUnitAt(ev.Position)
	if !extend {
		p.anchor, p.anchorEnd = from, to
	}
	p.head, p.headEnd = from, to
	p.sideScroller.focused = 0
	p.fill()
}

// MouseUp implements desktop.Mouseable.
func (p *page) MouseUp(*desktop.MouseEvent) {
	p.endDrag()
	primary.Set(p.selected())
}

// selectionUnitAt returns the ends of what the current click selects at a point: nothing, a word or a text.
func (p *page) selectionUnitAt(pos fyne.Position) (from, to textPos) {
	at := p.lay.positionAt(pos.X, pos.Y)
	switch {
	case len(p.lay.texts) == 0 || p.click.count <= 1:
		return at, at
	case p.click.count == 2:
		return p.lay.wordAround(at)
	}
	return textPos{at.text, 0}, textPos{at.text, len(p.lay.texts[at.text].Chars)}
}

// Dragged implements fyne.Draggable. It extends the selection and scrolls at the edges of the viewport and of parts that
// scroll sideways; or it moves the scroll bar of such a part.
func (p *page) Dragged(ev *fyne.DragEvent) {
	if p.lay == nil || p.article == nil || p.sideScroller.drag(ev.Position) {
		return
	}
	if !p.click.down {
		p.click.press(p.now(), ev.Position.SubtractXY(ev.Dragged.DX, ev.Dragged.DY))
		p.anchor, p.anchorEnd = p.selectionUnitAt(p.click.pos)
	}
	top, bottom := p.frame.viewport()
	switch {
	case ev.Position.Y < top:
		p.view.scrollBy(-p.lineHeight())
	case ev.Position.Y > bottom:
		p.view.scrollBy(p.lineHeight())
	}
	p.sideScroller.autoScroll(ev.Position)
	p.head, p.headEnd = p.selectionUnitAt(ev.Position)
	p.fill()
}

// DragEnd implements fyne.Draggable.
func (p *page) DragEnd() { p.endDrag() }

func (p *page) endDrag() {
	p.click.down = false
	p.sideScroller.endDrag()
}

// Tapped implements fyne.Tappable. It opens the link or picture under the pointer.
func (p *page) Tapped(ev *fyne.PointEvent) {
	if p.lay == nil || p.click.count > 1 || p.lay.barAt(ev.Position) != nil {
		return
	}
	if f := p.lay.figureAt(ev.Position.X, ev.Position.Y); f != nil {
		p.tapFigure(f)
	} else if url, _ := p.lay.linkAt(ev.Position.X, ev.Position.Y); url != "" {
		p.view.activateLink(url)
	}
}

// MouseIn implements desktop.Hoverable.
func (p *page) MouseIn(ev *desktop.MouseEvent) { p.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (p *page) MouseMoved(ev *desktop.MouseEvent) {
	if p.lay == nil || p.article == nil {
		return
	}
	if p.sideScroller.hover(ev.Position) {
		p.cursor = desktop.DefaultCursor
		p.hoverLink("")
		return
	}
	f := p.lay.figureAt(ev.Position.X, ev.Position.Y)
	url, text := p.lay.linkAt(ev.Position.X, ev.Position.Y)
	if f != nil {
		url = f.image.Link
	}
	p.hoverLink(linkAddress(url))
	switch {
	case url != "", f != nil && f.state >= shown:
		p.cursor = desktop.PointerCursor
	case text != "":
		p.cursor = desktop.TextCursor
	default:
		p.cursor = desktop.DefaultCursor
	}
}

// MouseOut implements desktop.Hoverable.
func (p *page) MouseOut() {
	p.cursor = desktop.DefaultCursor
	p.hoverLink("")
	if p.sideScroller.hovered != 0 {
		p.sideScroller.hovered = 0
		p.fill()
	}
}

// Cursor implements desktop.Cursorable.
func (p *page) Cursor() desktop.Cursor { return p.cursor }

// hoverLink notes the link under the pointer or the caret, "" for none. Without the login that its address may have: another host
// could stand in it, before that which is asked.
func (p *page) hoverLink(url string) {
	if url == p.hover {
		return
	}
	p.hover = url
	if p.view.OnHover != nil {
		p.view.OnHover(truncate(discover.WithoutLogin(url), 500))
	}
}

// Scrolled implements fyne.Scrollable. Sideways, as with Shift or two fingers, it scrolls the part under the pointer if that
// scrolls sideways; else it scrolls the page.
func (p *page) Scrolled(ev *fyne.ScrollEvent) {
	ev = widgets.WheelLines(ev, p.lineHeight())
	dx, dy := ev.Scrolled.DX, ev.Scrolled.DY
	if p.lay != nil && max(dx, -dx) > max(dy, -dy) {
		if s := p.lay.sideUnder(ev.Position); s != nil {
			p.sideScroller.scroll(s, s.at-dx)
			return
		}
	}
	p.frame.scrolled(ev)
}
