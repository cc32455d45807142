package search

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"kairos/app/home"
	"kairos/app/shell"
)

// indexing is how much of the articles a search does not find yet.
type indexing struct {
	waiting int
	damaged bool // the index was damaged and is being rebuilt
}

// indexingOf returns what reads that of a data folder.
func indexingOf(h *home.Home) func(context.Context) (indexing, error) {
	return func(ctx context.Context) (i indexing, err error) {
		i.waiting, i.damaged, err = h.Store.Search.Progress(ctx)
		return i, err
	}
}

func (i indexing) text() string {
	of := map[string]any{"Count": i.waiting}
	if i.damaged {
		return lang.L("The search index was damaged and is being rebuilt. Articles not searched yet: {{.Count}}", of)
	}
	return lang.L("The search index is being built. Articles not searched yet: {{.Count}}", of)
}

// RebuildIndex makes the store rebuild the search index in the background.
func RebuildIndex(sh *shell.Shell) {
	sh.Work(sh.Home.Store.Search.Rebuild, func(err error) {
		if err != nil {
			sh.Fail(err)
			return
		}
		sh.Say(lang.L("Rebuilding the search index in the background."))
	})
}
