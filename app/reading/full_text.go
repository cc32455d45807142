package reading

import (
	"context"
	"errors"

	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/fulltext"
)

// noteOpened notes that an article was opened, for preparing others.
func (p *Pane) noteOpened(a preparer.Article) {
	page := p.FullText
	if !page {
		p.noted = a.ID
	}
	p.shell.Work(func(ctx context.Context) error { return p.shell.Home.Preparer.NoteOpened(ctx, a, page) }, nil)
}

// offerFullText offers, once a feed, to show its articles whole, and says once that its pages need a browser.
func (p *Pane) offerFullText(a preparer.Article) {
	p.Bar.offerAlways(a.Offers)
	switch {
	case a.Offers:
		p.shell.Work(func(ctx context.Context) error { return p.shell.Home.Preparer.NoteOffered(ctx, a.Feed) }, nil)
	case a.NeedsPage:
		p.shell.Say(lang.L("The pages of this feed can only be read in a browser. Press B to open one."))
		p.shell.Work(func(ctx context.Context) error { return p.shell.Home.Preparer.NoteTold(ctx, a.Feed) }, nil)
	}
}

// AlwaysFullText shows the articles of the feed of the article that is read whole, from now on.
func (p *Pane) AlwaysFullText() {
	a := p.session.Reading()
	if a == nil {
		return
	}
	set := func(on bool) func(context.Context) error {
		return func(ctx context.Context) error {
			f, err := p.shell.Home.Store.Feeds.Get(ctx, a.Feed)
			if err != nil {
				return err
			}
			f.FullText = on
			return p.shell.Home.Subscriptions.Update(ctx, f, nil)
		}
	}
	p.shell.Work(set(true), func(err error) {
		if err != nil {
			p.shell.Fail(err)
			return
		}
		p.Bar.offerAlways(false)
		p.shell.AddUndoRedo(lang.L("The articles of this feed are shown whole."), set(false), set(true))
		if p.session.IsShown(a.ID) && !p.FullText {
			p.fetchFullText(*a)
		}
	})
}

// ToggleFullText shows the full text of the article, or the text of the feed again.
func (p *Pane) ToggleFullText() {
	a := p.session.Reading()
	if a == nil {
		return
	}
	home, opened := p.shell.Home.Preparer, p.noted == a.ID
	if p.FullText {
		p.redisplay(*a, false)
		p.shell.Work(func(ctx context.Context) error { return home.NoteKept(ctx, a.Feed) }, nil)
		return
	}
	p.fetchFullText(*a)
	p.shell.Work(func(ctx context.Context) error { return home.NoteAsked(ctx, a.Feed, opened) }, nil)
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
