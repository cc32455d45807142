package reader

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"kairos/reader/export"
)

// exportBatch is how many articles are loaded at a time.
const exportBatch = 100

// Export writes every article that a query selects under a title and returns how many.
func (a Articles) Export(ctx context.Context, w io.Writer, format export.Format, title string, q Query) (int, error) {
	ids, err := a.IDs(ctx, q)
	if err != nil {
		return 0, err
	}
	labels, err := Labels{a.db}.List(ctx)
	if err != nil {
		return 0, err
	}
	names := make(map[int64]string, len(labels))
	for _, l := range labels {
		names[l.ID] = l.Name
	}
	return format(w, title, a.exported(ctx, ids, names))
}

// exported loads articles one after the other, with the names of their labels, up to the first
// error. Articles that are gone are left out.
func (a Articles) exported(ctx context.Context, ids []int64, labels map[int64]string) iter.Seq2[export.Article, error] {
	return func(yield func(export.Article, error) bool) {
		for chunk := range slices.Chunk(ids, exportBatch) {
			articles, err := a.Load(ctx, chunk)
			if err != nil {
				yield(export.Article{}, err)
				return
			}
			for _, article := range articles {
				out, err := a.exportable(ctx, article)
				for _, id := range article.Labels {
					out.Labels = append(out.Labels, labels[id])
				}
				if !yield(out, err) || err != nil {
					return
				}
			}
		}
	}
}

func (a Articles) exportable(ctx context.Context, article Article) (export.Article, error) {
	out := export.Article{Title: cmp.Or(article.Title, "Untitled"), Link: article.Link, Author: article.Author, Feed: article.FeedTitle, Published: article.Published, Read: article.Read, Story: article.Story}
	var key string
	// An unsubscribed feed keeps its row as long as one of its articles is starred.
	err := a.db.read.QueryRowContext(ctx, "SELECT f.url, f.site, s.key FROM status s JOIN feed f ON f.id = s.feed WHERE s.id = ?", article.ID).Scan(&out.FeedURL, &out.Site, &key)
	if err != nil {
		return out, fmt.Errorf("load article: %w", classify(err))
	}
	// The key of an article is unique only within its feed, and two feeds may link to one page.
	out.ID = out.FeedURL + "#" + key
	html, files, err := a.Body(ctx, article.ID)
	if err != nil {
		return out, err
	}
	out.HTML = html
	for _, e := range files {
		out.Enclosures = append(out.Enclosures, export.Enclosure{URL: e.URL, Type: e.Type, Length: e.Length, Seconds: e.Seconds})
	}
	return out, nil
}
