package home

import (
	"context"
	"database/sql"

	"kairos/reader"
)

// Labels changes the labels and puts them on articles.
type Labels struct{ store *reader.Store }

// Save stores a label under its id, as a new one if that is 0, and returns the id. Errors:
// reader.ErrLabelName, reader.ErrLabelExists, reader.ErrUnknown.
func (l *Labels) Save(ctx context.Context, label reader.Label) (int64, error) {
	return write(ctx, l.store, func(tx *sql.Tx) (int64, error) { return reader.SaveLabel(ctx, tx, label) })
}

// Put puts a label on articles, or takes it off if on is false, and returns the ids of those it
// changed.
func (l *Labels) Put(ctx context.Context, label int64, articles []int64, on bool) ([]int64, error) {
	return write(ctx, l.store, func(tx *sql.Tx) ([]int64, error) { return reader.PutLabel(ctx, tx, label, articles, on) })
}

// PutNew creates a label and puts it on articles. Errors: reader.ErrLabelName,
// reader.ErrLabelExists.
func (l *Labels) PutNew(ctx context.Context, label reader.Label, articles []int64) (id int64, err error) {
	err = l.store.Write(ctx, func(tx *sql.Tx) error {
		if id, err = reader.SaveLabel(ctx, tx, label); err != nil {
			return err
		}
		_, err = reader.PutLabel(ctx, tx, id, articles, true)
		return err
	})
	return id, err
}

// UndoNew undoes PutNew: it takes the label off the articles, and deletes it unless other articles or a rule have it by now.
func (l *Labels) UndoNew(ctx context.Context, id int64, articles []int64) error {
	return l.store.Write(ctx, func(tx *sql.Tx) error {
		if _, err := reader.PutLabel(ctx, tx, id, articles, false); err != nil {
			return err
		}
		used, err := reader.LabelUsed(ctx, tx, id)
		if err == nil && !used {
			_, err = reader.DeleteLabel(ctx, tx, id)
		}
		return err
	})
}

// Delete deletes a label, but none of its articles. Errors: reader.ErrUnknown.
func (l *Labels) Delete(ctx context.Context, id int64) (reader.DeletedLabel, error) {
	return write(ctx, l.store, func(tx *sql.Tx) (reader.DeletedLabel, error) { return reader.DeleteLabel(ctx, tx, id) })
}

// Restore undoes Delete. Errors: reader.ErrLabelExists.
func (l *Labels) Restore(ctx context.Context, deleted reader.DeletedLabel) error {
	return l.store.Write(ctx, func(tx *sql.Tx) error { return reader.RestoreLabel(ctx, tx, deleted) })
}
