package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

// panel is a ground that sets what lies on it apart, with a bar at its left if it has
// the colour of one.
type panel struct {
	widget.BaseWidget
	bar     fyne.ThemeColorName // "" none
	content fyne.CanvasObject
}

func newPanel(bar fyne.ThemeColorName, content fyne.CanvasObject) *panel {
	p := &panel{bar: bar, content: newColumn(0, content)}
	p.ExtendBaseWidget(p)
	return p
}

const (
	panelPad = 12
	panelBar = 3
)

func (p *panel) CreateRenderer() fyne.WidgetRenderer {
	r := &panelRenderer{panel: p, ground: canvas.NewRectangle(nil), edge: canvas.NewRectangle(nil)}
	r.color()
	return r
}

type panelRenderer struct {
	*panel
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
	r.ground.FillColor = shade(r.panel, look.ColorCode)
	if r.edge.Hidden = r.bar == ""; !r.edge.Hidden {
		r.edge.FillColor = shade(r.panel, r.bar)
	}
}

func (r *panelRenderer) Refresh() {
	r.color()
	r.Layout(r.panel.Size())
	canvas.Refresh(r.panel)
}
