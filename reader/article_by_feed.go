package reader

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// idsByFeed lists feed after feed. SQLite gives each feed's articles in order from
// an index; it would sort all of them to bring the feeds into theirs.
func (s *Store) idsByFeed(ctx context.Context, q Query, sel *selection) ([]int64, error) {
	feeds, err := s.feedOrder(ctx)
	if err != nil {
		return nil, err
	}
	has := sel.sieve(manyIDs)
	where, args := sel.where()
	rows, err := s.read.QueryContext(ctx, "SELECT s.feed, s.id FROM status s WHERE "+where+" ORDER BY s.feed, "+q.Order.columns(), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	byFeed, all := map[int64][]int64{}, 0
	for rows.Next() {
		var feed, id int64
		if err := rows.Scan(&feed, &id); err != nil {
			return nil, err
		}
		if has == nil || has(id) {
			byFeed[feed] = append(byFeed[feed], id)
			all++
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	ids := make([]int64, 0, all)
	for _, feed := range feeds {
		ids = append(ids, byFeed[feed]...)
	}
	if q.Limit > 0 {
		ids = ids[:min(q.Limit, len(ids))]
	}
	return ids, nil
}

// feedOrder returns all feeds as Feeds lists them, behind them those that were
// unsubscribed: their starred articles are still there.
func (s *Store) feedOrder(ctx context.Context) ([]int64, error) {
	rows, err := s.read.QueryContext(ctx, "SELECT f.id, f.folder, "+feedTitle+", f.removed <> 0 FROM feed f")
	if err != nil {
		return nil, fmt.Errorf("list feeds: %w", explain(err))
	}
	defer rows.Close()
	type entry struct {
		id            int64
		folder, title string
		removed       bool
	}
	var all []entry
	for rows.Next() {
		var e entry
		if err := rows.Scan(&e.id, &e.folder, &e.title, &e.removed); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	inOrder(all, func(e *entry) (string, string, int64) { return e.folder, e.title, e.id })
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(rank(a.removed), rank(b.removed)) })
	feeds := make([]int64, len(all))
	for i, e := range all {
		feeds[i] = e.id
	}
	return feeds, rows.Err()
}

func rank(removed bool) int {
	if removed {
		return 1
	}
	return 0
}
