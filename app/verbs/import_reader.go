package verbs

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/reader"
	"kairos/reader/imports"
	"kairos/reader/opml"
)

// importOptions are the flags of import.
type importOptions struct {
	local, preview, find, list bool
	from                       string
	undo                       int64
}

// readerNames are the values of --from.
func readerNames() (names []string) {
	for _, r := range imports.Readers() {
		names = append(names, string(r))
	}
	return names
}

func (v importVerb) run(ctx context.Context, o importOptions, args []string, undo bool) error {
	alone := o.find || o.list || undo
	switch {
	case alone != (len(args) == 0):
		return fmt.Errorf("name one file or folder, or give --find, --list or --undo")
	case o.from != "" && !slices.Contains(readerNames(), o.from):
		return fmt.Errorf("%s is no reader that Kairos knows", o.from)
	case o.find:
		return v.find(ctx)
	case o.list:
		return v.reading(ctx, v.listImports)
	case undo:
		return v.owning(ctx, func(ctx context.Context, h *home.Home) error { return v.undo(ctx, h, o.undo) })
	case o.preview:
		source, err := imports.Open(ctx, v.path(args[0]), imports.Options{From: imports.Reader(o.from), Now: time.Now()})
		if err != nil {
			return err
		}
		return v.ended(v.show(source), source.Close())
	}
	return v.owning(ctx, func(ctx context.Context, h *home.Home) error { return v.importFile(ctx, h, v.path(args[0]), o) })
}

// isFeedList reports whether a file is a list of feeds, rather than what another reader stores.
func isFeedList(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, _ := io.ReadFull(f, head)
	return opml.IsList(head[:n]) && !imports.LooksKnown(name)
}

// show prints what a source has.
func (v importVerb) show(source *imports.Source) error {
	p := text.English()
	return v.print(struct {
		Reader imports.Reader    `json:"reader"`
		Path   string            `json:"path"`
		Source imports.Counts    `json:"source"`
		Notes  []imports.Problem `json:"problems,omitempty"`
	}{source.Reader, source.Path, source.Counts, source.Problems}, "%s: %s (%s)", p.ReaderName(source.Reader), p.SourceCounts(source.Counts), source.Path)
}

// find lists what other readers have left.
func (v importVerb) find(ctx context.Context) error {
	any := false
	for _, found := range imports.Find(imports.UsualPlaces()) {
		source, err := imports.Open(ctx, found.Path, imports.Options{From: found.Reader, Now: time.Now()})
		if err != nil {
			v.complain("%s", text.English().Error(err))
			continue
		}
		any = true
		if err := v.ended(v.show(source), source.Close()); err != nil {
			return err
		}
	}
	if !any && !v.json {
		return v.print(nil, "No other reader has left anything in its usual folder.")
	}
	return nil
}

func (v importVerb) listImports(ctx context.Context, h *home.Home) error {
	all, err := h.Imports.List(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 && !v.json {
		return v.print(nil, "Nothing was imported of other readers.")
	}
	p := text.English()
	for _, one := range all {
		if err := v.print(one, "%d  %s  %s: %s", one.ID, stamp(one.At), p.ReaderName(one.Reader), p.SourceCounts(one.Stored)); err != nil {
			return err
		}
	}
	return nil
}

func (v importVerb) undo(ctx context.Context, h *home.Home, id int64) error {
	if err := h.Imports.Undo(ctx, id); err != nil {
		return err
	}
	return v.print(struct {
		Undone int64 `json:"undone"`
	}{id}, "import %d was taken back", id)
}

// importReader takes over what another reader has left.
func (v importVerb) importReader(ctx context.Context, h *home.Home, name string, o importOptions) error {
	source, err := h.Imports.Open(ctx, name, imports.Reader(o.from))
	if err != nil {
		return err
	}
	bar := newProgress(v.env)
	done, err := h.Imports.Run(ctx, source, o.local, func(n int) { bar.articles(n, source.Counts.Articles) })
	bar.clear()
	if err := v.ended(err, source.Close()); err != nil {
		return err
	}
	return v.imported(done)
}

func (v importVerb) imported(done home.Imported) error {
	p := text.English()
	type refusal struct {
		Line    int              `json:"line,omitempty"`
		Text    string           `json:"text"`
		Why     string           `json:"why"`
		WhyCode opml.RefusalCode `json:"whyCode"`
	}
	out := struct {
		reader.ImportReport
		Added   int       `json:"added"` // feeds
		Known   int       `json:"known"`
		Refused []refusal `json:"refused"`
		Notes   []string  `json:"notes,omitempty"`
		Hints   []string  `json:"hints,omitempty"`
	}{ImportReport: done.ImportReport, Added: done.Stored.Feeds, Known: done.KnownFeeds, Refused: []refusal{}, Notes: p.ImportNotes(&done.ImportReport)}
	for _, r := range done.Refused {
		out.Refused = append(out.Refused, refusal{r.Line, r.Text, p.ListRefusal(r), r.Code})
		v.complain("%s: %s", r.Text, p.ListRefusal(r))
	}
	for _, note := range out.Notes {
		v.complain("%s", note)
	}
	for _, hint := range done.Hints {
		out.Hints = append(out.Hints, hint.String())
		v.complain("You seem to read at %s: noted as a hint, which “kairos access hint --remove %d” removes.", hint.String(), hint.ID)
	}
	err := v.print(out, "%d feeds and %d articles added, %d of them read, %d stars and %d labels set; %d feeds and %d articles were there, %d refused (import %d)",
		done.Stored.Feeds, done.Stored.Articles, done.Stored.Read, done.Stored.Starred, done.Stored.Labels, done.KnownFeeds, done.KnownArticles, len(done.Refused), done.ID)
	if err != nil {
		return err
	}
	if len(done.Refused) > 0 || len(done.Problems) > 0 || done.Source.Articles > done.Read.Articles {
		return someFailed
	}
	return nil
}
