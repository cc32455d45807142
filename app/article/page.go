package article

import (
	"sort"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

// minWidth is the width, in units, below which text is clipped instead of wrapped: while a pane is folded away, a line for
// every character would be laid out.
const minWidth = 120

// frame is what a page stands in, and what scrolls it. Heights are those of the page.
type frame interface {
	viewport() (top, bottom float32) // what is visible; where the page is out of sight, it lies above or below the page
	scrollTo(y float32) bool         // brings y to the top of the viewport, as near as possible; false if that changes nothing
	keepTop(y float32)               // notes that y is at the top of the viewport, as what was there is now there
	resized()                        // the page has another height
	scrolled(*fyne.ScrollEvent)      // the wheel was turned
}

// page is one article, or a message, laid out. It is as high as that, but only drawn around the viewport of its frame.
type page struct {
	widget.BaseWidget
	view  *View
	frame frame
	now   func() time.Time

	article *Article // as it is shown
	whole   *Article // with what is folded away
	folds   folds
	message string // shown without an article

	*typography
	rendering
	viewSize fyne.Size
	pictures *pictureLoader

	selection
	finder       finder
	highlights   highlights
	click        clickCounter
	sideScroller sideScroller
	cursor       desktop.Cursor
	hover        string // the link under the pointer

	painter painter
	told    told
	awaited *textPos                      // is scrolled to once the page has a size
	drawn   struct{ top, bottom float32 } // the part of the page that has canvas objects
}

// typography is what the pages of a view are drawn with.
type typography struct {
	style      Style
	stylesheet *stylesheet
}

// follow makes another stylesheet if the theme or the style has changed.
func (t *typography) follow(th fyne.Theme) {
	if t.stylesheet == nil || themeKey(th).withStyle(t.style) != t.stylesheet.stylesheetKey {
		t.stylesheet = newStylesheet(th, t.style)
	}
}

// newPage returns an empty page of a view, which draws it with t and remembers the sizes of pictures in s.
func newPage(v *View, in frame, t *typography, s *sizes, now func() time.Time) *page {
	p := &page{view: v, frame: in, typography: t, now: now, cursor: desktop.DefaultCursor}
	p.pictures, p.finder, p.sideScroller = &pictureLoader{page: p, sizes: s}, finder{page: p}, sideScroller{page: p}
	p.ExtendBaseWidget(p)
	return p
}

// show shows an article, or a message if a is nil.
func (p *page) show(a *Article, message string) { p.showWith(a, nil, message) }

// showWith shows an article with some of its <details> opened or closed.
func (p *page) showWith(a *Article, f folds, message string) {
	if a != nil && f == nil && !p.highlights.marks.Empty() {
		f = folds{}
		f.openAll(a.Body.Blocks) // a search has led here
	}
	p.whole, p.folds = a, f
	if a != nil {
		a = f.shown(a)
	}
	p.pictures.releaseAll()
	if p.building != nil {
		p.building.stop()
	}
	p.article, p.message, p.rendering, p.awaited = a, message, rendering{}, nil
	p.pictures.loadAll = false
	p.selection, p.finder, p.sideScroller = selection{}, finder{page: p}, sideScroller{page: p}
	p.hoverLink("")
	p.follow(p.articleTheme())
	p.compile(func(swap func()) { swap() })
}

func (p *page) articleTheme() fyne.Theme { return look.Of(p.Theme()) }

// compile compiles the article or the message and lays it out.
func (p *page) compile(around func(swap func())) {
	p.highlights.ranges = nil
	switch {
	case p.article != nil:
		p.build(nil, around)
	case p.message != "":
		p.build(p.stylesheet.compileMessage(p.message), around)
	default:
		p.build(&compiled{}, around)
	}
}

// layOutAgain lays the article out at the same width. The blocks that begin below the top of the viewport do not move, even
// if something above them has grown.
func (p *page) layOutAgain() {
	switch {
	case p.lay == nil || p.article == nil:
	case p.building != nil:
		p.building.again = true
	default:
		before := p.height()
		p.build(p.doc, p.keepBlocks)
		if p.height() != before {
			p.frame.resized()
		}
	}
}

// keepBlocks calls swap, and then scrolls to the block that is at the top of the viewport, or the first one below.
func (p *page) keepBlocks(swap func()) {
	top, _ := p.frame.viewport()
	before := p.lay
	block := sort.Search(len(before.tops), func(i int) bool { return before.tops[i] >= top })
	block = min(block, len(before.tops)-1)
	swap()
	if top > 0 && block >= 0 {
		p.frame.keepTop(top + p.lay.tops[block] - before.tops[block])
	}
}

// resize lays the article out for a viewport and keeps the line at its top where it is.
func (p *page) resize(room fyne.Size) {
	if p.viewSize == room {
		return
	}
	wide := p.viewSize.Width != room.Width
	p.viewSize = room
	switch {
	case !wide && p.article != nil:
		p.fill()
	case p.building != nil && p.building.compiles:
		p.build(nil, p.keepTop)
	case p.doc != nil:
		p.build(p.doc, p.keepTop)
	}
	if at := p.awaited; at != nil && room.Width > 0 {
		p.awaited = nil
		p.goTo(*at)
	}
}

// goTo scrolls to a position once the article is laid out to its end.
func (p *page) goTo(at textPos) {
	if p.viewSize.Width <= 0 {
		p.awaited = &at
		return
	}
	p.whenWhole(func() {
		p.frame.resized()
		if at == (textPos{}) {
			p.frame.scrollTo(0)
			return
		}
		p.frame.scrollTo(p.yOf(at) - p.topMargin() + 1) // or the line above would be at the top, as lines touch
	})
}

// keepTop calls swap, and then scrolls to the text that was at the top of the viewport.
func (p *page) keepTop(swap func()) {
	at, ok := p.topPos()
	swap()
	if ok && p.lay != nil {
		p.frame.keepTop(p.yOf(at) - p.topMargin())
	}
}

// topMargin is the space above a line that is scrolled to the top.
func (p *page) topMargin() float32 { return p.stylesheet.pad }

// topPos returns where the text at the top of the viewport begins. ok is false at the top of the article.
func (p *page) topPos() (textPos, bool) {
	top, _ := p.frame.viewport()
	if p.lay == nil || top <= 0 || p.article == nil {
		return textPos{}, false
	}
	first, _ := p.lay.linesByY.within(top+p.topMargin(), top+p.viewSize.Height)
	if first == len(p.lay.lines) {
		return textPos{}, false
	}
	return textPos{p.lay.lines[first].text, p.lay.lines[first].Start}, true
}

// yOf returns the top of the line that contains a position.
func (p *page) yOf(at textPos) float32 {
	for _, ln := range p.lay.lines {
		if ln.text == at.text && at.off < ln.End {
			return ln.y
		}
	}
	return 0
}

func (p *page) height() float32 {
	if p.lay == nil {
		return 0
	}
	return p.lay.height
}

func (p *page) lineHeight() float32 {
	if p.stylesheet == nil {
		return 0
	}
	return p.stylesheet.running().size * p.stylesheet.running().leading
}

// madeBy returns the stylesheet that the page is, or is being, compiled with; nil for none.
func (p *page) madeBy() *stylesheet {
	doc := p.doc
	if p.building != nil {
		doc = p.building.doc
	}
	if doc == nil {
		return nil
	}
	return doc.madeBy
}

// applyTheme follows a change of the theme. Colors are looked up when they are drawn.
func (p *page) applyTheme() {
	if p.follow(p.articleTheme()); p.madeBy() != p.stylesheet {
		p.compile(p.keepTop)
	}
}

// drawVisible draws the lines around the viewport if it has left the part of the page drawn before, or if the scale of the
// window has changed, as it does when the window is first shown. Sideways scroll bars stay in the viewport.
func (p *page) drawVisible() {
	top, bottom := p.frame.viewport()
	if max(0, top) < p.drawn.top || min(bottom, p.height()) > p.drawn.bottom || p.scale() != p.painter.scale {
		p.fill()
	} else {
		p.sideScroller.placeBars()
	}
}

// CreateRenderer implements fyne.Widget.
func (p *page) CreateRenderer() fyne.WidgetRenderer { return pageRenderer{p} }

type pageRenderer struct{ *page }

func (r pageRenderer) Destroy()                     {}
func (r pageRenderer) MinSize() fyne.Size           { return fyne.NewSize(1, r.page.height()) }
func (r pageRenderer) Objects() []fyne.CanvasObject { return r.page.painter.objects }

// Layout ignores the size: the view sets the width before the scroll asks for the height.
func (r pageRenderer) Layout(fyne.Size) { r.page.drawVisible() }

func (r pageRenderer) Refresh() {
	r.page.applyTheme()
	r.page.fill()
}

// scale is the number of pixels a unit.
func (p *page) scale() float32 {
	if c := fyne.CurrentApp().Driver().CanvasForObject(p.view); c != nil && c.Scale() > 0 {
		return c.Scale()
	}
	return 1
}

// fill creates the canvas objects of what is within half a screen of the viewport.
func (p *page) fill() {
	p.painter.begin(p.articleTheme(), p.scale())
	if p.lay != nil {
		top, bottom := p.frame.viewport()
		margin := max((bottom-top)/2, 100)
		p.drawn.top, p.drawn.bottom = max(0, top-margin), min(bottom+margin, p.lay.height)
		p.sideScroller.paint()
		p.paintDecorations()
		p.paintLines()
	}
	p.painter.end()
	canvas.Refresh(p)
	p.pictures.update()
}
