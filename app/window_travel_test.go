package app

import (
	"slices"
	"testing"

	"kairos/app/jump"
)

// What only a submenu offers is gone to by its name, too, and each command once.
func TestChoicesOfMenusAreFound(t *testing.T) {
	w, _ := newTestWindow(t)
	choices := w.choices("", w.win.MainMenu().Items...)
	for name, in := range map[string]string{"Goal…": "Fetches a day", "On": "Battery saver"} {
		found := jump.Matching(choices, name)
		if !slices.ContainsFunc(found, func(t jump.Target) bool { return t.Name == name && t.Detail == in }) {
			t.Errorf("%s of %s is not among %d", name, in, len(found))
		}
	}
	for _, c := range choices {
		if c.Name == "Star" || c.Name == "Three columns" || c.Go == nil {
			t.Errorf("%s is a command", c.Name)
		}
	}
}
