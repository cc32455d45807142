package reader

import (
	"context"
	"fmt"
)

// idsByFeed lists feed after feed. SQLite gives each feed's articles in order from
// an index; it would sort all of them to bring the feeds into theirs.
func (s *Store) idsByFeed(ctx context.Context, q Query, sel *selection) ([]int64, error) {
	feeds, err := s.feedOrder(ctx)
	if err != nil {
		return nil, err
	}
	has := sel.sieve()
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
	rows, err := s.read.QueryContext(ctx, "SELECT f.id, "+feedTitle+" FROM feed f ORDER BY f.removed <> 0, f.folder COLLATE NOCASE, 2 COLLATE NOCASE, f.id")
	if err != nil {
		return nil, fmt.Errorf("list feeds: %w", explain(err))
	}
	defer rows.Close()
	var feeds []int64
	for rows.Next() {
		var id int64
		var title string
		if err := rows.Scan(&id, &title); err != nil {
			return nil, err
		}
		feeds = append(feeds, id)
	}
	return feeds, rows.Err()
}
