package article

import (
	"iter"

	"kairos/app/bidi"
	"kairos/reader/content"
)

// A long article is compiled and laid out in pieces, between which the window goes on. Of an article that is new, the beginning
// is there after the first piece, and the page is about as high as the whole will be. When it is laid out again, what is on
// screen stays until the whole is ready.

// rendering is an article compiled and laid out.
type rendering struct {
	doc      *compiled
	lay      *layout   // nil until the width is known
	building *building // of what takes the place of both; nil: nothing
}

// building is an article that is being compiled and laid out.
type building struct {
	pace
	doc *compiled
	layouter
	compiles bool               // the article is compiled, too
	around   func(swap func())  // puts the result in the place of what was there before
	next     func() (more bool) // makes the next piece
	stop     func()
	late     bool     // the window has gone on meanwhile
	shownTo  float32  // the height to which it is shown, of an article that is new
	waiting  []func() // for the whole
	again    bool     // a picture has changed its size meanwhile
}

// piece is how much is compiled or laid out at a time, in bytes of text: some 5 ms, and the whole of most articles.
const piece = 64 << 10

// pace pauses after each piece. A nil one never does.
type pace struct {
	left  int // bytes of text before the next pause
	pause func()
}

// did notes that so many bytes of text have been worked on.
func (p *pace) did(n int) {
	if p == nil {
		return
	}
	if p.left -= n; p.left <= 0 {
		p.left = piece
		p.pause()
	}
}

// build compiles the article, unless doc is that already, and lays it out for the size of the view. around gets a function that
// puts the result in the place of what was there before; it is called before build returns, unless the article is long.
func (p *page) build(doc *compiled, around func(swap func())) {
	b := &building{doc: doc, around: around, compiles: doc == nil, pace: pace{left: piece}}
	if was := p.building; was != nil {
		was.stop()
		b.waiting, b.again = was.waiting, was.again
	}
	p.building = b
	if b.compiles {
		b.doc = &compiled{}
	}
	if doc != p.doc || doc == nil {
		b.doc.madeBy = p.stylesheet
	}
	b.layouter = p.stylesheet.newLayouter(b.doc, max(p.viewSize.Width, minWidth))
	before, figures, blocks := p.doc, 0, 0
	layBlocks := b.layBlocks
	if p.viewSize.Width <= 0 {
		layBlocks = func() {}
	}
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		type stopped struct{}
		defer func() {
			if err := recover(); err != nil && err != any(stopped{}) {
				panic(err)
			}
		}()
		b.pause = func() {
			if !yield(struct{}{}) {
				panic(stopped{})
			}
		}
		if b.compiles {
			p.stylesheet.compileInto(b.doc, p.article, func() {
				for ; figures < len(b.doc.figures); figures++ {
					f := b.doc.figures[figures]
					f.pixels = p.pictures.sizes.get(f.image.URL)
				}
				for ; before != nil && blocks < min(len(b.doc.blocks), len(before.blocks)); blocks++ {
					b.doc.blocks[blocks].scrolled = before.blocks[blocks].scrolled
				}
				layBlocks()
			})
			return
		}
		layBlocks()
	})
	b.stop = stop
	direction := bidi.LeftToRight
	if p.article != nil {
		direction = directionOf(p.article)
	}
	b.next = func() bool {
		s := p.stylesheet
		s.pace, s.direction = &b.pace, direction
		_, more := next()
		s.pace = nil
		return more
	}
	p.carryOn(b)
}

// carryOn makes the next piece.
func (p *page) carryOn(b *building) {
	switch {
	case p.building != b: // another one has taken its place
	case !b.next():
		p.built(b)
	case p.view.Later == nil:
		p.carryOn(b)
	default:
		p.showBeginning(b)
		p.view.Later(func() { p.carryOn(b) })
	}
}

// showBeginning shows what there is of an article that is new.
func (p *page) showBeginning(b *building) {
	b.late = true
	if !b.compiles || p.viewSize.Width <= 0 || p.lay != nil && p.lay != b.layout {
		return
	}
	first, before := p.lay == nil, b.shownTo
	p.doc, p.lay, b.shownTo = b.doc, b.layout, b.y
	grows := first || b.laidHeight() > b.height
	if grows {
		b.height = max(b.laidHeight(), b.y*b.unfinished(p.article))
	}
	if first || before < p.drawn.bottom {
		p.fill()
	}
	if grows {
		p.frame.resized()
	}
}

// unfinished is how many times longer the article is than what there is of it.
func (b *building) unfinished(a *Article) float32 {
	whole, made := 0, 1
	for _, block := range a.Body.Blocks {
		whole += textLength(block.Runs)
		for _, row := range block.Rows {
			for _, cell := range row {
				whole += textLength(cell.Runs)
			}
		}
	}
	for _, t := range b.doc.texts {
		made += len(t.Chars)
	}
	return max(1, float32(whole)/float32(made))
}

func textLength(runs []content.Run) (n int) {
	for _, r := range runs {
		n += len(r.Text)
	}
	return n
}

// built shows the whole.
func (p *page) built(b *building) {
	p.building = nil
	before := p.height()
	if b.shownTo > 0 { // it is there, and stays where it is
		b.height = b.laidHeight()
	} else {
		b.around(func() {
			if p.doc != b.doc {
				p.pictures.releaseAll()
			}
			p.doc, p.lay = b.doc, b.layout
			if p.viewSize.Width <= 0 {
				p.lay = nil
			} else if p.article == nil {
				p.lay.center(p.viewSize.Height)
			}
		})
	}
	p.fill()
	if b.compiles && p.view.OnDeferred != nil {
		p.view.OnDeferred()
	}
	if b.late && p.height() != before {
		p.frame.resized()
	}
	if b.again {
		p.layOutAgain()
	}
	for _, do := range b.waiting {
		do()
	}
}

// whenWhole calls do when the article is laid out to its end.
func (p *page) whenWhole(do func()) {
	if p.building == nil {
		do()
	} else {
		p.building.waiting = append(p.building.waiting, do)
	}
}

// finish makes the article whole at once, if something waits for that.
func (p *page) finish() {
	if b := p.building; b != nil && len(b.waiting) > 0 {
		for b.next() {
		}
		p.built(b)
	}
}
