package settings

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/reader"
)

// maxHidden is how many of the articles that rules have hidden are listed.
const maxHidden = 500

// hiddenArticles lists the articles that rules have hidden.
type hiddenArticles struct {
	*settingsDialog
	list     *widgets.List
	none     *widgets.Text
	articles []reader.Article
	chosen   int // after the next load
	request  async.Request
}

// showHidden opens the list; back is called when the rules are shown again.
func showHidden(d *settingsDialog, back func()) *hiddenArticles {
	h := &hiddenArticles{settingsDialog: d, none: widgets.NewText("", widgets.Muted)}
	keys := d.Keys
	keys.Key = h.key
	h.list = widgets.NewList(keys, func() int { return len(h.articles) }, func() fyne.CanvasObject {
		return container.NewBorder(nil, nil, nil, container.NewCenter(widgets.NewDialogButton(lang.L("Unhide"), nil)), widgets.NewTwoLines())
	}, h.update)
	h.list.Name = lang.L("Hidden by rules")
	d.openSubpage(&subpage{title: lang.L("Hidden by rules"), content: container.NewStack(widgets.NewPage(620, h.none), h.list), focus: h.list, left: h.request.Stop, back: back})
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
		h.none.Clear()
		if len(articles) == 0 {
			h.none.SetText(lang.L("No articles are hidden."), widgets.Muted)
		}
		h.list.Clear()
		h.list.Refresh()
		h.list.SelectSilently(min(h.chosen, len(articles)-1))
	})
}

// update shows article i in a row.
func (h *hiddenArticles) update(i int, row fyne.CanvasObject) {
	if i >= len(h.articles) {
		return
	}
	a := h.articles[i]
	parts := row.(*fyne.Container).Objects
	p := language.Printer()
	widgets.SetTwoLines(parts[0].(*fyne.Container), p.ArticleTitle(a.Title), a.FeedTitle+", "+p.Age(a.Published, h.Home.Now()))
	parts[1].(*fyne.Container).Objects[0].(*widgets.DialogButton).OnTapped = func() { h.unhide(i) }
}

// key unhides the chosen article by Enter.
func (h *hiddenArticles) key(ev *fyne.KeyEvent) {
	if at := h.list.Chosen; (ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter) && at >= 0 && at < len(h.articles) {
		h.unhide(at)
		return
	}
	h.Keys.Key(ev)
}

// unhide unhides article i, which can be undone; the one that follows is chosen then.
func (h *hiddenArticles) unhide(i int) {
	h.Keys.Used()
	h.chosen = i
	ids := []int64{h.articles[i].ID}
	var back reader.Unhidden
	h.Work(func(ctx context.Context) (err error) {
		back, err = h.Home.Marks.Unhide(ctx, ids)
		return err
	}, func(err error) {
		if err != nil {
			h.fail(err)
			return
		}
		h.undo.offer(lang.N("{{.PluralCount}} articles unhidden", back.Count()), func(ctx context.Context) error {
			defer h.Do(h.reload)
			return h.Home.Marks.HideAgain(ctx, back)
		})
		h.reload()
	})
}
