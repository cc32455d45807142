package article

import (
	"errors"
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"kairos/app/look"
	"kairos/reader/picture"
)

// ErrHeld says that a picture is not loaded until the reader asks for it.
var ErrHeld = errors.New("pictures are loaded when they are asked for")

// Pictures is where a view has its pictures from.
type Pictures interface {
	// Load brings the picture at an address, in a size that fits into box in pixels, to done: on Fyne's goroutine, once,
	// and not before Load has returned. asked says that the reader asked for it. An error is a sentence for people, or
	// ErrHeld. What cancel is called for need not come.
	Load(address string, box image.Point, asked bool, done func(picture.Picture, error)) (cancel func())
}

const (
	nearScreens = 1   // pictures are asked for from so many screens off,
	farScreens  = 2.5 // and forgotten beyond so many
	leastScreen = 300 // for a pane on its way to or from nothing
	maxSizes    = 4096
)

// sizes are the pixels of pictures seen lately, by address, so that their places are right from the start.
type sizes struct{ lately, before map[string]fyne.Size }

func (s *sizes) get(address string) fyne.Size {
	if size, ok := s.lately[address]; ok {
		return size
	}
	return s.before[address]
}

func (s *sizes) put(address string, size fyne.Size) {
	if len(s.lately) >= maxSizes || s.lately == nil {
		s.lately, s.before = map[string]fyne.Size{}, s.lately
	}
	s.lately[address] = size
}

// LoadPictures asks for all pictures of the article, when their places come near.
func (v *View) LoadPictures() {
	p := v.page
	p.askAll = true
	for _, f := range p.figures() {
		if f.state == held || f.state == failed {
			p.setState(f, waiting, "")
		}
	}
	p.restate()
}

func (p *page) figures() []*figure {
	if p.doc == nil {
		return nil
	}
	return p.doc.figures
}

// tend asks for the pictures whose places are near the viewport and forgets those far from it.
func (p *page) tend() {
	if p.lay == nil || p.view.Pictures == nil {
		return
	}
	top, bottom := p.view.viewport()
	height := max(bottom-top, leastScreen)
	for _, f := range p.figures() {
		away := max(f.y-bottom, top-f.y-f.h)
		switch {
		case away > farScreens*height:
			p.release(f)
		case away <= nearScreens*height && (f.state == waiting || f.state == shown && p.coarse(f)):
			p.load(f)
		}
	}
}

// pixels is how wide a figure is drawn.
func (p *page) pixels(f *figure) int { return int(math.Round(float64(f.w * p.scale()))) }

// coarse reports whether a picture is drawn much larger than it was decoded for.
func (p *page) coarse(f *figure) bool {
	want := min(p.pixels(f), int(f.own.Width))
	return f.cancel == nil && float32(want) > 1.1*float32(f.picture.Image.Bounds().Dx()) && want > f.wanted
}

func (p *page) load(f *figure) {
	if f.state == waiting {
		f.state = loading
	}
	f.wanted = p.pixels(f)
	doc := p.doc
	f.cancel = p.view.Pictures.Load(f.image.URL, image.Pt(f.wanted, 0), f.asked || p.askAll, func(pic picture.Picture, err error) {
		f.cancel = nil
		if p.doc == doc {
			p.arrived(f, pic, err)
		}
	})
}

// arrived shows what came of a figure.
func (p *page) arrived(f *figure, pic picture.Picture, err error) {
	switch {
	case err != nil && f.state == shown: // only a finer one was not to be had
		return
	case errors.Is(err, ErrHeld):
		p.setState(f, held, lang.L("Click to load the picture"))
	case err != nil:
		p.setState(f, failed, err.Error())
	default:
		p.show(f, pic)
	}
	p.restate()
}

func (p *page) show(f *figure, pic picture.Picture) {
	f.picture, f.own = pic, fyne.NewSize(float32(pic.Width), float32(pic.Height))
	p.known.put(f.image.URL, f.own)
	p.setState(f, shown, "")
	if f.face == nil {
		f.face = p.easel.face()
	}
	f.face.Image = pic.Image
	canvas.Refresh(f.face) // else the driver goes on with the texture it has
}

func (p *page) setState(f *figure, s figureState, notice string) {
	f.state = s
	p.doc.texts[f.notice] = p.sheet.notice(notice)
}

// restate shows figures in new states.
func (p *page) restate() {
	p.rearrange()
	if v := p.view; v.OnHeld != nil {
		v.OnHeld()
	}
}

// Held reports whether there are pictures in the article that wait for the reader to ask for them.
func (v *View) Held() bool {
	for _, f := range v.page.figures() {
		if f.state == held {
			return true
		}
	}
	return false
}

// release forgets a picture: its place stays.
func (p *page) release(f *figure) {
	if f.cancel != nil {
		f.cancel()
		f.cancel = nil
	}
	if f.state == loading {
		f.state = waiting
	}
	if f.state == shown {
		f.state, f.picture, f.wanted = waiting, picture.Picture{}, 0
		p.easel.putBack(f.face)
		f.face = nil
	}
}

// releaseAll forgets all pictures of the article.
func (p *page) releaseAll() {
	for _, f := range p.figures() {
		p.release(f)
	}
}

// ask loads one picture by the reader's hand.
func (p *page) ask(f *figure) {
	f.asked = true
	p.setState(f, waiting, "")
	p.restate()
}

// face hands out an object to draw a picture with. They are few and used again: the driver keeps the texture of one that
// it does not draw any more for a minute, and all pictures of ten articles would lie in memory.
func (e *easel) face() *canvas.Image {
	if n := len(e.faces); n > 0 {
		face := e.faces[n-1]
		e.faces = e.faces[:n-1]
		return face
	}
	return &canvas.Image{ScaleMode: canvas.ImageScaleFastest} // it is in the size it is drawn in
}

func (e *easel) putBack(face *canvas.Image) {
	face.Image = nil
	canvas.Refresh(face)
	e.faces = append(e.faces, face)
}

// paintFigure draws a picture on whole pixels. One that is seen through gets a light ground in the dark, where black
// drawings would not be seen.
func (p *page) paintFigure(m *mark) {
	e, f := &p.easel, m.figure
	x, y := e.snap(m.x), e.snap(m.y)
	w, h := m.w, m.h
	if px := f.picture.Image.Bounds().Size(); math.Abs(float64(w*e.scale)-float64(px.X)) <= 1 {
		w, h = float32(px.X)/e.scale, float32(px.Y)/e.scale
	}
	if !f.picture.Opaque && look.IsDark(e.colour(look.ColorBackground)) {
		e.under(x, y, w, h, look.ColorPlate)
	}
	f.face.Move(fyne.NewPos(x, y))
	f.face.Resize(fyne.NewSize(w, h))
	e.back = append(e.back, f.face)
}
