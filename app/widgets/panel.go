package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

// Panel sets its content apart by a background, and by a bar on the left if that has a color.
type Panel struct {
	widget.BaseWidget
	bar     fyne.ThemeColorName // "" none
	content fyne.CanvasObject
}

// NewPanel returns a panel around content; bar "" draws none.
func NewPanel(bar fyne.ThemeColorName, content fyne.CanvasObject) *Panel {
	p := &Panel{bar: bar, content: NewColumn(0, content)}
	p.ExtendBaseWidget(p)
	return p
}

// Held implements Holder.
func (p *Panel) Held() []fyne.CanvasObject { return []fyne.CanvasObject{p.content} }

// Content returns the content.
func (p *Panel) Content() fyne.CanvasObject { return p.content }

const (
	panelPad = 12
	panelBar = 3
)

// CreateRenderer implements fyne.Widget.
func (p *Panel) CreateRenderer() fyne.WidgetRenderer {
	r := &panelRenderer{Panel: p, ground: canvas.NewRectangle(nil), edge: canvas.NewRectangle(nil)}
	r.color()
	return r
}

type panelRenderer struct {
	*Panel
	ground, edge *canvas.Rectangle
}

func (r *panelRenderer) Destroy() {}

func (r *panelRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.edge, r.content}
}

func (r *panelRenderer) MinSize() fyne.Size {
	return r.content.MinSize().Add(fyne.NewSize(2*panelPad+panelBar, 2*panelPad))
}

func (r *panelRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.edge.Resize(fyne.NewSize(panelBar, size.Height))
	r.content.Move(fyne.NewPos(panelPad+panelBar, panelPad))
	r.content.Resize(fyne.NewSize(size.Width-2*panelPad-panelBar, size.Height-2*panelPad))
}

func (r *panelRenderer) color() {
	r.ground.FillColor = Color(r.Panel, look.ColorCode)
	if r.edge.Hidden = r.bar == ""; !r.edge.Hidden {
		r.edge.FillColor = Color(r.Panel, r.bar)
	}
}

func (r *panelRenderer) Refresh() {
	r.color()
	r.Layout(r.Panel.Size())
	canvas.Refresh(r.Panel)
}
