package verbs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	from, account              string
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
		show := func(ctx context.Context, h *home.Home) error {
			return v.preview(ctx, h, v.path(args[0]), imports.Reader(o.from))
		}
		if _, err := os.Stat(filepath.Join(v.dir, reader.FileName)); errors.Is(err, fs.ErrNotExist) && v.home == nil {
			return v.readingEmpty(ctx, show)
		}
		return v.reading(ctx, show)
	}
	return v.owning(ctx, func(ctx context.Context, h *home.Home) error {
		if o.account != "" {
			return v.importInto(ctx, h, v.path(args[0]), o)
		}
		return v.importReader(ctx, h, v.path(args[0]), o)
	})
}

// preview prints what an import would bring.
func (v importVerb) preview(ctx context.Context, h *home.Home, name string, from imports.Reader) error {
	source, err := imports.Open(ctx, name, imports.Options{From: from, Now: h.Now()})
	if err != nil {
		return err
	}
	would, err := h.Imports.Preview(ctx, source)
	if err == nil {
		err = v.show(source, &would)
	}
	return v.ended(err, source.Close())
}

// show prints what a source has, and if that is known what an import would do.
func (v importVerb) show(source *imports.Source, would *reader.ImportPreview) error {
	p := text.English()
	line := fmt.Sprintf("%s: %s (%s)", p.ReaderName(source.Reader), p.SourceCounts(source.Counts), source.Path)
	var also []string
	if would != nil && would.Known > 0 {
		also = append(also, fmt.Sprintf("%d here already", would.Known))
	}
	if would != nil && would.Local > 0 {
		also = append(also, fmt.Sprintf("%d in your own network or files: they would come paused", would.Local))
	}
	if len(also) > 0 {
		line += "; " + strings.Join(also, ", ")
	}
	for _, r := range source.Refused {
		v.complain("%s", v.refused(r))
	}
	for _, one := range source.Problems {
		v.complain("%s", p.ImportProblem(one))
	}
	out := struct {
		Reader  imports.Reader    `json:"reader"`
		Path    string            `json:"path"`
		Source  imports.Counts    `json:"source"`
		Folders int               `json:"folders,omitempty"`
		Known   int               `json:"known,omitempty"`
		Local   int               `json:"local,omitempty"`
		Notes   []imports.Problem `json:"problems,omitempty"`
	}{Reader: source.Reader, Path: source.Path, Source: source.Counts, Notes: source.Problems}
	if would != nil {
		out.Folders, out.Known, out.Local = would.Folders, would.Known, would.Local
	}
	return v.print(out, "%s", line)
}

// refused says why a feed cannot be subscribed to.
func (v importVerb) refused(r opml.Refusal) string {
	where := ""
	if r.Line > 0 {
		where = fmt.Sprintf("line %d: ", r.Line)
	}
	return fmt.Sprintf("%s%s: %s", where, r.Text, text.English().ListRefusal(r))
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
		if err := v.ended(v.show(source, nil), source.Close()); err != nil {
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
		return v.print(nil, "There is no import that can be taken back.")
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
	switch err := h.Imports.Undo(ctx, id); {
	case errors.Is(err, reader.ErrUnknown):
		return fmt.Errorf("there is no import %d; kairos import --list names those that can be taken back", id)
	case err != nil:
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

// importInto subscribes to the feeds of a list, or of what another reader has left, with an account, and syncs that.
func (v importVerb) importInto(ctx context.Context, h *home.Home, name string, o importOptions) error {
	a, err := findAccount(ctx, h, o.account)
	if err != nil {
		return err
	}
	source, err := h.Imports.Open(ctx, name, imports.Reader(o.from))
	if err != nil {
		return err
	}
	done, err := h.Subscriptions.ImportSource(ctx, a.ID, source)
	if err := v.ended(err, source.Close()); err != nil {
		return err
	}
	for _, r := range done.Refused {
		v.complain("%s", v.refused(r))
	}
	for _, w := range done.Warnings {
		v.complain("%s", text.English().ListWarning(w))
	}
	if n := source.Counts.Articles; n > 0 {
		v.complain("%s of %s stay there: the server of %s has articles of its own.", text.English().Articles(n), text.English().ReaderName(source.Reader), a.Name)
	}
	err = v.print(struct {
		Account int64 `json:"account"`
		Added   int   `json:"added"`
		Known   int   `json:"known"`
		Refused int   `json:"refused"`
	}{a.ID, len(done.Added), done.Known, len(done.Refused)}, "%s: %d added, %d already subscribed, %d refused", a.Name, len(done.Added), done.Known, len(done.Refused))
	if err != nil {
		return err
	}
	if err := (&accountSync{v.env}).all(ctx, h, []reader.Account{a}); err != nil {
		return err
	}
	if len(done.Refused)+len(done.Warnings) > 0 {
		return someFailed
	}
	return nil
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

		NoteFacts []opml.Warning `json:"noteFacts,omitempty"` // codes and values of Notes
	}{NoteFacts: done.Warnings, ImportReport: done.ImportReport, Added: done.Stored.Feeds, Known: done.KnownFeeds, Refused: []refusal{}, Notes: p.ImportNotes(&done.ImportReport)}
	for _, r := range done.Refused {
		out.Refused = append(out.Refused, refusal{r.Line, r.Text, p.ListRefusal(r), r.Code})
		v.complain("%s", v.refused(r))
	}
	for _, note := range out.Notes {
		v.complain("%s", note)
	}
	for _, hint := range done.Hints {
		out.Hints = append(out.Hints, hint.String())
		v.complain("You seem to read at %s: noted as a hint, which “kairos access hint --remove %d” removes.", hint.String(), hint.ID)
	}
	line := importedText(&done)
	if done.ID != 0 {
		line += fmt.Sprintf(" (import %d)", done.ID)
	}
	if err := v.print(out, "%s", line); err != nil {
		return err
	}
	if len(done.Refused) > 0 || len(done.Problems) > 0 || done.Reader == imports.List && len(done.Warnings) > 0 || done.Source.Articles > done.Read.Articles {
		return someFailed
	}
	return nil
}

// importedText says what an import has added, and what was there.
func importedText(done *home.Imported) string {
	p := text.English()
	if done.Reader == imports.List {
		return fmt.Sprintf("%d added, %d already subscribed, %d refused", done.Stored.Feeds, done.KnownFeeds, len(done.Refused))
	}
	line := fmt.Sprintf("added %s and %s", p.Feeds(done.Stored.Feeds), p.Articles(done.Stored.Articles))
	if marks := done.Stored; marks.Read+marks.Starred+marks.Labels > 0 {
		line += fmt.Sprintf("; of new and known ones together, %s marked read, %s and %s set", p.Articles(marks.Read), counted(marks.Starred, "star"), counted(marks.Labels, "label"))
	}
	return line + fmt.Sprintf("; %s and %s were here already, %d refused", p.Feeds(done.KnownFeeds), p.Articles(done.KnownArticles), len(done.Refused))
}

// counted is a number of things: "1 star", "2 stars".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
