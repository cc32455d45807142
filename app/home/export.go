package home

import (
	"context"
	"io"

	"kairos/app/atomicfile"
	"kairos/reader/export"
)

// Kind is how starred articles are exported.
type Kind string

const (
	JSONFeed Kind = "json" // the articles, for other readers
	Markdown Kind = "md"   // the articles, for people
	OPML     Kind = "opml" // the feeds they are of
)

// StarredName is what an export is called.
func (k Kind) StarredName() string { return "kairos-starred." + string(k) }

// ExportStarred writes the starred articles, or their feeds, to a file and returns how
// many they are. The file is written whole or not at all.
func (h *Home) ExportStarred(ctx context.Context, file string, k Kind) (n int, err error) {
	err = atomicfile.WriteFrom(file, func(w io.Writer) error {
		switch k {
		case JSONFeed:
			n, err = h.Store.Articles.ExportStarred(ctx, w, export.JSONFeed)
		case Markdown:
			n, err = h.Store.Articles.ExportStarred(ctx, w, export.Markdown)
		default:
			n, err = h.Store.Feeds.ExportStarred(ctx, w, h.Now())
		}
		return err
	})
	return n, err
}
