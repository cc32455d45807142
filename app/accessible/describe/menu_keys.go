package describe

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"kairos/app/typeset"
)

// faintKeys is the most alpha that Fyne 2.8.1 draws the keys of menus with: a fifth of that of text, which nobody can read.
const faintKeys = 50

// ColorMenuKeys colors the keys of the menus that are open on a canvas, and puts Hebrew and Arabic in their entries in order. Fyne
// sets both whenever it refreshes an entry, so it is called before each frame.
func ColorMenuKeys(c fyne.Canvas, shade color.Color) {
	trees := treesOf(c)
	for i, tree := range trees {
		if isBar := i == 0 && tree != c.Content(); isBar || holdsMenu(tree) {
			colorKeys(tree, shade)
		}
	}
}

// BarOpen reports whether a menu of the bar of a canvas is open.
func BarOpen(c fyne.Canvas) bool {
	bar, ok := treesOf(c)[0].(interface{ IsActive() bool })
	return ok && bar.IsActive()
}

// PopUpMenus returns the popup menus that are open on a canvas, the topmost last.
func PopUpMenus(c fyne.Canvas) (open []*widget.PopUpMenu) {
	for _, cover := range c.Overlays().List() {
		if menu := heldMenu(cover); menu != nil {
			open = append(open, menu)
		}
	}
	return open
}

// holdsMenu reports whether something that covers the window is a menu.
func holdsMenu(o fyne.CanvasObject) bool { return heldMenu(o) != nil }

// heldMenu returns the menu that something which covers the window is; nil: it is something else.
func heldMenu(o fyne.CanvasObject) *widget.PopUpMenu {
	cover, ok := o.(fyne.Widget)
	if !ok {
		return nil
	}
	for _, inside := range renderer(cover).Objects() {
		if menu, ok := inside.(*widget.PopUpMenu); ok {
			return menu
		}
	}
	return nil
}

func colorKeys(o fyne.CanvasObject, shade color.Color) {
	if !o.Visible() {
		return
	}
	if c, ok := o.(*fyne.Container); ok {
		for _, inside := range c.Objects {
			colorKeys(inside, shade)
		}
		return
	}
	w, ok := o.(fyne.Widget)
	if !ok {
		return
	}
	item, ok := field[*fyne.MenuItem](w, "Item")
	isItem := ok && item != nil && !item.Disabled
	for _, inside := range renderer(w).Objects() {
		text, ok := inside.(*canvas.Text)
		if !ok {
			colorKeys(inside, shade)
			continue
		}
		if item != nil && text.Text == item.Label {
			text.Text = typeset.Visual(item.Label)
		}
		if _, _, _, alpha := text.Color.RGBA(); isItem && alpha>>8 <= faintKeys {
			text.Color = shade
		}
	}
}
