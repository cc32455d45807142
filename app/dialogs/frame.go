package dialogs

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/look"
	"kairos/app/widgets"
)

const (
	defaultWidth = 460 // of the content of a dialog that says nothing else
	frameMargin  = 20  // between the box and the edge of the window
	framePad     = 22  // between the edge of the box and what is in it
	narrow       = 600 // a window that has no room for these
	narrowMargin = 8
	narrowPad    = 14
	frameGap     = 16 // between title, content and buttons
)

// veil dims the panes behind a dialog.
var veil = color.NRGBA{A: 0x70}

// frame draws a dialog: it covers the canvas, with the box in its middle.
type frame struct {
	widget.BaseWidget
	dialog  *Dialog
	title   *widgets.Text
	scroll  *widgets.Scroll // holds the content where the window is too low for it
	scrolls bool
}

func newFrame(d *Dialog) *frame {
	f := &frame{dialog: d, title: widgets.NewText(d.Title, widgets.Section), scroll: widgets.NewVScroll(nil)}
	f.ExtendBaseWidget(f)
	return f
}

// Held implements widgets.Holder.
func (f *frame) Held() []fyne.CanvasObject { return []fyne.CanvasObject{f.body()} }

// body is the content, or what it scrolls in.
func (f *frame) body() fyne.CanvasObject {
	if f.scrolls {
		return f.scroll
	}
	return f.dialog.Content
}

// Describe implements describe.Describer. A dialog that is nothing but a sentence is an alert: it is read at once.
func (f *frame) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleDialog, Name: f.dialog.Title, States: accessible.Modal | accessible.Active}, Holds: true}
	if text, only := f.dialog.Content.(*widgets.Text); only {
		n.Role, n.Description = accessible.RoleAlert, text.String()
	}
	return n
}

// Tapped implements fyne.Tappable: a click beside the box does nothing.
func (f *frame) Tapped(*fyne.PointEvent) {}

// CreateRenderer implements fyne.Widget.
func (f *frame) CreateRenderer() fyne.WidgetRenderer {
	r := &frameRenderer{frame: f, veil: canvas.NewRectangle(veil), box: canvas.NewRectangle(nil)}
	r.box.StrokeWidth, r.box.CornerRadius = 1, 10
	r.color()
	return r
}

type frameRenderer struct {
	*frame
	veil, box *canvas.Rectangle
}

func (r *frameRenderer) Destroy() {}

func (r *frameRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.veil, r.box, r.title, r.body()}
	for _, b := range r.dialog.Buttons {
		objects = append(objects, b.widget)
	}
	return objects
}

// MinSize is the width that the box needs, and the least height: higher content scrolls.
func (r *frameRenderer) MinSize() fyne.Size {
	_, wide := r.dialog.buttonsWidth()
	wide = max(wide, r.dialog.Content.MinSize().Width)
	return fyne.NewSize(wide+2*(narrowPad+narrowMargin), r.title.MinSize().Height+r.dialog.buttonsHeight(wide)+2*(narrowPad+narrowMargin+frameGap))
}

func (r *frameRenderer) Layout(size fyne.Size) {
	r.veil.Resize(size)
	wanted := r.dialog.Width
	if wanted == 0 {
		wanted = defaultWidth
	}
	margin, pad := float32(frameMargin), float32(framePad)
	if size.Width < narrow {
		margin, pad = narrowMargin, narrowPad
	}
	beside, least := r.dialog.buttonsWidth()
	width := max(min(max(wanted, beside), size.Width-2*(pad+margin)), least, r.dialog.Content.MinSize().Width)
	titleHeight := widgets.FitWidth(r.title, width)
	around := 2*pad + titleHeight + frameGap
	if high := r.dialog.buttonsHeight(width); high > 0 {
		around += frameGap + high
	}
	room := size.Height - 2*margin - around
	height := r.layoutBody(width, room)

	box := fyne.NewSize(width+2*pad, height+around)
	at := fyne.NewPos((size.Width-box.Width)/2, max(0, (size.Height-box.Height)/2))
	r.box.Resize(box)
	r.box.Move(at)
	at = at.AddXY(pad, pad)
	r.title.Move(at)
	at.Y += titleHeight + frameGap
	r.body().Move(at)
	at.Y += height + frameGap
	r.dialog.layoutButtons(at, width)
}

// layoutBody gives the content its size and returns its height; where there is no room for that it scrolls.
func (r *frameRenderer) layoutBody(width, room float32) (height float32) {
	if height = r.dialog.Height; height > 0 {
		height = min(height+r.dialog.hiddenHeight(), room)
		r.dialog.Content.Resize(fyne.NewSize(width, height))
		return height
	}
	if r.scrolls {
		width -= theme.ScrollBarSize()
	}
	height = widgets.FitWidth(r.dialog.Content, width)
	was := r.scrolls
	if r.scrolls = height > room; r.scrolls != was {
		r.scroll.Content = nil
		if r.scrolls {
			r.scroll.Content = container.New(layout.NewCustomPaddedLayout(0, 0, 0, theme.ScrollBarSize()), r.dialog.Content)
		}
	}
	if r.scrolls {
		height = room
		r.scroll.Resize(fyne.NewSize(width+theme.ScrollBarSize(), height))
		r.scroll.Refresh()
	}
	return height
}

func (r *frameRenderer) color() {
	r.box.FillColor = widgets.Color(r.frame, theme.ColorNameOverlayBackground)
	r.box.StrokeColor = widgets.Color(r.frame, look.ColorFrame)
}

func (r *frameRenderer) Refresh() {
	r.color()
	r.Layout(r.frame.Size())
	canvas.Refresh(r.frame)
}
