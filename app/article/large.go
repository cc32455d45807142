package article

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
	"kairos/reader/picture"
)

// large shows one picture over the whole window, until a key or a click.
type large struct {
	widget.BaseWidget
	veil    *canvas.Rectangle
	plate   *canvas.Rectangle // behind what is seen through
	image   *canvas.Image
	own     fyne.Size // in pixels
	scale   float32
	dismiss func()
}

var (
	_ fyne.Focusable     = (*large)(nil)
	_ fyne.Tappable      = (*large)(nil)
	_ desktop.Cursorable = (*large)(nil)
)

// enlarge shows a picture large: at once as it is, finer when it has come.
func (p *page) enlarge(f *figure) {
	c := fyne.CurrentApp().Driver().CanvasForObject(p.view)
	if c == nil || f.picture.Image == nil {
		return
	}
	l := &large{veil: canvas.NewRectangle(color.NRGBA{A: 0xd8}), plate: canvas.NewRectangle(nil), image: &canvas.Image{},
		own: f.own, scale: c.Scale()}
	l.image.ScaleMode = canvas.ImageScaleFastest
	l.plate.FillColor = look.New(look.Light).Color(look.ColorBackground, 0)
	l.ExtendBaseWidget(l)
	l.show(f.picture)
	cancel := func() {}
	if size := c.Size(); p.view.Pictures != nil {
		box := image.Pt(int(size.Width*l.scale), int(size.Height*l.scale))
		cancel = p.view.Pictures.Load(f.image.URL, box, true, func(pic picture.Picture, err error) {
			if err == nil {
				l.show(pic)
			}
		})
	}
	l.dismiss = func() {
		cancel()
		c.Overlays().Remove(l)
		l.image.Image = nil
		canvas.Refresh(l.image)
	}
	c.Overlays().Add(l)
	l.Resize(c.Size())
	c.Focus(l)
}

func (l *large) show(pic picture.Picture) {
	l.plate.Hidden = pic.Opaque
	l.image.Image = pic.Image
	canvas.Refresh(l.image)
	l.Refresh()
}

// Tapped implements fyne.Tappable.
func (l *large) Tapped(*fyne.PointEvent) { l.dismiss() }

// TypedKey implements fyne.Focusable.
func (l *large) TypedKey(*fyne.KeyEvent) { l.dismiss() }

// TypedRune implements fyne.Focusable.
func (l *large) TypedRune(rune) {}

// FocusGained implements fyne.Focusable.
func (l *large) FocusGained() {}

// FocusLost implements fyne.Focusable.
func (l *large) FocusLost() {}

// Cursor implements desktop.Cursorable.
func (l *large) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer implements fyne.Widget.
func (l *large) CreateRenderer() fyne.WidgetRenderer { return largeRenderer{l} }

type largeRenderer struct{ *large }

func (r largeRenderer) Destroy()           {}
func (r largeRenderer) MinSize() fyne.Size { return fyne.NewSize(1, 1) }
func (r largeRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.veil, r.plate, r.image}
}

// Layout gives the picture its own size, as far as the window has room for it.
func (r largeRenderer) Layout(size fyne.Size) {
	const margin = 24
	r.veil.Resize(size)
	room := fyne.NewSize(max(1, size.Width-2*margin), max(1, size.Height-2*margin))
	own := fyne.NewSize(max(1, r.own.Width), max(1, r.own.Height))
	shrink := min(1, room.Width/own.Width, room.Height/own.Height)
	fits := fyne.NewSize(own.Width*shrink, own.Height*shrink)
	for _, o := range []fyne.CanvasObject{r.plate, r.image} {
		o.Resize(fits)
		o.Move(fyne.NewPos(round((size.Width-fits.Width)/2), round((size.Height-fits.Height)/2)))
	}
}

func (r largeRenderer) Refresh() {
	r.Layout(r.large.Size())
	canvas.Refresh(r.large)
}
