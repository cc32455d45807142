package picture

import (
	"image"
	"math/rand/v2"
	"testing"
)

// photoOf is a photograph of random colors.
func photoOf(w, h int, ratio image.YCbCrSubsampleRatio) *image.YCbCr {
	random := rand.New(rand.NewPCG(uint64(w), uint64(ratio)))
	m := image.NewYCbCr(image.Rect(0, 0, w, h), ratio)
	for _, plane := range [][]uint8{m.Y, m.Cb, m.Cr} {
		v := 128.0
		for i := range plane {
			v = min(145, max(111, v+6*random.NormFloat64())) // no color is cut off
			plane[i] = uint8(v)
		}
	}
	return m
}

// plain hides that an image is a photograph.
type plain struct{ image.Image }

// A photograph is averaged before its colors are converted as it would be after that.
func TestPhotographsAreAveragedAlike(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410} {
		for _, k := range []image.Point{{2, 2}, {4, 4}, {3, 2}, {1, 2}, {4, 1}} {
			src := photoOf(97, 61, ratio)
			got, want := average(src, k.X, k.Y), average(plain{src}, k.X, k.Y)
			if got.Rect != want.Rect {
				t.Fatalf("%v by %v: %v, not %v", ratio, k, got.Rect, want.Rect)
			}
			for i := range got.Pix {
				if d := int(got.Pix[i]) - int(want.Pix[i]); d < -3 || d > 3 {
					t.Fatalf("%v by %v: %d is %v, not %v", ratio, k, i, got.Pix[i], want.Pix[i])
				}
			}
		}
	}
}

// BenchmarkScale scales a photograph of the web to the width of a column.
func BenchmarkScale(b *testing.B) {
	src := photoOf(1200, 800, image.YCbCrSubsampleRatio420)
	for b.Loop() {
		scale(src, image.Pt(584, 389))
	}
}
