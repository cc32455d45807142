package widgets

import (
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

func TestLayouts(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	text := NewText(strings.Repeat("many words that wrap ", 20), Plain)
	other := NewText("below", Plain)
	box := NewColumn(10, text, other)
	heights := map[float32]float32{}
	for _, width := range []float32{200, 400, 800, 200} {
		box.Resize(fyne.NewSize(width, 10))
		high := text.Size().Height
		if was, again := heights[width]; again && was != high {
			t.Errorf("at width %v the text was %v high, now %v", width, was, high)
		}
		heights[width] = high
		if text.Size().Width != width || other.Position().Y != high+10 || box.MinSize().Height != high+10+other.Size().Height {
			t.Errorf("at width %v: text %v high, the next object at %v, column %v", width, high, other.Position(), box.MinSize())
		}
	}
	if heights[200] < 1.8*heights[400] || heights[400] < 1.8*heights[800] {
		t.Errorf("heights by width: %v", heights)
	}

	one, two := widget.NewButton("one", nil), widget.NewButton("two", nil)
	row := NewFlow(5, one, two)
	row.Resize(fyne.NewSize(500, 10))
	if two.Position().Y != 0 || two.Position().X != one.Size().Width+5 || row.MinSize().Height != one.Size().Height {
		t.Errorf("side by side: %v, %v", two.Position(), row.MinSize())
	}
	row.Resize(fyne.NewSize(one.MinSize().Width+10, 10))
	if two.Position() != fyne.NewPos(0, one.Size().Height+5) || row.MinSize().Height != 2*one.Size().Height+5 {
		t.Errorf("wrapped: %v, %v", two.Position(), row.MinSize())
	}

	low, empty := NewAtLeast(30, NewText("low", Plain)), NewAtLeast(30, NewText("", Plain))
	if low.MinSize().Height != 30 || empty.MinSize().Height != 30 || NewAtLeast(30, NewSpace(40)).MinSize().Height != 40 {
		t.Errorf("at least 30: %v, %v", low.MinSize(), empty.MinSize())
	}

	name, value := NewText("name", Label), NewText("value", Plain)
	fact := NewLabeled(100, name, value)
	fact.Resize(fyne.NewSize(400, 10))
	if value.Position() != fyne.NewPos(100, 0) {
		t.Errorf("beside its label: %v", value.Position())
	}
	wide := fact.MinSize().Height
	fact.Resize(fyne.NewSize(NarrowWidth-1, 10))
	if value.Position().X != 0 || value.Position().Y == 0 || fact.MinSize().Height <= wide {
		t.Errorf("below its label: %v", value.Position())
	}
}

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
	for _, text := range []string{"", "short", strings.Repeat("wide words ", 40), strings.Repeat("漢字", 200), strings.Repeat("i", 80), strings.Repeat("\u0301", 250), "🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂"} {
		for _, width := range []float32{0, 10, 80, 400} {
			got := Ellipsis(text, width, 14, fyne.TextStyle{})
			if w := fyne.MeasureText(got, 14, fyne.TextStyle{}).Width; w > width && len([]rune(got)) > 1 {
				t.Errorf("%q is %.0f wide, more than %.0f", got, w, width)
			}
			if n := len([]rune(text)); got == text != (n < maxLine && fyne.MeasureText(text, 14, fyne.TextStyle{}).Width <= width) {
				t.Errorf("%q in %.0f: %q", text, width, got)
			}
			if text == "short" && width == 80 && got != text {
				t.Errorf("%q was cut to %q", text, got)
			}
		}
	}
}
