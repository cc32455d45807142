package reader

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// SavedSearch is a search with a name, kept as a place of its own.
type SavedSearch struct {
	ID     int64
	Name   string
	Search string
}

// Query selects what a saved search finds.
func (s SavedSearch) Query() Query { return Query{Search: s.Search} }

// SavedSearches returns all saved searches by name.
func (s *Store) SavedSearches(ctx context.Context) ([]SavedSearch, error) {
	rows, err := s.read.QueryContext(ctx, "SELECT id, name, search FROM saved_search ORDER BY name COLLATE NOCASE, id")
	if err != nil {
		return nil, fmt.Errorf("list saved searches: %w", explain(err))
	}
	defer rows.Close()
	var all []SavedSearch
	for rows.Next() {
		var one SavedSearch
		if err := rows.Scan(&one.ID, &one.Name, &one.Search); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, explain(rows.Err())
}

// SaveSearch stores a search under its id, a new one if that is 0, and returns the id.
// One without a name is called what it searches for.
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

// RemoveSearch removes a saved search; SaveSearch brings it back. Errors: ErrUnknown.
func RemoveSearch(ctx context.Context, tx *sql.Tx, id int64) error {
	done, err := tx.ExecContext(ctx, "DELETE FROM saved_search WHERE id = ?", id)
	if err != nil {
		return fmt.Errorf("remove search: %w", err)
	}
	if n, _ := done.RowsAffected(); n == 0 {
		return ErrUnknown
	}
	return nil
}

// UnreadFound returns how many unread articles each saved search finds in what a query
// selects, by its id. It ends with ctx: what could not be counted by then is left out.
func (s *Store) UnreadFound(ctx context.Context, saved []SavedSearch, in Query) (map[int64]int, error) {
	counts := make(map[int64]int, len(saved))
	for _, one := range saved {
		q := in
		q.View, q.Quick, q.Search = Unread, true, one.Search
		ids, err := s.IDs(ctx, q)
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
