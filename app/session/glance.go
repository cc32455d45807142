package session

import (
	"time"
)

// openedAfter is how long an article must be shown to count as opened rather than passed by.
const openedAfter = 2 * time.Second

// minGlance is how long an article must be shown to be passed over rather than jumped over, as with a key held down.
const minGlance = openedAfter / 8

// Glance tells which articles the user passes over one by one.
type Glance struct {
	article int64 // shown, and not for long enough to be read; 0 for none
	since   time.Time
}

// Show notes that an article is shown at a time, and returns the one before if it was passed over, else 0. Where the user has not
// walked to the article, as when a feed is chosen, that tells nothing of the one before.
func (g *Glance) Show(article int64, at time.Time, walked bool) (passed int64) {
	if article == g.article {
		return 0
	}
	if shown := at.Sub(g.since); g.article != 0 && walked && shown >= minGlance && shown < openedAfter {
		passed = g.article
	}
	*g = Glance{article, at}
	return passed
}

// Leave notes that the article is no longer shown, or was read.
func (g *Glance) Leave() { g.article = 0 }
