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

	check := NewCheck("a label that is longer than the width above which one may wrap, and has room here")
	row = NewFlow(5, check)
	row.Resize(fyne.NewSize(900, 10))
	if high := check.MinSize().Height; high != NewCheck("short").MinSize().Height || check.Size().Width > 900 {
		t.Errorf("a checkbox with room: %v high, %v", high, check.Size())
	}
	row.Resize(fyne.NewSize(200, 10))
	if high := check.MinSize().Height; high <= NewCheck("short").MinSize().Height {
		t.Errorf("a checkbox without room: %v high, %v", high, check.Size())
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
	beside := NewBeside(100, NewText("name", Label), NewText("7", Plain))
	beside.Resize(fyne.NewSize(NarrowWidth/2, 10))
	if at := beside.Objects[1].Position(); at != fyne.NewPos(100, 0) || beside.MinSize().Height != NewText("7", Plain).MinSize().Height {
		t.Errorf("beside its label in a narrow place: %v, %v", at, beside.MinSize())
	}
	left, right := NewText("left", Plain), NewText("right", Plain)
	both := NewColumns(100, 4, left, right)
	both.Resize(fyne.NewSize(304, 10))
	if right.Position() != fyne.NewPos(154, 0) || left.Size().Width != 150 || both.MinSize().Height != left.MinSize().Height {
		t.Errorf("columns: %v, %v, %v", right.Position(), left.Size(), both.MinSize())
	}
	both.Resize(fyne.NewSize(150, 10))
	if right.Position() != fyne.NewPos(0, left.Size().Height+4) || both.MinSize().Height <= left.Size().Height {
		t.Errorf("columns below each other: %v, %v", right.Position(), both.MinSize())
	}
	wide := fact.MinSize().Height
	fact.Resize(fyne.NewSize(NarrowWidth-1, 10))
	if value.Position().X != 0 || value.Position().Y == 0 || fact.MinSize().Height <= wide {
		t.Errorf("below its label: %v", value.Position())
	}
}
