// Package primary is the primary selection of X11: text that is selected anywhere is pasted by the middle button of the mouse, without being
// copied before. Other systems have none; Wayland has one, to which GLFW 3.4 gives no way.
package primary

import "fyne.io/fyne/v2"

var (
	set = func(text string) {}
	get = func() string { return "" }
)

// Use has the selection set and asked for by these functions, on the window's goroutine. Before, there is none.
func Use(setTo func(text string), ask func() string) { set, get = setTo, ask }

// Set makes text the selection, unless it is empty: what was selected before can then still be pasted.
func Set(text string) {
	if text != "" {
		set(text)
	}
}

// Get is the selection, "" if there is none. It waits for the program that has it.
func Get() string { return get() }

// Clipboard is the selection as something to paste from.
type Clipboard struct{}

var _ fyne.Clipboard = Clipboard{}

// Content implements fyne.Clipboard.
func (Clipboard) Content() string { return Get() }

// SetContent implements fyne.Clipboard.
func (Clipboard) SetContent(text string) { Set(text) }
