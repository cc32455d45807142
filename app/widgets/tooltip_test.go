package widgets

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

func TestTooltips(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	tapped := 0
	b := NewToolButton("Refresh", theme.ViewRefreshIcon(), func() { tapped++ })
	b.Key = func() string { return "F5" }
	named := NewToolButton("Star", theme.ViewRefreshIcon(), func() {})
	label := NewTapLabel()
	label.Truncation = fyne.TextTruncateEllipsis
	label.SetText("a text that is too long for its place in the line")
	hinted := NewTapLabel()
	hinted.SetText("short")
	hinted.Hint = "what it counts"
	stack := WithTooltips(container.NewVBox(container.NewHBox(b, named, container.NewGridWrap(fyne.NewSize(200, 30), hinted)), container.NewGridWrap(fyne.NewSize(80, 30), label)), func(f func()) { f() })
	tips := stack.Objects[1].(*Tooltips)
	var wait func()
	tips.after = func(_ time.Duration, f func()) func() bool {
		wait = f
		return func() bool { wait = func() {}; return true }
	}
	w := test.NewTempWindow(t, stack)
	w.Resize(fyne.NewSize(400, 200))
	for _, c := range []struct {
		over fyne.CanvasObject
		want string
	}{{b, "Refresh  F5"}, {named, ""}, {label, label.Text}, {hinted, hinted.Hint}} {
		wait = func() {}
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(c.over).AddXY(5, 5)
		test.MoveMouse(w.Canvas(), at)
		if tips.Shown() != "" {
			t.Errorf("over %q it is there at once", c.want)
		}
		wait()
		if got := tips.Shown(); got != c.want {
			t.Errorf("it shows %q, want %q", got, c.want)
		}
		if c.want == "" {
			continue
		}
		if g := tips.ground; g.Position().X < 0 || g.Position().X+g.Size().Width > tips.Size().Width || g.Position().Y < c.over.Size().Height {
			t.Errorf("%q stands at %v, %v large", c.want, g.Position(), g.Size())
		}
	}
	test.MoveMouse(w.Canvas(), fyne.NewPos(390, 190))
	if tips.Shown() != "" {
		t.Errorf("it still shows %q", tips.Shown())
	}
	test.TapCanvas(w.Canvas(), fyne.CurrentApp().Driver().AbsolutePositionForObject(b).AddXY(5, 5))
	if tapped != 1 {
		t.Error("the layer takes the taps")
	}
}

// tippedRow is a row with a tooltip.
type tippedRow struct {
	ListRow
	text *canvas.Text
}

func (r *tippedRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.text) }

// A row shows its tooltip once the pointer rests on it, also in several lines, and none after a scroll.
func TestTooltipsOfRows(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	long := strings.Repeat("a title that is too long for its row, ", 5)
	l := NewList(Keys{Used: func() {}, Rune: func(rune) {}}, func() int { return 50 }, func() fyne.CanvasObject {
		r := &tippedRow{text: canvas.NewText("row", nil)}
		r.Tooltip = func() string { return long }
		r.ExtendBaseWidget(r)
		return r
	}, func(int, fyne.CanvasObject) {})
	all := map[fyne.CanvasObject]bool{}
	update := l.UpdateItem
	l.UpdateItem = func(i int, o fyne.CanvasObject) {
		all[o.(*fyne.Container).Objects[2]] = true
		update(i, o)
	}
	stack := WithTooltips(l, func(f func()) { f() })
	tips := stack.Objects[1].(*Tooltips)
	var wait func()
	tips.after = func(_ time.Duration, f func()) func() bool {
		wait = f
		return func() bool { wait = func() {}; return true }
	}
	w := test.NewTempWindow(t, stack)
	w.Resize(fyne.NewSize(400, 200))
	tints := func() (n int) {
		for tint := range all {
			if tint.Visible() {
				n++
			}
		}
		return n
	}
	over := func() {
		test.MoveMouse(w.Canvas(), fyne.NewPos(390, 190))
		test.MoveMouse(w.Canvas(), fyne.NewPos(50, 60))
	}
	over()
	if tints() != 1 || tips.Shown() != "" {
		t.Errorf("%d rows are tinted, %q is shown at once", tints(), tips.Shown())
	}
	wait()
	if tips.Shown() != long || len(tips.lines) < 2 {
		t.Errorf("%q is shown in %d lines", tips.Shown(), len(tips.lines))
	}
	for _, line := range tips.lines {
		if line.MinSize().Width > tips.ground.Size().Width || line.Position().Y+line.Size().Height > 200 {
			t.Errorf("%q at %v is %v wide, the ground %v", line.Text.Text, line.Position(), line.MinSize(), tips.ground.Size())
		}
	}
	tips.breakLines("one\n\ntwo", 300)
	if len(tips.lines) != 3 || tips.lines[0].Content != "one" || tips.lines[2].Content != "two" {
		t.Errorf("%d lines", len(tips.lines))
	}
	test.Scroll(w.Canvas(), fyne.NewPos(50, 60), 0, -25)
	if tips.Shown() != "" {
		t.Error("it is shown while the list scrolls")
	}
	over()
	test.Scroll(w.Canvas(), fyne.NewPos(50, 60), 0, -25)
	if wait(); tips.Shown() != "" {
		t.Error("it appears after the list was scrolled")
	}
	over()
	wait()
	if l.TypedRune('j'); tips.Shown() != "" {
		t.Error("it stays after a key")
	}
	test.MoveMouse(w.Canvas(), fyne.NewPos(-10, -10))
}
