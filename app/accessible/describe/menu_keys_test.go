package describe

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/typeset"
)

// The keys in menus are as legible as their entries, also when an entry was refreshed; not those of entries that are disabled.
func TestMenuKeysAreLegible(t *testing.T) {
	test.NewTempApp(t)
	w := test.NewTempWindow(t, widget.NewLabel("Below"))
	w.Resize(fyne.NewSize(400, 400))
	on, off := fyne.NewMenuItem("Copy", nil), fyne.NewMenuItem("Paste", nil)
	on.Shortcut, off.Shortcut, off.Disabled = &fyne.ShortcutCopy{}, &fyne.ShortcutPaste{}, true
	menu := widget.NewPopUpMenu(fyne.NewMenu("", on, off), w.Canvas())
	menu.ShowAtPosition(fyne.NewPos(10, 10))
	keyOf := func(name string) *canvas.Text {
		t.Helper()
		for _, entry := range menu.Items {
			if item, _ := field[*fyne.MenuItem](entry, "Item"); item.Label == name {
				for _, o := range renderer(entry.(fyne.Widget)).Objects() {
					if text, ok := o.(*canvas.Text); ok && text.Text == map[string]string{"Copy": "C", "Paste": "V"}[name] {
						return text
					}
				}
			}
		}
		t.Fatalf("%s has no key", name)
		return nil
	}
	if _, _, _, alpha := keyOf("Copy").Color.RGBA(); alpha>>8 > faintKeys {
		t.Errorf("Fyne draws the keys with alpha %d of 255: ColorMenuKeys is not needed any more", alpha>>8)
	}
	shade := color.NRGBA{R: 1, G: 2, B: 3, A: 255}
	disabled := keyOf("Paste").Color
	for range 2 {
		ColorMenuKeys(w.Canvas(), shade)
		if got := keyOf("Copy").Color; got != shade {
			t.Errorf("the key is drawn in %v", got)
		}
		menu.ActivateNext()
		menu.Refresh()
	}
	if keyOf("Paste").Color != disabled {
		t.Error("the key of a disabled entry is drawn as if it were not")
	}
}

// An entry draws Hebrew in its order, also when it was refreshed, and says it as it was.
func TestMenusShowHebrewInOrder(t *testing.T) {
	test.NewTempApp(t)
	w := test.NewTempWindow(t, widget.NewLabel("Below"))
	w.Resize(fyne.NewSize(400, 400))
	item := fyne.NewMenuItem("אב: גד", nil)
	menu := widget.NewPopUpMenu(fyne.NewMenu("", item), w.Canvas())
	menu.ShowAtPosition(fyne.NewPos(10, 10))
	for range 2 {
		ColorMenuKeys(w.Canvas(), color.White)
		entry := menu.Items[0].(fyne.Widget)
		var drawn []string
		for _, o := range renderer(entry).Objects() {
			if text, ok := o.(*canvas.Text); ok {
				drawn = append(drawn, text.Text)
			}
		}
		if want := typeset.Visual(item.Label); len(drawn) != 1 || drawn[0] != want {
			t.Errorf("the entry shows %q, want %q", drawn, want)
		}
		if n, _ := Widget(entry); n.Name != item.Label {
			t.Errorf("the entry says %q", n.Name)
		}
		menu.ActivateNext()
		menu.Refresh()
	}
}
