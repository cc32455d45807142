package home

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"kairos/poller"
	"kairos/reader"
	"kairos/reader/imports"
	"kairos/reader/opml"
	"kairos/useraccess"
)

// Imports takes over what other readers have left, and takes that back.
type Imports struct {
	dir            string
	store          *reader.Store
	poller         *poller.Poller
	log            *useraccess.Log
	visits         *Visits
	subscriptions  *Subscriptions
	stories        *Duplicates
	now            func() time.Time
	forgetInsights func()
	places         *imports.Places // nil: the usual ones
}

// Imported is what an import did.
type Imported struct {
	reader.ImportReport
	Hints []useraccess.Hint `json:"-"` // of when the user reads, by the times at which articles were read
}

// importCopies begin the names of folders with copies of other readers' databases.
const importCopies = "import-"

// Open opens a file or a folder of another reader, by what is there if from is "". The source has to be closed. Errors:
// *imports.Error, *opml.Error.
func (i *Imports) Open(ctx context.Context, path string, from imports.Reader) (*imports.Source, error) {
	return imports.Open(ctx, path, imports.Options{From: from, Temp: i.dir, Now: i.now()})
}

// Run imports a source: its feeds and articles with all marks. From their dates it learns how the feeds post, and if the source
// knows when articles were read, when the user reads. progress is told how many articles were read; it may be nil. Feeds of this
// computer and its network are paused, unless local says that the source is trusted. Errors: reader.ErrImportRunning.
func (i *Imports) Run(ctx context.Context, source *imports.Source, local bool, progress func(articles int)) (done Imported, err error) {
	if err := i.recover(ctx); err != nil {
		return done, err
	}
	parts := exportParts{source: source}
	done.ImportReport, err = i.store.Imports.Run(ctx, source, reader.ImportOptions{Now: i.now(), Local: local, Progress: progress, Parts: parts.all, Hooks: i.hooks()})
	if err != nil {
		return done, err
	}
	defer i.stories.findNew(ctx)
	ctx = context.WithoutCancel(ctx) // all of it is there
	if err := i.keepLogins(ctx, &done); err != nil {
		return done, err
	}
	if n := len(done.Local); n > 0 {
		done.Warnings = append(done.Warnings, opml.Warning{Code: opml.LocalFeeds, Count: n})
	}
	done.Hints, err = i.hint(ctx, done.ID, source.ReadTimes)
	i.forgetInsights()
	i.poller.Changed()
	return done, err
}

// Preview says what an import of a source would do with its feeds.
func (i *Imports) Preview(ctx context.Context, source *imports.Source) (reader.ImportPreview, error) {
	return i.store.Imports.Preview(ctx, source)
}

// keepLogins moves the logins that addresses had into the keyring.
func (i *Imports) keepLogins(ctx context.Context, done *Imported) error {
	result := reader.ImportResult{Added: done.Added, Local: done.Local, Logins: done.Logins}
	err := i.subscriptions.keepLogins(ctx, &result)
	refused := len(done.Added) - len(result.Added)
	done.Stored.Feeds -= refused
	done.Added, done.Local, done.Refused = result.Added, result.Local, append(done.Refused, result.Refused...)
	if err != nil || refused == 0 {
		return err
	}
	return i.store.Imports.Amend(ctx, &done.ImportReport)
}

// finish learns from the articles of an import.
func (i *Imports) finish(ctx context.Context, done reader.ImportReport, watched time.Time) error {
	feeds := done.Feeds()
	if done.Reader == imports.KairosExport { // which has what was learned
		known, err := i.poller.States(ctx)
		if err != nil {
			return err
		}
		feeds = slices.DeleteFunc(feeds, func(id int64) bool { _, is := known[id]; return is })
	}
	if done.Ordered {
		if err := i.order(ctx, done.Added); err != nil {
			return err
		}
	}
	if done.Read.Articles == 0 {
		return nil
	}
	return i.poller.LearnHistory(ctx, feeds, watched)
}

// hintsKey is the setting with the hints of an import.
func hintsKey(id int64) string { return fmt.Sprint(importHintsPrefix, id) }

const importHintsPrefix = "home.import_hints."

// hint stores when the user reads.
func (i *Imports) hint(ctx context.Context, id int64, read []time.Time) (hints []useraccess.Hint, err error) {
	if learning, err := i.visits.learning(ctx); err != nil || !learning || id == 0 {
		return nil, err
	}
	var ids []string
	for _, h := range useraccess.SuggestHints(read, i.now().Location()) {
		h, err := i.visits.AddHint(ctx, h)
		if errors.Is(err, useraccess.ErrHintTwice) {
			continue
		}
		if err != nil {
			return hints, err
		}
		hints, ids = append(hints, h), append(ids, strconv.FormatInt(h.ID, 10))
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return hints, i.store.Settings.Set(ctx, hintsKey(id), strings.Join(ids, " "))
}

// Undo takes an import back as a whole. Errors: reader.ErrUnknown, reader.ErrImportRunning.
func (i *Imports) Undo(ctx context.Context, id int64) error {
	ids, err := i.store.Settings.Get(ctx, hintsKey(id), "")
	if err != nil {
		return err
	}
	if err := i.store.Imports.Undo(ctx, id, i.hooks()); err != nil {
		return err
	}
	for _, text := range strings.Fields(ids) {
		hint, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			continue
		}
		if err := i.visits.RemoveHint(ctx, hint); err != nil && !errors.Is(err, useraccess.ErrNoHint) {
			return err
		}
	}
	if err := i.store.Write(ctx, func(tx *sql.Tx) error { return reader.ForgetEmptyFolders(ctx, tx) }); err != nil {
		return err
	}
	i.forgetInsights()
	i.poller.Changed()
	if ids == "" {
		return nil
	}
	return i.store.Settings.Set(ctx, hintsKey(id), "")
}

// List returns the imports that can be undone, the newest first.
func (i *Imports) List(ctx context.Context) ([]reader.ImportReport, error) {
	return i.store.Imports.List(ctx)
}

// recover completes what a program that ended has left of an import.
func (i *Imports) recover(ctx context.Context) error { return i.store.Imports.Recover(ctx, i.hooks()) }

func (i *Imports) hooks() reader.ImportHooks {
	return reader.ImportHooks{Apply: i.applyPart, Revert: i.revertPart, Finish: i.finish}
}

// removeCopies removes copies that a program has left which ended while it read them.
func removeCopies(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, importCopies+"*"))
	for _, name := range left {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return err
}

// FoundSource is what another reader has left in its usual folder, with its counts.
type FoundSource struct {
	imports.Found
	Counts  imports.Counts
	Damaged bool  // Counts are of what can be read of it before its articles
	Err     error // if it cannot be opened
}

// Find returns what other readers have left on this computer. It reads copies of their databases.
func (i *Imports) Find(ctx context.Context) (all []FoundSource) {
	places := imports.UsualPlaces()
	if i.places != nil {
		places = *i.places
	}
	for _, found := range imports.Find(places) {
		if ctx.Err() != nil {
			break
		}
		one := FoundSource{Found: found}
		source, err := i.Open(ctx, found.Path, found.Reader)
		if err == nil {
			one.Counts = source.Counts
			one.Damaged = slices.ContainsFunc(source.Problems, func(p imports.Problem) bool { return p.Code == imports.DamagedPart })
			err = source.Close()
		}
		if one.Err = err; one.Counts.Feeds+one.Counts.Articles > 0 || one.Damaged || err != nil {
			all = append(all, one)
		}
	}
	return all
}
