package home

import (
	"context"
	"database/sql"

	"kairos/reader"
)

// SavedSearches changes the saved searches.
type SavedSearches struct{ store *reader.Store }

// Save stores a search under its id, as a new one if that is 0, and returns the id.
func (s *SavedSearches) Save(ctx context.Context, search reader.SavedSearch) (int64, error) {
	return write(ctx, s.store, func(tx *sql.Tx) (int64, error) { return reader.SaveSearch(ctx, tx, search) })
}

// Delete deletes a saved search. Errors: reader.ErrUnknown.
func (s *SavedSearches) Delete(ctx context.Context, id int64) error {
	return s.store.Write(ctx, func(tx *sql.Tx) error { return reader.DeleteSearch(ctx, tx, id) })
}
