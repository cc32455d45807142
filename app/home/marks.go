package home

import (
	"context"
	"database/sql"

	"kairos/reader"
)

// Marks sets the status of articles and their labels.
type Marks struct {
	store  *reader.Store
	Labels Labels
}

// Set sets or clears a flag of articles and returns the ids of those it changed.
func (m *Marks) Set(ctx context.Context, ids []int64, flag reader.Flag, on bool) (changed []int64, err error) {
	write := m.store.Write
	if flag == reader.FlagRead {
		write = m.store.WriteAside
	}
	err = write(ctx, func(tx *sql.Tx) error {
		changed, err = reader.Mark(ctx, tx, ids, flag, on)
		if err == nil && flag == reader.FlagRead && on {
			changed, err = markDuplicatesRead(ctx, tx, changed)
		}
		return err
	})
	return changed, err
}

// AllRead marks the articles of a query as read and returns the ids of those it changed.
func (m *Marks) AllRead(ctx context.Context, q reader.Query) (changed []int64, err error) {
	err = m.store.WriteAside(ctx, func(tx *sql.Tx) error {
		changed, err = reader.MarkAllRead(ctx, tx, q)
		if err == nil {
			changed, err = markDuplicatesRead(ctx, tx, changed)
		}
		return err
	})
	return changed, err
}

// Unhide shows hidden articles again and returns those it changed.
func (m *Marks) Unhide(ctx context.Context, ids []int64) (reader.Unhidden, error) {
	return write(ctx, m.store, func(tx *sql.Tx) (reader.Unhidden, error) { return reader.UnhideArticles(ctx, tx, ids) })
}

// HideAgain undoes Unhide.
func (m *Marks) HideAgain(ctx context.Context, back reader.Unhidden) error {
	return m.store.Write(ctx, func(tx *sql.Tx) error { return reader.HideAgain(ctx, tx, back) })
}

// SetPlayback stores what was played of a file of an article.
func (m *Marks) SetPlayback(ctx context.Context, article int64, url string, p reader.Playback) error {
	return m.store.Write(ctx, func(tx *sql.Tx) error { return reader.SavePlayback(ctx, tx, article, url, p) })
}

// SetSaved stores where the user saved a copy of a file of an article.
func (m *Marks) SetSaved(ctx context.Context, article int64, url, path string) error {
	return m.store.Write(ctx, func(tx *sql.Tx) error { return reader.SaveCopy(ctx, tx, article, url, path) })
}

// markDuplicatesRead also marks the duplicates of articles just read as read, if the user wants
// that, and returns all of them.
func markDuplicatesRead(ctx context.Context, tx *sql.Tx, read []int64) ([]int64, error) {
	others, err := reader.SameStories(ctx, tx, read)
	if err != nil || len(others) == 0 {
		return read, err
	}
	marked, err := reader.Mark(ctx, tx, others, reader.FlagRead, true)
	return append(read, marked...), err
}
