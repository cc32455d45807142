package home

import (
	"context"
	"database/sql"

	"kairos/reader"
)

// Duplicates sets how stories that several feeds carry are listed.
type Duplicates struct{ store *reader.Store }

// Set stores the settings and then looks for such stories among the stored articles. That takes
// some seconds for 100,000 articles; if ctx ends, the rest is done later in the background.
func (d *Duplicates) Set(ctx context.Context, s reader.DedupeSettings) error {
	err := d.store.Write(ctx, func(tx *sql.Tx) error { return reader.SetDedupe(ctx, tx, s) })
	if err != nil {
		return err
	}
	_, err = d.store.Duplicates.Find(ctx)
	return err
}
