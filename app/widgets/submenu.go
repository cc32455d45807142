package widgets

import "fyne.io/fyne/v2"

// Submenu is a menu entry that opens another menu.
func Submenu(name string, items ...*fyne.MenuItem) *fyne.MenuItem {
	item := fyne.NewMenuItem(name, nil)
	item.ChildMenu = fyne.NewMenu("", items...)
	return item
}
