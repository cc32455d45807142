package keys

import "fyne.io/fyne/v2/lang"

// translated returns the name of a key or modifier that keyboards of other languages have another word for.
func translated(name string) string {
	switch name {
	case "Ctrl":
		return lang.X("key.ctrl", "Ctrl")
	case "Shift":
		return lang.X("key.shift", "Shift")
	case "Space":
		return lang.X("key.space", "Space")
	case "Enter":
		return lang.X("key.enter", "Enter")
	case "Del":
		return lang.X("key.delete", "Del")
	case "PgUp":
		return lang.X("key.page-up", "PgUp")
	case "PgDn":
		return lang.X("key.page-down", "PgDn")
	case "Home":
		return lang.X("key.home", "Home")
	case "End":
		return lang.X("key.end", "End")
	case "Insert":
		return lang.X("key.insert", "Insert")
	case "Menu":
		return lang.X("key.menu", "Menu")
	case "BackSpace":
		return lang.X("key.backspace", "BackSpace")
	}
	return name
}
