package picture

import (
	"github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// look is how a policy's line is told from the others: by its colour and, for who
// sees no colours, by its dashes.
type look struct {
	color  drawing.Color
	dashes []float64
	width  float64
}

// Okabe and Ito's palette, whose colours differ for all kinds of colour vision.
var (
	black      = drawing.ColorFromHex("000000")
	orange     = drawing.ColorFromHex("e69f00")
	sky        = drawing.ColorFromHex("56b4e9")
	green      = drawing.ColorFromHex("009e73")
	blue       = drawing.ColorFromHex("0072b2")
	vermillion = drawing.ColorFromHex("d55e00")
	purple     = drawing.ColorFromHex("cc79a7")
	grey       = drawing.ColorFromHex("8a8a8a")
)

// looks are those of the policies that are mostly drawn.
var looks = map[string]look{
	"exact":            {vermillion, nil, 4.5},
	"uniform":          {black, nil, 2.5},
	"clairvoyant":      {grey, []float64{2, 5}, 3},
	"he-parker":        {sky, nil, 3},
	"he-parker-shrunk": {blue, []float64{12, 6}, 3},
	"sia":              {green, []float64{4, 4}, 3},
	"missing":          {purple, []float64{12, 4, 3, 4}, 3},
}

// others are for the rest, in turn.
var others = []look{
	{orange, nil, 3}, {sky, []float64{4, 4}, 3}, {purple, nil, 3}, {green, []float64{12, 6}, 3},
	{blue, nil, 3}, {orange, []float64{12, 4, 3, 4}, 3}, {black, []float64{4, 4}, 3},
}

func lookOf(policy string, i int) look {
	if l, ok := looks[policy]; ok {
		return l
	}
	return others[i%len(others)]
}

// style draws a line with dots; a policy with its own pace is a dot alone.
func (l look) style(native bool) chart.Style {
	s := chart.Style{StrokeColor: l.color, StrokeWidth: l.width, StrokeDashArray: l.dashes, DotColor: l.color, DotWidth: 4}
	if native {
		s.StrokeColor, s.StrokeWidth, s.DotWidth = drawing.ColorTransparent, 0, 7
	}
	return s
}
