package widgets

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

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
	stack := WithTooltips(container.NewVBox(container.NewHBox(b, named), container.NewGridWrap(fyne.NewSize(80, 30), label)), func(f func()) { f() })
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
	}{{b, "Refresh  F5"}, {named, ""}, {label, label.Text}} {
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
