package app

import (
	"context"

	"fyne.io/fyne/v2/lang"
)

// indexing is how much of the articles a search does not find yet.
type indexing struct {
	waiting int
	damaged bool // the index was damaged and is being rebuilt
}

func (e *env) loadIndexing(ctx context.Context) (i indexing, err error) {
	i.waiting, i.damaged, err = e.home.Store.Search.Progress(ctx)
	return i, err
}

func (i indexing) text() string {
	of := map[string]any{"Count": countText(i.waiting)}
	if i.damaged {
		return lang.L("The search index was damaged and is being rebuilt. Articles not searched yet: {{.Count}}", of)
	}
	return lang.L("The search index is being built. Articles not searched yet: {{.Count}}", of)
}

// rebuildIndex makes the store rebuild the search index in the background.
func (e *env) rebuildIndex() {
	e.Work(e.home.Store.Search.Rebuild, func(err error) {
		if err != nil {
			e.say(errorText(err))
			return
		}
		e.say(lang.L("Rebuilding the search index in the background."))
	})
}
