package widgets

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

// Dropdowns have a border and sliders a track that can be seen in every appearance, also when it changes.
func TestControlsFollowTheAppearance(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	choice, slider := NewSelect([]string{"one"}), NewSlider(0, 10)
	w := test.NewTempWindow(t, NewColumn(4, choice, slider))
	w.Resize(fyne.NewSize(300, 200))
	for _, variant := range []look.Variant{look.Light, look.Dark, look.Sepia} {
		th := look.New(variant)
		a.Settings().SetTheme(th)
		choice.Refresh()
		slider.Refresh()
		objects := test.WidgetRenderer(choice).Objects()
		border, ok := objects[len(objects)-1].(*canvas.Rectangle)
		if !ok || border.StrokeColor != th.Color(theme.ColorNameInputBorder, 0) || border.Size() != choice.Size() {
			t.Errorf("variant %d: the border of %v is %+v", variant, choice.Size(), border)
		}
		track := test.WidgetRenderer(slider).Objects()[0].(*canvas.Rectangle)
		thumb := test.WidgetRenderer(slider).Objects()[2].(*canvas.Circle)
		if track.FillColor != th.Color(theme.ColorNameInputBorder, 0) || thumb.FillColor != th.Color(look.ColorAccent, 0) {
			t.Errorf("variant %d: the track is %v, the thumb %v", variant, track.FillColor, thumb.FillColor)
		}
	}
}

// The names in a form have one width, whatever they name, and look as those of settings.
func TestFormNames(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	one, two := widget.NewEntry(), widget.NewEntry()
	f := NewForm(widget.NewFormItem("Name", one), &widget.FormItem{Text: "At least every", Widget: two, HintText: "a hint"}, widget.NewFormItem("", NewCheck("check")))
	test.NewTempWindow(t, f).Resize(fyne.NewSize(500, 300))
	at := func(o fyne.CanvasObject) fyne.Position {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	}
	if at(one).X != at(two).X || at(one).X < 80 || one.Size().Width < 300 || at(two).Y <= at(one).Y {
		t.Errorf("fields at %v and %v", at(one), at(two))
	}
}

// A slider keeps its width whatever value is said beside it.
func TestValued(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	slider, value := NewSlider(0, 10), NewCaption("9", Label)
	test.NewTempWindow(t, NewValued(100, slider, value)).Resize(fyne.NewSize(300, 60))
	before := slider.Size()
	value.SetText("about 140 characters", Label)
	if slider.Size() != before || value.Position().X < before.Width {
		t.Errorf("%v was %v, the value is at %v", slider.Size(), before, value.Position())
	}
}

// The values of a field are offered with the one in force ticked, from where the arrows go on.
func TestSelectOffersFromTheCurrentValue(t *testing.T) {
	test.NewTempApp(t)
	f := NewSelect([]string{"a", "b", "c"})
	f.SetSelected("b")
	win := test.NewTempWindow(t, f)
	win.Resize(fyne.NewSize(200, 300))
	win.Canvas().Focus(f)
	key := func(name fyne.KeyName) { win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name}) }
	key(fyne.KeyDown)
	key(fyne.KeyDown)
	key(fyne.KeyReturn)
	if f.Selected != "c" || win.Canvas().Overlays().Top() != nil {
		t.Errorf("%q is chosen", f.Selected)
	}
	key(fyne.KeySpace)
	key(fyne.KeyEscape)
	if f.Selected != "c" || win.Canvas().Focused() != fyne.Focusable(f) {
		t.Errorf("Escape chooses %q, %T has the focus", f.Selected, win.Canvas().Focused())
	}
	f.Tapped(nil)
	key(fyne.KeyUp)
	key(fyne.KeyReturn)
	if f.Selected != "b" {
		t.Errorf("a tap and Up choose %q", f.Selected)
	}
}

// Fields leave function keys, such as F1 for help, to the window; a capital F is text.
func TestFieldsPassFunctionKeysOn(t *testing.T) {
	test.NewTempApp(t)
	field := NewEntry(func() {})
	win := test.NewTempWindow(t, field)
	var passed []fyne.KeyName
	win.Canvas().SetOnTypedKey(func(ev *fyne.KeyEvent) { passed = append(passed, ev.Name) })
	for _, name := range []fyne.KeyName{fyne.KeyF1, fyne.KeyF, fyne.KeyF12, fyne.KeyLeft} {
		field.TypedKey(&fyne.KeyEvent{Name: name})
	}
	if !slices.Equal(passed, []fyne.KeyName{fyne.KeyF1, fyne.KeyF12}) {
		t.Errorf("passed on: %v", passed)
	}
}
