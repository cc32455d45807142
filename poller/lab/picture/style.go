package picture

import (
	"github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// lineStyle tells a policy's line from the others: by its color and, for readers who cannot
// tell colors apart, by its dashes.
type lineStyle struct {
	color  drawing.Color
	dashes []float64
	width  float64
}

// Okabe and Ito's palette, whose colors differ for all kinds of color vision.
var (
	black      = drawing.ColorFromHex("000000")
	orange     = drawing.ColorFromHex("e69f00")
	sky        = drawing.ColorFromHex("56b4e9")
	green      = drawing.ColorFromHex("009e73")
	blue       = drawing.ColorFromHex("0072b2")
	vermillion = drawing.ColorFromHex("d55e00")
	purple     = drawing.ColorFromHex("cc79a7")
	gray       = drawing.ColorFromHex("8a8a8a")
)

// policyStyles are the styles of the policies that are drawn most.
var policyStyles = map[string]lineStyle{
	"kairos":           {vermillion, nil, 4.5},
	"exact":            {vermillion, []float64{12, 6}, 3},
	"uniform":          {black, nil, 2.5},
	"clairvoyant":      {gray, []float64{2, 5}, 3},
	"he-parker":        {sky, nil, 3},
	"he-parker-daily":  {sky, []float64{12, 6}, 3},
	"he-parker-shrunk": {blue, []float64{12, 6}, 3},
	"sia":              {green, []float64{4, 4}, 3},
	"missing":          {purple, []float64{12, 4, 3, 4}, 3},
}

// otherStyles are for the other policies, in turn.
var otherStyles = []lineStyle{
	{orange, nil, 3}, {sky, []float64{4, 4}, 3}, {purple, nil, 3}, {green, []float64{12, 6}, 3},
	{blue, nil, 3}, {orange, []float64{12, 4, 3, 4}, 3}, {black, []float64{4, 4}, 3},
}

func styleOf(policy string, i int) lineStyle {
	if s, ok := policyStyles[policy]; ok {
		return s
	}
	return otherStyles[i%len(otherStyles)]
}

// chart returns the style of a line with dots; a policy that keeps its own pace is a dot alone.
func (l lineStyle) chart(ownPace bool) chart.Style {
	s := chart.Style{StrokeColor: l.color, StrokeWidth: l.width, StrokeDashArray: l.dashes, DotColor: l.color, DotWidth: 4}
	if ownPace {
		s.StrokeColor, s.StrokeWidth, s.DotWidth = drawing.ColorTransparent, 0, 7
	}
	return s
}
