package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"strconv"

	"github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"

	"kairos/poller/ticks"
)

// Graph is one set of axes with its curves.
type Graph struct {
	Title      string
	X, Y       string // what the axes show
	LogX, LogY bool
	Step       float64 // between the marks of a linear x axis; 0: chosen
	From       float64 // the least y shown, of a linear y axis
	Curves     []Curve
}

// Curve is a named line through points, or the points alone.
type Curve struct {
	Name   string
	X, Y   []float64
	Points bool // points without a line
}

// The size of a graph in pixels.
const graphWidth, graphHeight = 760, 460

// Graphs draws graphs in rows of two and returns the picture as a PNG file.
func Graphs(graphs ...Graph) ([]byte, error) {
	if len(graphs) == 0 {
		return nil, errors.New("there is nothing to draw")
	}
	columns := min(2, len(graphs))
	canvas := image.NewRGBA(image.Rect(0, 0, columns*graphWidth, (len(graphs)+columns-1)/columns*graphHeight))
	draw.Draw(canvas, canvas.Bounds(), image.White, image.Point{}, draw.Src)
	for i, g := range graphs {
		c, err := g.chart()
		if err != nil {
			return nil, err
		}
		img, err := render(c)
		if err != nil {
			return nil, err
		}
		draw.Draw(canvas, img.Bounds().Add(image.Pt(i%columns*graphWidth, i/columns*graphHeight)), img, image.Point{}, draw.Src)
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, canvas); err != nil {
		return nil, fmt.Errorf("encode the picture: %w", err)
	}
	return out.Bytes(), nil
}

func (g Graph) chart() (chart.Chart, error) {
	ink := chart.Style{FontSize: 9, FontColor: drawing.ColorFromHex("333333"), StrokeColor: drawing.ColorFromHex("999999")}
	grid := chart.Style{StrokeColor: drawing.ColorFromHex("e2e2e2"), StrokeWidth: 1}
	c := chart.Chart{Title: g.Title, Width: graphWidth, Height: graphHeight, DPI: dpi,
		TitleStyle: chart.Style{FontSize: 11, FontColor: drawing.ColorFromHex("111111")},
		Background: chart.Style{Padding: chart.Box{Top: 44, Left: 20, Right: 24, Bottom: 8}},
		XAxis:      chart.XAxis{Name: g.X, Style: ink, NameStyle: ink, GridMajorStyle: grid},
		YAxis:      chart.YAxis{Name: g.Y, Style: ink, NameStyle: ink, GridMajorStyle: grid, AxisType: chart.YAxisSecondary}}
	x, y := &extent{log: g.LogX, step: g.Step, lo: math.Inf(1), hi: math.Inf(-1)}, &extent{log: g.LogY, from: g.From, lo: math.Inf(1), hi: math.Inf(-1)}
	var all []chart.Series
	for i, curve := range g.Curves {
		look := otherStyles[i%len(otherStyles)]
		if i < len(curveStyles) {
			look = curveStyles[i]
		}
		s := chart.ContinuousSeries{Name: curve.Name, Style: chart.Style{StrokeColor: look.color, StrokeWidth: look.width, StrokeDashArray: look.dashes}}
		if curve.Points {
			s.Style = chart.Style{StrokeColor: drawing.ColorTransparent, DotColor: look.color, DotWidth: 1.6}
		}
		for k := range curve.X {
			px, okX := x.place(curve.X[k])
			py, okY := y.place(curve.Y[k])
			if okX && okY {
				s.XValues, s.YValues = append(s.XValues, px), append(s.YValues, py)
			}
		}
		if s.Len() > 0 {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return c, fmt.Errorf("%s has no points", g.Title)
	}
	c.Series, c.XAxis.Ticks, c.YAxis.Ticks = all, x.ticks(), y.ticks()
	c.XAxis.Range = &chart.ContinuousRange{Min: c.XAxis.Ticks[0].Value, Max: c.XAxis.Ticks[len(c.XAxis.Ticks)-1].Value}
	c.YAxis.Range = &chart.ContinuousRange{Min: c.YAxis.Ticks[0].Value, Max: c.YAxis.Ticks[len(c.YAxis.Ticks)-1].Value}
	if len(all) > 1 {
		c.Background.Padding.Top += 22
		c.Elements = []chart.Renderable{g.legend(all)}
	}
	return c, nil
}

// legend draws the names of the curves in a row below the title.
func (g Graph) legend(all []chart.Series) chart.Renderable {
	return func(r chart.Renderer, box chart.Box, defaults chart.Style) {
		x, y := box.Left, box.Top-14
		for _, s := range all {
			look := s.GetStyle()
			if look.StrokeColor == drawing.ColorTransparent {
				look.StrokeColor, look.StrokeWidth = look.DotColor, 3
				look.StrokeDashArray = []float64{3, 6}
			}
			look.WriteDrawingOptionsToRenderer(r)
			r.MoveTo(x, y-4)
			r.LineTo(x+26, y-4)
			r.Stroke()
			text := chart.Style{Font: defaults.Font, FontSize: 8.5, FontColor: drawing.ColorFromHex("222222")}
			if text.Font == nil {
				text.Font, _ = chart.GetDefaultFont() //nolint:errcheck // without a font there is no text
			}
			chart.Draw.Text(r, s.GetName(), x+32, y, text)
			x += 52 + chart.Draw.MeasureText(r, s.GetName(), text).Width()
		}
	}
}

// curveStyles are the styles of a graph's first curves; otherStyles follow.
var curveStyles = []lineStyle{{vermillion, nil, 2.5}, {blue, nil, 2}, {green, nil, 2}, {black, []float64{5, 4}, 1.5}}

// extent is what an axis has to show.
type extent struct {
	log        bool
	step, from float64 // see Graph.Step and Graph.From
	lo, hi     float64 // in the axis' units: logarithms to the base of ten if log
}

// place returns where a value lies on the axis; not ok if it has no place there.
func (e *extent) place(v float64) (at float64, ok bool) {
	if e.log {
		v = math.Log10(v)
	}
	if math.IsNaN(v) || math.IsInf(v, 0) || !e.log && v < e.from {
		return 0, false
	}
	e.lo, e.hi = min(e.lo, v), max(e.hi, v)
	return v, true
}

// ticks returns the axis' marks, the first at or below all values, the last at or above them.
func (e *extent) ticks() (all []chart.Tick) {
	if e.log {
		marks := ticks.Log(math.Pow(10, e.lo), math.Pow(10, e.hi))
		if len(marks) > 8 { // powers of ten alone
			marks = slices.DeleteFunc(marks, func(t float64) bool {
				_, part := math.Modf(math.Abs(math.Log10(t)) + 1e-9)
				return part > 1e-6
			})
			marks = append([]float64{math.Pow(10, math.Floor(e.lo))}, marks...)
			marks = append(marks, math.Pow(10, math.Ceil(e.hi)))
			slices.Sort(marks)
			marks = slices.CompactFunc(marks, func(a, b float64) bool { return max(a, b)/min(a, b) < 1.01 })
		}
		if len(marks) == 1 {
			marks = append(marks, 2*marks[0])
		}
		for _, t := range marks {
			all = append(all, chart.Tick{Value: math.Log10(t), Label: formatNumber(t)})
		}
		return all
	}
	lo := e.from
	hi := max(e.hi, lo+1e-12)
	step := e.step
	if step == 0 {
		step = ticks.Step(hi-lo, 8)
	}
	for _, t := range ticks.Around(lo, hi, step) {
		all = append(all, chart.Tick{Value: t, Label: strconv.FormatFloat(math.Round(t*1e6)/1e6, 'f', -1, 64)})
	}
	return all
}
