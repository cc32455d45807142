package home

import (
	"context"
	"io"
	"strings"
	"time"
	"unicode"

	"kairos/app/atomicfile"
	"kairos/reader"
	"kairos/reader/export"
)

// ExportFormat is a format for starred or labeled articles.
type ExportFormat string

const (
	JSONFeed ExportFormat = "json" // the articles, for other readers
	Markdown ExportFormat = "md"   // the articles, for people
	OPML     ExportFormat = "opml" // their feeds
)

// FileName is the suggested name of an export of starred articles.
func (f ExportFormat) FileName() string { return "kairos-starred." + string(f) }

// LabelFileName is the suggested name of an export of the articles with a label.
func (f ExportFormat) LabelFileName(l reader.Label) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '-'
	}, l.Name)
	return "kairos-" + name + "." + string(f)
}

// Exports writes articles to files.
type Exports struct {
	store *reader.Store
	now   func() time.Time
}

// Starred writes the starred articles, or their feeds, to a file, whole or not at all, and returns
// their number.
func (e *Exports) Starred(ctx context.Context, file string, f ExportFormat) (n int, err error) {
	err = atomicfile.WriteFrom(file, func(w io.Writer) error {
		if f == OPML {
			n, err = e.store.Feeds.ExportStarred(ctx, w, e.now())
		} else {
			n, err = e.store.Articles.Export(ctx, w, f.articles(), "Starred articles", reader.Query{View: reader.Starred})
		}
		return err
	})
	return n, err
}

// Label writes the articles with a label to a file, as JSONFeed or Markdown, whole or not at all,
// and returns their number.
func (e *Exports) Label(ctx context.Context, file string, f ExportFormat, l reader.Label) (n int, err error) {
	err = atomicfile.WriteFrom(file, func(w io.Writer) error {
		n, err = e.store.Articles.Export(ctx, w, f.articles(), l.Name, l.Query())
		return err
	})
	return n, err
}

// articles returns what writes articles in the format.
func (f ExportFormat) articles() export.Format {
	if f == JSONFeed {
		return export.JSONFeed
	}
	return export.Markdown
}
