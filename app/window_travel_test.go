package app

import (
	"slices"
	"testing"

	"kairos/app/jump"
)

// What only a submenu offers is gone to by its name, too, and each command once.
func TestChoicesOfMenusAreFound(t *testing.T) {
	w, _ := newTestWindow(t)
	choices := w.choices(map[string]string{}, w.win.MainMenu().Items...)
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

// People look for a command by the menu it is in, and for a page of the settings.
func TestMenusFindTheirCommands(t *testing.T) {
	w, _ := newTestWindow(t)
	w.jump()
	d := w.going
	for typed, want := range map[string]string{"layout": "Three columns", "columns": "Three columns", "stream": "Articles one below the other", "single column": "Articles one below the other", "magazine": "Articles one below the other", "view sort": "Oldest first", "theme": "General", "dark": "General", "notif": "Notifications", "settings storage": "Storage"} {
		d.Typed.SetText(typed)
		if !slices.ContainsFunc(d.Found, func(t jump.Target) bool { return t.Name == want }) {
			t.Errorf("%q does not find %s", typed, want)
		}
	}
}
