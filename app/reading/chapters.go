package reading

import (
	"context"

	"kairos/reader"
)

// fetchChapters fetches the chapters of an episode, and shows them below it if it is still shown. What cannot be fetched is tried again
// when the episode is opened again; the link to it stays.
func (p *Pane) fetchChapters(a reader.Article, address string) {
	if p.chapters == a.ID {
		return // the stream shows it again while it is scrolled
	}
	p.chapters = a.ID
	var s shownArticle
	found := false
	p.shell.Work(func(ctx context.Context) (err error) {
		if found, err = p.shell.Home.Chapters.Get(ctx, a, address); err != nil || !found {
			return err
		}
		s, err = p.load(ctx, a.ID)
		return err
	}, func(err error) {
		if err == nil && found && p.session.IsShown(a.ID) {
			p.View.SetBody(s.content(p.shell.Now(), p.ListedOnce()))
		}
	})
}
