package widgets_test

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
)

// What has the focus is shown by lines that everybody can see, in all colors.
func TestFocusRing(t *testing.T) {
	a := test.NewTempApp(t)
	filled := widgets.NewDialogButton("Save", func() {})
	filled.Importance = widget.HighImportance
	leave := func() {}
	strip := widgets.NewBarStrip(widgets.Keys{}, []fyne.ThemeColorName{look.ColorAccent}, nil, nil)
	controls := []fyne.CanvasObject{widgets.NewButton("Undo", leave), filled, widgets.NewDialogButton("Cancel", leave),
		widgets.NewToolButton("Refresh", theme.ViewRefreshIcon(), leave), widgets.NewEntry(leave), widgets.NewFilterEntry(leave, nil),
		widgets.NewSelect([]string{"One"}), widgets.NewSelectEntry([]string{"One"}), widgets.NewCheck("Load images"), widgets.NewSlider(0, 10), strip}
	w := test.NewTempWindow(t, container.NewVBox(controls...))
	w.Resize(fyne.NewSize(240, 500))
	defer look.UseContrast(false)
	for _, v := range []string{"light", "dark", "sepia"} {
		for _, contrast := range []bool{false, true} {
			name := fmt.Sprintf("%s-%v", v, contrast)
			look.UseContrast(contrast)
			a.Settings().SetTheme(look.New(look.Variants[v]))
			for _, o := range controls {
				if seen, line := widgetstest.FocusSeen(w.Canvas(), o.(fyne.Focusable)); seen < line {
					t.Errorf("%s: the focus of %T is seen at %d pixels of %d", name, o, seen, line)
				}
			}
			if v == "sepia" {
				continue // with more contrast it is light
			}
			for _, o := range controls {
				o.(fyne.Focusable).FocusGained()
			}
			widgetstest.AssertLooks(t, map[bool]string{false: "focus-", true: "focus-contrast-"}[contrast]+v, w.Canvas().Capture())
			for _, o := range controls {
				o.(fyne.Focusable).FocusLost()
			}
		}
	}
}

// The arrow down shows the values of a field that offers some: Tab does not stop at what shows them to the mouse.
func TestSelectEntryOffersByKeys(t *testing.T) {
	test.NewTempApp(t)
	field, next := widgets.NewSelectEntry([]string{"News", "Science"}), widgets.NewButton("Next", nil)
	w := test.NewTempWindow(t, container.NewVBox(field, next))
	c := w.Canvas()
	c.Focus(field)
	if c.FocusNext(); c.Focused() != fyne.Focusable(next) {
		t.Errorf("Tab leads to %T", c.Focused())
	}
	c.Focus(field)
	field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	menu, shown := c.Focused().(*widget.PopUpMenu)
	if !shown {
		t.Fatal("nothing is shown")
	}
	menu.ActivateNext()
	menu.ActivateNext()
	if menu.TriggerLast(); field.Text != "Science" {
		t.Errorf("%q is chosen", field.Text)
	}
}
