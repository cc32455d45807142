// Package picture draws what a replay came to: delay relative to equal intervals and
// posts ready, by fetches a feed a day, a line a policy.
package picture

import (
	"bytes"
	"cmp"
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

	"kairos/poller/lab"
)

// The picture's measures, in pixels.
const (
	width, height = 1600, 760
	legend        = 84 // at the bottom
	dpi           = 110
)

// Fit says in a sentence why a run would have no picture: it takes lines, which are
// relative to uniform.
func Fit(o lab.Options) error {
	switch {
	case len(o.Budgets) < 2:
		return errors.New("a picture wants two budgets or more")
	case slices.Contains(o.Budgets, 0):
		return errors.New("a picture has no place for a budget of 0")
	case !slices.Contains(o.Policies, "uniform"):
		return errors.New("a picture wants uniform among the policies: the delays are relative to it")
	}
	return nil
}

// PNG draws the summaries of a run.
func PNG(all []lab.Summary) ([]byte, error) {
	lines := collect(all)
	x := budgets(lines)
	if len(x) == 0 {
		return nil, errors.New("there is nothing to draw")
	}
	canvas := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(canvas, canvas.Bounds(), image.White, image.Point{}, draw.Src)
	for i, c := range []chart.Chart{delay(lines, x), ready(lines, x)} {
		half, err := rendered(c)
		if err != nil {
			return nil, err
		}
		draw.Draw(canvas, half.Bounds().Add(image.Pt(i*width/2, 0)), half, image.Point{}, draw.Src)
	}
	key, err := names(lines)
	if err != nil {
		return nil, err
	}
	draw.Draw(canvas, key.Bounds().Add(image.Pt(0, height-legend)), key, image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := png.Encode(&out, canvas); err != nil {
		return nil, fmt.Errorf("encode the picture: %w", err)
	}
	return out.Bytes(), nil
}

// line is a policy; one with its own pace is a single point.
type line struct {
	name                 string
	native               bool
	bound                bool // no policy: it does not set the axes
	look                 look
	budget, ratio, ready []float64
}

func collect(all []lab.Summary) []*line {
	var lines []*line
	at := map[string]*line{}
	for _, s := range all {
		l := at[s.Policy]
		if l == nil {
			l = &line{name: s.Policy, native: s.Native, bound: s.Policy == "clairvoyant", look: lookOf(s.Policy, len(lines))}
			at[s.Policy], lines = l, append(lines, l)
		}
		if s.Budget > 0 {
			l.budget, l.ratio, l.ready = append(l.budget, s.Budget), append(l.ratio, s.Ratio), append(l.ready, s.Ready)
		}
	}
	return lines
}

// budgets are those of the lines, ascending.
func budgets(lines []*line) []float64 {
	var x []float64
	for _, l := range lines {
		if !l.native {
			x = append(x, l.budget...)
		}
	}
	slices.Sort(x)
	return slices.Compact(x)
}

// series is a line over the logarithm of the budget; what the transform has no
// number for is left out.
func (l *line) series(y []float64, transform func(float64) float64) chart.ContinuousSeries {
	s := chart.ContinuousSeries{Name: l.name, Style: l.look.style(l.native)}
	type point struct{ x, y float64 }
	var points []point
	for i, b := range l.budget {
		if v := transform(y[i]); !math.IsNaN(v) && !math.IsInf(v, 0) {
			points = append(points, point{math.Log10(b), v})
		}
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	for _, p := range points {
		s.XValues, s.YValues = append(s.XValues, p.x), append(s.YValues, p.y)
	}
	return s
}

// delay is the chart of the delay relative to equal intervals, on two logarithmic
// axes.
func delay(lines []*line, x []float64) chart.Chart {
	lo, hi := 0.5, 1.0
	for _, l := range lines {
		for _, r := range l.ratio {
			if r > 0 && !l.native && !l.bound {
				lo, hi = min(lo, r), max(hi, r)
			}
		}
	}
	c := frame("delay relative to equal intervals", lines, x)
	ticks := around(lo, hi)
	for _, t := range ticks {
		c.YAxis.Ticks = append(c.YAxis.Ticks, chart.Tick{Value: math.Log10(t), Label: plain(t)})
	}
	within := func(r float64) float64 {
		if r < ticks[0] {
			return math.NaN()
		}
		return math.Log10(r)
	}
	c.Series = append(c.Series, axis(x))
	for _, l := range drawn(lines) {
		if s := l.series(l.ratio, within); !l.native && s.Len() > 0 {
			c.Series = append(c.Series, s)
		}
	}
	return c
}

// axis is the grid line at 1. It is there whatever the lines: a chart without any is
// refused.
func axis(x []float64) chart.Series {
	return chart.ContinuousSeries{Style: chart.Style{StrokeColor: drawing.ColorFromHex("e2e2e2"), StrokeWidth: 1},
		XValues: []float64{math.Log10(x[0]), math.Log10(x[len(x)-1])}, YValues: []float64{0, 0}}
}

// around are 1, 2 and 5 times the powers of ten, from the last one below a range to
// the first one above it.
func around(lo, hi float64) (ticks []float64) {
	const slack = 1 + 1e-9
	for e := math.Floor(math.Log10(lo)) - 1; ; e++ {
		for _, m := range []float64{1, 2, 5} {
			t := m * math.Pow(10, e)
			if t <= lo*slack {
				ticks = ticks[:0]
			}
			if ticks = append(ticks, t); t >= hi/slack {
				return ticks
			}
		}
	}
}

// complete is the share of posts ready (%) from which on the axis tells no difference.
const complete = 99.9

// ready is the chart of the posts that are there when they are looked for, the rest
// on a logarithmic axis.
func ready(lines []*line, x []float64) chart.Chart {
	least, most, best := 5.0, 10.0, 0.0
	for _, l := range lines {
		for _, r := range l.ready {
			most, best = max(most, 100-r), max(best, r)
			if !l.bound {
				least = min(least, 100-r)
			}
		}
	}
	ticks := around(max(least, 100-complete), min(100, most))
	c := frame("posts ready at the next access, %", lines, x)
	for _, t := range ticks {
		c.YAxis.Ticks = append(c.YAxis.Ticks, chart.Tick{Value: -math.Log10(t), Label: plain(100 - t)})
	}
	if best > 100-ticks[0] {
		c.YAxis.Ticks[0].Label = "≥" + c.YAxis.Ticks[0].Label
	}
	slices.Reverse(c.YAxis.Ticks)
	rest := func(y float64) float64 { return max(ticks[0], 100-y) }
	for _, l := range drawn(lines) {
		c.Series = append(c.Series, l.series(l.ready, func(y float64) float64 { return -math.Log10(rest(y)) }))
	}
	return c
}

// drawn are the lines in the order in which none hides another.
func drawn(lines []*line) []*line {
	return slices.SortedStableFunc(slices.Values(lines), func(a, b *line) int { return cmp.Compare(b.look.width, a.look.width) })
}

// frame is a chart without its lines. Its axes end with their ticks.
func frame(title string, lines []*line, x []float64) chart.Chart {
	ink := chart.Style{FontSize: 11, FontColor: drawing.ColorFromHex("333333"), StrokeColor: drawing.ColorFromHex("999999")}
	grid := chart.Style{StrokeColor: drawing.ColorFromHex("e2e2e2"), StrokeWidth: 1}
	c := chart.Chart{Title: title, Width: width / 2, Height: height - legend, DPI: dpi,
		TitleStyle: chart.Style{FontSize: 13, FontColor: drawing.ColorFromHex("111111")},
		Background: chart.Style{Padding: chart.Box{Top: 56, Left: 28, Right: 20, Bottom: 8}},
		XAxis:      chart.XAxis{Name: "fetches a feed a day", Style: ink, NameStyle: ink, GridMajorStyle: grid, GridMinorStyle: grid},
		YAxis:      chart.YAxis{Style: ink, GridMajorStyle: grid, GridMinorStyle: grid, AxisType: chart.YAxisSecondary}}
	lo, hi := x[0], x[len(x)-1]
	for _, l := range lines {
		if l.native && len(l.budget) > 0 {
			lo, hi = min(lo, l.budget[0]), max(hi, l.budget[0])
		}
	}
	c.XAxis.Ticks = append(c.XAxis.Ticks, chart.Tick{Value: math.Log10(lo / 1.12)})
	for _, b := range x {
		c.XAxis.Ticks = append(c.XAxis.Ticks, chart.Tick{Value: math.Log10(b), Label: plain(b)})
	}
	c.XAxis.Ticks = append(c.XAxis.Ticks, chart.Tick{Value: math.Log10(hi * 1.12)})
	return c
}

func plain(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

func rendered(c chart.Chart) (image.Image, error) {
	var out bytes.Buffer
	if err := c.Render(chart.PNG, &out); err != nil {
		return nil, fmt.Errorf("draw %s: %w", c.Title, err)
	}
	return png.Decode(&out)
}

// names is the legend: rows of a line as drawn and its policy.
func names(lines []*line) (image.Image, error) {
	r, err := chart.PNG(width, legend)
	if err != nil {
		return nil, fmt.Errorf("draw the legend: %w", err)
	}
	font, err := chart.GetDefaultFont()
	if err != nil {
		return nil, fmt.Errorf("draw the legend: %w", err)
	}
	chart.Draw.Box(r, chart.Box{Right: width, Bottom: legend}, chart.Style{FillColor: chart.ColorWhite, StrokeColor: chart.ColorWhite})
	r.SetDPI(dpi)
	perRow := max(7, (len(lines)+1)/2)
	for i, l := range lines {
		x, y := 40+(i%perRow)*(width-60)/perRow, 26+i/perRow*32
		l.look.style(l.native).WriteDrawingOptionsToRenderer(r)
		if !l.native {
			r.MoveTo(x, y)
			r.LineTo(x+36, y)
			r.Stroke()
		}
		r.SetFillColor(l.look.color)
		r.Circle(l.look.style(l.native).DotWidth, x+18, y)
		r.Fill()
		chart.Draw.Text(r, l.name, x+46, y+6, chart.Style{Font: font, FontSize: 11, FontColor: drawing.ColorFromHex("222222")})
	}
	var out bytes.Buffer
	if err := r.Save(&out); err != nil {
		return nil, fmt.Errorf("draw the legend: %w", err)
	}
	return png.Decode(&out)
}
