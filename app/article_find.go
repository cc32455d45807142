package app

// searchOrFind is what Ctrl+F does: where the article has the focus it looks in that, else in all of them.
func (w *window) searchOrFind() {
	if f := w.win.Canvas().Focused(); f != nil && (f == w.reading.view || w.reading.view.Finding() && f != w.search) && w.reading.shown != nil {
		w.reading.view.Find()
		return
	}
	w.startSearch()
}

// findNext opens the line in which words are looked for in the article, or goes on to the next place.
func (w *window) findNext() {
	if w.reading.shown != nil {
		w.reading.view.FindNext(1)
	}
}
