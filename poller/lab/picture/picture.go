// Package picture draws the result of a replay as charts: the delay relative to equal intervals, and what is ready of the
// posts that are read and as the mean over feeds, by fetches per feed and day, with a line for each policy.
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
	"kairos/poller/ticks"
)

// The size of the picture in pixels.
const (
	width, height = 2100, 760
	charts        = 3  // side by side
	legendHeight  = 84 // at the bottom
	dpi           = 110
)

// Check reports in an English sentence why a run could not be drawn: the chart needs lines, and
// they are relative to uniform.
func Check(o lab.Options) error {
	switch {
	case len(o.Budgets) < 2:
		return errors.New("a picture needs two budgets or more")
	case slices.Contains(o.Budgets, 0):
		return errors.New("a picture cannot show a budget of 0")
	case !slices.ContainsFunc(o.Policies, func(p lab.Policy) bool { return p.Name == "uniform" }):
		return errors.New("a picture needs the policy uniform, since the delays are relative to it")
	}
	return nil
}

// PNG draws the summaries of a run and returns the picture as a PNG file.
func PNG(all []lab.Summary) ([]byte, error) {
	lines := collect(all)
	x := budgets(lines)
	if len(x) == 0 {
		return nil, errors.New("no policy with a budget was replayed")
	}
	canvas := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(canvas, canvas.Bounds(), image.White, image.Point{}, draw.Src)
	for i, c := range [charts]chart.Chart{delayChart(lines, x),
		readyChart("posts that are read, ready at the next access, %", lines, x, func(l *line) []float64 { return l.ready.read }),
		readyChart("posts ready at the next access, mean over feeds, %", lines, x, func(l *line) []float64 { return l.ready.byFeed })} {
		part, err := render(c)
		if err != nil {
			return nil, err
		}
		draw.Draw(canvas, part.Bounds().Add(image.Pt(i*width/charts, 0)), part, image.Point{}, draw.Src)
	}
	key, err := drawLegend(lines)
	if err != nil {
		return nil, err
	}
	draw.Draw(canvas, key.Bounds().Add(image.Pt(0, height-legendHeight)), key, image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := png.Encode(&out, canvas); err != nil {
		return nil, fmt.Errorf("encode the picture: %w", err)
	}
	return out.Bytes(), nil
}

// line is one policy; one that keeps its own pace is a single point.
type line struct {
	name          string
	ownPace       bool
	bound         bool // not a real policy: it does not set the axes
	style         lineStyle
	budget, ratio []float64
	ready         struct{ read, byFeed []float64 } // %
}

func collect(all []lab.Summary) []*line {
	var lines []*line
	at := map[string]*line{}
	for _, s := range all {
		l := at[s.Policy]
		if l == nil {
			l = &line{name: s.Policy, ownPace: s.OwnPace, bound: s.Policy == "clairvoyant", style: styleOf(s.Policy, len(lines))}
			at[s.Policy], lines = l, append(lines, l)
		}
		if s.Budget > 0 {
			l.budget, l.ratio = append(l.budget, s.Budget), append(l.ratio, s.Ratio)
			l.ready.read, l.ready.byFeed = append(l.ready.read, s.ReadyRead), append(l.ready.byFeed, s.ReadyByFeed)
		}
	}
	return lines
}

// budgets returns the budgets of the lines, ascending.
func budgets(lines []*line) []float64 {
	var x []float64
	for _, l := range lines {
		if !l.ownPace {
			x = append(x, l.budget...)
		}
	}
	slices.Sort(x)
	return slices.Compact(x)
}

// series is the line over the logarithm of the budget, without points for which the transform
// gives no number.
func (l *line) series(y []float64, transform func(float64) float64) chart.ContinuousSeries {
	s := chart.ContinuousSeries{Name: l.name, Style: l.style.chart(l.ownPace)}
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

// delayChart is the chart of the delay relative to equal intervals, on two logarithmic
// axes.
func delayChart(lines []*line, x []float64) chart.Chart {
	lo, hi := 0.5, 1.0
	for _, l := range lines {
		for _, r := range l.ratio {
			if r > 0 && !l.ownPace && !l.bound {
				lo, hi = min(lo, r), max(hi, r)
			}
		}
	}
	c := emptyChart("delay relative to equal intervals", lines, x)
	marks := ticks.Log(lo, hi)
	for _, t := range marks {
		c.YAxis.Ticks = append(c.YAxis.Ticks, chart.Tick{Value: math.Log10(t), Label: formatNumber(t)})
	}
	within := func(r float64) float64 {
		if r < marks[0] {
			return math.NaN()
		}
		return math.Log10(r)
	}
	c.Series = append(c.Series, gridLineAtOne(x))
	for _, l := range byWidth(lines) {
		if s := l.series(l.ratio, within); !l.ownPace && s.Len() > 0 {
			c.Series = append(c.Series, s)
		}
	}
	return c
}

// gridLineAtOne is always drawn: the library refuses a chart without lines.
func gridLineAtOne(x []float64) chart.Series {
	return chart.ContinuousSeries{Style: chart.Style{StrokeColor: drawing.ColorFromHex("e2e2e2"), StrokeWidth: 1},
		XValues: []float64{math.Log10(x[0]), math.Log10(x[len(x)-1])}, YValues: []float64{0, 0}}
}

// maxReady is the share of posts ready (%) from which on the axis shows no difference.
const maxReady = 99.9

// readyChart is the chart of a share of posts that are ready; the axis is logarithmic in the share that is not.
func readyChart(title string, lines []*line, x []float64, ready func(l *line) []float64) chart.Chart {
	least, most, best := 5.0, 10.0, 0.0
	for _, l := range lines {
		for _, r := range ready(l) {
			most, best = max(most, 100-r), max(best, r)
			if !l.bound {
				least = min(least, 100-r)
			}
		}
	}
	marks := ticks.Log(max(least, 100-maxReady), min(100, most))
	c := emptyChart(title, lines, x)
	for _, t := range marks {
		c.YAxis.Ticks = append(c.YAxis.Ticks, chart.Tick{Value: -math.Log10(t), Label: formatNumber(100 - t)})
	}
	if best > 100-marks[0] {
		c.YAxis.Ticks[0].Label = "≥" + c.YAxis.Ticks[0].Label
	}
	slices.Reverse(c.YAxis.Ticks)
	rest := func(y float64) float64 { return max(marks[0], 100-y) }
	for _, l := range byWidth(lines) {
		c.Series = append(c.Series, l.series(ready(l), func(y float64) float64 { return -math.Log10(rest(y)) }))
	}
	return c
}

// byWidth returns the lines from wide to narrow, so that none hides another.
func byWidth(lines []*line) []*line {
	return slices.SortedStableFunc(slices.Values(lines), func(a, b *line) int { return cmp.Compare(b.style.width, a.style.width) })
}

// emptyChart is a chart without its lines. Its axes end at their last ticks.
func emptyChart(title string, lines []*line, x []float64) chart.Chart {
	ink := chart.Style{FontSize: 11, FontColor: drawing.ColorFromHex("333333"), StrokeColor: drawing.ColorFromHex("999999")}
	grid := chart.Style{StrokeColor: drawing.ColorFromHex("e2e2e2"), StrokeWidth: 1}
	c := chart.Chart{Title: title, Width: width / charts, Height: height - legendHeight, DPI: dpi,
		TitleStyle: chart.Style{FontSize: 13, FontColor: drawing.ColorFromHex("111111")},
		Background: chart.Style{Padding: chart.Box{Top: 56, Left: 28, Right: 20, Bottom: 8}},
		XAxis:      chart.XAxis{Name: "fetches per feed and day", Style: ink, NameStyle: ink, GridMajorStyle: grid, GridMinorStyle: grid},
		YAxis:      chart.YAxis{Style: ink, GridMajorStyle: grid, GridMinorStyle: grid, AxisType: chart.YAxisSecondary}}
	lo, hi := x[0], x[len(x)-1]
	for _, l := range lines {
		if l.ownPace && len(l.budget) > 0 {
			lo, hi = min(lo, l.budget[0]), max(hi, l.budget[0])
		}
	}
	c.XAxis.Ticks = append(c.XAxis.Ticks, chart.Tick{Value: math.Log10(lo / 1.12)})
	for _, b := range x {
		c.XAxis.Ticks = append(c.XAxis.Ticks, chart.Tick{Value: math.Log10(b), Label: formatNumber(b)})
	}
	c.XAxis.Ticks = append(c.XAxis.Ticks, chart.Tick{Value: math.Log10(hi * 1.12)})
	return c
}

// formatNumber writes a number with up to four digits that count, and never with a power of ten.
func formatNumber(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

func render(c chart.Chart) (image.Image, error) {
	var out bytes.Buffer
	if err := c.Render(chart.PNG, &out); err != nil {
		return nil, fmt.Errorf("draw %s: %w", c.Title, err)
	}
	return png.Decode(&out)
}

// drawLegend draws rows of sample lines with their policies.
func drawLegend(lines []*line) (image.Image, error) {
	r, err := chart.PNG(width, legendHeight)
	if err != nil {
		return nil, fmt.Errorf("draw the legend: %w", err)
	}
	font, err := chart.GetDefaultFont()
	if err != nil {
		return nil, fmt.Errorf("draw the legend: %w", err)
	}
	chart.Draw.Box(r, chart.Box{Right: width, Bottom: legendHeight}, chart.Style{FillColor: chart.ColorWhite, StrokeColor: chart.ColorWhite})
	r.SetDPI(dpi)
	perRow := max(7, (len(lines)+1)/2)
	for i, l := range lines {
		x, y := 40+(i%perRow)*(width-60)/perRow, 26+i/perRow*32
		l.style.chart(l.ownPace).WriteDrawingOptionsToRenderer(r)
		if !l.ownPace {
			r.MoveTo(x, y)
			r.LineTo(x+36, y)
			r.Stroke()
		}
		r.SetFillColor(l.style.color)
		r.Circle(l.style.chart(l.ownPace).DotWidth, x+18, y)
		r.Fill()
		chart.Draw.Text(r, l.name, x+46, y+6, chart.Style{Font: font, FontSize: 11, FontColor: drawing.ColorFromHex("222222")})
	}
	var out bytes.Buffer
	if err := r.Save(&out); err != nil {
		return nil, fmt.Errorf("draw the legend: %w", err)
	}
	return png.Decode(&out)
}
