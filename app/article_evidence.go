package app

import (
	"time"
)

// glance is how long an article must be shown to be passed over rather than jumped over, as with a key held down.
const glance = openedAfter / 8

// articleGlance tells which articles the user passes over one by one.
type articleGlance struct {
	article int64 // shown, and not for long enough to be read; 0 for none
	since   time.Time
}

// show notes that an article is shown at a time, and returns the one before if it was passed over, else 0. Where the user has not
// walked to the article, as when a feed is chosen, that tells nothing of the one before.
func (g *articleGlance) show(article int64, at time.Time, walked bool) (passed int64) {
	if article == g.article {
		return 0
	}
	if shown := at.Sub(g.since); g.article != 0 && walked && shown >= glance && shown < openedAfter {
		passed = g.article
	}
	*g = articleGlance{article, at}
	return passed
}

// leave notes that the article is no longer shown, or was read.
func (g *articleGlance) leave() { g.article = 0 }
