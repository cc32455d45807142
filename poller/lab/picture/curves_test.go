package picture

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"testing"
)

func TestGraphsDrawEveryCurve(t *testing.T) {
	line := Graph{Title: "line", X: "x", Y: "y", Step: 6, From: 1,
		Curves: []Curve{{Name: "a", X: []float64{0, 12, 24}, Y: []float64{2, 5, 3}}, {Name: "b", X: []float64{0, 24}, Y: []float64{0, 4}}}}
	points := Graph{Title: "points", LogX: true, LogY: true, Curves: []Curve{{Name: "c", Points: true,
		X: []float64{0.01, 0.2, 3, 400, 0}, Y: []float64{1000, 70, 7, 1, 1}}}}
	text, err := Graphs(line, points, line)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(text))
	if err != nil || img.Bounds() != image.Rect(0, 0, 2*graphWidth, 2*graphHeight) {
		t.Fatalf("%v, %v", img.Bounds(), err)
	}
	left, right := image.Rect(0, 70, graphWidth, graphHeight), image.Rect(graphWidth, 70, 2*graphWidth, graphHeight)
	if n := count(img, vermillion, left); n < 300 {
		t.Errorf("the line a has %d pixels", n)
	}
	if n := count(img, vermillion, right); n < 4 || n > 200 {
		t.Errorf("four points have %d pixels", n)
	}
	for _, empty := range [][]Graph{nil, {{Title: "empty", Curves: []Curve{{Name: "none", X: []float64{1}, Y: []float64{math.NaN()}}}}}} {
		if _, err := Graphs(empty...); err == nil {
			t.Errorf("%v is drawn", empty)
		}
	}
}
