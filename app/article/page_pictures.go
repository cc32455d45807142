package article

import (
	"errors"
	"image"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"kairos/reader/content"
	"kairos/reader/picture"
)

// ErrDeferred says that a picture is not loaded until the user asks for it.
var ErrDeferred = errors.New("pictures are loaded on demand")

// UndrawableError says why a picture is not shown here that browsers can show: a sentence for people.
type UndrawableError struct{ Why string }

func (e *UndrawableError) Error() string { return e.Why }

// Pictures provides the pictures of a view.
type Pictures interface {
	// Load loads the picture at an address, scaled to fit into a box of pixels, and calls done on Fyne's goroutine, once, and
	// not before Load has returned. byUser says that the user asked for it. An error is a sentence for people,
	// an UndrawableError or ErrDeferred. After cancel, done need not be called.
	Load(address string, box image.Point, byUser bool, done func(picture.Picture, error)) (cancel func())
}

const (
	nearScreens = 1   // the distance, in screens, at which pictures are loaded
	farScreens  = 2.5 // the distance beyond which they are released
	leastScreen = 300 // units, while the pane is folded away or unfolded
	maxSizes    = 4096
)

// sizes remembers the sizes of recent pictures in pixels, by address, so that the right space is left for them.
type sizes struct{ recent, earlier map[string]fyne.Size }

func (s *sizes) get(address string) fyne.Size {
	if size, ok := s.recent[address]; ok {
		return size
	}
	return s.earlier[address]
}

func (s *sizes) put(address string, size fyne.Size) {
	if len(s.recent) >= maxSizes || s.recent == nil {
		s.recent, s.earlier = map[string]fyne.Size{}, s.recent
	}
	s.recent[address] = size
}

// Column returns the column that pictures are shown in, zero before the view has been laid out.
func (v *View) Column() (c content.Column) {
	if v.page.stylesheet != nil && v.page.viewSize.Width > 0 {
		_, c.Width = v.page.stylesheet.columnIn(v.page.viewSize.Width)
		c.Scale = v.page.scale()
	}
	return c
}

// pictureLoader loads the pictures of a page when their places come near the viewport.
type pictureLoader struct {
	page    *page
	sizes   *sizes
	source  Pictures // nil: that of the view
	loadAll bool     // the user has asked for all pictures of this article
}

// LoadPictures loads all pictures of the article when their places come near, including deferred ones.
func (v *View) LoadPictures() { v.page.pictures.loadEvery() }

// LoadAllPictures does so for every article of a stream.
func (v *View) LoadAllPictures() {
	for _, p := range v.pages() {
		p.pictures.loadEvery()
	}
}

// loadEvery loads all pictures when their places come near, including deferred ones.
func (l *pictureLoader) loadEvery() {
	l.loadAll = true
	for _, f := range l.figures() {
		if f.state == deferred || f.state == failed {
			l.setState(f, waiting, "")
		}
	}
	l.changed()
}

// RetryPictures loads the pictures again that failed for another reason than that only browsers can show them.
func (v *View) RetryPictures() {
	for _, p := range v.pages() {
		p.pictures.retry()
	}
}

func (l *pictureLoader) retry() {
	again := false
	for _, f := range l.figures() {
		if f.state == failed && !f.inBrowser {
			l.setState(f, waiting, "")
			again = true
		}
	}
	if again {
		l.changed()
	}
}

// from returns what provides the pictures, nil if nothing does.
func (l *pictureLoader) from() Pictures {
	if l.source != nil {
		return l.source
	}
	return l.page.view.Pictures
}

func (l *pictureLoader) figures() []*figure {
	if l.page.doc == nil {
		return nil
	}
	return l.page.doc.figures
}

// update loads the pictures whose places are near the viewport and releases those far from it.
func (l *pictureLoader) update() {
	if l.page.lay == nil || l.from() == nil {
		return
	}
	top, bottom := l.page.frame.viewport()
	height := max(bottom-top, leastScreen)
	for _, f := range l.figures() {
		away := max(f.y-bottom, top-f.y-f.h)
		switch {
		case away > farScreens*height:
			l.release(f)
		case away <= nearScreens*height && (f.state == waiting || f.state == shown && l.tooCoarse(f)):
			l.load(f)
		}
	}
	l.page.view.MovePictures()
}

// drawnWidth is the width of a figure in pixels.
func (l *pictureLoader) drawnWidth(f *figure) int {
	return int(math.Round(float64(f.w * l.page.scale())))
}

// tooCoarse reports whether a picture is drawn much larger than it was decoded.
func (l *pictureLoader) tooCoarse(f *figure) bool {
	want := min(l.drawnWidth(f), int(f.pixels.Width))
	return f.cancel == nil && float32(want) > 1.1*float32(f.picture.Image.Bounds().Dx()) && want > f.requestedWidth
}

func (l *pictureLoader) load(f *figure) {
	if f.state == waiting {
		f.state = loading
	}
	f.requestedWidth = l.drawnWidth(f)
	doc := l.page.doc
	f.cancel = l.from().Load(f.image.URL, image.Pt(f.requestedWidth, 0), f.requested || l.loadAll, func(pic picture.Picture, err error) {
		f.cancel = nil
		if l.page.doc == doc {
			l.finish(f, pic, err)
		}
	})
}

// finish shows the picture that was loaded, or why it was not.
func (l *pictureLoader) finish(f *figure, pic picture.Picture, err error) {
	undrawable := (*UndrawableError)(nil)
	f.inBrowser = errors.As(err, &undrawable) && strings.HasPrefix(f.image.URL, "http")
	switch {
	case err != nil && f.state == shown: // it stays in its lower resolution
		return
	case errors.Is(err, ErrDeferred):
		l.setState(f, deferred, lang.L("Click to load the image"))
	case f.inBrowser:
		l.setState(f, failed, lang.L("{{.Why}} A click opens it in the browser.", map[string]any{"Why": undrawable.Why}))
	case err != nil:
		l.setState(f, failed, err.Error())
	default:
		l.show(f, pic)
	}
	l.changed()
}

func (l *pictureLoader) show(f *figure, pic picture.Picture) {
	f.picture, f.pixels = pic, fyne.NewSize(float32(pic.Width), float32(pic.Height))
	l.sizes.put(f.image.URL, f.pixels)
	l.setState(f, shown, "")
	if f.object == nil {
		f.object = l.page.painter.takeImage()
	}
	frames := pic.Motion
	if frames.Bytes()+l.page.view.motionBytes()-f.playback.frames.Bytes() > maxMotion {
		frames, f.picture.Motion = nil, nil
	}
	f.playback.begin(frames, func(frame *image.RGBA) { showFrame(f.object, frame) })
	if frames != nil {
		f.picture.Image = frames.Frames[f.playback.frame]
	}
	showFrame(f.object, f.picture.Image)
	l.page.view.MovePictures()
}

func showFrame(on *canvas.Image, frame *image.RGBA) {
	on.Image = frame
	canvas.Refresh(on) // else the driver keeps its texture
}

func (l *pictureLoader) setState(f *figure, s figureState, notice string) {
	f.state = s
	l.page.doc.texts[f.notice] = l.page.stylesheet.notice(notice)
}

// changed shows the figures in their new states.
func (l *pictureLoader) changed() {
	l.page.layOutAgain()
	if v := l.page.view; v.OnDeferred != nil {
		v.OnDeferred()
	}
}

// HasDeferred reports whether pictures of the article are not loaded until the user asks for them.
func (v *View) HasDeferred() bool {
	for _, f := range v.page.pictures.figures() {
		if f.state == deferred {
			return true
		}
	}
	return false
}

// release drops a picture but keeps its place.
func (l *pictureLoader) release(f *figure) {
	if f.cancel != nil {
		f.cancel()
		f.cancel = nil
	}
	if f.state == loading {
		f.state = waiting
	}
	if f.state == shown {
		f.state, f.picture, f.playback, f.requestedWidth = waiting, picture.Picture{}, playback{}, 0
		l.page.painter.returnImage(f.object)
		f.object = nil
	}
}

// releaseAll drops all pictures of the article.
func (l *pictureLoader) releaseAll() {
	for _, f := range l.figures() {
		l.release(f)
	}
	l.page.view.MovePictures()
}

// request loads a picture that the user has asked for.
func (l *pictureLoader) request(f *figure) {
	f.requested = true
	l.setState(f, waiting, "")
	l.changed()
}

// takeImage returns an object to draw a picture with. There are few, and they are reused: the driver keeps the texture of an
// object for a minute after it was drawn, so that the pictures of ten articles would stay in memory.
func (e *painter) takeImage() *canvas.Image {
	if n := len(e.idleImages); n > 0 {
		face := e.idleImages[n-1]
		e.idleImages = e.idleImages[:n-1]
		return face
	}
	return &canvas.Image{ScaleMode: canvas.ImageScaleFastest} // pictures have the size they are drawn in
}

func (e *painter) returnImage(face *canvas.Image) {
	face.Image = nil
	canvas.Refresh(face)
	e.idleImages = append(e.idleImages, face)
}
