package app

import (
	"time"

	"kairos/app/session"
)

// prefLeft is the preference that holds how the window was left.
const prefLeft = "left"

// returnTo has the window come back to how it was left, once that is listed.
func (w *window) returnTo(left session.Left) {
	w.session.ReturnTo(left)
	w.sidebar.ReturnTo(left.Place, left.Folded)
}

// resume selects the article that was being read when the window was left, or shows the status of the feed, and scrolls the list to where it was.
func (w *window) resume() {
	row, top, left := w.session.Resume(w.article.Stream.On || w.panes.Shown(session.PaneArticle))
	switch {
	case left.Status:
		w.showFeedPage(w.session.Place.Feed, left.Article)
	case row >= 0:
		w.article.ReturnTo(left.At)
		w.timeline.List.Select(row)
	}
	if top >= 0 {
		w.timeline.ScrollToRow(top, left.Above)
	}
}

// rememberAfter is how long what is done together is gathered before it is stored how the window is left.
const rememberAfter = 2 * time.Second

// rememberSoon stores how the window is left, as there is no telling when the program will end.
func (w *window) rememberSoon() {
	if w.remembers {
		return
	}
	w.remembers = true
	time.AfterFunc(rememberAfter, func() { w.shell.Do(w.remember) })
}

// remember stores how the window is left.
func (w *window) remember() {
	w.remembers = false
	w.geometry.save()
	w.article.StorePositions()
	left := session.Left{At: w.article.Left(), Folded: w.sidebar.Folded()}
	left.Top, left.Above = w.timeline.Top()
	w.shell.Preferences.SetString(prefLeft, w.session.Left(left).String())
}
