package home

import (
	"context"
	"io"
	"time"

	"kairos/app/atomicfile"
	"kairos/reader"
	"kairos/reader/export"
)

// ExportFormat is a format for starred articles.
type ExportFormat string

const (
	JSONFeed ExportFormat = "json" // the articles, for other readers
	Markdown ExportFormat = "md"   // the articles, for people
	OPML     ExportFormat = "opml" // their feeds
)

// FileName is the suggested name of an export.
func (f ExportFormat) FileName() string { return "kairos-starred." + string(f) }

// Exports writes articles to files.
type Exports struct {
	store *reader.Store
	now   func() time.Time
}

// Starred writes the starred articles, or their feeds, to a file, whole or not at all, and returns
// their number.
func (e *Exports) Starred(ctx context.Context, file string, f ExportFormat) (n int, err error) {
	err = atomicfile.WriteFrom(file, func(w io.Writer) error {
		switch f {
		case JSONFeed:
			n, err = e.store.Articles.ExportStarred(ctx, w, export.JSONFeed)
		case Markdown:
			n, err = e.store.Articles.ExportStarred(ctx, w, export.Markdown)
		default:
			n, err = e.store.Feeds.ExportStarred(ctx, w, e.now())
		}
		return err
	})
	return n, err
}
