package chart

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
	"kairos/app/widgets"
)

// newLegendKey returns an entry of a legend: a sample and its name.
func newLegendKey(k Key) fyne.CanvasObject {
	s := &sample{key: k}
	s.ExtendBaseWidget(s)
	return container.NewHBox(s, widgets.NewCaption(k.Name, widgets.Muted))
}

// sample shows the ink of a series.
type sample struct {
	widget.BaseWidget
	key    Key
	raster *canvas.Raster
}

func (s *sample) width() float32 {
	switch s.key.Kind {
	case KeyMark:
		return 10
	case KeyArea:
		return 14
	}
	return 24
}

// CreateRenderer implements fyne.Widget.
func (s *sample) CreateRenderer() fyne.WidgetRenderer {
	s.raster = canvas.NewRaster(s.paint)
	return widget.NewSimpleRenderer(s.raster)
}

// MinSize implements fyne.CanvasObject.
func (s *sample) MinSize() fyne.Size {
	return fyne.NewSize(s.width(), fyne.MeasureText("M", look.Of(theme.CurrentForWidget(s)).Size(look.SizeSmall), fyne.TextStyle{}).Height)
}

// Refresh implements fyne.Widget.
func (s *sample) Refresh() {
	if s.raster != nil {
		s.raster.Refresh()
	}
}

func (s *sample) paint(width, height int) image.Image {
	if width <= 0 || height <= 0 {
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	size := s.Size()
	b := newBrush(width, height, float32(width)/size.Width, 0, func(name fyne.ThemeColorName) color.Color { return widgets.Color(s, name) })
	middle := size.Height / 2
	switch s.key.Kind {
	case KeyMark:
		b.marks(s.key.Ink, []point{{size.Width / 2, middle}}, []float32{4})
	case KeyArea:
		b.box(s.key.Ink, 1, middle-5, size.Width-2, 10)
	default:
		if s.key.Kind == KeyBand {
			b.fill(b.bandInk(s.key.Ink), rectangle(0, middle-5, size.Width, 10))
		}
		b.stroke(b.color(s.key.Ink.Color, 1), 2, dashes[s.key.Ink.Dash], line(0, middle, size.Width, middle))
	}
	return b.img
}
