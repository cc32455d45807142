package settings

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/reader"
)

// maxHidden is how many of the articles that rules have hidden are listed.
const maxHidden = 500

// hiddenArticles lists the articles that rules have hidden.
type hiddenArticles struct {
	*settingsDialog
	list     *widget.List
	articles []reader.Article
	request  async.Request
}

// showHidden opens the list; back is called when the rules are shown again.
func showHidden(d *settingsDialog, back func()) *hiddenArticles {
	h := &hiddenArticles{settingsDialog: d}
	h.list = widget.NewList(func() int { return len(h.articles) }, func() fyne.CanvasObject {
		title, about := widget.NewLabel(""), widget.NewLabel("")
		title.Truncation, about.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
		about.Importance = widget.LowImportance
		return container.NewBorder(nil, nil, nil, widget.NewButton(lang.L("Unhide"), nil), container.NewGridWithColumns(2, title, about))
	}, h.update)
	d.openSubpage(&subpage{title: lang.L("Hidden by rules"), content: h.list, left: h.request.Stop, back: back})
	h.reload()
	return h
}

func (h *hiddenArticles) reload() {
	async.Load(h.Jobs, &h.request, func(ctx context.Context) ([]reader.Article, error) {
		ids, err := h.Home.Store.Articles.IDs(ctx, reader.Query{Hidden: true, Limit: maxHidden})
		if err != nil {
			return nil, err
		}
		return h.Home.Store.Articles.Load(ctx, ids)
	}, func(articles []reader.Article) {
		h.articles = articles
		h.list.Refresh()
	})
}

// update shows article i in a row.
func (h *hiddenArticles) update(i int, row fyne.CanvasObject) {
	if i >= len(h.articles) {
		return
	}
	a := h.articles[i]
	parts := row.(*fyne.Container).Objects
	labels := parts[0].(*fyne.Container).Objects
	p := language.Printer()
	labels[0].(*widget.Label).SetText(p.ArticleTitle(a.Title))
	labels[1].(*widget.Label).SetText(a.FeedTitle + ", " + p.Age(a.Published, h.Home.Now()))
	parts[1].(*widget.Button).OnTapped = func() { h.unhide([]int64{a.ID}) }
}

func (h *hiddenArticles) unhide(ids []int64) {
	h.Keys.Used()
	var unhidden []int64
	h.Work(func(ctx context.Context) (err error) {
		unhidden, err = h.Home.Marks.Unhide(ctx, ids)
		return err
	}, func(err error) {
		if err != nil {
			h.Say(errorText(err))
			return
		}
		h.Say(lang.N("{{.PluralCount}} articles unhidden", len(unhidden)))
		h.reload()
	})
}
