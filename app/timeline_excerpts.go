package app

import (
	"kairos/reader"
	"kairos/reader/content"
)

// excerpts are the parts of the listed articles that show what was searched for.
type excerpts struct {
	texts   map[int64]string // by article; "" where its beginning shows it, or nothing does
	waiting []int64          // to be loaded
	loading bool
}

// excerpt returns the article as it is listed: with the part of its text that was searched for, once that is loaded.
func (t *timeline) excerpt(a *reader.Article) *reader.Article {
	e := &t.highlight.excerpts
	if a == nil || t.highlight.marks == nil {
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
func (t *timeline) loadExcerpts() {
	e, marks := &t.highlight.excerpts, t.highlight.marks
	if e.loading || len(e.waiting) == 0 {
		return
	}
	ids := e.waiting
	e.waiting, e.loading = nil, true
	t.Go(func() {
		found := map[int64]string{}
		for _, id := range ids {
			html, _, err := t.home.Store.Articles.ShownFullText(t.Ctx, id)
			if err == nil && html == "" {
				html, _, err = t.home.Store.Articles.Body(t.Ctx, id)
			}
			if err == nil {
				found[id] = marks.Excerpt(content.Text(html, 0))
			}
		}
		t.Do(func() {
			if t.highlight.marks != marks {
				return // another search
			}
			e.loading = false
			for id, text := range found {
				e.texts[id] = text
			}
			t.list.Refresh()
			t.loadExcerpts()
		})
	})
}
