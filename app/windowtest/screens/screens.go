// Package screens lists the screens of Kairos by the keys that open them. “make screenshots” takes pictures of them, and the
// tests of the window check what they tell whoever cannot see them and whether they fit with large text. A screen that is
// not in this list is in neither.
package screens

import (
	"slices"
	"strings"

	"kairos/app/settings"
)

// Data is what is stored when a screen is opened.
type Data int

// What is stored.
const (
	Articles Data = iota // feeds with articles
	Nothing              // no feed
	History              // a month of fetches and visits
)

// Screen is a page or a dialog.
type Screen struct {
	Name string
	Of   Data
	Keys []string // that open it in the window as it was started, as package keys writes chords
	More bool     // it goes on from the screen before, which stays open
	Shop bool     // it is shown where programs are offered, in a smaller window
}

// All are the screens in the order of their pictures; those of the same data follow each other.
var All = all()

func all() []Screen {
	list := []Screen{
		{Name: "welcome", Of: Nothing},
		{Name: "reading", Keys: keys("j s j j"), Shop: true},
		{Name: "keys", Keys: keys("?")},
		{Name: "add", Keys: keys("Ctrl+N")},
	}
	for _, page := range settings.Pages {
		list = append(list, Screen{Name: "settings-" + string(page), Keys: settingsPage(page)})
	}
	list = append(list,
		Screen{Name: "feed", Keys: append(repeat("]", 5), "Ctrl+I"), Shop: true}, // the first feed of the first folder
		Screen{Name: "search", Keys: keys("Ctrl+1 / t e a")},
		Screen{Name: "insights", Of: History, Keys: keys("Ctrl+5"), Shop: true},
	)
	for _, part := range []string{"habits", "day", "costs", "predictions"} {
		list = append(list, Screen{Name: "insights-" + part, Of: History, Keys: keys("Space"), More: true})
	}
	return list
}

// Manual are the screens that the manual has pictures of, named as these.
var Manual = []Screen{
	{Name: "window", Keys: keys("j s j j")},
	{Name: "snooze", Keys: keys("z")},
	{Name: "search", Keys: keys("Ctrl+1 / t e a")},
	{Name: "rules", Keys: settingsPage(settings.Rules)},
	{Name: "insights", Of: History, Keys: keys("Ctrl+5")},
	{Name: "feed", Of: History, Keys: append(repeat("]", 6), "Ctrl+I")},
	{Name: "fetching", Of: History, Keys: settingsPage(settings.Fetching)},
}

// settingsPage are the keys that open a page of the settings.
func settingsPage(page settings.Page) []string {
	return append(keys("Ctrl+,"), repeat("Down", slices.Index(settings.Pages, page))...)
}

func keys(chords string) []string { return strings.Fields(chords) }

func repeat(key string, n int) (chords []string) {
	for range n {
		chords = append(chords, key)
	}
	return chords
}
