package app

import (
	"context"
	"errors"

	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/fulltext"
)

// wantsFullText reports whether a feed's articles are always shown whole.
func (w *window) wantsFullText(feed int64) bool {
	for i := range w.sidebar.feeds {
		if f := &w.sidebar.feeds[i]; f.ID == feed {
			return f.FullText
		}
	}
	return false
}

// loadBody is what is shown of an article: the text of the feed, or that of its page if it is wanted and
// stored.
func (w *window) loadBody(ctx context.Context, id int64, full bool) (s shownArticle, err error) {
	rows, err := w.home.Store.Articles.Load(ctx, []int64{id})
	if err != nil || len(rows) == 0 {
		return s, err
	}
	html, files, err := w.home.Store.Articles.Body(ctx, id)
	if err != nil {
		return s, err
	}
	s = shownArticle{article: rows[0], files: files}
	if full {
		whole, err := w.home.Store.Articles.FullText(ctx, id)
		if err != nil {
			return s, err
		}
		if s.full = whole != ""; s.full {
			html = whole
		}
	}
	s.body = content.Parse(html)
	return s, nil
}

// toggleFullText shows the article as its page has it, or as the feed has it again.
func (w *window) toggleFullText() {
	a := w.reading.current()
	if a == nil {
		return
	}
	if w.reading.full {
		w.showBody(*a, false)
		return
	}
	w.fetchFullText(*a)
}

// showBody shows an article's text again, from its page or from the feed.
func (w *window) showBody(a reader.Article, full bool) {
	async.Load(w.Jobs, &w.wantBody, func(ctx context.Context) (shownArticle, error) {
		return w.loadBody(ctx, a.ID, full)
	}, func(s shownArticle) {
		if w.reading.shown != nil && w.reading.shown.ID == a.ID {
			w.reading.display(s)
		}
	})
}

// fetchFullText gets the full text of an article, and shows it if that is still the one
// being read.
func (w *window) fetchFullText(a reader.Article) {
	w.say(lang.L("Fetching the full text…"))
	w.Work(func(ctx context.Context) error {
		_, err := w.home.FullText(ctx, a)
		return err
	}, func(err error) {
		if r := w.reading; r.shown == nil || r.shown.ID != a.ID {
			return
		}
		if err != nil {
			w.say(fullTextError(err))
			return
		}
		w.say("")
		w.showBody(a, true)
	})
}

func fullTextError(err error) string {
	switch {
	case errors.Is(err, fulltext.ErrNone):
		return lang.L("No article could be told from what stands around it in the page. Press b to read it in the browser.")
	case errors.Is(err, home.ErrNoLink):
		return lang.L("This article names no page.")
	}
	return lang.L("The full text did not come: {{.Why}}", map[string]any{"Why": errorText(err)})
}
