package reading

import (
	"context"
	"errors"

	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/reader"
	"kairos/reader/fulltext"
)

// wantsFullText reports whether a feed's articles are always shown with their full text.
func (p *Pane) wantsFullText(feed int64) bool {
	f := p.Feed(feed)
	return f != nil && f.FullText
}

// ToggleFullText shows the full text of the article, or the text of the feed again.
func (p *Pane) ToggleFullText() {
	a := p.session.Reading()
	if a == nil {
		return
	}
	if p.FullText {
		p.redisplay(*a, false)
		return
	}
	p.fetchFullText(*a)
}

// redisplay displays the article, from now on with its full text or with the text of the feed.
func (p *Pane) redisplay(a reader.Article, full bool) {
	async.Load(p.shell.Jobs, &p.request, func(ctx context.Context) (shownArticle, error) {
		if err := p.shell.Home.FullText.Show(ctx, a.ID, full); err != nil {
			return shownArticle{}, err
		}
		return p.load(ctx, a.ID)
	}, func(s shownArticle) {
		if p.session.IsShown(a.ID) {
			p.display(s)
		}
	})
}

// fetchFullText fetches the full text of an article and shows it if the article is still shown.
func (p *Pane) fetchFullText(a reader.Article) {
	p.shell.Say(lang.L("Loading the full article…"))
	p.shell.Work(func(ctx context.Context) error {
		_, err := p.shell.Home.FullText.Get(ctx, a)
		return err
	}, func(err error) {
		if !p.session.IsShown(a.ID) {
			return
		}
		if err != nil {
			p.shell.Say(fullTextError(err))
			return
		}
		p.shell.Say("")
		p.redisplay(a, true)
	})
}

func fullTextError(err error) string {
	switch {
	case errors.Is(err, fulltext.ErrNoArticle):
		return lang.L("The article could not be extracted from the page. Press B to read it in the browser.")
	case errors.Is(err, home.ErrNoLink):
		return lang.L("This article has no link.")
	}
	return lang.L("The full article could not be loaded: {{.Why}}", map[string]any{"Why": language.Error(err)})
}
