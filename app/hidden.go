package app

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/reader"
)

// hiddenShown is how many of the articles that rules have hidden are listed.
const hiddenShown = 500

// hiddenArticles shows what rules have hidden.
type hiddenArticles struct {
	w       *window
	list    *widget.List
	rows    []reader.Article
	want    async.Request
	changed func()
}

// hiddenDialog opens the list; changed is told when something was brought back.
func (w *window) hiddenDialog(changed func()) *hiddenArticles {
	h := &hiddenArticles{w: w, changed: changed}
	h.list = widget.NewList(func() int { return len(h.rows) }, func() fyne.CanvasObject {
		title, about := widget.NewLabel(""), widget.NewLabel("")
		title.Truncation, about.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
		about.Importance = widget.LowImportance
		return container.NewBorder(nil, nil, nil, widget.NewButton(lang.L("Bring back"), nil), container.NewGridWithColumns(2, title, about))
	}, h.update)
	d := dialog.NewCustom(lang.L("Hidden by rules"), lang.L("Close"), h.list, w.win)
	d.Resize(w.dialogs.Fit(760, 560))
	w.dialogs.Show(d, h.want.Stop)
	h.reload()
	return h
}

func (h *hiddenArticles) reload() {
	async.Load(h.w.Jobs, &h.want, func(ctx context.Context) ([]reader.Article, error) {
		ids, err := h.w.home.Store.Articles.IDs(ctx, reader.Query{Hidden: true, Limit: hiddenShown})
		if err != nil {
			return nil, err
		}
		return h.w.home.Store.Articles.Load(ctx, ids)
	}, func(rows []reader.Article) {
		h.rows = rows
		h.list.Refresh()
	})
}

func (h *hiddenArticles) update(i int, o fyne.CanvasObject) {
	if i >= len(h.rows) {
		return
	}
	a := h.rows[i]
	parts := o.(*fyne.Container).Objects
	texts := parts[0].(*fyne.Container).Objects
	texts[0].(*widget.Label).SetText(language.Printer().ArticleTitle(a.Title))
	texts[1].(*widget.Label).SetText(a.FeedTitle + ", " + language.Printer().Age(a.Published, h.w.now()))
	parts[1].(*widget.Button).OnTapped = func() { h.bringBack([]int64{a.ID}) }
}

func (h *hiddenArticles) bringBack(ids []int64) {
	h.w.used()
	var back []int64
	h.w.Work(func(ctx context.Context) (err error) {
		back, err = h.w.home.Marks.Unhide(ctx, ids)
		return err
	}, func(err error) {
		if err != nil {
			h.w.say(errorText(err))
			return
		}
		h.w.say(broughtBackText(len(back)))
		h.reload()
		h.changed()
	})
}
