package typeset

import (
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/look"
)

// The longest beginning that has room is found in a few measurements, however wide each letter is.
func TestLongestBeginning(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	sum, count := 0, 0
	for range 2000 {
		wide := make([]float32, 1+r.IntN(300))
		for i := range wide {
			wide[i] = []float32{0, 2.6, 5, 7, 9, 14}[r.IntN(6)]
			if r.IntN(4) == 0 { // a run of the same
				wide[i] = wide[max(0, i-1)]
			}
		}
		width, asked := r.Float32()*800-20, 0
		beginning := func(n int) (sum float32) {
			asked++
			for _, w := range wide[:n] {
				sum += w
			}
			return sum + 10
		}
		want := max(0, sort.Search(len(wide), func(i int) bool { return beginning(i+1) > width }))
		asked = 0
		if got := longest(len(wide), width, 14, beginning); got != want {
			t.Fatalf("%d of %v fit %v, want %d", got, wide, width, want)
		}
		sum, count = sum+asked, count+1
	}
	if mean := float64(sum) / float64(count); mean > 5 {
		t.Errorf("%.1f measurements on the average", mean)
	}
}

func TestEllipsisFits(t *testing.T) {
	test.NewTempApp(t)
	face := For(look.New(look.Light)).Face(14, fyne.TextStyle{}, nil)
	for _, text := range []string{"", "short", strings.Repeat("wide words ", 40), strings.Repeat("漢字", 200), strings.Repeat("i", 80), strings.Repeat("\u0301", 250), "🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂"} {
		for _, width := range []float32{0, 10, 80, 400} {
			got := face.Ellipsis(text, width)
			if w := fyne.MeasureText(got, 14, fyne.TextStyle{}).Width; w > width && len([]rune(got)) > 1 {
				t.Errorf("%q is %.0f wide, more than %.0f", got, w, width)
			}
			if n := len([]rune(text)); got == text != (n < maxRow && fyne.MeasureText(text, 14, fyne.TextStyle{}).Width <= width) {
				t.Errorf("%q in %.0f: %q", text, width, got)
			}
			if text == "short" && width == 80 && got != text {
				t.Errorf("%q was cut to %q", text, got)
			}
		}
	}
}
