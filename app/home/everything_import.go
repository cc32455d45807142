package home

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"kairos/poller"
	"kairos/reader"
	"kairos/reader/archive"
	"kairos/reader/imports"
	"kairos/useraccess"
)

// The names of parts of an import. Those of the log are the names of its tables.
const (
	partChoices = "choices" // archive.Manifest
	partLearned = "learned"
)

// exportParts are what an export of everything has beside feeds and articles, in the order in which it is to be stored: choices
// first, then the log and what was learned.
type exportParts struct{ source *imports.Source }

// all is the sequence of the parts. What is damaged becomes a problem of the source.
func (p *exportParts) all(yield func(reader.ImportPart, error) bool) {
	e := p.source.Export
	if e == nil {
		return
	}
	choices := e.Manifest
	choices.Feeds, choices.Labels = nil, nil // these come with feeds and articles
	text, err := json.Marshal(choices)
	if !yield(reader.ImportPart{Name: partChoices, Content: string(text)}, err) || err != nil {
		return
	}
	pass := func(name string) func(rows string) error {
		return func(rows string) error {
			if !yield(reader.ImportPart{Name: name, Content: rows}, nil) {
				return errStopped
			}
			return nil
		}
	}
	for _, table := range useraccess.ExportedTables() {
		err := p.file(path.Join(archive.LogFolder, table+".csv"), func(f io.Reader) error { return useraccess.ReadTable(table, f, pass(table)) })
		if errors.Is(err, errStopped) {
			return
		}
	}
	p.file(archive.LearnedFile, func(f io.Reader) error { return poller.ReadLearned(f, pass(partLearned)) }) //nolint:errcheck // nothing follows
}

// errStopped says that no more parts are wanted.
var errStopped = errors.New("stopped")

// file reads a file, and notes where it is damaged.
func (p *exportParts) file(name string, read func(f io.Reader) error) error {
	f, err := p.source.Export.Open(name)
	if err == nil {
		defer f.Close()
		err = read(f)
	}
	if err == nil || errors.Is(err, errStopped) {
		return err
	}
	place := ""
	var row *useraccess.ImportError
	var learned *poller.LearnedError
	switch {
	case errors.As(err, &row):
		place = fmt.Sprintf("line %d", row.Line)
	case errors.As(err, &learned):
		place = fmt.Sprintf("line %d", learned.Line)
	}
	p.source.Problems = append(p.source.Problems, imports.Problem{Code: imports.DamagedPart, File: name, Place: place, Detail: err.Error()})
	return nil
}

// applyPart stores a part of an export, and returns what takes it back.
func (i *Imports) applyPart(ctx context.Context, tx *sql.Tx, id int64, part reader.ImportPart) (undo string, err error) {
	switch part.Name {
	case partChoices:
		var m archive.Manifest
		if err := json.Unmarshal([]byte(part.Content), &m); err != nil {
			return "", err
		}
		return applyChoices(ctx, tx, id, m)
	case partLearned:
		// Of feeds that were here it is left out: there would be no taking it back.
		return "", poller.ImportLearned(ctx, tx, part.Content, func(ctx context.Context, tx *sql.Tx, address string) (int64, error) {
			return reader.ImportedFeed(ctx, tx, id, address)
		})
	}
	undo, err = useraccess.ImportRows(ctx, tx, part.Name, part.Content, useraccess.IDs{Feed: cached(reader.FindFeed), Article: reader.FindArticle})
	return undo, errors.Join(err, i.relearn(ctx, tx, part.Name))
}

// cached finds the feed of each address once.
func cached(find func(ctx context.Context, tx *sql.Tx, address string) (int64, error)) func(ctx context.Context, tx *sql.Tx, address string) (int64, error) {
	known := map[string]int64{}
	return func(ctx context.Context, tx *sql.Tx, address string) (int64, error) {
		if id, is := known[address]; is {
			return id, nil
		}
		id, err := find(ctx, tx, address)
		known[strings.Clone(address)] = id
		return id, err
	}
}

// revertPart takes back what applyPart has stored.
func (i *Imports) revertPart(ctx context.Context, tx *sql.Tx, part reader.ImportPart) error {
	switch part.Name {
	case partChoices:
		var c choicesMade
		if err := json.Unmarshal([]byte(part.Content), &c); err != nil {
			return err
		}
		return c.revert(ctx, tx)
	case partLearned:
		return nil
	}
	return errors.Join(useraccess.RemoveRows(ctx, tx, part.Name, part.Content), i.relearn(ctx, tx, part.Name))
}

// relearn learns from the visits again after a table of the log has changed that they are learned from.
func (i *Imports) relearn(ctx context.Context, tx *sql.Tx, table string) error {
	if table != "access" && table != "learning_pause" {
		return nil
	}
	return useraccess.Relearn(ctx, tx, i.now())
}
