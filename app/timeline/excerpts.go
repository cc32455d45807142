package timeline

import (
	"context"
	"maps"

	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/search"
)

// excerpts are the parts of the listed articles that show what was searched for.
type excerpts struct {
	texts   map[int64]string // by article; "" where its beginning shows it, or nothing does
	waiting []int64          // to be loaded
	loading bool
}

// Excerpt returns the article as it is listed: with the part of its text that was searched for, once that is loaded.
func (t *Pane) Excerpt(a *reader.Article) *reader.Article {
	e := &t.Highlight.excerpts
	if a == nil || t.Highlight.Marks == nil {
		return a
	}
	text, known := e.texts[a.ID]
	if !known {
		if e.texts == nil {
			e.texts = map[int64]string{}
		}
		e.texts[a.ID] = ""
		e.waiting = append(e.waiting, a.ID)
		t.loadExcerpts()
	}
	if text == "" {
		return a
	}
	shown := *a
	shown.Summary = text
	return &shown
}

// loadExcerpts loads the excerpts that are waiting, one portion at a time.
func (t *Pane) loadExcerpts() {
	e, marks := &t.Highlight.excerpts, t.Highlight.Marks
	if e.loading || len(e.waiting) == 0 {
		return
	}
	ids := e.waiting
	e.waiting, e.loading = nil, true
	t.shell.Go(func() {
		found := excerptsOf(t.shell.Ctx, t.shell.Home.Store.Articles, marks, ids)
		t.shell.Do(func() {
			if t.Highlight.Marks != marks {
				return // another search
			}
			e.loading = false
			maps.Copy(e.texts, found)
			t.List.Refresh()
			t.loadExcerpts()
		})
	})
}

// excerptsOf returns the parts of articles that show what is marked.
func excerptsOf(ctx context.Context, articles reader.Articles, marks *search.Marks, ids []int64) map[int64]string {
	found := map[int64]string{}
	for _, id := range ids {
		html, _, err := articles.ShownFullText(ctx, id)
		if err == nil && html == "" {
			html, _, err = articles.Body(ctx, id)
		}
		if err == nil {
			found[id] = marks.Excerpt(content.Text(html, 0))
		}
	}
	return found
}
