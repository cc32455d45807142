package article

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/look"
	"kairos/reader/picture"
)

const (
	mostEnlarged = 4    // units for a pixel of a picture that is zoomed in
	zoomStep     = 1.25 // by a key
	panStep      = 80   // units, by a key
	largeMargin  = 24   // units
	tall         = 2    // times as wide as it fits: such a picture is shown from its top, in its own width
)

// largePicture shows one picture over the whole window until a key or a click: as large as it fits, or zoomed in and moved about.
type largePicture struct {
	widget.BaseWidget
	veil     *canvas.Rectangle
	plate    *canvas.Rectangle // behind transparent pictures
	image    *canvas.Image
	own      fyne.Size     // in pixels
	zoom     float32       // how much larger it is drawn than it fits
	moved    fyne.Position // from the middle of the window
	scrolls  bool          // the wheel moves it rather than zooming it
	sharpen  func(box image.Point)
	dismiss  func()
	label    string // what it shows
	playback playback
}

var (
	_ fyne.Focusable     = (*largePicture)(nil)
	_ fyne.Tappable      = (*largePicture)(nil)
	_ fyne.Draggable     = (*largePicture)(nil)
	_ fyne.Scrollable    = (*largePicture)(nil)
	_ desktop.Cursorable = (*largePicture)(nil)
)

// enlarge shows a picture over the whole window: at once as it was loaded for the page, and sharper once that is loaded.
func (p *page) enlarge(f *figure) {
	c := fyne.CurrentApp().Driver().CanvasForObject(p.view)
	if c == nil || f.picture.Image == nil {
		return
	}
	l := &largePicture{veil: canvas.NewRectangle(color.NRGBA{A: 0xd8}), plate: canvas.NewRectangle(nil), image: &canvas.Image{},
		own: f.pixels, zoom: 1, label: pictureLabel(f.image)}
	l.image.ScaleMode = canvas.ImageScaleFastest
	l.plate.FillColor = look.New(look.Light).Color(look.ColorBackground, 0)
	l.ExtendBaseWidget(l)
	l.show(f.picture)
	p.view.motion.large = &l.playback
	p.view.MovePictures()
	cancel := func() {}
	l.sharpen = func(box image.Point) {
		if p.pictures.from() == nil {
			return
		}
		cancel()
		cancel = p.pictures.from().Load(f.image.URL, box, true, func(pic picture.Picture, err error) {
			if err == nil {
				l.show(pic)
				p.view.MovePictures()
			}
		})
	}
	l.dismiss = func() {
		cancel()
		p.view.motion.large = nil
		p.view.MovePictures()
		c.Overlays().Remove(l)
		l.image.Image = nil
		canvas.Refresh(l.image)
	}
	l.sharpen(image.Pt(int(c.Size().Width*c.Scale()), int(c.Size().Height*c.Scale())))
	c.Overlays().Add(l)
	l.Resize(c.Size())
	l.begin()
	c.Focus(l)
}

func (l *largePicture) show(pic picture.Picture) {
	l.plate.Hidden = pic.Opaque
	l.playback.begin(pic.Motion, func(frame *image.RGBA) { showFrame(l.image, frame) })
	if l.playback.once(); pic.Motion != nil { // who enlarges it wants to see it move
		pic.Image = pic.Motion.Frames[l.playback.frame]
	}
	showFrame(l.image, pic.Image)
	l.Refresh()
}

// Describe implements describe.Describer.
func (l *largePicture) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleImage, Name: l.label, States: accessible.Focusable | accessible.Modal}}
	n.Act("press", lang.L("Close"), l.dismiss)
	return n
}

// Tapped implements fyne.Tappable.
func (l *largePicture) Tapped(*fyne.PointEvent) { l.dismiss() }

// TypedKey implements fyne.Focusable. Keys that write something come to TypedRune.
func (l *largePicture) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyEscape, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyBackspace:
		l.dismiss()
	case fyne.KeyLeft:
		l.pan(panStep, 0)
	case fyne.KeyRight:
		l.pan(-panStep, 0)
	case fyne.KeyUp:
		l.pan(0, panStep)
	case fyne.KeyDown:
		l.pan(0, -panStep)
	case fyne.KeyHome:
		l.panToEnd(math.MaxInt32)
	case fyne.KeyEnd:
		l.panToEnd(-math.MaxInt32)
	}
}

// TypedRune implements fyne.Focusable.
func (l *largePicture) TypedRune(r rune) {
	middle := fyne.NewPos(l.Size().Width/2, l.Size().Height/2)
	switch r {
	case '+', '=':
		l.zoomBy(zoomStep, middle)
	case '-':
		l.zoomBy(1/zoomStep, middle)
	case '0':
		l.zoomBy(0, middle)
	default:
		l.dismiss()
	}
}

// Scrolled implements fyne.Scrollable.
func (l *largePicture) Scrolled(e *fyne.ScrollEvent) {
	if l.scrolls {
		l.pan(3*e.Scrolled.DX, 3*e.Scrolled.DY)
	} else {
		l.zoomBy(float32(math.Pow(1.01, float64(e.Scrolled.DY))), e.Position)
	}
}

// Dragged implements fyne.Draggable.
func (l *largePicture) Dragged(e *fyne.DragEvent) { l.pan(e.Dragged.DX, e.Dragged.DY) }

// DragEnd implements fyne.Draggable.
func (l *largePicture) DragEnd() {}

// zoomBy zooms by a factor, and leaves what is at a place of the window there.
func (l *largePicture) zoomBy(factor float32, at fyne.Position) {
	if l.zoom == 1 && factor > 1 && l.image.Image.Bounds().Dx() < int(l.own.Width) { // from now on in as many of its pixels as are shown of any
		l.sharpen(image.Pt(int(l.own.Width), int(l.own.Height)))
	}
	before := l.zoom
	l.zoom = max(1, min(before*factor, mostEnlarged*l.own.Width/max(1, l.fits().Width)))
	grown := l.zoom / before
	l.moved.X = grown*l.moved.X + (1-grown)*(at.X-l.Size().Width/2)
	l.moved.Y = grown*l.moved.Y + (1-grown)*(at.Y-l.Size().Height/2)
	l.place()
}

// begin shows a comic or a long chart from its top, to be scrolled.
func (l *largePicture) begin() {
	wide := min(l.own.Width, l.Size().Width-2*largeMargin)
	if fits := l.fits().Width; wide >= tall*fits {
		l.scrolls = true
		l.zoomBy(wide/fits, fyne.Position{})
		l.pan(-l.moved.X, math.MaxInt32)
	}
}

func (l *largePicture) pan(dx, dy float32) {
	l.moved = l.moved.AddXY(dx, dy)
	l.place()
}

// panToEnd goes to the top or the bottom, by a distance that is far enough; to the left or the right end of a picture that is all there
// from top to bottom.
func (l *largePicture) panToEnd(far float32) {
	if l.image.Size().Height > l.Size().Height-2*largeMargin {
		l.pan(0, far)
	} else {
		l.pan(far, 0)
	}
}

// fits is the size of the picture as it is, or as large as the window allows.
func (l *largePicture) fits() fyne.Size {
	room := fyne.NewSize(max(1, l.Size().Width-2*largeMargin), max(1, l.Size().Height-2*largeMargin))
	own := fyne.NewSize(max(1, l.own.Width), max(1, l.own.Height))
	shrink := min(1, room.Width/own.Width, room.Height/own.Height)
	return fyne.NewSize(own.Width*shrink, own.Height*shrink)
}

// place puts the picture into the window, whose edges what is zoomed in covers.
func (l *largePicture) place() {
	size, fits := l.Size(), l.fits()
	drawn := fyne.NewSize(fits.Width*l.zoom, fits.Height*l.zoom)
	most := func(drawn, window float32) float32 { return max(0, (drawn-window)/2+largeMargin) }
	l.moved.X = min(max(l.moved.X, -most(drawn.Width, size.Width)), most(drawn.Width, size.Width))
	l.moved.Y = min(max(l.moved.Y, -most(drawn.Height, size.Height)), most(drawn.Height, size.Height))
	for _, o := range []fyne.CanvasObject{l.plate, l.image} {
		o.Resize(drawn)
		o.Move(fyne.NewPos(round((size.Width-drawn.Width)/2+l.moved.X), round((size.Height-drawn.Height)/2+l.moved.Y)))
	}
}

// FocusGained implements fyne.Focusable.
func (l *largePicture) FocusGained() {}

// FocusLost implements fyne.Focusable.
func (l *largePicture) FocusLost() {}

// Cursor implements desktop.Cursorable.
func (l *largePicture) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer implements fyne.Widget.
func (l *largePicture) CreateRenderer() fyne.WidgetRenderer { return largePictureRenderer{l} }

type largePictureRenderer struct{ *largePicture }

func (r largePictureRenderer) Destroy()           {}
func (r largePictureRenderer) MinSize() fyne.Size { return fyne.NewSize(1, 1) }
func (r largePictureRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.veil, r.plate, r.image}
}

func (r largePictureRenderer) Layout(size fyne.Size) {
	r.veil.Resize(size)
	r.place()
}

func (r largePictureRenderer) Refresh() {
	r.Layout(r.largePicture.Size())
	canvas.Refresh(r.largePicture)
}
