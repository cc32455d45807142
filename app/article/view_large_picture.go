package article

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/reader/picture"
)

// largePicture shows one picture over the whole window until a key or a click.
type largePicture struct {
	widget.BaseWidget
	veil     *canvas.Rectangle
	plate    *canvas.Rectangle // behind transparent pictures
	image    *canvas.Image
	own      fyne.Size // in pixels
	scale    float32
	dismiss  func()
	label    string // what it shows
	playback playback
}

var (
	_ fyne.Focusable     = (*largePicture)(nil)
	_ fyne.Tappable      = (*largePicture)(nil)
	_ desktop.Cursorable = (*largePicture)(nil)
)

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

// TypedKey implements fyne.Focusable.
func (l *largePicture) TypedKey(*fyne.KeyEvent) { l.dismiss() }

// TypedRune implements fyne.Focusable.
func (l *largePicture) TypedRune(rune) {}

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

// Layout shows the picture in its own size, or as large as the window allows.
func (r largePictureRenderer) Layout(size fyne.Size) {
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

func (r largePictureRenderer) Refresh() {
	r.Layout(r.largePicture.Size())
	canvas.Refresh(r.largePicture)
}
