package reading

import (
	"context"
	"slices"
	"strings"

	"kairos/reader"
	"kairos/reader/content"
)

// fetchChapters fetches the chapters of an episode, and shows them below it if it is still shown. What cannot be fetched is tried again
// when the episode is opened again; the link to it stays. done is told whether there are any.
func (p *Pane) fetchChapters(a reader.Article, address string, done func(found bool, err error)) {
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
			p.View.SetBody(p.content(&s))
		}
		done(found, err)
	})
}

// actionChapters is what the link to chapters does that were not fetched.
const actionChapters = "chapters"

// askChapters fetches the chapters of the article shown because the user wants them. What has none that can be read is opened.
func (p *Pane) askChapters(address string) {
	if p.session.Shown == nil {
		return
	}
	p.fetchChapters(*p.session.Shown, address, func(found bool, err error) {
		switch {
		case err != nil:
			p.shell.Fail(err)
		case !found:
			p.shell.OpenLink(address)
		}
	})
}

// withoutLink leaves out a link to an address, and the point between it and its neighbor.
func withoutLink(blocks []content.Block, address string) []content.Block {
	const point = " · "
	for i, b := range blocks {
		k := slices.IndexFunc(b.Runs, func(r content.Run) bool { return r.Link == address })
		if k < 0 {
			continue
		}
		runs := slices.Delete(slices.Clone(b.Runs), k, k+1)
		switch {
		case k > 0 && strings.HasSuffix(runs[k-1].Text, point):
			runs[k-1].Text = strings.TrimSuffix(runs[k-1].Text, point)
		case k < len(runs):
			runs[k].Text = strings.TrimPrefix(runs[k].Text, point)
		}
		if strings.TrimSpace(content.Document{Blocks: []content.Block{{Runs: runs}}}.PlainText()) == "" {
			return slices.Delete(slices.Clone(blocks), i, i+1)
		}
		blocks = slices.Clone(blocks)
		blocks[i].Runs = runs
		return blocks
	}
	return blocks
}
