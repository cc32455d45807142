package reader

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// SavedSearch is a search that the sidebar lists under a name.
type SavedSearch struct {
	ID     int64
	Name   string
	Search string
}

// Query selects what a saved search finds.
func (s SavedSearch) Query() Query { return Query{Search: s.Search} }

// Saved returns all saved searches by name.
func (s *Search) Saved(ctx context.Context) ([]SavedSearch, error) {
	return Collect(ctx, s.db.read, "list saved searches", func(row *sql.Rows, one *SavedSearch) error {
		return row.Scan(&one.ID, &one.Name, &one.Search)
	}, "SELECT id, name, search FROM saved_search ORDER BY name COLLATE NOCASE, id")
}

// SaveSearch stores a search under its id, or a new one if that is 0, and returns the id. A search
// without a name is named after its text.
func SaveSearch(ctx context.Context, tx *sql.Tx, one SavedSearch) (int64, error) {
	one.Name, one.Search = strings.Join(strings.Fields(one.Name), " "), strings.TrimSpace(one.Search)
	if one.Name == "" {
		one.Name = one.Search
	}
	var id any
	if one.ID != 0 {
		id = one.ID
	}
	done, err := tx.ExecContext(ctx, `INSERT INTO saved_search (id, name, search) VALUES (?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, search = excluded.search`, id, one.Name, one.Search)
	if err != nil {
		return 0, fmt.Errorf("save search: %w", err)
	}
	if one.ID != 0 {
		return one.ID, nil
	}
	return done.LastInsertId()
}

// DeleteSearch deletes a saved search; SaveSearch brings it back. Errors: ErrUnknown.
func DeleteSearch(ctx context.Context, tx *sql.Tx, id int64) error {
	done, err := tx.ExecContext(ctx, "DELETE FROM saved_search WHERE id = ?", id)
	return expectChange(done, err, "remove search")
}

// UnreadBySearch returns how many unread articles each saved search finds among those that a query
// selects, by its id. When ctx ends it returns the counts it has.
func (a Articles) UnreadBySearch(ctx context.Context, saved []SavedSearch, in Query) (map[int64]int, error) {
	counts := make(map[int64]int, len(saved))
	for _, one := range saved {
		q := in
		q.View, q.Quick, q.Search = Unread, true, one.Search
		ids, err := a.IDs(ctx, q)
		if ctx.Err() != nil {
			return counts, nil
		}
		if err != nil {
			return counts, err
		}
		counts[one.ID] = len(ids)
	}
	return counts, nil
}
