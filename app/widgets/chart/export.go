package chart

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"image/png"
	"math"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/theme"

	"kairos/app/widgets"
)

// cell writes a number for a table; what is not known is empty.
func cell(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

func cellAt(v []float64, i int) string {
	if i >= len(v) {
		return ""
	}
	return cell(v[i])
}

// cell writes a value of the axis for a table: numbers as numbers, times as times.
func (a *Axis) cell(v float64) string {
	switch a.Unit {
	case Clock:
		clock := *a
		clock.Format = nil
		return clock.text(v)
	case Instant:
		return time.Unix(int64(v), 0).In(a.zone()).Format(time.RFC3339)
	}
	return cell(v)
}

// CSV returns all values of a plot as a table with commas (RFC 4180), its first line their names.
func CSV(p Plot) string {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.WriteAll(p.table()) //nolint:errcheck // a buffer takes everything
	return out.String()
}

// The size of a saved picture in units of Fyne, and its pixels a unit.
const (
	pictureWidth = 800
	pictureScale = 2
)

// PNG draws the chart with its title and its legend as a picture. It belongs to Fyne's goroutine.
func (c *Chart) PNG() ([]byte, error) {
	copied := New(Host{Keys: widgets.Keys{Used: func() {}, Key: func(*fyne.KeyEvent) {}, Rune: func(rune) {}}}, c.title, c.surface.height)
	copied.SetPlot(c.surface.plot, "")
	ground := canvas.NewRectangle(widgets.Color(c.surface, theme.ColorNameBackground))
	body := widgets.NewColumn(8, widgets.NewText(c.title, widgets.Bold), copied.Content)
	page := container.NewStack(ground, widgets.NewPage(pictureWidth, body))
	canvas := software.NewCanvas()
	canvas.SetPadded(false)
	canvas.SetScale(pictureScale)
	canvas.SetContent(page)
	size := fyne.NewSize(pictureWidth, 100)
	for range 2 { // the height is known once the width is
		canvas.Resize(size)
		size.Height = page.MinSize().Height
	}
	canvas.Resize(size)
	var out bytes.Buffer
	if err := png.Encode(&out, canvas.Capture()); err != nil {
		return nil, fmt.Errorf("encode the picture: %w", err)
	}
	return out.Bytes(), nil
}
