package widgets

import (
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
