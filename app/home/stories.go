package home

import (
	"context"
	"database/sql"

	"kairos/reader"
)

// SetDedupe stores how stories that several feeds carry are listed, and then finds such stories
// among the stored articles. That takes some seconds for 100,000 articles; if ctx ends, it resumes
// with the next start.
func (h *Home) SetDedupe(ctx context.Context, s reader.DedupeSettings) error {
	err := h.Store.Write(ctx, func(tx *sql.Tx) error { return reader.SetDedupe(ctx, tx, s) })
	if err != nil {
		return err
	}
	_, err = h.Store.Duplicates.Find(ctx)
	return err
}
